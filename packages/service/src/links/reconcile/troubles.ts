import { perServices, type Uses } from '../../api/http/services.ts'
import type { Db } from '../../base/db/sql.ts'
import { addHours, addSeconds } from '../../base/kernel/clock.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import { throughBestNode } from '../../chain/client/best-node.ts'
import type { Rail } from '../../chain/client/chain.ts'
import { railsOf, shownAsset } from '../../chain/client/rails.ts'
import { isAuthorizationUsed, readTransaction } from '../../chain/client/reads.ts'
import { LOW_SENDS, readGas } from '../../chain/relay/gas/relayer-gas.ts'
import { isPermitUsed } from '../../chain/transfers/reads/permit2.ts'
import type { Fault } from '../../money/ledger/fault.ts'
import type { Checkpoint } from '../../money/ledger/seals/checkpoint.ts'
import { sealBooks } from '../../money/ledger/seals/seal-books.ts'
import { findMissingPulls } from '../../money/pulls/store.ts'
import { hasStray } from '../../money/settlements/months/store.ts'
import { countMissing } from '../../money/settlements/on-chain/store-confirmations.ts'
import { countUnowned, findMoved, type WatchedTransfer } from '../watcher/store.ts'
import { checkBooks } from './books/books.ts'
import type { Comparison } from './compare.ts'
import { findBooked, findComparison, findOpenAlarms, type Trouble } from './store.ts'

type Of = Uses<'chain' | 'db'>
/** The first faults show where to look; there may be many more. */
const FAULTS_MAX = 20
const MOVED_MAX = 100
/** Older payouts are covered by the comparison in `compare.ts`. */
const BOOKED_SECONDS = 15 * 60
/** Each payout costs an RPC call. A reorganization rarely removes one payout only, so a sample finds it. */
const BOOKED_MAX = 100
/** How long a pull that is gone raises its alarm. */
const MISSING_PULL_HOURS = 30 * 24
/** Three comparisons of a service on a public chain. */
const SILENT_SECONDS = 15 * 60

/** Alarms about an asset have its name. */
export const subjectOf = ({ network, asset }: Rail): string => `${network} ${asset.symbol}`

/** The sentence says whether money is missing or left over. `verify` shows every term. */
export function custodyTroubles(rail: Rail, compared: Comparison): Trouble[] {
  const { difference } = compared
  if (difference === 0n) return []
  const { asset, network } = rail
  const size = formatAmount(difference < 0n ? -difference : difference, asset.decimals)
  return [
    {
      kind: 'custody',
      subject: subjectOf(rail),
      sentence:
        difference < 0n
          ? `${size} ${asset.symbol} are missing on ${network}: the chain holds less than the books explain. Run purser verify.`
          : `${network} holds ${size} ${asset.symbol} more than the books explain. Run purser verify.`,
      details: { difference: String(difference) },
    },
  ]
}

/** Books that were not compared with the chain for long may be wrong unnoticed. */
export async function silenceTroubles(
  { chain, db }: Pick<Of, 'chain' | 'db'>,
  at: Date,
): Promise<Trouble[]> {
  const troubles: Trouble[] = []
  for (const rail of railsOf(chain)) {
    const { network, asset } = rail
    const last = await findComparison(db.reader, { network, asset: asset.symbol })
    // One in the future was made by a clock that was ahead.
    if (!last || Math.abs(at.getTime() - last.comparedAt.getTime()) < SILENT_SECONDS * 1000)
      continue
    const since = last.comparedAt.toISOString()
    troubles.push({
      kind: 'not_compared',
      subject: subjectOf(rail),
      sentence:
        `Ledger and chain were last compared in ${asset.symbol} at ${since}: no node answers, or the watcher has too ` +
        'much to read. The log says why.',
      details: { since },
    })
  }
  return troubles
}

/** Credited transfers that are no longer where they were on chain, unless the same transfer is safe on chain again. */
export async function movedTroubles({ chain, db }: Of): Promise<Trouble[]> {
  const found = await Promise.all(railsOf(chain).map((rail) => movedOf(rail, db)))
  return found.flat()
}

async function movedOf(rail: Rail, db: Db): Promise<Trouble[]> {
  const of = { network: rail.network, asset: rail.asset.symbol }
  const moved = await findMoved(db.reader, of, MOVED_MAX)
  const isGone = async (row: WatchedTransfer): Promise<boolean> => {
    const mined = await readTransaction(rail, row.txHash)
    const isSame = (log: { from: string; to: string; value: bigint }) =>
      log.from === row.from && log.to === row.to && log.value === row.value
    return !(mined?.isSafe && mined.succeeded && mined.transfers.some(isSame))
  }
  const troubles: Trouble[] = []
  for (const row of moved)
    if (await isGone(row))
      troubles.push({
        kind: 'moved_transfer',
        subject: `${row.txHash} ${row.logIndex}`,
        sentence:
          `A credited transfer of ${formatAmount(row.value, rail.asset.decimals)} ${rail.asset.symbol} is no longer ` +
          `where it was on the chain: compare transaction ${row.txHash} there with the books.`,
        details: { tx_hash: row.txHash, log_index: String(row.logIndex), from: row.from },
      })
  return troubles
}

/** Money from an address of the chain itself, for example from a mint: it can be credited to nobody. */
export async function depositorTroubles({
  chain,
  db,
}: Pick<Of, 'chain' | 'db'>): Promise<Trouble[]> {
  const found = await Promise.all(railsOf(chain).map((rail) => unownedOf(rail, db)))
  return found.flat()
}

/** A settlement without a month works, but stays where it is when its month leaves for the archive. */
export const strayTroubles = async ({ db }: Pick<Of, 'db'>): Promise<Trouble[]> =>
  (await hasStray(db.reader))
    ? [
        {
          kind: 'outside_months',
          subject: 'settlements',
          sentence:
            'Settlements were written for which there was no month. They count as all others. The job make_months moves them as soon as a worker runs it.',
          details: {},
        },
      ]
    : []

async function unownedOf(rail: Rail, db: Db): Promise<Trouble[]> {
  const { asset, network } = rail
  const found = await countUnowned(db.reader, { network, asset: asset.symbol })
  if (!found || found.transfers === 0n) return []
  return [
    {
      kind: 'no_depositor',
      subject: subjectOf(rail),
      sentence:
        `${formatAmount(found.sum, asset.decimals)} ${asset.symbol} came to addresses of this service without a sender, ` +
        `as a mint or a bridge sends it, and are credited to nobody. The newest transaction is ${found.newest}.`,
      details: {
        transfers: String(found.transfers),
        amount: String(found.sum),
        newest: found.newest,
      },
    },
  ]
}

/** Payments of links that were credited at their first confirmation and that no safe block holds. */
export async function missingTroubles({ db }: Pick<Of, 'db'>): Promise<Trouble[]> {
  const settlements = (await countMissing(db.reader))?.settlements ?? 0n
  if (settlements === 0n) return []
  return [
    {
      kind: 'missing_settlement',
      subject: 'pay links',
      sentence:
        `${settlements} ${settlements === 1n ? 'payment of a link was' : 'payments of links were'} credited and ` +
        'taken off the chain by a reorganization: the log names each.',
      details: { settlements: String(settlements) },
    },
  ]
}

/** Pulls that were booked at their first confirmation and that no safe block holds. Membership takes back what each paid. */
export async function pullTroubles({ chain, db }: Of, at: Date): Promise<Trouble[]> {
  const since = addHours(at, -MISSING_PULL_HOURS)
  const missing = await findMissingPulls(db.reader, { network: chain.network, since })
  return missing.map(({ chargeId, walletAddress, amount, asset, txHash }) => ({
    kind: 'missing_pull',
    subject: chargeId,
    sentence:
      `A reorganization took the pull of ${formatAmount(amount, shownAsset(chain, { asset }).decimals)} ${asset} from ${walletAddress}, and the ` +
      `wallet does not pay it any more: the charge ${chargeId} had been counted as paid.`,
    details: { charge: chargeId, tx_hash: txHash ?? '' },
  }))
}

/**
 * Payouts that were booked from a safe block and are gone from the chain: a reorganization deeper than the safe block. The
 * comparison finds them later, once they can no longer be in a later block.
 */
export async function undoneTroubles(services: Of, at: Date): Promise<Trouble[]> {
  const best = await throughBestNode(services.chain)
  const found = await Promise.all(railsOf(best).map((rail) => undoneOf(rail, services.db, at)))
  return found.flat()
}

async function undoneOf(rail: Rail, db: Db, at: Date): Promise<Trouble[]> {
  const { asset, network, treasury } = rail
  const booked = await findBooked(db.reader, {
    network,
    asset: asset.symbol,
    treasury: treasury.address,
    since: addSeconds(at, -BOOKED_SECONDS),
    limit: BOOKED_MAX,
  })
  const troubles: Trouble[] = []
  for (const { id, mechanism, from, nonce, value, validBefore } of booked) {
    const isUsed = await (mechanism === 'permit2'
      ? isPermitUsed(rail, { from, nonce })
      : isAuthorizationUsed(rail, from, nonce))
    if (isUsed) continue
    const until = new Date(Number(validBefore) * 1000).toISOString()
    troubles.push({
      kind: 'undone_payout',
      subject: id,
      sentence:
        `The payout ${id} of ${formatAmount(value, asset.decimals)} ${asset.symbol} was made on ${network}, and a ` +
        `reorganization has taken it away. Until ${until} it may come again; after that, the money is still in custody.`,
      details: { payout: id, amount: String(value) },
    })
  }
  return troubles
}

export async function gasTroubles({ chain }: Pick<Of, 'chain'>): Promise<Trouble[]> {
  const gas = await readGas({ chain })
  return gas.flatMap(({ address, sends }): Trouble[] => {
    if (sends >= LOW_SENDS) return []
    const kind = sends === 0n ? 'relayer_gas_out' : 'relayer_gas_low'
    const state = sends === 0n ? 'has no gas left and sends nothing' : 'is low on gas'
    return [
      {
        kind,
        subject: address,
        sentence: `The relayer ${address} ${state}: send it some of the chain's coin.`,
        details: { relayer: address },
      },
    ]
  })
}

/**
 * Seals the books up to now. If it finds faults it answers them and seals nothing. A process remembers the newest checkpoint
 * it has seen, so it notices within a minute if the database is set back while the service runs.
 */
export async function checkpointTroubles(
  services: Uses<'checkpointKeys' | 'db'>,
  at: Date,
): Promise<Trouble[]> {
  const { db, checkpointKeys } = services
  const seen = newestSeen(services)
  const { faults, newest } = await sealBooks(db, at, { keys: checkpointKeys, seen: seen.newest })
  seen.newest = newest ?? seen.newest
  return faults.map((fault) => ({
    kind: 'checkpoint',
    subject: fault,
    sentence: `The books were changed behind a checkpoint: ${fault}. Stop the service, keep a backup, and run purser verify.`,
    details: { fault },
  }))
}

const newestSeen = perServices((): { newest: Checkpoint | undefined } => ({ newest: undefined }))

/** Computes every hash, sum, counter and seal of the books again. */
export const bookTroubles = async (services: Checks): Promise<Trouble[]> =>
  troublesOf(await faultsFrom(services, 'start'))

/** The same from where the books were last in order; nothing if they never were. Leaves out what an open alarm tells already. */
export async function recentTroubles(services: Checks): Promise<Trouble[]> {
  const troubles = troublesOf(await faultsFrom(services, 'state alone'))
  const open = await findOpenAlarms(services.db.reader)
  return troubles.filter(
    ({ kind, subject }) => !open.some((alarm) => alarm.kind === kind && alarm.subject === subject),
  )
}

type Checks = Uses<'checkBooks' | 'checkpointKeys' | 'db'>

const faultsFrom = async (
  { checkBooks: checkApart, checkpointKeys: keys, db }: Checks,
  from: 'start' | 'state alone',
): Promise<Fault[]> =>
  checkApart ? checkApart(from) : (await checkBooks(db, { keys, from })).faults

function troublesOf(faults: Fault[]): Trouble[] {
  return [...Map.groupBy(faults, ({ check }) => check)].map(([check, found]) => ({
    kind: 'books',
    subject: check,
    sentence: `The books are not in order: ${found[0]?.fault}. Stop the service, keep a backup, and run purser verify.`,
    details: {
      check,
      faults: found
        .slice(0, FAULTS_MAX)
        .map(({ fault }) => fault)
        .join('; '),
    },
  }))
}

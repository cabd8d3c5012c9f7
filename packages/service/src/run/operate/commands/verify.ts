import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../base/db/sql.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import type { Chain, Rail } from '../../../chain/client/chain.ts'
import { railsOf, symbolsOf } from '../../../chain/client/rails.ts'
import { checkBooksAndSchema } from '../../../links/reconcile/books/books.ts'
import {
  type Comparison,
  compareCustody,
  type NotCompared,
} from '../../../links/reconcile/compare.ts'
import { type Alarm, findOpenAlarms } from '../../../links/reconcile/store.ts'
import {
  type Checked,
  type Fault,
  type How,
  readLiabilities,
} from '../../../money/ledger/verify/verify.ts'
import { CONNECTIONS } from '../start/attach.ts'

/** Ledger and chain of one asset, in base units, at one block. */
export type AssetBalance = Comparison & { network: string; asset: string; decimals: number }
export type Verification = Pick<Checked, 'transfers' | 'since'> & {
  balances: AssetBalance[]
  faults: Fault[]
  /** Alarms that are open. */
  alarms: Alarm[]
}
type Books = { db: Db; chain: Chain; keys: CheckpointKeys; at: Date; isEmbedded: boolean }
export type VerifyOrder = {
  from: 'start' | 'state'
  connections: number
  anchor?: string
  archive?: string
}

/** A node may lag for a moment: a difference counts only if it is still there after so many attempts. */
const LOOKS = 3
const BETWEEN_LOOKS_MS = 1_500

/**
 * Checks the books: every hash, every sum, and that the chain holds exactly what they explain, at one block, to the
 * unit. A surplus on chain is as much a fault as a shortage.
 */
export async function verifyBooks(books: Books, how: How = {}): Promise<Verification> {
  const { db, chain, keys } = books
  const { transfers, since, faults } = await checkBooksAndSchema(db, { ...how, keys })
  const balances: AssetBalance[] = []
  for (const rail of railsOf(chain)) {
    const compared = await compare({ ...books, rail })
    if ('why' in compared) faults.push(unknown(compared))
    else {
      balances.push(balanceOf(rail, compared))
      faults.push(...differences(rail, compared))
    }
  }
  return {
    transfers,
    ...(since ? { since } : {}),
    balances,
    faults: [...faults, ...(await strangers(books))],
    alarms: await findOpenAlarms(db.reader),
  }
}

async function compare(books: Books & { rail: Rail }): Promise<Comparison | NotCompared> {
  for (let look = 1; ; look++) {
    const compared = await compareCustody(books)
    if (('difference' in compared && compared.difference === 0n) || look === LOOKS) return compared
    await sleep(BETWEEN_LOOKS_MS)
  }
}

const balanceOf = ({ network, asset }: Rail, compared: Comparison): AssetBalance => ({
  ...compared,
  network,
  asset: asset.symbol,
  decimals: asset.decimals,
})

const unknown = ({ why }: NotCompared): Fault => ({
  check: 'custody',
  fault: `ledger and chain could not be compared: ${why}`,
})

function differences(rail: Rail, compared: Comparison): Fault[] {
  const { difference, onChain, block } = compared
  if (difference === 0n) return []
  const show = (value: bigint) => `${formatAmount(value, rail.asset.decimals)} ${rail.asset.symbol}`
  const size = show(difference < 0n ? -difference : difference)
  const what = difference < 0n ? `${size} are missing` : `${size} are not explained`
  return [
    {
      check: 'custody',
      fault:
        `on ${rail.network} the chain holds ${show(onChain)} at block ${block}, and the books explain ` +
        `${show(onChain - difference)}: ${what}`,
    },
  ]
}

/** Money of another chain or asset is a fault: it cannot be compared here. */
async function strangers({ db, chain }: Books): Promise<Fault[]> {
  const rows = await readLiabilities(db.reader)
  const ours = symbolsOf(chain)
  return rows
    .filter((row) => row.network !== chain.network || !ours.includes(row.asset))
    .filter((row) => row.custody !== 0n)
    .map(({ network, asset }) => ({
      check: 'custody',
      fault: `the books owe ${asset} on ${network}, which this service is not set to: start it with that PURSER_NETWORK and PURSER_SERVICE_TOKEN`,
    }))
}

/** The connections without `--parallel`: more cores are of use only if the database has them too. */
const CONNECTIONS_BY_DEFAULT_MAX = 4
/** Besides those that walk: one that adds up, one that looks at alarms. */
const CONNECTIONS_MAX = CONNECTIONS - 2

/** Undefined for arguments that `verify` does not have. */
export function readVerifyOrder(args: string[]): VerifyOrder | undefined {
  const order: VerifyOrder = {
    from: 'start',
    connections: Math.min(availableParallelism(), CONNECTIONS_BY_DEFAULT_MAX),
  }
  for (let i = 0; i < args.length; i++) {
    const [flag, value] = [args[i], args[i + 1]]
    if (flag === '--incremental') order.from = 'state'
    else if (flag === '--anchor' && value) order.anchor = value
    else if (flag === '--archive' && value) order.archive = value
    else if (flag === '--parallel' && isConnections(value)) order.connections = Number(value)
    else return undefined
    if (flag !== '--incremental') i++
  }
  return order
}

const isConnections = (text: string | undefined): boolean =>
  /^\d{1,2}$/.test(text ?? '') && Number(text) >= 1 && Number(text) <= CONNECTIONS_MAX

const BAR = 30
const REDRAWN_MS = 200

type Progress = (done: number, of: number) => void

/** Draws on a terminal how far `work` is, in units of a kind; draws nothing elsewhere. */
export async function drawingProgress<T>(
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  work: (progress: Progress) => Promise<T>,
  units = 'batches',
): Promise<T> {
  let drawnAt = 0
  try {
    return await work((done, of) => {
      if (!terminal.isTTY || performance.now() - drawnAt < REDRAWN_MS) return
      drawnAt = performance.now()
      const share = of === 0 ? 1 : Math.min(1, done / of)
      const full = Math.round(share * BAR)
      const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
      terminal.write(`\r${bar} ${Math.floor(share * 100)} % of ${of} ${units}`)
    })
  } finally {
    if (drawnAt > 0) terminal.write('\r\u001b[K')
  }
}

/** The verification for a person. */
export function verificationText(verification: Verification): string {
  const { transfers, since, balances, faults, alarms } = verification
  const isRed = (check: string) => faults.some((fault) => fault.check === check)
  const line = (name: string, ok: boolean, text: string) =>
    `  ${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)} ${text}`
  const sums = faults.some(({ check }) => check !== 'hash_chain' && check !== 'custody')
  const unclaimed = balances.filter((balance) => balance.unclaimed > 0n)
  return [
    line('hash chain', !isRed('hash_chain'), chainText(transfers, since)),
    line('sums', !sums, 'every transfer is zero, every balance is the sum of its entries'),
    ...balances.map((balance) => line('custody', balance.difference === 0n, balanceText(balance))),
    ...unclaimed.map(
      (balance) =>
        `\n  ${show(balance, balance.unclaimed)} in ${balance.unclaimedTransfers} transfers came from wallets that ` +
        `nobody knows. They are credited when these wallets sign in.`,
    ),
    ...alarms.map(
      ({ id, sentence, acknowledgedNote }) =>
        `\n  alarm ${id}: ${sentence}${acknowledgedNote === null ? '' : ` (acknowledged: ${acknowledgedNote})`}`,
    ),
    ...faults.map(({ check, fault }) => `\n  ${check}: ${fault}`),
    '',
    faults.length === 0
      ? 'The books are in order.'
      : `The books are not in order: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}. Stop the service and keep a backup before anything else.`,
  ].join('\n')
}

const chainText = (transfers: number, since: Verification['since']): string =>
  since
    ? `${since.transfers} of ${transfers} transfers, those since checkpoint ${since.checkpoint} of ${since.at.toISOString()}, ` +
      'each sealed into its chain'
    : `${transfers} transfers, each sealed into its chain`

const show = ({ asset, decimals }: AssetBalance, value: bigint): string =>
  `${formatAmount(value, decimals)} ${asset}`

/** The nonzero terms of the sum. */
function balanceText(balance: AssetBalance): string {
  const terms: [bigint, string][] = [
    [balance.awaited, 'arrived and not credited yet'],
    [balance.unclaimed, 'from unknown wallets'],
    [balance.opening - balance.claimed, 'there before the books began'],
    [balance.ahead, 'booked as gone since'],
    [-balance.early, 'credited since'],
    [-balance.departed, 'gone and not booked yet'],
  ]
  const rest = terms
    .filter(([value]) => value !== 0n)
    .map(
      ([value, what]) =>
        `${value < 0n ? '-' : '+'} ${formatAmount(value < 0n ? -value : value, balance.decimals)} ${what}`,
    )
  return (
    `${balance.network}: ${show(balance, balance.onChain)} on chain at block ${balance.block}, ` +
    `${[`${formatAmount(balance.owed, balance.decimals)} owed`, ...rest].join(' ')}`
  )
}

/** The verification for a program. Amounts are decimal strings in whole units. */
export function verificationJson(verification: Verification): string {
  const { transfers, since, balances, faults, alarms } = verification
  return JSON.stringify(
    {
      ok: faults.length === 0,
      transfers,
      since: since
        ? {
            checkpoint: Number(since.checkpoint),
            at: since.at.toISOString(),
            transfers: since.transfers,
          }
        : null,
      balances: balances.map((balance) => {
        const out = (value: bigint) => formatAmount(value, balance.decimals)
        return {
          network: balance.network,
          asset: balance.asset,
          liabilities: out(balance.owed),
          on_chain: out(balance.onChain),
          awaited: out(balance.awaited),
          unclaimed: out(balance.unclaimed),
          unclaimed_transfers: Number(balance.unclaimedTransfers),
          opening: out(balance.opening - balance.claimed),
          credited_since: out(balance.early),
          gone_not_booked: out(balance.departed),
          booked_since: out(balance.ahead),
          difference: `${balance.difference < 0n ? '-' : ''}${out(balance.difference < 0n ? -balance.difference : balance.difference)}`,
          block_number: Number(balance.block),
          addresses: balance.addresses,
        }
      }),
      faults,
      alarms: alarms.map(({ id, kind, sentence }) => ({ id, kind, sentence })),
    },
    null,
    2,
  )
}

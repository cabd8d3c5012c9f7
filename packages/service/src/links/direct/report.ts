import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { isSystemAddress } from '../../base/kernel/address.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { newId } from '../../base/kernel/ids.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { judgeSignature } from '../../chain/client/accounts/judge-signature.ts'
import { type MinedTransaction, readTransfers, type TransferLog } from '../../chain/client/reads.ts'
import { readArrived } from '../../chain/client/tokens/arrived.ts'
import { isOwnTransaction } from '../../chain/relay/store.ts'
import { isMadeByProxy } from '../../chain/transfers/reads/permit2.ts'
import { LOOK_AGAIN_SECONDS } from '../../chain/transfers/reads/schedule.ts'
import {
  type AuthorizationClaim,
  claimAuthorizations,
  findAuthorizationClaims,
} from '../../chain/transfers/store.ts'
import { findOwnerAt } from '../../money/cards/owners/store.ts'
import type { AuthorizedOutcome } from '../link/signed-payment.ts'
import type { PayLink } from '../link/store.ts'
import { findTakenLogs } from '../link/store-logs.ts'
import { memoOf, messageDigest, messageOf } from './binding.ts'
import { lookDirect, outcomeOf } from './settle/look.ts'
import { confirmDirectLater } from './settle/tasks.ts'
import { type DirectSettlement, findDirect, findDirectIn, insertDirect } from './store.ts'

/** A transfer that a payer made, and says to have made for a link. */
export type Report = {
  link: PayLink
  txHash: Hex
  from: Address | null
  value: Amount | null
  signature: Hex | null
}
type Bound = { logs: TransferLog[]; boundBy: 'memo' | 'signature' }

/**
 * Settles a DIRECT link by a transfer that is on the chain already, once its block is safe. The transfer may be anywhere in
 * the transaction. It counts if a memo beside it names the link, or if its sender has signed for the link; the amount and
 * the sender alone prove nothing. `pending` without a settlement: no block holds the transaction yet.
 */
export async function settleReported(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  report: Report,
): Promise<AuthorizedOutcome> {
  const { chain, db } = services
  const { link, txHash } = report
  assert(link.token, 'the link is DIRECT')
  const mined = await readTransfers(chain, txHash, link.token)
  if (!mined) {
    // Only a memo in it could still name the link.
    if (link.tokenType !== 'B20') senderOf(services, report)
    return { kind: 'pending', settlement: null }
  }
  const known = await findKnown(services, report)
  if (known?.state === 'settling') {
    await lookDirect(services, at, known.id)
    return outcomeOf(services, known.id)
  }
  const { logs, boundBy } = await findBound(services, { report, mined })
  const log = theOne(await leaveFree(services, { link, txHash, logs }))
  if (!log) return outcomeOfRepeated(services, at, { link, txHash, logs })
  const { token } = link
  const said = { token, to: log.to, value: log.value, txHash, logIndex: log.logIndex }
  const arrived = await readArrived(chain, said)
  const settlement = newSettlement(at, { link, txHash, log, boundBy, arrived: arrived ?? null })
  const isClaimed = await db.write((tx) => claimReported(tx, { settlement, log }))
  if (!isClaimed) return outcomeOfRepeated(services, at, { link, txHash, logs })
  reach('direct.reported')
  await lookDirect(services, at, settlement.id)
  return outcomeOf(services, settlement.id)
}

/** The settlement that this transaction has begun for this link. */
async function findKnown({ db }: Uses<'db'>, { link, txHash, from }: Report) {
  const made = await findDirectIn(db.reader, { network: link.network, txHash })
  return made.find((one) => one.payLinkId === link.id && (from === null || one.payer === from))
}

/**
 * The outcome of a transfer that was reported for this link before: its payer may have lost the answer, and a job may have
 * settled it since. Throws `already_settled` if the transfer has paid for something else.
 */
async function outcomeOfRepeated(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  at: Date,
  { link, txHash, logs }: { link: PayLink; txHash: Hex; logs: readonly TransferLog[] },
): Promise<AuthorizedOutcome> {
  const made = await findDirectIn(services.db.reader, { network: link.network, txHash })
  const isMeant = ({ payLinkId, logIndex, state }: DirectSettlement): boolean =>
    payLinkId === link.id &&
    (state === 'settled' || state === 'settling') &&
    logs.some((log) => log.logIndex === logIndex)
  const before = made.find(isMeant)
  if (!before) throw settledAlready()
  if (before.state === 'settling') await lookDirect(services, at, before.id)
  return outcomeOf(services, before.id)
}

/** The transfers that could pay the link, with the proof that they were meant for it. */
async function findBound(
  services: Uses<'chain' | 'db' | 'settings'>,
  { report, mined }: { report: Report; mined: MinedTransaction },
): Promise<Bound> {
  const { link } = report
  const payees = await payeesAt(services, link, mined.at)
  const logs = candidatesIn(report, { mined, payees })
  const memo = memoOf(link)
  const named = link.tokenType === 'B20' ? logs.filter((log) => log.memo === memo) : []
  if (named.length > 0) return { logs: named, boundBy: 'memo' }
  await checkSigned(services, report)
  return { logs, boundBy: 'signature' }
}

/** The transfer that is left to pay the link. Throws `missing_field` if there are several of different amounts. */
function theOne([log, another]: readonly TransferLog[]): TransferLog | undefined {
  if (log && another && another.value !== log.value)
    throw new Problem(
      'missing_field',
      'The transaction holds several transfers to the seller: amount must name the one that pays this link.',
      { param: 'amount' },
    )
  return log
}

/** The wallets that a payer of the link could be shown then: its owner, and whoever owned it as the transfer was made. */
async function payeesAt({ db }: Uses<'db'>, link: PayLink, at: Date): Promise<string[]> {
  const before = await findOwnerAt(db.reader, { cardId: link.cardId, at })
  return before === undefined ? [link.payTo] : [link.payTo, before]
}

/** The transfers of the transaction that could pay the link. */
function candidatesIn(
  report: Report,
  { mined, payees }: { mined: MinedTransaction; payees: readonly string[] },
): TransferLog[] {
  const { link, from, value } = report
  const refuse = (why: string) => new Problem('invalid_transaction', why, { param: 'tx_hash' })
  if (!mined.succeeded) throw refuse('The transaction was reverted by the chain; nothing was paid.')
  // Blocks tell whole seconds.
  if (mined.at.getTime() < Math.floor(link.createdAt.getTime() / 1000) * 1000)
    throw refuse(
      'The transaction was mined before the link was made, so it paid for something else.',
    )
  const logs = mined.transfers.filter(
    (log) =>
      payees.includes(log.to) &&
      log.from !== log.to &&
      log.value > 0n &&
      !isSystemAddress(log.from) &&
      (from === null || log.from === from) &&
      (value === null || log.value === value),
  )
  if (logs.length === 0)
    throw refuse(
      `The transaction holds no such ${link.asset} transfer${from ? ` from ${from}` : ''} to the seller's wallet ${link.payTo}.`,
    )
  return logs
}

async function checkSigned(services: Uses<'chain' | 'settings'>, report: Report): Promise<void> {
  const { chain, settings } = services
  const { link, txHash } = report
  const { from, signature } = senderOf(services, report)
  const signed = { signer: from, digest: messageDigest(services, link, txHash), signature }
  const judged = await judgeSignature(chain, signed, settings.accountFactories)
  if (!judged.ok)
    throw new Problem(
      'invalid_signature',
      'The signature is not that of from_address over the message that prepare shows, with this transaction hash in it.',
      { param: 'signature' },
    )
}

/**
 * The sender as reported, with its signature. Throws `binding_required`, with the text to be signed, if either is missing:
 * `prepare` shows that text only while the link can be paid.
 */
function senderOf(
  services: Uses<'settings'>,
  { link, txHash, from, signature }: Report,
): { from: Address; signature: Hex } {
  if (from === null || signature === null)
    throw new Problem(
      'binding_required',
      'A transfer to the seller does not say which link it pays. Send from_address, and signature: the sender signs message by its own key (EIP-191, or EIP-1271 for a contract).',
      {
        param: from === null ? 'from_address' : 'signature',
        extra: { message: messageOf(services, link, txHash) },
      },
    )
  return { from, signature }
}

/** The transfers that have paid for nothing yet. One that a relayer of this service made was claimed before it was sent. */
async function leaveFree(
  { chain, db }: Uses<'chain' | 'db'>,
  { link, txHash, logs }: { link: PayLink; txHash: Hex; logs: TransferLog[] },
): Promise<TransferLog[]> {
  if (await isOwnTransaction(db.reader, txHash)) throw settledAlready()
  const { network, token } = link
  const [taken, made] = await Promise.all([
    findTakenLogs(db.reader, { network, txHash }),
    findDirectIn(db.reader, { network, txHash }),
  ])
  const free = logs.filter(
    ({ logIndex }) => !taken.has(logIndex) && made.every((one) => one.logIndex !== logIndex),
  )
  const byProxy = await Promise.all(
    free.map((log) => isMadeByProxy(chain, { ...log, token: token as Address, txHash })),
  )
  if (byProxy.some(Boolean))
    throw new Problem(
      'invalid_transaction',
      "The transfer was made by x402's proxy for a payment by Permit2. Present such a payment at the link.",
      { param: 'tx_hash' },
    )
  return free
}

const settledAlready = (): Problem =>
  new Problem(
    'already_settled',
    'This transaction has been accepted before; one transfer pays once.',
  )

/**
 * Writes the settlement down. False if its transfer has one. Throws `already_settled` if the payer's authorization has paid
 * for something.
 */
async function claimReported(
  tx: Tx,
  { settlement, log }: { settlement: DirectSettlement; log: TransferLog },
): Promise<boolean> {
  const { network, token, payer, id } = settlement
  if ((await insertDirect(tx, [settlement])) === 0) return false
  const { authNonce: nonce } = log
  if (nonce) {
    const claims = await findAuthorizationClaims(tx, [{ network, payer, nonce }])
    const claim = claims.find((one) => one.token === token)
    if (!claim)
      await claimAuthorizations(tx, [{ network, token, payer, nonce, kind: 'direct', ref: id }])
    else if (!(await hasPaidNothing(tx, claim))) throw settledAlready()
  }
  await confirmDirectLater(tx, [id], LOOK_AGAIN_SECONDS)
  return true
}

/** Whether the claimed transfer failed or was undone. Somebody may have submitted the payer's authorization once more. */
async function hasPaidNothing(tx: Tx, { kind, ref }: AuthorizationClaim): Promise<boolean> {
  const settlement = kind === 'direct' ? await findDirect(tx, ref) : undefined
  return settlement?.state === 'failed' || settlement?.state === 'missing'
}

function newSettlement(
  at: Date,
  of: { link: PayLink; txHash: Hex; log: TransferLog; arrived: bigint | null } & Pick<
    Bound,
    'boundBy'
  >,
): DirectSettlement {
  const { link, txHash, log, boundBy, arrived } = of
  return {
    ...{ id: newId('stl', at), payLinkId: link.id, cardId: link.cardId },
    ...{ walletAddress: log.to, protocol: 'onchain', boundBy, payer: log.from },
    ...{ network: link.network, token: link.token as Address, amount: log.value },
    ...{ nonce: null, validBefore: null, signatureDigest: null, fromBlock: log.blockNumber },
    ...{ state: 'settling', reason: null, txHash, logIndex: log.logIndex },
    arrived: arrived === null ? null : amount(arrived),
    arrivedBlock: arrived === null ? null : log.blockNumber,
    ...{ isFinal: false, exceptionId: null, transactionId: null, meteredFee: null },
    ...{ createdAt: at, settledAt: null },
  }
}

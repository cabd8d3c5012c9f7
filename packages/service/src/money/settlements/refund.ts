import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { paymentRefunded } from '../../api/events/types/payments.ts'
import { lockOwned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, minus, minusOrZero, plus, toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { CardWithMoney } from '../cards/card.ts'
import { checkNotOnSale } from '../cards/controls/own-card.ts'
import { openReturn } from '../cards/controls/return.ts'
import { insertRefund, type RefundEntry } from '../cards/refunds/store.ts'
import { lockCards, saveCards } from '../cards/store.ts'
import {
  findTransaction,
  type ShownTransaction,
  saveTransactionStanding,
  transactionsOf,
} from '../cards/transactions.ts'
import { findTransfer, post } from '../ledger/post.ts'
import { noPayment } from './archived.ts'
import { lockTransaction, refundTransaction } from './store.ts'

export type RefundAsk = {
  walletAddress: string
  /** The cards that the caller's key may use; null for all of the wallet. */
  cardIds: readonly string[] | null
  transactionId: string
  /** Base units; all that is left without it. */
  amount: Amount | undefined
  asset: Asset
}
/** `entry` is the receiver's. */
export type Refund = { transaction: ShownTransaction; entry: RefundEntry }

/**
 * Refunds a received payment, or a part of it, from the card that received it to whoever paid (`openReturn`). All refunds of
 * a payment together are at most what the receiver got after the fee; the house keeps the fee. Each is an entry of its own
 * beside the payment, on both sides, and changes neither the payment's amount nor its time.
 */
export async function refundPayment(tx: Tx, at: Date, ask: RefundAsk): Promise<Refund> {
  const isMine = (side: ShownTransaction) =>
    side.walletAddress === ask.walletAddress && (ask.cardIds?.includes(side.cardId) ?? true)
  const locking = lockPayment(tx, { id: ask.transactionId, isMine })
  const payment = await lockOwned(locking, ({ received }) => isMine(received), 'payment')
  const { received, cards } = payment
  const amount = readRefundable(received, ask)
  const sent = payersSide(payment)
  const [receiver, payer] = [cards.get(received.cardId), cards.get(sent.cardId)]
  assert(receiver && payer, 'the cards of a payment exist')
  checkReceiver(receiver, amount, ask.asset)
  const paidBy = await findTransfer(tx, isStream(sent) ? 'stream' : 'settlement', sent.ref)
  assert(paidBy, 'a payment that was received was posted')
  const { walletAddress } = sent
  const back = await openReturn(tx, {
    card: payer,
    walletAddress,
    paidBy,
    amount,
    asset: ask.asset,
  })
  await post(tx, at, [
    {
      kind: 'refund',
      reverses: paidBy,
      // The reference names the sum refunded before, so that two refunds cannot start from the same sum.
      ref: `${received.id} ${received.refunded}`,
      entries: [{ account: receiver.accountId, amount: -amount }, back.entry],
    },
  ])
  await saveCards(tx, [
    {
      ...receiver,
      received: minusOrZero(receiver.received, amount),
      refunded: plus(receiver.refunded, amount),
    },
    ...back.changed,
  ])
  const refunded = plus(received.refunded, amount)
  const entries = await insertRefund(tx, { ref: received.ref, amount, refunded, createdAt: at })
  await refundTransaction(tx, received, amount)
  await refundTransaction(tx, sent, amount)
  // The payer's side includes the fee, so that refunds never add up to its amount.
  if (refunded === received.amount)
    await saveTransactionStanding(tx, sent.id, { status: 'REFUNDED', txHash: sent.txHash })
  // The payer of a link sees its code as the merchant. A stream has no code.
  const payLinkCode = isStream(sent) ? null : sent.merchant
  const made = [received, sent].map((side) => ({ side, entry: entryOf(side, entries) }))
  await record(
    tx,
    at,
    made.map((one) => eventOf({ ...one, asset: ask.asset, payLinkCode })),
  )
  return { transaction: received, entry: entryOf(received, entries) }
}

/** A payment is a settlement of a link, or a stream. */
const isStream = ({ ref }: ShownTransaction): boolean => ref.startsWith('str_')

function entryOf(side: ShownTransaction, entries: readonly RefundEntry[]): RefundEntry {
  const entry = entries.find(({ refundOf }) => refundOf === side.id)
  assert(entry, `the refund has an entry for ${side.id}`)
  return entry
}

function readRefundable(received: ShownTransaction, ask: RefundAsk): Amount {
  if (received.refundOf !== null)
    throw new Problem('invalid_state', 'This is a refund, which cannot be refunded itself.')
  if (received.direction !== 'received')
    throw new Problem('invalid_state', 'Only a payment that your card received can be refunded.')
  if (received.amount === 0n)
    throw new Problem('invalid_state', 'The fee took all of the payment: nothing was received.')
  const left = minus(received.amount, received.refunded)
  if (received.status === 'REFUNDED' || left === 0n)
    throw new Problem('already_refunded', 'The payment has been refunded in full already.')
  if (received.status !== 'SETTLED')
    throw new Problem(
      'invalid_state',
      `The payment is ${received.status}; only a settled one can be refunded.`,
    )
  const amount = ask.amount ?? left
  if (amount > left)
    throw new Problem(
      'invalid_amount',
      `At most ${toNumber(left, ask.asset.decimals)} of the payment can still be refunded.`,
      { param: 'amount', extra: { refundable: toNumber(left, ask.asset.decimals) } },
    )
  return amount
}

type Payment = {
  received: ShownTransaction
  /** The payer's side; undefined for a payer without a card here. */
  sent: ShownTransaction | undefined
  cards: ReadonlyMap<string, CardWithMoney>
}

/**
 * Locks both sides of a payment and their cards, and reads again whose they are: the card that received it may have been
 * sold while this waited. Locks no card for a caller who has no part in it.
 */
async function lockPayment(
  tx: Tx,
  { id, isMine }: { id: string; isMine(side: ShownTransaction): boolean },
): Promise<Payment | undefined> {
  const asked = await lockTransaction(tx, id)
  if (!asked || !isMine(asked)) throw await noPayment(tx, id)
  const sides = await transactionsOf(tx, asked.ref)
  const payer = sides.find((side) => side.direction === 'sent' && side.cardId !== asked.cardId)
  const sent = payer && (await lockTransaction(tx, payer.id))
  const cards = await lockCards(tx, [asked.cardId, sent?.cardId ?? asked.cardId])
  const received = await findTransaction(tx, id)
  return received && { received, sent, cards }
}

function payersSide({ sent }: Payment): ShownTransaction {
  if (!sent)
    throw new Problem(
      'payment_rejected',
      'The payer paid from outside this service, so there is no card to refund to. Send the money to their address.',
    )
  return sent
}

function checkReceiver(receiver: CardWithMoney, amount: Amount, asset: Asset): void {
  checkNotOnSale(receiver)
  if (receiver.status === 'FROZEN')
    throw new Problem('card_frozen', 'The card that received the payment is frozen. Unfreeze it.')
  if (receiver.available < amount)
    throw new Problem(
      'insufficient_funds',
      `The card that received the payment has ${toNumber(receiver.available, asset.decimals)} left. Fund it first.`,
      { extra: { available: toNumber(receiver.available, asset.decimals) } },
    )
}

const eventOf = (of: {
  side: ShownTransaction
  entry: RefundEntry
  asset: Asset
  payLinkCode: string | null
}): BuiltEvent =>
  paymentRefunded.of({
    walletAddress: of.side.walletAddress,
    asset: of.asset,
    data: {
      settlement_id: of.side.ref,
      transaction_id: of.side.id,
      refund_id: of.entry.id,
      refund_of: of.entry.refundOf,
      direction: of.side.direction,
      card_id: of.side.cardId,
      pay_link_code: of.payLinkCode,
      rail: of.side.protocol,
      amount: of.entry.amount,
      refunded: of.entry.refunded,
      fee_kept: of.entry.feeKept,
    },
  })

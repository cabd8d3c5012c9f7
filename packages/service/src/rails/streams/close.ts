import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { paymentSent, paymentSettled } from '../../api/events/types/payments.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import { type Amount, feeOf, minus, plus, ZERO } from '../../base/kernel/money.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { parentsWithout } from '../../money/cards/debit.ts'
import { lockCards, saveCards } from '../../money/cards/store.ts'
import { insertTransactions, type NewTransaction } from '../../money/cards/transactions.ts'
import { withReturn } from '../../money/cards/windows.ts'
import { houseKey } from '../../money/ledger/account-keys.ts'
import { openAccount } from '../../money/ledger/accounts.ts'
import { captureHold, releaseHold } from '../../money/ledger/holds.ts'
import { post } from '../../money/ledger/post.ts'
import { lockStream, type Stream, saveEnd } from './store.ts'

type Rules = { asset: Asset }
/** The receiver's earnings from a stream, in base units: `earned` is `net` plus `fee`. */
type Earnings = { earned: Amount; fee: Amount; net: Amount }

/** A stream and its cards, locked. */
export type WholeStream = {
  stream: Stream
  payer: CardWithMoney
  receiver: CardWithMoney | undefined
}

/** Locks a stream, then its cards. Undefined for an id that is no stream. */
export async function lockWhole(tx: Tx, id: string): Promise<WholeStream | undefined> {
  const stream = await lockStream(tx, id)
  if (!stream) return undefined
  const { cardId, receiverCardId } = stream
  const cards = await lockCards(tx, [cardId, receiverCardId ?? cardId])
  const payer = cards.get(cardId)
  const receiver = receiverCardId === null ? undefined : cards.get(receiverCardId)
  assert(payer && (receiver || receiverCardId === null), 'the cards of a stream exist')
  return { stream, payer, receiver }
}

/**
 * Ends a locked stream and moves its money in one transaction. The ticked amount, less the fee, goes from the card to the
 * receiver card; the rest of the budget is available again. Without a receiver card nobody has earned the ticks: the
 * whole budget goes back to the card and the final amount is zero. A frozen card still owes its earlier ticks. A stream
 * that has already ended does not change.
 */
export async function endStream(tx: Tx, at: Date, ended: WholeStream & Rules): Promise<Stream> {
  const { stream, payer, receiver } = ended
  if (stream.status !== 'OPEN') return stream
  const status = stream.expiresAt <= at ? 'EXPIRED' : 'CLOSED'
  const earned = receiver ? stream.totalTicked : ZERO
  const fee =
    earned === ZERO ? ZERO : feeOf(earned, { bps: BigInt(stream.feeBps), flat: stream.feeFlat })
  const earnings = { earned, fee, net: minus(earned, fee) }
  const isClosed =
    earned > 0n
      ? await captureHold(tx, at, stream.holdId, earned)
      : await releaseHold(tx, at, stream.holdId)
  assert(isClosed, `the hold of ${stream.id} is open as long as the stream is`)
  await saveCards(tx, [
    afterEnd(payer, stream, earned),
    ...(await parentsWithout(tx, {
      card: payer,
      amount: minus(stream.budget, earned),
      heldAt: stream.createdAt,
    })),
    ...(receiver ? [{ ...receiver, received: plus(receiver.received, earnings.net) }] : []),
  ])
  if (receiver && earned > 0n)
    await settle(tx, at, { stream, payer, receiver, earnings, rules: ended })
  await saveEnd(tx, at, { id: stream.id, status, finalAmount: earned })
  return { ...stream, status, finalAmount: earned, endedAt: at }
}

/** The payer's card after the end: the budget is off hold, and the earned part is spent. */
function afterEnd(card: CardWithMoney, stream: Stream, earned: Amount): CardWithMoney {
  return {
    ...card,
    ...withReturn(card, minus(stream.budget, earned), stream.createdAt),
    held: minus(card.held, stream.budget),
    spent: plus(card.spent, earned),
    status: card.singleUse && card.status === 'ACTIVE' && earned > 0n ? 'USED' : card.status,
  }
}

type Settled = {
  stream: Stream
  payer: CardWithMoney
  receiver: CardWithMoney
  earnings: Earnings
  rules: Rules
}

async function settle(tx: Tx, at: Date, settled: Settled): Promise<void> {
  const { stream, payer, receiver, earnings, rules } = settled
  const fees = await openAccount(tx, houseKey(rules.asset, 'fees'))
  await post(tx, at, [
    {
      kind: 'stream',
      ref: stream.id,
      entries: [
        { account: payer.accountId, amount: -earnings.earned },
        { account: receiver.accountId, amount: earnings.net },
        { account: fees, amount: earnings.fee },
      ],
    },
  ])
  const { sent, received } = bothSides(at, settled)
  await insertTransactions(tx, [sent, received])
  await record(tx, at, [sentEvent(settled, sent), settledEvent(settled, received)])
}

/** The transaction of the payer's card and that of the receiver's. */
function bothSides(
  at: Date,
  { stream, payer, receiver, earnings }: Settled,
): Record<'sent' | 'received', NewTransaction> {
  const shared = {
    protocol: 'mpp',
    status: 'SETTLED',
    network: stream.network,
    asset: stream.asset,
    txHash: null,
    ref: stream.id,
    memo: labelOf(stream),
    createdAt: at,
    settledAt: at,
  } as const
  const sent: NewTransaction = {
    ...shared,
    id: newId('txn', at),
    cardId: payer.id,
    walletAddress: stream.walletAddress,
    direction: 'sent',
    amount: earnings.earned,
    fee: ZERO,
    merchant: receiver.walletAddress,
  }
  const received: NewTransaction = {
    ...shared,
    id: newId('txn', at),
    cardId: receiver.id,
    walletAddress: receiver.walletAddress,
    direction: 'received',
    amount: earnings.net,
    fee: earnings.fee,
    merchant: payer.walletAddress,
    memo: '',
  }
  return { sent, received }
}

/** The payer's name for the merchant, from the stream's session. */
const labelOf = ({ sessionId, merchant }: Stream): string => (sessionId === null ? '' : merchant)

/** The fields that all events of a stream's end share. */
const paidOf = ({ stream }: Settled) => ({
  settlement_id: stream.id,
  pay_link_code: null,
  agreement_id: null,
  rail: 'mpp' as const,
  settlement_mode: 'CUSTODIAL' as const,
  tx_hash: null,
})

const sentEvent = (settled: Settled, sent: NewTransaction): BuiltEvent => {
  const { stream, payer, receiver, earnings, rules } = settled
  return paymentSent.of({
    walletAddress: stream.walletAddress,
    asset: rules.asset,
    fact: null,
    data: {
      ...paidOf(settled),
      transaction_id: sent.id,
      direction: 'sent',
      card_id: payer.id,
      amount: earnings.earned,
      fee: 0n,
      net_amount: earnings.earned,
      merchant: receiver.walletAddress,
      memo: sent.memo,
    },
  })
}

const settledEvent = (settled: Settled, received: NewTransaction): BuiltEvent => {
  const { stream, receiver, earnings, rules } = settled
  return paymentSettled.of({
    walletAddress: receiver.walletAddress,
    asset: rules.asset,
    fact: null,
    data: {
      ...paidOf(settled),
      transaction_id: received.id,
      direction: 'received',
      card_id: receiver.id,
      amount: earnings.earned,
      fee: earnings.fee,
      net_amount: earnings.net,
      receipt_id: stream.id,
      receiver_card_id: receiver.id,
      memo: '',
      token_contract: null,
      pay_to: null,
      metered_fee: null,
    },
  })
}

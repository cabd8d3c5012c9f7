import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import { type Amount, ZERO } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { sha256Hex } from '../../base/kernel/secrets.ts'
import { type Assets, assetOf } from '../../chain/client/rails.ts'
import { tierAt } from '../../members/membership/store.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { type Denied, holdOnCard } from '../../money/cards/debit.ts'
import { findCategory } from '../../money/cards/merchants/store.ts'
import { findCard, lockCard } from '../../money/cards/store.ts'
import { autopayOnly } from '../../money/cards/token.ts'
import { findFeeRules } from '../../money/settlements/fee-rules/store.ts'
import { type FeeRule, feeRuleFor } from '../../money/settlements/fees.ts'
import { paysAbove } from '../../money/settlements/payee.ts'
import { type CardAccess, checkAccess } from '../spending/offer/authorize.ts'
import { findSession, insertSession, insertStream, type Session, type Stream } from './store.ts'

/** Records the intended payee of a card: a label for people. The policy never decides on it. */
export async function openSession(
  tx: Tx,
  at: Date,
  ask: CardAccess & { merchant: string },
): Promise<Session> {
  const card = checkAccess(await lockCard(tx, ask.cardId), ask)
  const session: Session = {
    id: newId('ses', at),
    cardId: card.id,
    walletAddress: card.walletAddress,
    merchant: ask.merchant,
    createdAt: at,
  }
  await insertSession(tx, session)
  return session
}

export type StreamAsk = CardAccess & {
  chain: Assets
  /** Reads the amounts that the caller sent, in base units of the card's asset. */
  amountsOf(asset: Asset): { budget: Amount; tickAmount: Amount }
  /** The service's own fee, for a receiver whose wallet has no fee rule. */
  tariff: FeeRule
  receiverCardId: string | undefined
  sessionId: string | undefined
  /** The hours during which the stream takes ticks. */
  expiresIn: number
  /** The grant of the card's owner that the caller means. */
  approvalId: string | undefined
}
export type Opened = { kind: 'opened'; stream: Stream } | { kind: 'declined'; denied: Denied }

/**
 * Opens a stream: the card policy decides on the whole budget, which goes on hold. A decline is recorded: commit, then
 * answer it. Throws `not_found` for an unknown card or session, and `invalid_state` for a closed receiver.
 */
export async function openStream(tx: Tx, at: Date, ask: StreamAsk): Promise<Opened> {
  const card = checkAccess(await lockCard(tx, ask.cardId), ask)
  const asset = assetOf(ask.chain, card)
  const { budget, tickAmount } = ask.amountsOf(asset)
  if (tickAmount > budget)
    throw new Problem(
      'invalid_amount',
      'tick_amount is above the budget: not one tick would fit.',
      {
        param: 'tick_amount',
      },
    )
  const receiver = await findReceiver(tx, card, ask.receiverCardId)
  const session = await findOwnSession(tx, card, ask.sessionId)
  const id = newId('str', at)
  const { approvalId } = ask
  const bought = { request: requestOf(ask, tickAmount), approvalId }
  const spend = {
    amount: budget,
    ...(await payeeOf(tx, receiver)),
    rail: 'mpp' as const,
    ...bought,
  }
  const hold = await holdOnCard(tx, at, { card, spend, ref: id, asset })
  if (hold.kind === 'declined') return hold
  const fee = await readFee(tx, at, { receiver, tariff: ask.tariff })
  const stream: Stream = {
    id,
    walletAddress: card.walletAddress,
    cardId: card.id,
    receiverCardId: receiver?.id ?? null,
    sessionId: session?.id ?? null,
    merchant: session?.merchant ?? receiver?.walletAddress ?? '',
    holdId: hold.holdId,
    network: card.network,
    asset: card.asset,
    budget,
    tickAmount,
    feeBps: Number(fee.bps),
    feeFlat: fee.flat,
    totalTicked: ZERO,
    status: 'OPEN',
    finalAmount: null,
    createdAt: at,
    expiresAt: addHours(at, ask.expiresIn),
    endedAt: null,
  }
  await insertStream(tx, stream)
  return { kind: 'opened', stream }
}

/** Names the stream to the owner who is asked: its receiver, and what goes to it how fast and how long. */
const requestOf = ({ receiverCardId, sessionId, expiresIn }: StreamAsk, tick: Amount): string =>
  sha256Hex(JSON.stringify([receiverCardId, sessionId, expiresIn, String(tick)]))

/** The receiver pays by the rule of this moment, whatever changes while the budget is on hold. */
async function readFee(
  tx: Tx,
  at: Date,
  { receiver, tariff }: { receiver: CardWithMoney | undefined; tariff: FeeRule },
): Promise<FeeRule> {
  if (!receiver) return tariff
  const { walletAddress } = receiver
  const rules = await findFeeRules(tx, {
    wallets: [walletAddress],
    kind: 'settlement',
    tierOf: tierAt(at),
  })
  return feeRuleFor(rules.get(walletAddress) ?? null, tariff)
}

/** The receiver in the policy's terms. A stream without a receiver has no name, so no list or lock allows it. */
const payeeOf = async (tx: Tx, receiver: CardWithMoney | undefined) => ({
  merchants: receiver ? [receiver.walletAddress, receiver.id] : [],
  mcc: receiver ? await findCategory(tx, receiver.walletAddress) : null,
})

/** Any card of this service may receive, whichever wallet owns it. */
async function findReceiver(
  tx: Tx,
  payer: CardWithMoney,
  id: string | undefined,
): Promise<CardWithMoney | undefined> {
  if (id === undefined) return undefined
  const param = 'receiver_card_id'
  if (id === payer.id)
    throw new Problem('invalid_field', 'receiver_card_id is the card that pays. Name another.', {
      param,
    })
  if (payer.ancestors.includes(id)) throw paysAbove()
  const card = await findCard(tx, id)
  if (!card) throw notFound('receiver card')
  if (card.kind === 'autopay') throw autopayOnly()
  if (card.status === 'CLOSED')
    throw new Problem('invalid_state', 'The receiver card is CLOSED. Name one that is open.', {
      param,
    })
  if (card.settlementMode === 'DIRECT')
    throw new Problem(
      'invalid_state',
      'The receiver card is DIRECT and holds no money. Name a CUSTODIAL one.',
      { param },
    )
  return card
}

async function findOwnSession(
  tx: Tx,
  payer: CardWithMoney,
  id: string | undefined,
): Promise<Session | undefined> {
  const session = id === undefined ? undefined : await findSession(tx, id)
  // A session of an earlier owner is no session of the card.
  const isOwn = session?.cardId === payer.id && session.walletAddress === payer.walletAddress
  if (id !== undefined && !isOwn) throw notFound('session')
  return session
}

import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { cardDeclined } from '../../api/events/types/cards.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, minus, plus } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { captureHold, openHolds, releaseHold } from '../ledger/holds.ts'
import type { CardWithMoney } from './card.ts'
import { decisionRecord, insertDecisions } from './decisions.ts'
import { type Decision, decide, type Spend } from './policy.ts'
import { lockCard, saveCards } from './store.ts'
import { countedAt, withReturn, withUse } from './windows.ts'

export type Denied = Extract<Decision, { allowed: false }>
/** A decline is a recorded outcome, not an error: its transaction commits. */
export type HoldOutcome =
  | { kind: 'held'; holdId: Id<'hold'>; card: CardWithMoney }
  | { kind: 'declined'; denied: Denied }

/** The card after a spend: counters up, money down. The caller posts the money. */
export function afterSpend(card: CardWithMoney, spend: Spend, at: Date): CardWithMoney {
  const counted = countedAt(card, at)
  return {
    ...counted,
    ...withUse(counted, spend.amount),
    spent: plus(counted.spent, spend.amount),
    available: minus(counted.available, spend.amount),
    status: counted.singleUse ? 'USED' : counted.status,
  }
}

/** Decides on the locked card and holds the money, or records the decline. `ref` names the payment and is used once. */
export async function holdOnCard(
  tx: Tx,
  at: Date,
  ask: { card: CardWithMoney; spend: Spend; ref: string; asset: Asset },
): Promise<HoldOutcome> {
  const { card, spend, ref, asset } = ask
  const decision = decide(card, spend, at)
  await insertDecisions(tx, at, [decisionRecord(at, { ...ask, decision })])
  if (!decision.allowed) {
    await record(tx, at, [declinedEvent(card, { spend, denied: decision, asset })])
    return { kind: 'declined', denied: decision }
  }
  const [holdId] = await openHolds(tx, at, [{ account: card.accountId, amount: spend.amount, ref }])
  assert(holdId, 'a hold was opened')
  const counted = countedAt(card, at)
  const held = {
    ...counted,
    ...withUse(counted, spend.amount),
    held: plus(counted.held, spend.amount),
  }
  await saveCards(tx, [held])
  return { kind: 'held', holdId, card: held }
}

type HeldSpend = { cardId: string; holdId: Id<'hold'>; amount: Amount }

/**
 * Turns a hold into a spend, or the `used` part of it; the rest returns to the card, and its allowance to the windows of its limits. The caller
 * posts what is spent off the card in the same transaction. Undefined if the hold was already closed.
 */
export async function captureOnCard(
  tx: Tx,
  at: Date,
  held: HeldSpend & { used?: { amount: Amount; heldAt: Date } },
): Promise<CardWithMoney | undefined> {
  const card = await lockedCard(tx, held.cardId)
  const { amount: captured, heldAt } = held.used ?? { amount: held.amount, heldAt: at }
  if (!(await captureHold(tx, at, held.holdId, captured))) return undefined
  const rest = minus(held.amount, captured)
  const spent: CardWithMoney = {
    ...card,
    ...withReturn(card, rest, heldAt),
    held: minus(card.held, held.amount),
    spent: plus(card.spent, captured),
    status: card.singleUse && card.status === 'ACTIVE' ? 'USED' : card.status,
  }
  await saveCards(tx, [spent])
  return spent
}

/** Returns a hold to the card and its allowance to the windows of its limits. Returns false if the hold was already closed. */
export async function releaseOnCard(
  tx: Tx,
  at: Date,
  held: HeldSpend & { heldAt: Date },
): Promise<boolean> {
  const card = await lockedCard(tx, held.cardId)
  if (!(await releaseHold(tx, at, held.holdId))) return false
  await saveCards(tx, [
    {
      ...card,
      ...withReturn(card, held.amount, held.heldAt),
      held: minus(card.held, held.amount),
    },
  ])
  return true
}

async function lockedCard(tx: Tx, id: string): Promise<CardWithMoney> {
  const card = await lockCard(tx, id)
  assert(card, `card ${id} exists`)
  return card
}

/**
 * `card.declined`. Its merchant is a host, a link code or a wallet: an event never names the card of the other side.
 */
export const declinedEvent = (
  card: CardWithMoney,
  made: { spend: Spend; denied: Denied; asset: Asset },
): BuiltEvent =>
  cardDeclined.of({
    walletAddress: card.walletAddress,
    asset: made.asset,
    data: {
      card_id: card.id,
      code: made.denied.rule,
      merchant: made.spend.merchants.find((name) => !name.startsWith('card_')) ?? '',
      rail: made.spend.rail,
      amount: made.spend.amount,
    },
  })

/** The refusal that answers a decline, once the decline is recorded. */
export const declined = (denied: Denied): Problem =>
  new Problem(denied.rule, denied.message, {
    extra: denied.passesAt ? { passes_at: denied.passesAt.toISOString() } : {},
  })

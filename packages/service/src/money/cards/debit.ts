import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { cardDeclined, cardFrozen } from '../../api/events/types/cards.ts'
import type { Reader, Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, minus, plus } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { captureHold, openHolds, releaseHold } from '../ledger/holds.ts'
import { approvalPath, payeesOfGrant, questionOf, requestedEvent } from './approvals/ask.ts'
import {
  insertApprovals,
  insertPayeesStatement,
  readConsent,
  useGrantsStatement,
} from './approvals/store.ts'
import { type Cap, capsAbove, capsOf } from './caps/cap.ts'
import { countPaymentsStatement, lockCaps, readCapsAt } from './caps/store.ts'
import { countLocked, countRead } from './caps/store-counters.ts'
import type { CardWithMoney } from './card.ts'
import type { Approval } from './consent.ts'
import { stateEvent } from './controls/own-card.ts'
import { type DecisionRecord, decisionRecord, insertDecisions } from './decisions.ts'
import { parentsOf, withDelegated, withoutDelegated, withSpend } from './family.ts'
import { type Around, type Decision, decide, type Spend } from './policy.ts'
import { lockCard, lockParents, readFamilies, saveCards } from './store.ts'
import { withReturn } from './windows.ts'

/** A refusal by the policy, once it is written down. `approval` is the question that the payment waits for. */
export type Denied = Extract<Decision, { allowed: false }> & {
  decisionId?: Id<'dec'>
  approval?: Approval
}
/** A decline is a recorded outcome, not an error: its transaction commits. */
export type HoldOutcome =
  | { kind: 'held'; holdId: Id<'hold'>; card: CardWithMoney }
  | { kind: 'declined'; denied: Denied }

/** The card after a spend: counters up, money down. The caller posts the money. */
export function afterSpend(card: CardWithMoney, spend: Spend, at: Date): CardWithMoney {
  const counted = withSpend(card, spend.amount, at)
  return {
    ...counted,
    spent: plus(counted.spent, spend.amount),
    available: minus(counted.available, spend.amount),
    status: counted.singleUse ? 'USED' : counted.status,
  }
}

/** The card with the counters of `at`, and the rest that a decision about it depends on, read without a lock. */
export async function readAround(
  reader: Reader,
  at: Date,
  read: CardWithMoney,
): Promise<Required<Around> & { card: CardWithMoney }> {
  const above = parentsOf(read, await readFamilies(reader, [read.id]))
  const [card = read, ...parents] = await countRead(reader, at, [read, ...above])
  const family = [card, ...parents] as const
  const consent = await readConsent(reader, at, family)
  const caps = capsOf(family, await readCapsAt(reader, at, capsAbove(family)))
  return { card, parents, consent, caps }
}

/** Decides on the locked card and holds the money, or records the decline. `ref` names the payment and is used once. */
export async function holdOnCard(
  tx: Tx,
  at: Date,
  ask: { card: CardWithMoney; spend: Spend; ref: string; asset: Asset },
): Promise<HoldOutcome> {
  const { spend, ref } = ask
  const [card = ask.card, ...parents] = await countLocked(tx, at, [
    ask.card,
    ...(await lockParents(tx, ask.card)),
  ])
  const family = [card, ...parents] as const
  const consent = await readConsent(tx, at, family)
  const caps = capsOf(family, await lockCaps(tx, at, capsAbove(family)))
  const around = { consent, parents, caps }
  const decision = decide(card, spend, at, around)
  if (!decision.allowed)
    return {
      kind: 'declined',
      denied: await decline(tx, at, { ...ask, card, ...around, decision }),
    }
  await insertDecisions(tx, at, [decisionRecord(at, { ...ask, card, ...around, decision })])
  const { grant } = decision
  if (grant) {
    await useGrantsStatement(at, [{ grant, ref }])?.execute(tx)
    await insertPayeesStatement(at, payeesOfGrant([card, ...parents], grant))?.execute(tx)
  }
  const [holdId] = await openHolds(tx, at, [{ account: card.accountId, amount: spend.amount, ref }])
  assert(holdId, 'a hold was opened')
  const counted = withSpend(card, spend.amount, at)
  const held = { ...counted, held: plus(counted.held, spend.amount) }
  await saveCards(tx, [held, ...parents.map((one) => withDelegated(one, spend.amount, at))])
  await countPaymentsStatement(at, countedOnce(caps))?.execute(tx)
  return { kind: 'held', holdId, card: held }
}

/** One payment on each of the caps. */
const countedOnce = (caps: readonly Cap[]): Map<string, number> =>
  new Map(caps.map(({ subject }) => [subject, 1]))

type Declining = Around & {
  card: CardWithMoney
  spend: Spend
  ref: string
  asset: Asset
  decision: Extract<Decision, { allowed: false }>
}

/** The rows of a decline. A payment that waits for its owner already writes nothing more. */
export function declineRows(
  at: Date,
  of: Declining,
): {
  denied: Denied
  decisions: DecisionRecord[]
  events: BuiltEvent[]
  asked: Approval[]
  /** The card, or the card above it, that the decline froze. */
  frozen?: CardWithMoney
} {
  const { card, spend, asset, consent, decision, parents = [] } = of
  if (decision.rule !== 'approval_required') {
    const row = decisionRecord(at, of)
    const denied = { ...decision, decisionId: row.id }
    const event = declinedEvent(card, { spend, denied, asset })
    const rows = { denied, decisions: [row], events: [event], asked: [] }
    if (decision.rule !== 'like_payments_exceeded') return rows
    const reason = 'frozen before one more payment like the last ones'
    const counting = parents.find(({ id }) => id === decision.parentId) ?? card
    const frozen: CardWithMoney = { ...counting, status: 'FROZEN', statusReason: reason }
    return { ...rows, events: [event, stateEvent(cardFrozen, frozen)], frozen }
  }
  const question = questionOf(at, { card, spend, reason: decision.reason, consent })
  const { approval, isNew } = question
  const denied = { ...decision, approval }
  if (!isNew) return { denied, decisions: [], events: [], asked: [] }
  return {
    denied,
    decisions: [decisionRecord(at, of)],
    events: [requestedEvent(approval, asset)],
    asked: [approval],
  }
}

async function decline(tx: Tx, at: Date, of: Declining): Promise<Denied> {
  const { denied, decisions, events, asked, frozen } = declineRows(at, of)
  if (frozen) await saveCards(tx, [frozen])
  await insertDecisions(tx, at, decisions)
  await insertApprovals(tx, asked)
  await record(tx, at, events)
  return denied
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
  await saveCards(tx, [spent, ...(await parentsWithout(tx, { card, amount: rest, heldAt }))])
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
    ...(await parentsWithout(tx, { card, ...held })),
  ])
  return true
}

/** The cards above a locked child that gets back an amount set aside at `heldAt`, with their counters after it. */
export async function parentsWithout(
  tx: Tx,
  back: { card: CardWithMoney; amount: Amount; heldAt: Date },
): Promise<CardWithMoney[]> {
  const parents = await lockParents(tx, back.card)
  return parents.map((one) => withoutDelegated(one, back.amount, back.heldAt))
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

/** The refusal that answers a decline, once it is recorded. A payment that waits for a person is answered 202. */
export const declined = (denied: Denied): Problem => problemOf(denied, WAITS)

/** As `declined`, of an operation that answers a payment made or refused, and cannot say that it waits. */
export const declinedAtOnce = (denied: Denied): Problem => problemOf(denied, undefined)

const WAITS = 202

function problemOf(denied: Denied, waits: number | undefined): Problem {
  const { rule, message, approval, decisionId, passesAt } = denied
  if (!approval)
    return new Problem(rule, message, {
      extra: {
        ...(passesAt && { passes_at: passesAt.toISOString() }),
        ...(decisionId && { decision_id: decisionId }),
      },
    })
  return new Problem(rule, message, {
    extra: {
      success: false,
      approval_id: approval.id,
      expires_at: approval.expiresAt.toISOString(),
    },
    links: { approve_url: approvalPath(approval.id) },
    isPassing: true,
    ...(waits !== undefined && { status: waits }),
  })
}

import { CARD_LIMITS, perLimit } from '../../../base/kernel/card-limits.ts'
import { type Amount, amount, minus, minusOrZero, plus, ZERO } from '../../../base/kernel/money.ts'
import type { GivenBack } from '../../ledger/holds.ts'
import { CARD_STATUSES, type CardStatus, type CardWithMoney } from '../card.ts'
import { type Approval, type Consent, payeeKey } from '../consent.ts'
import type { DecisionRow } from '../decisions.ts'
import { type Decision, decide, STANDING_REFUSALS } from '../policy.ts'
import { NOT_JUDGED } from '../rules/draft.ts'
import type { Rules } from '../rules/rules.ts'
import {
  countedAt,
  type LimitCounters,
  type Limits,
  NO_LIMITS,
  newCounters,
  withReturn,
  withUse,
} from '../windows.ts'

/** A decision of the past with what followed from it: the grant that it used, and what came back of its hold. */
export type PastDecision = DecisionRow & {
  grant: Approval | undefined
  backs: readonly GivenBack[]
}
/** The answer of the rules. `rule` is `not_judged` where its record does not tell enough. */
export type Replayed = { allowed: boolean; rule: string; window: string | null }

type Replaying = {
  card: CardWithMoney
  rules: Rules
  /** The payees that the card's owner has approved, oldest first. */
  payees: readonly { payee: string; createdAt: Date }[]
}

/**
 * Decides the past anew, decision by decision from the oldest on, under other rules: by the policy and the windows of the live engine.
 * Each starts from the money and the counters that were recorded with it, less what these rules would not have let
 * leave the card until then, and with what they would have.
 */
export function newReplay({ card, rules, payees }: Replaying): (past: PastDecision) => Replayed {
  const known = new Set<string>()
  const waiting = [...payees]
  let more = nothing(card.createdAt)
  let less = nothing(card.createdAt)
  let returning: GivenBack[] = []
  return (past) => {
    const { createdAt: at } = past
    while (waiting[0] && waiting[0].createdAt <= at)
      known.add(payeeKey(card.id, waiting.shift()?.payee ?? ''))
    for (const back of returning.filter((one) => one.at <= at)) less = withBack(less, back)
    returning = returning.filter((one) => one.at > at)
    const then = cardThen({ ...card, ...rules }, past, {
      more: countedAt(more, at),
      less: countedAt(less, at),
    })
    if (!then) return { allowed: past.allowed, rule: NOT_JUDGED, window: null }
    const replayed = answerOf(past, decidePast(then, past, known))
    if (replayed.allowed && !past.allowed) more = withMore(more, past.amount, at)
    if (!replayed.allowed && past.allowed) {
      less = withMore(less, past.amount, at)
      returning.push(...past.backs)
    }
    return replayed
  }
}

function decidePast(
  card: CardWithMoney,
  { amount, mcc, rail, inputs, createdAt, ...past }: PastDecision,
  payees: ReadonlySet<string>,
): Decision {
  // The grant was used by this very payment, so its payee and request are those of the payment.
  const { grant } = past
  const spend = {
    ...{ amount, mcc, rail, merchants: grant?.merchants ?? past.merchants },
    ...(grant && { request: grant.request }),
    ...(inputs.agreed === true && { isAgreed: true as const }),
  }
  const approvals: Approval[] = grant ? [{ ...grant, status: 'APPROVED' }] : []
  const consent: Consent = { approvals, payees, made: new Map() }
  return decide(card, spend, createdAt, { consent })
}

/** The answers of a card's own rules. A decline for another reason, of its parent or its owner, stands as it was. */
const OWN: ReadonlySet<string> = new Set([
  ...STANDING_REFUSALS,
  ...['mcc_blocked', 'merchant_not_allowed', 'max_transaction_exceeded'],
  ...CARD_LIMITS.map(({ code }) => code),
  ...['limit_exceeded', 'insufficient_funds'],
])
/** The answers of a card that asks its owner. They depend on what the owner had said by then. */
const ASKED: ReadonlySet<string> = new Set([
  'approval_required',
  'approval_denied',
  'approvals_wait',
])

function answerOf(past: PastDecision, decision: Decision): Replayed {
  const asRecorded = { allowed: past.allowed, rule: past.rule, window: null }
  if (decision.allowed)
    return past.allowed || OWN.has(past.rule) || ASKED.has(past.rule)
      ? { allowed: true, rule: decision.rule, window: null }
      : asRecorded
  if (ASKED.has(decision.rule) && ASKED.has(past.rule)) return asRecorded
  const limit = CARD_LIMITS.find(({ code }) => code === decision.rule)
  return {
    allowed: false,
    rule: decision.rule,
    window: limit ? limit.windowOf(past.createdAt) : null,
  }
}

/** The money that left the card beyond, or short of, what was recorded: in all, and in each window. */
type Apart = LimitCounters & Limits & { total: Amount }

const nothing = (at: Date): Apart => ({ ...newCounters(at, NO_LIMITS), ...NO_LIMITS, total: ZERO })

function withMore(of: Apart, amount: Amount, at: Date): Apart {
  const counted = countedAt(of, at)
  return { ...counted, ...withUse(counted, amount), total: plus(counted.total, amount) }
}

function withBack(of: Apart, { amount, heldAt, at }: GivenBack): Apart {
  const counted = countedAt(of, at)
  return {
    ...counted,
    ...withReturn(counted, amount, heldAt),
    total: minus(counted.total, amount),
  }
}

/** The card as it would have stood. Undefined if the record does not tell. */
function cardThen(
  card: CardWithMoney,
  { inputs, createdAt }: PastDecision,
  { more, less }: { more: Apart; less: Apart },
): CardWithMoney | undefined {
  const { status, expires_at: expiresAt, single_use: singleUse } = inputs
  if (!isStatus(status) || NEEDED.some((name) => !/^\d+$/.test(String(inputs[name])))) return
  const read = (name: string): Amount => amount(BigInt(String(inputs[name])))
  return {
    ...card,
    status,
    singleUse: singleUse === true,
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : null,
    limitAmount: read('limit_amount'),
    // Together they count towards the limit of the card.
    spent: minusOrZero(plus(plus(read('spent'), read('held')), more.total), less.total),
    held: ZERO,
    delegated: amount(BigInt(String(inputs.delegated ?? 0))),
    available: minusOrZero(plus(read('available'), less.total), more.total),
    ...perLimit('window', ({ window, windowOf }) => String(inputs[window] ?? windowOf(createdAt))),
    ...perLimit('used', ({ used, usedName }) =>
      minusOrZero(plus(read(usedName), more[used]), less[used]),
    ),
    ...perLimit('cap', () => null),
  }
}

const NEEDED = [
  ...['limit_amount', 'spent', 'held', 'available'],
  ...CARD_LIMITS.map(({ usedName }) => usedName),
]
const isStatus = (value: unknown): value is CardStatus =>
  (CARD_STATUSES as readonly unknown[]).includes(value)

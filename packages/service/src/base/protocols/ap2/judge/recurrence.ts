import type { Frequency } from '../read/constraints.ts'
import type { Presentation } from '../read/presentation.ts'
import { type Ap2Code, Ap2Refusal } from '../refusal.ts'

/**
 * The limits of an open mandate over all its payments, for the verifier that counts them. Amounts are in minor units.
 */
export type UsageRules = {
  readonly openId: string
  /** Without `payment.agent_recurrence` an open mandate backs one successful payment. */
  readonly singleUse: boolean
  readonly recurrence?: Frequency
  readonly maxOccurrences?: number
  /** In the closed mandate's currency. */
  readonly budgetMax?: bigint
}

/** Successful payments under one open mandate so far. */
export type Usage = {
  readonly uses: number
  readonly spent: bigint
  readonly firstAt?: Date
  readonly lastAt?: Date
}

const DAY_MS = 86_400_000
/** The length of a period: either its days or its months are zero. */
const UNITS = {
  DAILY: { days: 1, months: 0 },
  WEEKLY: { days: 7, months: 0 },
  BIWEEKLY: { days: 14, months: 0 },
  MONTHLY: { days: 0, months: 1 },
  QUARTERLY: { days: 0, months: 3 },
  ANNUALLY: { days: 0, months: 12 },
} as const

/** The reason why one more payment of `amount` is not allowed under this open mandate; `undefined` if it is allowed. */
export function usageRefusal(
  usage: Usage,
  rules: UsageRules,
  amount: bigint,
  at: Date,
): Ap2Refusal | undefined {
  if (rules.singleUse && usage.uses > 0)
    return refusal('mandate_already_used', 'This open mandate allows one payment, and it was made')
  if (rules.budgetMax !== undefined && usage.spent + amount > rules.budgetMax)
    return refusal('mandate_budget_exceeded', 'The payment exceeds what is left of the budget')
  return recurrenceRefusal(usage, rules, at)
}

/**
 * The part of `usageRefusal` about number and time. Periods begin with the first successful payment, in UTC: period k
 * is [first + k units, first + (k + 1) units), with months clamped to their end. Each period allows one successful
 * payment; a missed period gives no extra one. ON_DEMAND has no periods.
 */
export function recurrenceRefusal(
  usage: Usage,
  rules: Pick<UsageRules, 'recurrence' | 'maxOccurrences'>,
  at: Date,
): Ap2Refusal | undefined {
  if (rules.maxOccurrences !== undefined && usage.uses >= rules.maxOccurrences)
    return refusal('mandate_occurrences_exceeded', 'The open mandate allows no more payments')
  const next = rules.recurrence && nextPeriodStart(usage, rules.recurrence)
  return next && at < next
    ? refusal('mandate_too_early', `The next payment is allowed from ${next.toISOString()}`)
    : undefined
}

const refusal = (code: Ap2Code, detail: string): Ap2Refusal => new Ap2Refusal(code, detail)

/**
 * The start of the period after the last successful payment; `undefined` before the first payment and for ON_DEMAND.
 */
export function nextPeriodStart(usage: Usage, frequency: Frequency): Date | undefined {
  const { firstAt, lastAt } = usage
  if (frequency === 'ON_DEMAND' || !firstAt || !lastAt) return undefined
  return periodStart(firstAt, frequency, periodOf(firstAt, frequency, lastAt) + 1)
}

type Periodic = Exclude<Frequency, 'ON_DEMAND'>

/** The start of the period with this index. Period 0 starts at `anchor`. */
export function periodStart(anchor: Date, frequency: Periodic, index: number): Date {
  const { days, months } = UNITS[frequency]
  return days > 0
    ? new Date(anchor.getTime() + index * days * DAY_MS)
    : plusMonths(anchor, index * months)
}

/** The index of the period that contains `at`; negative before the anchor. */
export function periodOf(anchor: Date, frequency: Periodic, at: Date): number {
  const { days, months } = UNITS[frequency]
  if (days > 0) return Math.floor((at.getTime() - anchor.getTime()) / (days * DAY_MS))
  const years = at.getUTCFullYear() - anchor.getUTCFullYear()
  const guess = Math.floor((years * 12 + at.getUTCMonth() - anchor.getUTCMonth()) / months)
  return plusMonths(anchor, guess * months) > at ? guess - 1 : guess
}

function plusMonths(anchor: Date, months: number): Date {
  const [year, month, day] = [anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month + months, Math.min(day, lastDay))
  return new Date(midnight + (anchor.getTime() - Date.UTC(year, month, day)))
}

/** The limits over all payments of the open mandate; undefined for a direct payment. */
export function usageRulesOf({ open, openId, closed }: Presentation): UsageRules | undefined {
  if (!open || openId === undefined) return undefined
  const recurrence = open.constraints.find(({ type }) => type === 'payment.agent_recurrence')
  const budgets = open.constraints.flatMap((constraint) =>
    constraint.type === 'payment.budget' && constraint.currency === closed.amount.currency
      ? [constraint.max]
      : [],
  )
  const least = budgets.reduce<bigint | undefined>(
    (before, max) => (before === undefined || max < before ? max : before),
    undefined,
  )
  return {
    openId,
    singleUse: recurrence === undefined,
    ...(least !== undefined && { budgetMax: least }),
    ...(recurrence?.type === 'payment.agent_recurrence' && {
      recurrence: recurrence.frequency,
      ...(recurrence.maxOccurrences !== undefined && {
        maxOccurrences: recurrence.maxOccurrences,
      }),
    }),
  }
}

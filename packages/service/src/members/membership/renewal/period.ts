import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { periodAt, periodStart } from '../../agreements/periods.ts'
import type { Membership } from '../membership.ts'
import { type BillingPeriod, monthsOf } from '../plan.ts'
import { liveMembership, type State } from '../state/state.ts'
import { readPaidUntil } from '../store.ts'

/** A period of a membership: whole months from the anchor. */
export type Period = { anchor: Date; months: number; start: Date; end: Date }

const MONTH = { months: 1 }
const monthsAfter = (anchor: Date, months: number): Date => periodStart(anchor, MONTH, months + 1)

const periodFrom = (anchor: Date, months: number, length: number): Period => ({
  anchor,
  months,
  start: monthsAfter(anchor, months),
  end: monthsAfter(anchor, months + length),
})

/**
 * The period that a payment at `at` is for. The one after the current, or the one that `at` is in if that is later: a missed
 * period is not paid for. Without a live membership a new anchor starts, after all that was paid.
 */
export async function periodToPay(
  tx: Tx,
  at: Date,
  { state, billingPeriod }: { state: State; billingPeriod: BillingPeriod },
): Promise<Period> {
  const live = liveMembership(state, at)
  if (live) return nextPeriod(live, billingPeriod, at)
  const paidUntil = await readPaidUntil(tx, state.walletAddress)
  const anchor = paidUntil && paidUntil > at ? paidUntil : at
  return periodFrom(anchor, 0, monthsOf(billingPeriod))
}

export function nextPeriod(membership: Membership, billingPeriod: BillingPeriod, at: Date): Period {
  const { anchor } = membership
  const length = monthsOf(billingPeriod)
  const next = membership.months + monthsOf(membership.billingPeriod)
  const elapsed = periodAt(anchor, MONTH, at) - 1
  const missed = elapsed > next ? Math.floor((elapsed - next) / length) : 0
  return periodFrom(anchor, next + missed * length, length)
}

type Counted = Pick<Agreement, 'firstMonth' | 'periodMonths'>

/**
 * The number of a period among those of its agreement, counted in the months by which the membership counts too: the number
 * and the start come from one anchor. An agreement pays periods of its own length that follow each other, so each has its
 * own number, also where a period of another length was paid by hand in between. The database holds payments to it.
 */
export function numberOf(
  { firstMonth, periodMonths }: Counted,
  { months }: Pick<Period, 'months'>,
): number {
  assert(firstMonth !== null && periodMonths !== null, 'a membership is paid by the month')
  return Math.floor((months - firstMonth) / periodMonths) + 1
}

/** The period that a charge with this number pays for, while the membership is as it was when the charge was made. */
export async function periodOfNumber(
  tx: Tx,
  at: Date,
  of: { state: State; agreement: Agreement; billingPeriod: BillingPeriod; periodNo: number },
): Promise<Period> {
  const { state, agreement, billingPeriod, periodNo } = of
  const live = liveMembership(state, at)
  if (!live) return periodToPay(tx, at, { state, billingPeriod })
  const length = monthsOf(billingPeriod)
  const next = live.months + monthsOf(live.billingPeriod)
  const missed = periodNo - numberOf(agreement, { months: next })
  return periodFrom(live.anchor, next + missed * length, length)
}

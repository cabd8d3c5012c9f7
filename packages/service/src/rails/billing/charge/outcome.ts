import type { BuiltEvent } from '../../../api/events/define.ts'
import type { CancelReason, CompleteReason } from '../../../api/events/types/agreements.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { plus } from '../../../base/kernel/money.ts'
import type { Agreement, Charge } from '../../../members/agreements/agreement.ts'
import {
  cancelledEvents,
  chargedEvents,
  chargeFailedEvents,
  completedEvents,
} from '../../../members/agreements/agreement-events.ts'
import { nextPeriodStart, nextRetry, scheduled } from '../../../members/agreements/schedule.ts'
import { statusAfter } from '../../../members/agreements/states.ts'

/** The result of an attempt to charge. */
export type Attempt =
  /** `usedUp`: the open mandate has nothing left for another charge. */
  | { kind: 'paid'; settlementId: Id<'stl'>; usedUp: CompleteReason | undefined }
  /** The open mandate allows the next payment from `from` on. */
  | { kind: 'too_early'; from: Date }
  /** The reason is gone: it was paid otherwise, so nothing was attempted. */
  | { kind: 'not_needed' }
  /** Nothing is left, so nothing was attempted. */
  | { kind: 'used_up'; reason: CompleteReason }
  /** `ends`: no retry can succeed. */
  | { kind: 'refused'; code: string; ends: CancelReason | undefined }

/** An agreement and its charge after an attempt. Without a charge nothing is written down of it. */
export type Charged = { agreement: Agreement; charge?: Charge; events: BuiltEvent[] }

type Of = { agreement: Agreement; charge: Charge; asset: Asset }

/** The agreement and its charge after an attempt, with the events that tell of it. */
export function afterAttempt(at: Date, of: Of, attempt: Attempt): Charged {
  switch (attempt.kind) {
    case 'paid':
      return afterPayment(at, of, attempt)
    case 'too_early':
      return { agreement: postponed(of.agreement, attempt.from, at), events: [] }
    case 'not_needed':
      return { agreement: satisfied(at, of.agreement), events: [] }
    case 'used_up':
      return completed(at, of, attempt.reason)
    case 'refused':
      return afterRefusal(at, of, attempt)
  }
}

function afterPayment(
  at: Date,
  { agreement, charge, asset }: Of,
  { settlementId, usedUp }: Extract<Attempt, { kind: 'paid' }>,
): Charged {
  const { chargesMade, totalCharged, amount } = agreement
  const paid: Charge = { ...charge, status: 'SUCCEEDED', error: null, settlementId, updatedAt: at }
  const after = scheduled(
    {
      ...agreement,
      status: statusAfter(agreement, 'charge_succeeded'),
      chargesMade: chargesMade + 1,
      totalCharged: plus(totalCharged, amount),
      lastChargeAt: at,
      failureCount: 0,
      firstFailedAt: null,
      isArmed: false,
    },
    at,
  )
  const end = usedUp && completed(at, { agreement: after, charge: paid, asset }, usedUp)
  const shown = end?.agreement ?? after
  const events = chargedEvents({ agreement: shown, asset, charge: paid })
  return { agreement: shown, charge: paid, events: [...events, ...(end?.events ?? [])] }
}

/** A threshold agreement whose meter holds its floor by other money: nothing is past due, and the next fall is charged for. */
export const satisfied = (at: Date, agreement: Agreement): Agreement =>
  scheduled(
    {
      ...agreement,
      status: statusAfter(agreement, 'reason_gone'),
      firstFailedAt: null,
      failureCount: 0,
      isArmed: true,
    },
    at,
  )

function completed(at: Date, { agreement, asset }: Of, reason: CompleteReason): Charged {
  const status = statusAfter(agreement, 'complete')
  const ended = scheduled({ ...agreement, status, statusReason: reason, firstFailedAt: null }, at)
  return { agreement: ended, events: completedEvents({ agreement: ended, asset, reason }) }
}

/** Moves the attempt to `from` if that is still in the period; otherwise the period is skipped. That is not a failure. */
function postponed(agreement: Agreement, from: Date, at: Date): Agreement {
  const later = scheduled(agreement, at)
  const end = agreement.endsAt ?? nextPeriodStart(agreement, at)
  const isInPeriod = from > at && (end === undefined || from < end)
  return isInPeriod ? { ...later, nextAttemptAt: from } : later
}

function afterRefusal(
  at: Date,
  { agreement, charge, asset }: Of,
  { code, ends }: Extract<Attempt, { kind: 'refused' }>,
): Charged {
  const failed: Charge = { ...charge, status: 'FAILED', error: code, updatedAt: at }
  const firstFailedAt = agreement.firstFailedAt ?? at
  const failing = {
    ...agreement,
    status: statusAfter(agreement, 'charge_failed'),
    failureCount: agreement.failureCount + 1,
    firstFailedAt,
  }
  const reason = ends ?? (nextRetry(firstFailedAt, at) ? undefined : 'payment_failed')
  const after = reason === undefined ? scheduled(failing, at) : cancelled(at, failing, reason)
  return {
    agreement: after,
    charge: failed,
    events: [
      ...chargeFailedEvents({ agreement: after, asset, charge: failed }),
      ...(reason === undefined ? [] : cancelledEvents({ agreement: after, asset, reason })),
    ],
  }
}

const cancelled = (at: Date, agreement: Agreement, reason: CancelReason): Agreement =>
  scheduled(
    {
      ...agreement,
      status: statusAfter(agreement, 'cancel'),
      statusReason: reason,
      pausedBy: null,
      firstFailedAt: null,
    },
    at,
  )

/** Ends an agreement whose last period is over, as one of its parties has asked. */
export function afterLastPeriod(at: Date, agreement: Agreement, asset: Asset): Charged {
  const reason = agreement.cancelledBy ?? 'payer'
  const ended = cancelled(at, agreement, reason)
  return { agreement: ended, events: cancelledEvents({ agreement: ended, asset, reason }) }
}

import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import type { Owned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Agreement } from '../../members/agreements/agreement.ts'
import { askedEvents, cancelledEvents } from '../../members/agreements/agreement-events.ts'
import { nextPeriodStart, scheduled } from '../../members/agreements/schedule.ts'
import { statusAfter } from '../../members/agreements/states.ts'
import { saveAgreement } from '../../members/agreements/store.ts'
import type { OwnAgreement } from './own-agreement.ts'

type Change = Owned<OwnAgreement> & { asset: Asset }

/**
 * Stops the charges of a locked agreement until the same party resumes it. Retries stop too, and what has failed is kept: a
 * pause is no payment.
 */
export function pauseAgreement(tx: Tx, at: Date, { agreement, party, asset }: Change) {
  const status = statusAfter(agreement, 'pause')
  const paused = scheduled({ ...agreement, status, pausedBy: party }, at)
  return keep(tx, at, paused, askedEvents('paused', { agreement: paused, asset, by: party }))
}

/**
 * Charges nothing itself. The next charge is at the start of the next period; one that was PAST_DUE is so again, with the
 * same retries.
 */
export function resumeAgreement(tx: Tx, at: Date, { agreement, party, asset }: Change) {
  const move = agreement.firstFailedAt === null ? 'resume' : 'resume_past_due'
  const status = statusAfter(agreement, move)
  if (agreement.pausedBy !== party)
    throw new Problem(
      'invalid_state',
      `The ${agreement.pausedBy} paused this agreement, and only the ${agreement.pausedBy} can resume it.`,
    )
  const resumed = scheduled({ ...agreement, status, pausedBy: null }, at)
  return keep(tx, at, resumed, askedEvents('resumed', { agreement: resumed, asset, by: party }))
}

/** Ends a locked agreement. */
export function cancelAgreement(tx: Tx, at: Date, { agreement, party, asset }: Change) {
  const cancelled = scheduled(
    {
      ...agreement,
      status: statusAfter(agreement, 'cancel'),
      statusReason: party,
      cancelledBy: party,
      pausedBy: null,
      firstFailedAt: null,
    },
    at,
  )
  const events = cancelledEvents({ agreement: cancelled, asset, reason: party })
  return keep(tx, at, cancelled, events)
}

/** Lets a locked agreement end with its current period. */
export function scheduleCancel(tx: Tx, at: Date, { agreement, party, asset }: Change) {
  statusAfter(agreement, 'cancel')
  const endsAt = nextPeriodStart(agreement, at)
  if (!endsAt)
    throw new Problem(
      'invalid_field',
      'A threshold agreement has no periods: leave at_period_end out to end it now.',
      { param: 'at_period_end' },
    )
  if (agreement.cancelAtPeriodEnd)
    throw new Problem('invalid_state', 'The agreement already ends with the current period.')
  const ending = scheduled(
    { ...agreement, cancelAtPeriodEnd: true, cancelledBy: party, endsAt },
    at,
  )
  const events = askedEvents('cancel_scheduled', { agreement: ending, asset, by: party })
  return keep(tx, at, ending, events)
}

async function keep(
  tx: Tx,
  at: Date,
  agreement: Agreement,
  events: readonly BuiltEvent[],
): Promise<Agreement> {
  await saveAgreement(tx, agreement)
  await record(tx, at, events)
  return agreement
}

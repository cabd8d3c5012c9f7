import { record } from '../../../api/events/record.ts'
import {
  membershipCancelScheduled,
  membershipResumed,
} from '../../../api/events/types/recurring/membership.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { saveAgreement } from '../../agreements/store.ts'
import type { Membership } from '../membership.ts'
import { membershipEvent } from '../state/membership-events.ts'
import { checkNotInFlight, type House, lockState, type State, saveState } from '../state/state.ts'
import { saveMembership } from '../store.ts'

type Asked = { walletAddress: Address; house: House }

/** Schedules the end with the current period. Nothing is charged after the answer. */
export async function cancelMembership(tx: Tx, at: Date, asked: Asked): Promise<Membership> {
  const state = await lockState(tx, asked.walletAddress)
  checkNotInFlight(state)
  const membership = inPeriod(state, at)
  if (!membership)
    throw new Problem(
      'invalid_state',
      'There is no ACTIVE membership to cancel. One that is past due ends with its auto-renew: DELETE /api/membership/auto-renew.',
    )
  if (membership.cancelAtPeriodEnd) return membership
  return saveCancel(tx, at, { ...asked, state, membership, isCancelled: true })
}

/** Undoes a scheduled end, while still in the period. */
export async function resumeMembership(tx: Tx, at: Date, asked: Asked): Promise<Membership> {
  const state = await lockState(tx, asked.walletAddress)
  const membership = inPeriod(state, at)
  if (!membership?.cancelAtPeriodEnd)
    throw new Problem(
      'invalid_state',
      'There is nothing to resume: no membership of yours is scheduled to end with its current period.',
    )
  return saveCancel(tx, at, { ...asked, state, membership, isCancelled: false })
}

/** The ACTIVE membership, if its period is not over. */
const inPeriod = ({ membership }: State, at: Date): Membership | undefined =>
  membership?.status === 'ACTIVE' && membership.currentPeriodEnd > at ? membership : undefined

async function saveCancel(
  tx: Tx,
  at: Date,
  of: Asked & { state: State; membership: Membership; isCancelled: boolean },
): Promise<Membership> {
  const { state, house, isCancelled } = of
  const membership = await saveMembership(tx, {
    ...of.membership,
    cancelAtPeriodEnd: isCancelled,
    updatedAt: at,
  })
  const end = isCancelled ? null : membership.currentPeriodEnd
  const agreement: Agreement | undefined = state.agreement && {
    ...state.agreement,
    endsAt: isCancelled ? membership.currentPeriodEnd : null,
    cancelledBy: isCancelled ? ('payer' as const) : null,
    cancelAtPeriodEnd: isCancelled,
    nextChargeAt: end,
    nextAttemptAt: end,
    updatedAt: at,
  }
  if (agreement) await saveAgreement(tx, agreement)
  const after = { ...state, membership, agreement }
  await saveState(tx, after)
  const kind = isCancelled ? membershipCancelScheduled : membershipResumed
  await record(tx, at, [membershipEvent(kind, { state: after, house })])
  return membership
}

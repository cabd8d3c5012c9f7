import { Problem } from '../../base/kernel/problem.ts'
import type { AgreementStatus, Charge } from './agreement.ts'

type Move<S extends string> = {
  readonly from: readonly S[]
  readonly to: S
  /** The event that tells of it. */
  readonly event: string
}

/** Every change of an agreement's status. The trigger `keep_agreement` refuses any other. */
export const AGREEMENT_MOVES = {
  charge_failed: { from: ['ACTIVE', 'PAST_DUE'], to: 'PAST_DUE', event: 'agreement.charge_failed' },
  charge_succeeded: { from: ['ACTIVE', 'PAST_DUE'], to: 'ACTIVE', event: 'agreement.charged' },
  pause: { from: ['ACTIVE', 'PAST_DUE'], to: 'PAUSED', event: 'agreement.paused' },
  resume: { from: ['PAUSED'], to: 'ACTIVE', event: 'agreement.resumed' },
  resume_past_due: { from: ['PAUSED'], to: 'PAST_DUE', event: 'agreement.resumed' },
  /** The reason for the charge is gone: what it was to pay for was paid otherwise. */
  reason_gone: { from: ['ACTIVE', 'PAST_DUE'], to: 'ACTIVE', event: 'none' },
  cancel: {
    from: ['ACTIVE', 'PAST_DUE', 'PAUSED'],
    to: 'CANCELLED',
    event: 'agreement.cancelled',
  },
  complete: { from: ['ACTIVE', 'PAST_DUE'], to: 'COMPLETED', event: 'agreement.completed' },
} as const satisfies Record<string, Move<AgreementStatus>>
export type AgreementMove = keyof typeof AGREEMENT_MOVES

/** Every change of a charge's status. The trigger `keep_charge` keeps a charge that succeeded. */
export const CHARGE_MOVES = {
  settled: { from: ['PENDING', 'FAILED'], to: 'SUCCEEDED', event: 'agreement.charged' },
  refused: { from: ['PENDING', 'FAILED'], to: 'FAILED', event: 'agreement.charge_failed' },
  retried: { from: ['FAILED'], to: 'PENDING', event: 'none' },
} as const satisfies Record<string, Move<Charge['status']>>

/** Statuses in which an agreement may still be charged, now or later. */
export const LIVE_STATUSES = ['ACTIVE', 'PAST_DUE', 'PAUSED'] as const
export const isLive = ({ status }: { status: AgreementStatus }): boolean =>
  (LIVE_STATUSES as readonly string[]).includes(status)

/** The status after this move. Throws `invalid_state` if the agreement's status does not allow it. */
export function statusAfter(
  { status }: { status: AgreementStatus },
  move: AgreementMove,
): AgreementStatus {
  const { from, to } = AGREEMENT_MOVES[move]
  if ((from as readonly string[]).includes(status)) return to
  throw new Problem(
    'invalid_state',
    `The agreement is ${status}; this needs one that is ${from.join(' or ')}.`,
  )
}

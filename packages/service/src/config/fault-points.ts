import type { Fault } from '../kernel/fault-points.ts'

/**
 * Every fault point of the service, as `PURSER_FAULT_POINT` names them: the places where an effect becomes visible
 * outside the process, in the database, on the chain, at a seller or at a caller.
 */
export const FAULT_POINTS = [
  'lanes.before_commit',
  'lanes.after_commit',
  'jobs.before_task',
  'jobs.after_task',
  'egress.connected',
  'chain.batch_written',
  'chain.nonce_assigned',
  'chain.before_sign',
  'chain.after_sign',
  'chain.after_store',
  'chain.after_broadcast',
  'chain.after_receipt',
  'chain.before_gap_fill',
  'chain.after_gap_fill',
  'http.key_taken',
  'http.before_answer',
  'funding.authorization_stored',
  'funding.before_credit',
  'funding.after_credit',
  'funding.before_hash_credit',
  'funding.after_hash_credit',
  'cards.before_activate',
  'cards.after_activate',
  'pay_links.claimed',
  'pay_links.before_settle',
  'pay_links.after_settle',
  'pay_links.before_confirm',
  'pay_links.after_confirm',
  'pay_links.before_chain_settle',
  'pay_links.after_chain_settle',
  'pay_links.before_swept',
  'pay_links.after_swept',
  'market.locked',
  'market.paid',
  'market.moved',
  'market.before_commit',
  'market.after_commit',
  'payments.after_hold',
  'payments.after_sign',
  'payments.after_store',
  'payments.after_answer',
  'payments.before_capture',
  'payments.after_capture',
  'payments.before_final',
  'payments.after_final',
  'streams.before_close',
  'streams.after_close',
  'withdrawals.after_sign',
  'withdrawals.after_queue',
  'withdrawals.before_finish',
  'withdrawals.after_finish',
  'facilitator.claimed',
  'facilitator.before_end',
  'facilitator.after_end',
  'identity.after_sign',
  'identity.after_queue',
  'identity.before_state',
  'identity.after_state',
  'watcher.before_commit',
  'watcher.after_commit',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

/** Reads `chain.after_store` or `chain.after_store:2`; undefined for anything else. */
export function parseFault(text: string): Fault | undefined {
  const [, name, nth = '1'] = /^([a-z_.]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  const point = FAULT_POINTS.find((known) => known === name)
  return point && { point, nth: Number(nth) }
}

/**
 * The points where an effect leaves the process: to the database, the chain, a seller or a caller. A process can be armed to
 * kill itself at one of them, so that tests can show that nothing is lost or done twice there.
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
  'watcher.before_commit',
  'watcher.after_commit',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

/** The process dies when it reaches `point` for the `nth` time, 1 being the first. */
export type Fault = { point: FaultPoint; nth: number }

// The only state in a module: a process is armed once, at its start, or never.
let armed: FaultPoint | undefined
let left = 0

/** Marks a fault point. Kills the process if it is armed for this point, and does nothing otherwise. */
export function reach(point: FaultPoint): void {
  if (point === armed && --left === 0) process.kill(process.pid, 'SIGKILL')
}

/** Arms this process. Only for the start of a service on a development chain. */
export function armFault(fault: Fault): void {
  armed = fault.point
  left = fault.nth
}

/** Reads `chain.after_store` or `chain.after_store:2`. Undefined for anything else. */
export function parseFault(text: string): Fault | undefined {
  const [, name, nth = '1'] = /^([a-z_.]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  const point = FAULT_POINTS.find((known) => known === name)
  return point && { point, nth: Number(nth) }
}

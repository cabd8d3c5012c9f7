/** Failures and their required outcomes. Each is tested on every part of ours that takes payments. */
export const FAILURES = {
  replay: 'A payment that was taken is shown again: nothing moves a second time.',
  duplicates: 'Ten requests at once show one payment: it is taken once.',
  expired: 'The authorization has ended: refused before it costs gas.',
  'wrong amount': 'Less is signed than is asked, or the offer is rewritten to ask less: refused.',
  'wrong recipient':
    'Somebody else is paid, or the offer is rewritten to pay somebody else: refused.',
  'wrong network': 'The offer is rewritten to another network: refused.',
  drained: 'The payer moves its money after it signed: refused, and nothing is credited.',
  'front-run': 'Somebody else carries the payment to the chain first: it counts, once.',
  pending: 'No block comes in time: reported as pending, and settled once when it does.',
  restart:
    'The process is killed between broadcast and receipt: settled once after it is started again.',
} as const
export type Failure = keyof typeof FAILURES

/** Our parts that take payments. */
export type TillName =
  | 'pay link by x402'
  | 'pay link by MPP'
  | 'facilitator'
  | 'facilitator by Permit2'
export const TILLS: readonly TillName[] = [
  'pay link by x402',
  'pay link by MPP',
  'facilitator',
  'facilitator by Permit2',
]

/** Failures of outside sellers and their required outcomes. Each is tested by x402 and by MPP. */
export const PAYER_FAILURES = {
  duplicates:
    'Ten requests at once carry one Idempotency-Key: one authorization is signed, one price leaves.',
  'lost answer':
    'The seller takes the payment and answers an error: the chain tells that it is paid, and a retry pays nothing more.',
  'not taken':
    'The seller is shown the payment and refuses: the money stays held, and a retry shows the same authorization.',
} as const
export type PayerFailure = keyof typeof PAYER_FAILURES

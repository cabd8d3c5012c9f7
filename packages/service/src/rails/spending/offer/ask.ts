import type { Claim } from '../../../api/http/idempotency.ts'
import type { EgressResponse } from '../../../base/egress/egress.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { Problem, refusedAs } from '../../../base/kernel/problem.ts'
import { equalBytes, sha256 } from '../../../base/kernel/secrets.ts'
import type { IssuedToken } from '../../../money/cards/tokens/store.ts'
import type { PayProtocol } from '../seller/claims.ts'
import type { Outgoing } from '../seller/exchange.ts'
import type { CardPayment, OutboundPayment } from '../store.ts'
import type { CardAccess } from './authorize.ts'

export type PayAsk = CardAccess & {
  at: Date
  claim: Claim | undefined
  request: Outgoing
  maxAmount: Amount | undefined
  /** The grant of the card's owner that the caller means. */
  approvalId: string | undefined
  /** The only protocol that may be paid; undefined for any. */
  protocol: PayProtocol | undefined
}
/** `payment` has the current state. */
export type MadePayment =
  | { kind: 'paid'; payment: OutboundPayment }
  /** As `paid`, for one of our own cards paid within our own books. `token` has the state of the money. */
  | { kind: 'paid_by_card'; payment: CardPayment; token: IssuedToken }
export type PayResult =
  | { kind: 'free'; response: EgressResponse }
  /** `response` is missing if the seller's answer was lost or never requested. */
  | (MadePayment & { response: EgressResponse | undefined })

/** Identifies the intent of a request, without an Idempotency-Key by what is asked of the seller. */
export const digestOf = (ask: PayAsk): Buffer => ask.claim?.requestHash ?? askedDigest(ask)

const askedDigest = ({ request }: PayAsk): Buffer =>
  sha256(JSON.stringify([request.method, request.url.href, request.body ?? null]))

/** The purchase, as the owner of the card is asked about it: the same however often it is asked for. */
export const boughtBy = (ask: PayAsk) => ({
  request: askedDigest(ask).toString('hex'),
  approvalId: ask.approvalId,
})

/** Refuses an Idempotency-Key that was used for a different payment. It stays the key of that one. */
export function checkSameIntent(ask: PayAsk, payment: { requestDigest: Buffer }): void {
  if (!equalBytes(payment.requestDigest, digestOf(ask)))
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used for another payment. Use a new key for a new one.',
      { isPassing: true },
    )
}

export const withTransaction = (problem: Problem, id: string): Problem =>
  refusedAs(problem, { extra: { transaction_id: id }, cause: problem })

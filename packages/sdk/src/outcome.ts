import { PurserError } from './error.ts'
import type { Answer, Body } from './resources.ts'

/** The id and token of a card that pays. Only the answer of `issueCard` has the token. */
export type CardCredential = { id: string; token: string }
export type PayOrder = Omit<Body<'postPay'>, 'card_id' | 'card_token'>
export type Payment = Answer<'postPay'> & { transaction_id: string | null }
/**
 * `paid`: the money was taken and the seller served; `response` holds what was bought. `free`: it served and asked for
 * nothing. `seller_failed`: the money was taken and the seller did not serve; repeat the call under its `idempotency_key`, which
 * shows the seller the same payment. `unknown`: the money is held and may still be taken; `response` tells whether the seller served.
 * Repeat the call under its key too, or ask `settlement` until it is final. On neither pay under another key.
 */
export type PayOutcome =
  | (Payment & {
      outcome: 'paid' | 'free' | 'seller_failed' | 'unknown'
      /** The key that the call was sent under. */
      idempotency_key: string
    })
  | NotCharged
  | ApprovalRequired
/**
 * The card was not charged, and it is safe to pay again. If `response` has a success, the seller served and never took the
 * payment: there is nothing to pay again.
 */
export type NotCharged = {
  outcome: 'not_charged'
  success: false
  transaction_id: string | null
  amount_debited: 0
  /** The seller's answer, if there was one. */
  response: Payment['response']
  reason: string
}
/**
 * The owner of the card has to approve the payment first; nothing is held. Show `approve_url` to the owner, then pay again with
 * the same `idempotencyKey`, or with `approval_id` in the order.
 */
export type ApprovalRequired = {
  outcome: 'approval_required'
  success: false
  transaction_id: null
  amount_debited: 0
  response: null
  reason: string
  approval_id: string
  approve_url: string
  /** Until when the owner can approve it. */
  expires_at: string
}
/** Pays by a call of `POST /api/pay`. A seller that fails, and an owner who is asked first, are outcomes and no errors. */
export async function outcomeBy(
  card: CardCredential,
  order: PayOrder,
  by: { idempotencyKey: string; ask(body: Body<'postPay'>): Promise<unknown> },
): Promise<PayOutcome> {
  try {
    const said = await by.ask({ ...order, card_id: card.id, card_token: card.token })
    return outcomeOf(said as Payment, by.idempotencyKey)
  } catch (error) {
    if (!(error instanceof PurserError)) throw error
    if (SELLER_FAILURES.includes(error.code)) return notCharged(error.body, error.message)
    if (error.code === 'approval_required') return approvalRequired(error)
    throw error
  }
}

/** Refusals that the seller caused, with the money untouched or back on the card. */
const SELLER_FAILURES = ['payment_rejected', 'upstream_failed']

/** An answer without a known outcome counts as `unknown`, never as paid. */
function outcomeOf(payment: Payment, idempotencyKey: string): PayOutcome {
  const { outcome = 'unknown' } = payment as Partial<Payment>
  if (outcome !== 'not_charged') return { ...payment, outcome, idempotency_key: idempotencyKey }
  const status = payment.response?.status ?? 'nothing'
  return notCharged(payment, `The seller answered ${status} and asked for no payment.`)
}

function notCharged(said: Record<string, unknown>, reason: string): NotCharged {
  const { transaction_id, response } = said as Partial<Payment>
  return {
    outcome: 'not_charged',
    success: false,
    transaction_id: transaction_id ?? null,
    amount_debited: 0,
    response: response ?? null,
    reason,
  }
}

function approvalRequired({ body, message }: PurserError): ApprovalRequired {
  const { approval_id, approve_url, expires_at } = body as ApprovalRequired
  return {
    outcome: 'approval_required',
    success: false,
    transaction_id: null,
    amount_debited: 0,
    response: null,
    reason: message,
    approval_id,
    approve_url,
    expires_at,
  }
}

import { perLimit } from './card-limits.ts'

/** Every refusal that a caller can get, with its HTTP status. Codes are part of the API: add, never rename. */
const PROBLEMS = {
  invalid_request: 400,
  invalid_json: 400,
  missing_field: 400,
  unknown_field: 400,
  invalid_field: 400,
  invalid_amount: 400,
  invalid_network: 400,
  invalid_asset: 400,
  invalid_address: 400,
  invalid_transaction: 400,
  invalid_url: 400,
  invalid_idempotency_key: 400,
  invalid_payment: 400,
  url_not_allowed: 400,
  protocol_not_accepted: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  invalid_card_token: 401,
  invalid_signature: 401,
  invalid_nonce: 401,
  agent_signature_required: 401,
  agent_signature_invalid: 401,
  agent_nonce_used: 401,
  forbidden_scope: 403,
  scope_escalation: 403,
  origin_not_allowed: 403,
  insufficient_balance: 403,
  approval_required: 403,
  approval_denied: 403,
  card_frozen: 403,
  card_expired: 403,
  card_closed: 403,
  card_used: 403,
  card_pending: 403,
  limit_exceeded: 403,
  insufficient_funds: 403,
  ...perLimit('code', () => 403 as const),
  max_transaction_exceeded: 403,
  mcc_blocked: 403,
  merchant_not_allowed: 403,
  wallet_cap_exceeded: 403,
  key_cap_exceeded: 403,
  rolling_30d_limit_exceeded: 403,
  payment_rate_exceeded: 403,
  like_payments_exceeded: 403,
  agent_not_allowed: 403,
  payout_address_not_allowed: 403,
  stream_budget_exceeded: 403,
  not_found: 404,
  transaction_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  invalid_state: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  already_credited: 409,
  already_refunded: 409,
  pay_link_busy: 409,
  nothing_to_claim: 409,
  draft_outdated: 409,
  limit_reached: 409,
  charge_in_flight: 409,
  already_listed: 409,
  own_listing: 409,
  listing_closed: 409,
  listing_changed: 409,
  listing_stale: 409,
  card_has_holds: 409,
  market_already_live: 409,
  market_not_prepared: 409,
  market_not_live: 409,
  nonce_moved: 409,
  already_vested: 409,
  stream_used: 409,
  transaction_pending: 409,
  payload_not_stored: 409,
  identity_withdrawn: 409,
  identity_moving: 409,
  no_counted_payment: 409,
  pay_link_expired: 410,
  pay_link_cancelled: 410,
  pay_link_completed: 410,
  already_settled: 410,
  stream_closed: 410,
  stream_expired: 410,
  cursor_expired: 410,
  payment_archived: 410,
  gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  no_payable_option: 422,
  payment_rejected: 422,
  authorization_rejected: 422,
  payment_exception: 422,
  binding_required: 422,
  mandate_required: 422,
  mandate_too_large: 422,
  mandate_malformed: 422,
  mandate_algorithm_unsupported: 422,
  mandate_type_unsupported: 422,
  mandate_disclosure_invalid: 422,
  mandate_disclosure_withheld: 422,
  mandate_field_invalid: 422,
  mandate_open_missing: 422,
  mandate_not_bound: 422,
  mandate_delegation_unsupported: 422,
  mandate_id_conflict: 422,
  agent_missing_key: 422,
  mandate_key_invalid: 422,
  mandate_key_untrusted: 422,
  mandate_invalid_signature: 422,
  mandate_expired: 422,
  mandate_expiry_missing: 422,
  mandate_not_yet_valid: 422,
  mandate_audience_mismatch: 422,
  mandate_nonce_mismatch: 422,
  mandate_scope_mismatch: 422,
  mandate_currency_mismatch: 422,
  mandate_amount_mismatch: 422,
  mandate_checkout_mismatch: 422,
  mandate_preset_changed: 422,
  mandate_constraint_violated: 422,
  mandate_limits_missing: 422,
  mandate_already_used: 422,
  mandate_budget_exceeded: 422,
  mandate_occurrences_exceeded: 422,
  mandate_too_early: 422,
  mandate_id_reused: 422,
  mandate_revoked: 422,
  mandate_constraint_unresolved: 422,
  token_unreadable: 422,
  token_not_transferable: 422,
  token_takes_fee: 422,
  receipt_invalid: 422,
  launch_would_fail: 422,
  transaction_reverted: 422,
  token_mismatch: 422,
  listing_mismatch: 422,
  stream_not_found: 422,
  stream_ambiguous: 422,
  stream_wrong_token: 422,
  stream_wrong_funder: 422,
  stream_wrong_recipient: 422,
  stream_too_small: 422,
  stream_too_short: 422,
  stream_cancelable: 422,
  stream_too_old: 422,
  keep_mismatch: 422,
  quote_unavailable: 422,
  checkout_invalid: 422,
  payment_required: 402,
  no_active_plan: 402,
  amount_below_minimum: 422,
  rate_limited: 429,
  funds_in_flight: 429,
  authorization_in_flight: 429,
  payer_waits: 429,
  approvals_wait: 429,
  token_waits: 429,
  seller_waits: 429,
  gas_budget_spent: 429,
  payout_cap_reached: 429,
  headers_too_large: 431,
  internal_error: 500,
  upstream_failed: 502,
  chain_unavailable: 502,
  agent_directory_unavailable: 503,
  overloaded: 503,
  settlement_pending: 503,
  signer_unavailable: 503,
  payouts_held: 503,
  identity_unavailable: 503,
  markets_unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEMS
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]
export const statusOf = (code: ProblemCode): number => PROBLEMS[code]

/** Server errors that are no fault of ours: a seller failed, or work is still in progress. */
const OTHERS: readonly ProblemCode[] = [
  'upstream_failed',
  'settlement_pending',
  'identity_unavailable',
]
/** Server errors that are temporary, or that come from other services of the operator. */
const PASSING: readonly ProblemCode[] = [
  'overloaded',
  'chain_unavailable',
  'payouts_held',
  'markets_unavailable',
]

/** The level at which a refusal is logged. Undefined if the caller caused it. */
export function logLevelOf({ code, status }: Problem): 'info' | 'warn' | 'error' | undefined {
  if (status < 500) return undefined
  if (OTHERS.includes(code)) return 'info'
  return PASSING.includes(code) ? 'warn' : 'error'
}

type ProblemOptions = {
  /** Documented extra members of the error body, e.g. `{ available, requested }`. */
  extra?: Record<string, unknown>
  /** The request field at fault. */
  param?: string
  headers?: Record<string, string>
  /** Members that are addresses of this service, as paths: the edge makes URLs of them. */
  links?: Record<string, string>
  /** The same request may get another answer soon: this one is not kept under its Idempotency-Key. */
  isPassing?: true
  /** If the contract of an operation has another status for this code than the table. */
  status?: number
  /** For the log only; never shown to the caller. */
  cause?: unknown
}

/**
 * Throw it to refuse a request; that rolls the transaction back. The caller gets the message, so it is a sentence that says
 * what was wrong and what to do. The caller never gets `cause`.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly param: string | undefined
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>
  readonly links: Record<string, string>
  readonly isPassing: boolean
  readonly status: number

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.param = options.param
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
    this.links = options.links ?? {}
    this.isPassing = options.isPassing ?? false
    this.status = options.status ?? PROBLEMS[code]
  }
}

/** The refusal with further members, and with another status where the contract of an operation has one. */
export const refusedAs = (
  problem: Problem,
  as: { status?: number; extra?: Record<string, unknown>; cause?: unknown },
): Problem =>
  new Problem(problem.code, problem.message, {
    status: as.status ?? problem.status,
    extra: { ...problem.extra, ...as.extra },
    headers: problem.headers,
    links: problem.links,
    ...(problem.isPassing && { isPassing: true }),
    ...(problem.param !== undefined && { param: problem.param }),
    cause: as.cause,
  })

/**
 * A refusal that is returned instead of thrown: throwing would roll back what its transaction records, or undo the work
 * of others in its batch. The edge throws `problem` once the transaction has committed.
 */
export type Refusal = { kind: 'refused'; problem: Problem }

/** The outcome that refuses. */
export const refuse = (problem: Problem): Refusal => ({ kind: 'refused', problem })

/**
 * The same answer whether the object does not exist or belongs to someone else. `hint` is for what needs not be the
 * caller's own.
 */
export const notFound = (
  what: string,
  hint = 'Check the id, and that it belongs to your wallet.',
): Problem => new Problem('not_found', `No such ${what}. ${hint}`)

/** The answer to a path that has no operation. */
export const noOperation = (method: string, path: string): Problem =>
  notFound(`operation: ${method} ${path}`, 'GET /openapi.json lists all of them.')

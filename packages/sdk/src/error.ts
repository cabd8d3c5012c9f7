/**
 * A refusal of the service, or a call without an answer that can be read. The codes that the service does not give:
 * `connection_failed` (no connection, or one that was cut), `timed_out`, `aborted` by your own signal, `unreadable_answer`
 * (a success that is not the one of the operation, of a proxy for instance), and `unknown` (an error of a proxy).
 */
export class PurserError extends Error {
  override readonly name: string = 'PurserError'
  /** The HTTP status; 0 without a whole answer. */
  readonly status: number
  /** Stable: branch on this. */
  readonly code: string
  /**
   * Whether the service may have done what the call asked for. False: it did nothing, so a new call is safe. True: the answer
   * was lost, so look first, or call again with `idempotencyKey`. Always false for a read.
   */
  readonly mayHaveHappened: boolean
  /** The key that the call was sent under. The same call with this key is never carried out twice. */
  readonly idempotencyKey: string | undefined
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined
  /** The request field at fault. */
  readonly param: string | undefined
  /** The whole answer, with the members that some codes add. */
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>, options: ErrorOptions = {}) {
    super(textOf(body.error) ?? `${options.origin ?? 'The service'} answered ${status}.`, {
      cause: options.cause,
    })
    this.status = status
    this.code = textOf(body.code) ?? 'unknown'
    this.mayHaveHappened = options.mayHaveHappened ?? false
    this.idempotencyKey = options.idempotencyKey
    this.requestId = textOf(body.request_id) ?? options.requestId
    this.param = textOf(body.param)
    this.body = body
  }
}

type ErrorOptions = {
  requestId?: string | undefined
  cause?: unknown
  origin?: string | undefined
  mayHaveHappened?: boolean
  idempotencyKey?: string | undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** No whole answer came: no connection, one that was cut, or none in time. `mayHaveHappened` says what a retry may do. */
export class ConnectionError extends PurserError {
  override readonly name = 'ConnectionError'
}
/** The request is not as the operation takes it; `param` names the field (400, 405, 413, 415, 422). */
export class InvalidRequestError extends PurserError {
  override readonly name = 'InvalidRequestError'
}
/** No credential, or one that may not do this (401, and 403 for its scopes). */
export class AuthError extends PurserError {
  override readonly name = 'AuthError'
}
/** A card, or the money behind it, does not allow it (403). */
export class DeclineError extends PurserError {
  override readonly name = 'DeclineError'
  /** The decision, which the card's owner can turn into a rule; undefined if none was written. */
  get decisionId(): string | undefined {
    return textOf(this.body.decision_id)
  }
}
/** There is no such object, or it is another wallet's (404). */
export class NotFoundError extends PurserError {
  override readonly name = 'NotFoundError'
}
/** The object is in another state, or the key names another request (409). */
export class ConflictError extends PurserError {
  override readonly name = 'ConflictError'
}
/** Too many requests, or no gas for now; all retries have ended (429). */
export class RateLimitError extends PurserError {
  override readonly name = 'RateLimitError'
}
/** The service, or something before it, failed (500 and above). */
export class ServiceError extends PurserError {
  override readonly name = 'ServiceError'
}

/** Refusals of a credential, which the status alone does not tell from those of a card. */
const OF_CREDENTIAL = ['forbidden_scope', 'scope_escalation', 'origin_not_allowed']

/** The error of the family that status and code name. */
export function errorAs(
  status: number,
  body: Record<string, unknown>,
  options: ErrorOptions = {},
): PurserError {
  return new (familyOf(status, textOf(body.code)))(status, body, options)
}

function familyOf(status: number, code: string | undefined): typeof PurserError {
  if (status === 0) return ConnectionError
  if (status === 401) return AuthError
  if (status === 403) return OF_CREDENTIAL.includes(code ?? '') ? AuthError : DeclineError
  if (status === 404) return NotFoundError
  if (status === 409) return ConflictError
  if (status === 429) return RateLimitError
  if (status >= 500) return ServiceError
  return status >= 400 ? InvalidRequestError : PurserError
}

/** The error that an answer says. Its body may be a proxy's, so it may not be JSON. */
export function errorOf(response: Response, text: string): PurserError {
  const value = parseJson(text)
  const requestId = response.headers.get('x-request-id') ?? undefined
  return errorAs(response.status, isObject(value) ? value : {}, { requestId })
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value, or undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

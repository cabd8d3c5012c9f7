/**
 * A refusal of the service, or a call without an answer that can be read. The codes that the service does not give:
 * `connection_failed` (no connection, or one that was cut), `timed_out`, `aborted` by your own signal, `unreadable_answer`
 * (a success that is not the one of the operation, of a proxy for instance), and `unknown` (an error of a proxy).
 */
export class PurserError extends Error {
  override readonly name = 'PurserError'
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

/** The error that an answer says. Its body may be a proxy's, so it may not be JSON. */
export function errorOf(response: Response, text: string): PurserError {
  const value = parseJson(text)
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new PurserError(response.status, isObject(value) ? value : {}, { requestId })
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

/** A refusal of the service, or a failure to reach it (`status` 0, `code` `connection_failed`). */
export class PurserError extends Error {
  override readonly name = 'PurserError'
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** Stable: branch on this. */
  readonly code: string
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined
  /** The request field at fault. */
  readonly param: string | undefined
  /** The whole answer, with the members that some codes add. */
  readonly body: Record<string, unknown>

  constructor(
    status: number,
    body: Record<string, unknown>,
    options: { requestId?: string | undefined; cause?: unknown } = {},
  ) {
    super(textOf(body.error) ?? `The service answered ${status}.`, { cause: options.cause })
    this.status = status
    this.code = textOf(body.code) ?? 'unknown'
    this.requestId = textOf(body.request_id) ?? options.requestId
    this.param = textOf(body.param)
    this.body = body
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The error of an answer. Its body may be a proxy's, so it may not be JSON. */
export async function errorOf(response: Response): Promise<PurserError> {
  const text = await response.text()
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new PurserError(response.status, readObject(text), { requestId })
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return {}
}

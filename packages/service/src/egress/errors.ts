export type EgressErrorKind = 'blocked' | 'connect' | 'timeout' | 'reset' | 'too_large' | 'protocol'

/** The status and headers of a response. Header names are in lower case. */
export type ResponseHead = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

type EgressErrorOptions = {
  sent: boolean
  head?: ResponseHead | undefined
  cause?: unknown
}

/** A failure of an outside request. The message names no address and quotes none of the peer's text. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly kind: EgressErrorKind
  /**
   * Whether the peer may have received the request. If true, nothing that the request carried may be treated as undone.
   */
  readonly sent: boolean
  /** Present if the response had begun when it failed. */
  readonly head: ResponseHead | undefined

  constructor(kind: EgressErrorKind, message: string, options: EgressErrorOptions) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.sent = options.sent
    this.head = options.head
  }
}

/** The error code for a response in an encoding that we did not accept. */
export const UNSUPPORTED_ENCODING = 'ERR_UNSUPPORTED_ENCODING'

const CODES: Readonly<Record<string, EgressErrorKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  [UNSUPPORTED_ENCODING]: 'protocol',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'reset',
}

const MESSAGES: Readonly<Record<EgressErrorKind, string>> = {
  blocked: 'The host resolves to an address that may not be reached.',
  connect: 'No connection to the host could be made.',
  timeout: 'The host did not answer in time.',
  reset: 'The host closed the connection before it had answered.',
  too_large: 'The headers of the answer are too large.',
  protocol: 'The answer is not proper HTTP.',
}

/** Converts an error of the network. Rethrows any other error: it is a bug. */
export function egressError(error: unknown, sent: boolean, head?: ResponseHead): EgressError {
  if (error instanceof EgressError) return error
  const kind = kindOf(error, sent)
  if (!kind) throw error
  return new EgressError(kind, MESSAGES[kind], { sent, head, cause: error })
}

/** Codes that begin with `Z_` are zlib's; those with `ERR__ERROR` are brotli's. */
function kindOf(error: unknown, sent: boolean): EgressErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return 'timeout'
  if (error.name === 'HTTPParserError') return 'protocol'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined || code === 'UND_ERR_INVALID_ARG') return undefined
  if (!sent) return 'connect'
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR')) return 'protocol'
  return CODES[code] ?? 'reset'
}

export const blocked = (cause?: unknown): EgressError =>
  new EgressError('blocked', MESSAGES.blocked, { sent: false, cause })

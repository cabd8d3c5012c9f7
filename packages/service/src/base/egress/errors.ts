export type EgressErrorKind = 'blocked' | 'connect' | 'timeout' | 'reset' | 'too_large' | 'protocol'

/** The status and headers of a response. Header names are in lower case. */
export type ResponseHead = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The lines of WWW-Authenticate as they came: joined, a broken one would hide the next. */
  readonly authenticate: readonly string[]
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

/** The codes of our own errors: the limits of a request. */
export const CONNECT_TIMEOUT = 'ERR_CONNECT_TIMEOUT'
export const HEAD_TIMEOUT = 'ERR_HEAD_TIMEOUT'
export const TOO_MANY_INTERIM = 'ERR_TOO_MANY_INTERIM'
export const UNASKED_UPGRADE = 'ERR_UNASKED_UPGRADE'

const CODES: Readonly<Record<string, EgressErrorKind>> = {
  [CONNECT_TIMEOUT]: 'connect',
  [HEAD_TIMEOUT]: 'timeout',
  [TOO_MANY_INTERIM]: 'protocol',
  [UNASKED_UPGRADE]: 'protocol',
  HPE_HEADER_OVERFLOW: 'too_large',
  HPE_INVALID_EOF_STATE: 'reset',
  HPE_CLOSED_CONNECTION: 'reset',
}

/** A request that Node refuses to write. */
const BUGS = new Set([
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_INVALID_CHAR',
  'ERR_UNESCAPED_CHARACTERS',
])

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

/** Codes that begin with `HPE_` are the parser's of HTTP. */
function kindOf(error: unknown, sent: boolean): EgressErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return 'timeout'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined || BUGS.has(code)) return undefined
  if (!sent) return 'connect'
  return CODES[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'reset')
}

export const blocked = (cause?: unknown): EgressError =>
  new EgressError('blocked', MESSAGES.blocked, { sent: false, cause })

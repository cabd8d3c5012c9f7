import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../base/kernel/problem.ts'

/** The headers by which a request pays, on x402 and MPP. */
export const PAID_BY = ['payment-signature', 'x-payment', 'authorization', 'payment-authorization']

/** Headers that decide about a request. Of two of them Node would take the first, or join them. */
const ONCE = new Set(['host', 'idempotency-key', 'content-type', 'content-encoding', ...PAID_BY])

/** Why a request cannot be taken, whatever its path: a header stands twice, or the body is compressed. */
export function faultOfHead({ raw, headers }: FastifyRequest): Problem | undefined {
  // A read takes no body, and says so later.
  const isRead = raw.method === 'GET' || raw.method === 'HEAD'
  return (
    faultOfHost(raw) ??
    faultOfNames(raw.rawHeaders) ??
    (isRead ? undefined : faultOfEncoding(headers))
  )
}

/** RFC 9110, 8.3.1 */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;|$)/

/**
 * Gives a request whose type cannot be read the type of bytes: the framework would refuse it before it is known whether
 * it has a body, or whether its path takes its method. It demands a type of QUERY too.
 */
export function replaceStrangeType({ method, headers }: FastifyRequest['raw']): void {
  const type = headers['content-type'] ?? (method === 'QUERY' ? '' : undefined)
  if (type !== undefined && !MEDIA_TYPE.test(type))
    headers['content-type'] = 'application/octet-stream'
}

function faultOfHost({ headers, httpVersion }: FastifyRequest['raw']): Problem | undefined {
  if (headers.host !== undefined || httpVersion !== '1.1') return undefined
  return new Problem('invalid_request', 'A request of HTTP/1.1 names its Host.')
}

/** `rawHeaders` has names and values in turn. */
function faultOfNames(rawHeaders: readonly string[]): Problem | undefined {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!ONCE.has(name)) continue
    if (seen.has(name))
      return new Problem(
        'invalid_request',
        `The header ${rawHeaders[i]} stands twice. Send it once.`,
      )
    seen.add(name)
  }
  return undefined
}

function faultOfEncoding(headers: FastifyRequest['headers']): Problem | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const isEmpty =
    !Number(headers['content-length'] ?? 0) && headers['transfer-encoding'] === undefined
  if (isEmpty || encoding === '' || encoding === 'identity') return undefined
  return new Problem(
    'unsupported_media_type',
    'A compressed body is not read here. Send it as it is, without Content-Encoding.',
    { headers: { 'accept-encoding': 'identity' } },
  )
}

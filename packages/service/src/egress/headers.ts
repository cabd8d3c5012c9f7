import { Problem } from '../kernel/problem.ts'

const HEADERS_MAX = 64
const CHARACTERS_MAX = 64 * 1024
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What belongs to the connection and not to the request (RFC 9110, 7.6.1), or is ours to set. */
const CONNECTION = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'accept-encoding',
])

/** What proves a payment, in a field of its own or in `Authorization`: only the service itself may send it. */
const isPaymentHeader = (name: string, value: string): boolean =>
  name.startsWith('payment-') ||
  name.startsWith('x-payment') ||
  (name === 'authorization' && /(?:^|,)[ \t]*payment(?:[ \t,]|$)/i.test(value))

/**
 * The headers that a caller may send through us, names in lower case. What is the connection's or the payment's is
 * dropped; a malformed name or value, control characters above all, is `invalid_field`.
 */
export function sanitizeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(requestHeaders(headers))
  return Object.fromEntries(kept.filter(([name, value]) => !isPaymentHeader(name, value)))
}

/** As `sanitizeHeaders`, and payment headers stay. */
export function requestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers)
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (entries.length > HEADERS_MAX || characters > CHARACTERS_MAX)
    throw refuse(`are more than ${HEADERS_MAX} or too long`)
  const kept = new Map<string, string>()
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw refuse('have a name that HTTP does not allow')
    if (!VALUE.test(value)) throw refuse(`have a control character in the value of ${name}`)
    if (!CONNECTION.has(name.toLowerCase())) kept.set(name.toLowerCase(), value.trim())
  }
  return Object.fromEntries(kept)
}

const refuse = (why: string): Problem =>
  new Problem('invalid_field', `headers ${why}. Send plain names and one-line values.`, {
    param: 'headers',
  })

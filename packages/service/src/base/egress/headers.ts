import type { IncomingMessage } from 'node:http'
import { Problem } from '../kernel/problem.ts'
import type { ResponseHead } from './errors.ts'

const HEADERS_MAX = 64
const CHARACTERS_MAX = 64 * 1024
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers of the connection rather than the request (RFC 9110, 7.6.1), and headers that we set. */
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

/** Headers that prove a payment, in their own field or in `Authorization`. Only the service itself may send them. */
const isPaymentHeader = (name: string, value: string): boolean =>
  name.startsWith('payment-') ||
  name.startsWith('x-payment') ||
  (name === 'authorization' && /(?:^|,)[ \t]*payment(?:[ \t,]|$)/i.test(value))

/**
 * The headers that a caller may send through us, with names in lower case. Drops headers of the connection and of
 * payments. Throws `invalid_field` for a malformed name or value, above all control characters.
 */
export function sanitizeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(requestHeaders(headers))
  return Object.fromEntries(kept.filter(([name, value]) => !isPaymentHeader(name, value)))
}

/** As `sanitizeHeaders`, but keeps payment headers. */
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

/** The head of an answer: names in lower case, repeated headers joined, values read as UTF-8. */
export function headOf({ statusCode = 0, headersDistinct }: IncomingMessage): ResponseHead {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    textOf(values.join(', ')),
  ])
  const authenticate = (headersDistinct['www-authenticate'] ?? []).map(textOf)
  return { status: statusCode, headers: Object.fromEntries(headers), authenticate }
}

/** Node gives a character for each byte. */
const textOf = (value: string): string =>
  /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value

const refuse = (why: string): Problem =>
  new Problem('invalid_field', `headers ${why}. Send plain names and one-line values.`, {
    param: 'headers',
  })

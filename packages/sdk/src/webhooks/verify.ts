import type { PurserEvent } from '../events/event.ts'
import { checkNames } from '../options/names.ts'
import { isSecret, isSigned, purserHmac, standardHmac } from './sign.ts'

export type WebhookFault =
  | 'invalid_secret'
  | 'missing_header'
  | 'invalid_header'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_body'

/** A delivery that must not be believed. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  /** Stable: branch on this. */
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Headers as `fetch` or Node gives them. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>
export type VerifyOptions = {
  /** How old a delivery may be, and how far ahead its clock. Default: 300. */
  toleranceSeconds?: number
  /** Default: the real time. */
  now?: Date
}

const TOLERANCE_SECONDS = 300

/**
 * Checks that a delivery comes from the service and is new, and answers its event. `body` is the raw body: parsed and
 * written again it has other bytes. Give the old and the new secret while you rotate. Reads the headers of Standard
 * Webhooks, or `Purser-Signature` where those are missing. Throws `WebhookError`, which says why.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<PurserEvent> {
  checkNames(options, { toleranceSeconds: true, now: true }, 'verifyWebhook')
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options
  const known = [secrets].flat()
  if (known.length === 0 || !known.every(isSecret))
    throw new WebhookError(
      'invalid_secret',
      'A secret is whsec_ and base64, as the answer that created the webhook showed it.',
    )
  const bytes = bytesOf(body)
  const { timestamp, isSignedWith } = schemeOf(headers, bytes)
  checkAge(timestamp, { toleranceSeconds, now })
  const matches = await Promise.all(known.map(isSignedWith))
  if (!matches.includes(true))
    throw new WebhookError(
      'wrong_signature',
      'No signature matches. Check that the secret is that of this webhook, and that the body is raw: not parsed, and not changed by a proxy.',
    )
  return eventOf(bytes)
}

type Scheme = { timestamp: string; isSignedWith(secret: string): Promise<boolean> }

function schemeOf(headers: WebhookHeaders, body: Uint8Array<ArrayBuffer>): Scheme {
  const own = headerOf(headers, 'purser-signature')
  const signatures = headerOf(headers, 'webhook-signature')
  if (signatures !== undefined) return standardScheme(headers, signatures, body)
  if (own !== undefined) return ownScheme(own, body)
  throw new WebhookError(
    'missing_header',
    'The request has neither webhook-signature nor Purser-Signature: it is no delivery, or a proxy removed the headers.',
  )
}

function standardScheme(
  headers: WebhookHeaders,
  signatures: string,
  body: Uint8Array<ArrayBuffer>,
): Scheme {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  if (!id || !timestamp)
    throw new WebhookError('missing_header', 'webhook-id and webhook-timestamp are required.')
  const sent = signatures.split(' ').flatMap((text) => {
    const [, base64] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(text) ?? []
    return base64 ? [Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))] : []
  })
  if (sent.length === 0)
    throw new WebhookError('invalid_header', 'webhook-signature has no signature of version v1.')
  return {
    timestamp,
    isSignedWith: async (secret) =>
      isAnySigned(await standardHmac(secret, { id, timestamp, body }), sent),
  }
}

function ownScheme(header: string, body: Uint8Array<ArrayBuffer>): Scheme {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const timestamp = parts.find(([name]) => name === 't')?.[1]
  const sent = parts.flatMap(([name, hex = '']) =>
    name === 'v1' && /^[0-9a-f]{64}$/.test(hex) ? [bytesOfHex(hex)] : [],
  )
  if (!timestamp || sent.length === 0)
    throw new WebhookError('invalid_header', 'Purser-Signature is not t=<unix>,v1=<hex>.')
  return {
    timestamp,
    isSignedWith: async (secret) =>
      isAnySigned(await purserHmac(secret, { timestamp, body }), sent),
  }
}

async function isAnySigned(
  hmac: Parameters<typeof isSigned>[0],
  sent: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const matches = await Promise.all(sent.map((signature) => isSigned(hmac, signature)))
  return matches.includes(true)
}

function checkAge(
  timestamp: string,
  { toleranceSeconds, now }: { toleranceSeconds: number; now: Date },
): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('invalid_header', 'The timestamp is not in Unix seconds.')
  const age = now.getTime() / 1000 - Number(timestamp)
  const by = `${Math.abs(Math.round(age))} seconds; ${toleranceSeconds} are allowed.`
  if (age > toleranceSeconds)
    throw new WebhookError('too_old', `The delivery is too old, by its timestamp ${by}`)
  if (-age > toleranceSeconds)
    throw new WebhookError(
      'too_new',
      `The delivery comes from the future, by ${by} Check the clock of this machine.`,
    )
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.join(',')
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new WebhookError(
    'invalid_body',
    'Give the raw body, as text or bytes, and not the object that it was parsed to.',
  )
}

function eventOf(bytes: Uint8Array): PurserEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as PurserEvent
  } catch (cause) {
    throw new WebhookError('invalid_body', 'The body is signed and no JSON.', { cause })
  }
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

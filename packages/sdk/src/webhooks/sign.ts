import { checkNames } from '../options/names.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const encoder = new TextEncoder()

export type SignedDelivery = { id: string; timestamp: string; body: Uint8Array<ArrayBuffer> }
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>
type Hmac = { key: Key; message: Uint8Array<ArrayBuffer> }

/** The signature input of Standard Webhooks: the key is the decoded secret, the message `id.timestamp.body`. */
export async function standardHmac(
  secret: string,
  { id, timestamp, body }: SignedDelivery,
): Promise<Hmac> {
  const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (byte) => byte.charCodeAt(0))
  return { key: await keyOf(bytes), message: joined(`${id}.${timestamp}.`, body) }
}

/** The signature input of `Purser-Signature`: the key is the whole text of the secret, the message `t.body`. */
export const purserHmac = async (
  secret: string,
  { timestamp, body }: Omit<SignedDelivery, 'id'>,
): Promise<Hmac> => ({
  key: await keyOf(encoder.encode(secret)),
  message: joined(`${timestamp}.`, body),
})

/**
 * The headers of a delivery, signed as the service signs: to test a receiver without the service. `body` is the JSON of an
 * event.
 */
export async function signWebhook(
  body: string,
  secret: string,
  options: { id: string; at?: Date },
): Promise<Record<string, string>> {
  checkNames(options, { id: true, at: true }, 'signWebhook')
  const { id, at = new Date() } = options
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const delivery = { id, timestamp, body: encoder.encode(body) }
  const standard = await sign(await standardHmac(secret, delivery))
  const own = await sign(await purserHmac(secret, delivery))
  const hex = Array.from(own, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    'purser-signature': `t=${timestamp},v1=${hex}`,
  }
}

/** Whether the text is a secret of a webhook. */
export const isSecret = (secret: string): boolean =>
  secret.startsWith(PREFIX) && BASE64.test(secret.slice(PREFIX.length))

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const keyOf = (bytes: Uint8Array<ArrayBuffer>): Promise<Key> =>
  crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])

const sign = async ({ key, message }: Hmac): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign(HMAC.name, key, message))

/** Compares in constant time. */
export const isSigned = (
  { key, message }: Hmac,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> => crypto.subtle.verify(HMAC.name, key, signature, message)

function joined(head: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = encoder.encode(head)
  const bytes = new Uint8Array(first.length + body.length)
  bytes.set(first)
  bytes.set(body, first.length)
  return bytes
}

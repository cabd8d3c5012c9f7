import { type Bytes, base64, fromBase64, type Key, sha256, utf8 } from './bytes.ts'

/** An answer as it is kept for one who repeats the payment. */
export type Kept = { status: number; headers: [string, string][]; body: Bytes }

/** The largest body that is kept. A longer answer, or one that streams, is given once. */
export const KEPT_MAX = 96 * 1024

/** Only one who has the payment can open the answer: the service that keeps it cannot. */
async function keyOf(payment: string): Promise<Key> {
  const secret = await sha256(utf8(`answer ${payment}`))
  return crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

const NONCE_BYTES = 12

export async function sealAnswer(payment: string, kept: Kept): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const head = utf8(JSON.stringify({ status: kept.status, headers: kept.headers }))
  const plain = new Uint8Array(4 + head.length + kept.body.length)
  new DataView(plain.buffer).setUint32(0, head.length)
  plain.set(head, 4)
  plain.set(kept.body, 4 + head.length)
  const name = 'AES-GCM'
  const sealed = await crypto.subtle.encrypt({ name, iv }, await keyOf(payment), plain)
  const whole = new Uint8Array(NONCE_BYTES + sealed.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(sealed), NONCE_BYTES)
  return base64(whole)
}

/** The answer that was kept. Undefined if it was not sealed for this payment. */
export async function openAnswer(payment: string, sealed: string): Promise<Kept | undefined> {
  const bytes = fromBase64(sealed)
  if (!bytes || bytes.length < NONCE_BYTES + 16) return undefined
  try {
    const iv = bytes.subarray(0, NONCE_BYTES)
    const name = 'AES-GCM'
    const data = bytes.subarray(NONCE_BYTES)
    const plain = new Uint8Array(
      await crypto.subtle.decrypt({ name, iv }, await keyOf(payment), data),
    )
    const length = new DataView(plain.buffer).getUint32(0)
    const head = JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + length)))
    return { ...head, body: plain.slice(4 + length) }
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

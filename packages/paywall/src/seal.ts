import { seal, sha256 } from '#crypto'
import { type Bytes, base64, fromBase64, joined, utf8 } from './bytes.ts'
import { unseal } from './crypto/web.ts'

/** An answer as it is kept for one who repeats the payment. */
export type Kept = { status: number; headers: [string, string][]; body: Bytes }

/** The largest body that is kept. A longer answer, or one that streams, is given once. */
export const KEPT_MAX = 96 * 1024

/** Only one who has the payment can open the answer: the service that keeps it cannot. */
const keyOf = (payment: string): Promise<Bytes> => sha256(utf8(`answer ${payment}`))

const NONCE_BYTES = 12
const LENGTH_BYTES = 4

export async function sealAnswer(
  payment: string,
  { status, headers, body }: Kept,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const head = utf8(JSON.stringify({ status, headers }))
  const length = new Uint8Array(LENGTH_BYTES)
  new DataView(length.buffer).setUint32(0, head.length)
  const plain = joined([length, head, body])
  return base64(joined([iv, await seal(await keyOf(payment), iv, plain)]))
}

/** The answer that was kept. Undefined if it was not sealed for this payment. */
export async function openAnswer(payment: string, sealed: string): Promise<Kept | undefined> {
  const bytes = fromBase64(sealed)
  if (!bytes || bytes.length < NONCE_BYTES + 16) return undefined
  const iv = bytes.slice(0, NONCE_BYTES)
  const plain = await unseal(await keyOf(payment), iv, bytes.slice(NONCE_BYTES))
  if (!plain) return undefined
  const bodyAt = LENGTH_BYTES + new DataView(plain.buffer).getUint32(0)
  const head = JSON.parse(new TextDecoder().decode(plain.subarray(LENGTH_BYTES, bodyAt)))
  return { ...head, body: plain.slice(bodyAt) }
}

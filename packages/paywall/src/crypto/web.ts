import type { Bytes } from '../bytes.ts'

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** AES-256-GCM: the sealed bytes, then their tag of 16 bytes. */
export const seal = async (key: Bytes, iv: Bytes, plain: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.encrypt(gcm(iv), await imported(key), plain))

/** Opens what `seal` made. Undefined if it was made with another key, or changed since. */
export async function unseal(key: Bytes, iv: Bytes, sealed: Bytes): Promise<Bytes | undefined> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(gcm(iv), await imported(key), sealed))
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

const gcm = (iv: Bytes) => ({ name: 'AES-GCM', iv })
const imported = (key: Bytes) =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

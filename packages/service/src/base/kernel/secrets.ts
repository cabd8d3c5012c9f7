import {
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { Problem } from './problem.ts'

/** A secret that prints as `[secret]` wherever it is logged or serialized. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/** The first makes new values. Values made with the others are still accepted. */
export type Secrets = readonly [current: Secret, ...previous: Secret[]]

/** 43 base64url characters: 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url')
export const randomHex = (bytes: number): `0x${string}` => `0x${randomBytes(bytes).toString('hex')}`

export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer')
export const sha256Hex = (value: string | Uint8Array): string => hash('sha256', value, 'hex')

/** Whether the two are equal. Its time does not depend on where they differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A 32-byte key for one purpose, derived from the service's secret (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: Secret, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret.reveal(), 'hex'), 'purser', purpose, 32))

/** The first seals. What the others sealed is still opened. */
export type SealKeys = readonly [current: Buffer, ...previous: Buffer[]]

/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. `open` needs the same `context`. */
export function seal([key]: SealKeys, plaintext: string, context: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/**
 * Opens what `seal` made with one of the keys. Throws `overloaded` if the keys, the context or any byte differ:
 * another machine sealed it by a secret that this one does not list.
 */
export function open(keys: SealKeys, sealed: Buffer, context: string): string {
  const opened = tryOpen(keys, sealed, context)
  if (opened) return opened.plaintext
  throw new Problem(
    'overloaded',
    'This machine of the service cannot open what is kept sealed for this. Send the same request again in 5 seconds.',
    {
      headers: { 'retry-after': '5' },
      cause: new Error(`no secret of PURSER_SECRET opens "${context}"`),
    },
  )
}

/** Opens it and answers the place of its key in the list; undefined if no key opens it. */
export function tryOpen(
  keys: SealKeys,
  sealed: Buffer,
  context: string,
): { plaintext: string; place: number } | undefined {
  for (const [place, key] of keys.entries()) {
    try {
      return { plaintext: openWith(key, sealed, context), place }
    } catch {
      // The tag does not fit: another key made it.
    }
  }
  return undefined
}

function openWith(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(
    Buffer.from(context),
  )
  decipher.setAuthTag(sealed.subarray(12, 28))
  return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

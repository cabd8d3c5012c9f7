import {
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { isObject, type JsonValue, member, memberOr } from '../../json.ts'
import { Ap2Refusal } from '../refusal.ts'
import { digestOf } from './digest.ts'

/** A P-256 public key, the only kind that AP2 v0.2 uses. */
export type PublicJwk = {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

/** Signs ASCII text with ES256: 64 bytes, r then s. A key in a key store may answer asynchronously. */
export type Signer = (signingInput: string) => Uint8Array | Promise<Uint8Array>

/**
 * A signature that is not checked yet. For `root`, the key is the one that our own trust sources name for the root's
 * `kid`.
 */
export type SignatureCheck = {
  readonly signingInput: string
  readonly signature: Uint8Array
  readonly key: 'root' | PublicJwk
}

const COORDINATE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
/** The length of r and s in ES256. */
export const SIGNATURE_BYTES = 64

/**
 * The public members of a P-256 JWK, and nothing else. Refuses private keys (`d`), other curves and other uses.
 * `importKey` checks that the point lies on the curve.
 */
export function readPublicJwk(value: JsonValue | undefined): PublicJwk {
  if (!isObject(value)) throw badKey('It is not an object')
  const [x, y] = [member(value, 'x'), member(value, 'y')]
  if (member(value, 'kty') !== 'EC' || member(value, 'crv') !== 'P-256')
    throw badKey('It is not an EC key on P-256')
  if (Object.hasOwn(value, 'd')) throw badKey('It holds the private part')
  if (memberOr(value, 'alg', 'ES256') !== 'ES256' || memberOr(value, 'use', 'sig') !== 'sig')
    throw badKey('It is for another use than ES256 signatures')
  if (typeof x !== 'string' || typeof y !== 'string' || !COORDINATE.test(x) || !COORDINATE.test(y))
    throw badKey('Its coordinates are not 32 bytes of unpadded base64url each')
  return { kty: 'EC', crv: 'P-256', x, y }
}

const badKey = (why: string, cause?: unknown): Ap2Refusal => {
  const refusal = new Ap2Refusal('mandate_key_invalid', `The key cannot be used. ${why}`)
  if (cause !== undefined) refusal.cause = cause
  return refusal
}

/** The key in Node's form; the caller should cache it. Throws `mandate_key_invalid` for a point off the curve. */
export function importKey(jwk: PublicJwk): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch (error) {
    throw badKey('Its point does not lie on the curve', error)
  }
}

/** The RFC 7638 thumbprint. */
export const thumbprintOf = (jwk: PublicJwk): string =>
  digestOf(`{"crv":"${jwk.crv}","kty":"${jwk.kty}","x":"${jwk.x}","y":"${jwk.y}"}`)

/** Whether the key made the signature. */
export const checkSignature = (check: SignatureCheck, key: KeyObject): boolean =>
  check.signature.length === SIGNATURE_BYTES &&
  verifyBytes('sha256', bytesOf(check), key, derOf(check.signature))

/**
 * As `checkSignature`, on a thread of Node's pool. The main thread spends a quarter of the time on it, the process a fifth
 * more: worth it only if a core is free (`base/kernel/spare-core.ts`).
 */
export const checkSignatureAside = (check: SignatureCheck, key: KeyObject): Promise<boolean> =>
  new Promise((resolve, reject) => {
    if (check.signature.length !== SIGNATURE_BYTES) resolve(false)
    else
      verifyBytes('sha256', bytesOf(check), key, derOf(check.signature), (error, isGood) => {
        if (error) reject(error)
        else resolve(isGood)
      })
  })

const bytesOf = ({ signingInput }: SignatureCheck): Buffer => Buffer.from(signingInput, 'latin1')

const DER_INTEGER = 0x02
const DER_SEQUENCE = 0x30

/**
 * The 64 bytes of r and s as the DER of ASN.1's `SEQUENCE { INTEGER r, INTEGER s }`. A bare key with a signature in DER takes
 * 52 µs; a key with `dsaEncoding` takes 75.
 */
function derOf(signature: Uint8Array): Uint8Array {
  const half = SIGNATURE_BYTES / 2
  const der = new Uint8Array(SIGNATURE_BYTES + 8)
  let end = 2
  for (const from of [0, half]) {
    let first = from
    while (first < from + half - 1 && signature[first] === 0) first++
    // An integer whose first bit is set would be negative, so a zero byte precedes it.
    const pad = (signature[first] ?? 0) >> 7
    der[end] = DER_INTEGER
    der[end + 1] = from + half - first + pad
    der.set(signature.subarray(first, from + half), end + 2 + pad)
    end += 2 + pad + from + half - first
  }
  der[0] = DER_SEQUENCE
  der[1] = end - 2
  return der.subarray(0, end)
}

/** A signer for a P-256 private key that this process holds. */
export const signerOf =
  (privateKey: KeyObject): Signer =>
  (signingInput) =>
    signBytes('sha256', Buffer.from(signingInput, 'latin1'), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })

/** The public half of a P-256 key. */
export const publicJwkOf = (key: KeyObject): PublicJwk => {
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' })
  return readPublicJwk({ kty: kty ?? null, crv: crv ?? null, x: x ?? null, y: y ?? null })
}

import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { sha256 } from '../../kernel/secrets.ts'
import { isObject } from '../x402/wire.ts'

/** A public key of an agent, with the algorithm of RFC 9421 that belongs to it. */
export type AgentKey = {
  /** The `kid` of its directory; null if it has none. */
  readonly kid: string | null
  /** The RFC 7638 thumbprint. */
  readonly thumbprint: string
  readonly algorithm: 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512'
  readonly key: KeyObject
  /** Unix seconds between which it signs; null for no bound. */
  readonly notBefore: number | null
  readonly notAfter: number | null
}

const KEYS_MAX = 64
const RSA_BITS = { least: 2_048, most: 4_096 }

/** The keys of a JWKS that can verify a request. Others are left out; undefined if it is no JWKS, or too long. */
export function readKeys(body: unknown): AgentKey[] | undefined {
  const keys = isObject(body) ? body.keys : undefined
  if (!Array.isArray(keys) || keys.length > KEYS_MAX) return undefined
  return keys.flatMap((jwk) => readKey(jwk) ?? [])
}

function readKey(jwk: unknown): AgentKey | undefined {
  if (!isObject(jwk) || Object.hasOwn(jwk, 'd') || (jwk.use ?? 'sig') !== 'sig') return undefined
  const { kty, crv, x, y, n, e } = jwk
  const members =
    kty === 'RSA' ? { e, kty, n } : kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x }
  if (Object.values(members).some((member) => typeof member !== 'string')) return undefined
  try {
    const key = createPublicKey({ key: members as Record<string, string>, format: 'jwk' })
    const algorithm = algorithmOf(key)
    if (!algorithm) return undefined
    return {
      kid: typeof jwk.kid === 'string' ? jwk.kid : null,
      // The members stand in lexicographic order, as RFC 7638 has it.
      thumbprint: sha256(JSON.stringify(members)).toString('base64url'),
      algorithm,
      key,
      notBefore: secondsOf(jwk.nbf),
      notAfter: secondsOf(jwk.exp),
    }
  } catch {
    return undefined
  }
}

function algorithmOf(key: KeyObject): AgentKey['algorithm'] | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'ed25519') return 'ed25519'
  if (type === 'ec') return details?.namedCurve === 'prime256v1' ? 'ecdsa-p256-sha256' : undefined
  const bits = details?.modulusLength ?? 0
  const fits = bits >= RSA_BITS.least && bits <= RSA_BITS.most
  return type === 'rsa' && fits ? 'rsa-pss-sha512' : undefined
}

/** Directories have written seconds and milliseconds. */
const secondsOf = (value: unknown): number | null =>
  typeof value !== 'number' ? null : value > 1e11 ? Math.floor(value / 1000) : value

/** Whether the key made the signature over the base. */
export function isSignedBy(agent: AgentKey, base: string, signature: Uint8Array): boolean {
  const bytes = Buffer.from(base, 'latin1')
  const { key, algorithm } = agent
  if (algorithm === 'ed25519') return verify(null, bytes, key, signature)
  if (algorithm === 'ecdsa-p256-sha256')
    return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }
  return verify('sha512', bytes, pss, signature)
}

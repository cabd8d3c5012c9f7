import { fromBase64url, toBase64url } from './base64url.ts'

type Bytes = Uint8Array<ArrayBuffer>
/** A P-256 public key, the only kind that AP2 uses. */
export type PublicJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string }
/** The key pair with its secret part: keep it like a password. */
export type PrivateJwk = PublicJwk & { d: string }

/** The cryptography of the SDK. Throws for a JWK that is no key. */
type Engine = {
  digest(algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512', bytes: Bytes): Promise<Bytes>
  generate(): Promise<PrivateJwk>
  /** ES256: 64 bytes, r then s. */
  signer(jwk: PrivateJwk): Promise<(bytes: Bytes) => Promise<Bytes>>
  verifier(jwk: PublicJwk): Promise<(bytes: Bytes, signature: Bytes) => Promise<boolean>>
}

/**
 * Web Crypto, or where a browser has none, a library. Browsers leave `crypto.subtle` out of pages that came over plain HTTP from
 * another host than this machine.
 */
export async function engine(): Promise<Engine> {
  if (globalThis.crypto.subtle) return WEB
  library ??= loadLibrary()
  return library
}

let library: Promise<Engine> | undefined

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const

const WEB: Engine = {
  digest: async (algorithm, bytes) => new Uint8Array(await crypto.subtle.digest(algorithm, bytes)),
  async generate() {
    const { privateKey } = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
    const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey)
    return { kty: 'EC', crv: 'P-256', x, y, d }
  },
  async signer({ kty, crv, x, y, d }) {
    const jwk = { kty, crv, x, y, d }
    const key = await crypto.subtle.importKey('jwk', jwk, P256, false, ['sign'])
    return async (bytes) => new Uint8Array(await crypto.subtle.sign(ES256, key, bytes))
  },
  async verifier({ kty, crv, x, y }) {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, P256, false, ['verify'])
    return (bytes, signature) => crypto.subtle.verify(ES256, key, signature, bytes)
  },
}

/** Loaded where it is needed alone, so that no other page pays for it. */
async function loadLibrary(): Promise<Engine> {
  const [{ p256 }, { sha256, sha384, sha512 }] = await Promise.all([
    import('@noble/curves/nist.js'),
    import('@noble/hashes/sha2.js'),
  ])
  const hashes = { 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 }
  // Web Crypto takes and makes either form of s.
  const form = { lowS: false }
  const publicOf = ({ x, y }: PublicJwk): Bytes =>
    p256.Point.fromAffine({ x: numberOf(x), y: numberOf(y) }).toBytes(false) as Bytes
  return {
    digest: async (algorithm, bytes) => hashes[algorithm](bytes) as Bytes,
    async generate() {
      const { secretKey, publicKey } = p256.keygen()
      const { x, y } = p256.Point.fromBytes(publicKey)
      return { kty: 'EC', crv: 'P-256', x: textOf(x), y: textOf(y), d: toBase64url(secretKey) }
    },
    async signer({ d, ...jwk }) {
      const secret = fromBase64url(d)
      const own = p256.getPublicKey(secret, false)
      if (publicOf(jwk).some((byte, at) => byte !== own[at])) throw new Error('not one key pair')
      return async (bytes) => p256.sign(bytes, secret, form) as Bytes
    },
    async verifier(jwk) {
      const point = publicOf(jwk)
      return async (bytes, signature) =>
        signature.length === 64 && p256.verify(signature, bytes, point, form)
    },
  }
}

const numberOf = (coordinate: string): bigint => {
  const hex = Array.from(fromBase64url(coordinate), (byte) => byte.toString(16).padStart(2, '0'))
  if (hex.length !== 32) throw new Error('a coordinate of P-256 has 32 bytes')
  return BigInt(`0x${hex.join('')}`)
}

const textOf = (coordinate: bigint): string =>
  toBase64url(
    Uint8Array.from({ length: 32 }, (_, at) =>
      Number((coordinate >> BigInt(8 * (31 - at))) & 255n),
    ),
  )

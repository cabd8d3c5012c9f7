import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { open, type SealKeys, seal, sha256 } from '../kernel/secrets.ts'
import { type PublicJwk, publicJwkOf, thumbprintOf } from '../protocols/ap2/jose/keys.ts'
import type { Keyring } from './keyring.ts'

/** The public half of an Ed25519 key. */
export type OkpJwk = { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }

/** A stored key pair: the private half sealed, the public half in plain, identified by its thumbprint. */
export type SealedPair<Jwk = PublicJwk> = { kid: string; jwk: Jwk; sealed: Buffer }

/** The context under which private keys are sealed. */
export const sealKeyOf = (secrets: Keyring): SealKeys => secrets.keysFor(PRIVATE_KEYS)
export const PRIVATE_KEYS = 'private keys'

/** A new P-256 key pair, its private half sealed. */
export function newKeyPair(sealKey: SealKeys): SealedPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicJwkOf(privateKey)
  const kid = thumbprintOf(jwk)
  return { kid, jwk, sealed: sealPrivateKey(sealKey, privateKey, kid) }
}

/** A new Ed25519 key pair, its private half sealed. */
export function newRequestKeyPair(sealKey: SealKeys): SealedPair<OkpJwk> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const jwk: OkpJwk = { kty: 'OKP', crv: 'Ed25519', x }
  const kid = sha256(`{"crv":"${jwk.crv}","kty":"${jwk.kty}","x":"${jwk.x}"}`).toString('base64url')
  return { kid, jwk, sealed: sealPrivateKey(sealKey, privateKey, kid) }
}

function sealPrivateKey(sealKey: SealKeys, privateKey: KeyObject, kid: string): Buffer {
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return seal(sealKey, secret, privateKeyContext(kid))
}

/** Opens the private half. Throws if it was sealed under another secret of the service. */
export const openPrivateKey = (
  { kid, sealed }: Pick<SealedPair, 'kid' | 'sealed'>,
  sealKey: SealKeys,
): KeyObject =>
  createPrivateKey({
    key: Buffer.from(open(sealKey, sealed, privateKeyContext(kid)), 'base64'),
    format: 'der',
    type: 'pkcs8',
  })

export const privateKeyContext = (kid: string): string => `signing key ${kid}`

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { deriveKey, open, type Secret, seal } from '../kernel/secrets.ts'
import { type PublicJwk, publicJwkOf, thumbprintOf } from '../protocols/ap2/jose/keys.ts'

/** A stored key pair: the private half sealed, the public half in plain, identified by its thumbprint. */
export type SealedPair = { kid: string; jwk: PublicJwk; sealed: Buffer }

/** The context under which private keys are sealed. */
export const sealKeyOf = (secret: Secret): Buffer => deriveKey(secret, 'private keys')

/** A new P-256 key pair, its private half sealed. */
export function newKeyPair(sealKey: Buffer): SealedPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicJwkOf(privateKey)
  const kid = thumbprintOf(jwk)
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return { kid, jwk, sealed: seal(sealKey, secret, contextOf(kid)) }
}

/** Opens the private half. Throws if it was sealed under another secret of the service. */
export const openPrivateKey = (
  { kid, sealed }: Pick<SealedPair, 'kid' | 'sealed'>,
  sealKey: Buffer,
): KeyObject =>
  createPrivateKey({
    key: Buffer.from(open(sealKey, sealed, contextOf(kid)), 'base64'),
    format: 'der',
    type: 'pkcs8',
  })

const contextOf = (kid: string): string => `signing key ${kid}`

import { toBase64url } from '../crypto/base64url.ts'
import { engine, type PrivateJwk, type PublicJwk } from '../crypto/web-crypto.ts'
import { PurserError } from '../error.ts'
import { digestOf, encodeJson, utf8 } from './encode.ts'

export type { PrivateJwk, PublicJwk }

/** A key that signs mandates. A key in a key store or a wallet needs only these three members. */
export type MandateKey = {
  /** RFC 7638 thumbprint, by which the service finds a registered key. */
  readonly kid: string
  readonly publicJwk: PublicJwk
  /** ES256 over the ASCII text: 64 bytes, r then s. */
  sign(signingInput: string): Promise<Uint8Array>
}

/**
 * A new P-256 key, for an agent to close mandates with or for a user to sign them. `privateJwk` is its secret: store it
 * if the key must outlive the process, and load it again with `loadAgentKey`.
 *
 * ```ts
 * const agent = await createAgentKey()
 * await purser.POST('/api/ap2/keys', {
 *   body: { card_id: card.id, card_token: card.token, jwk: agent.publicJwk, role: 'agent' },
 * })
 * ```
 */
export async function createAgentKey(): Promise<MandateKey & { readonly privateJwk: PrivateJwk }> {
  const privateJwk = await (await engine()).generate()
  return { ...(await loadAgentKey(privateJwk)), privateJwk }
}

/** Loads an existing key. Throws `PurserError` with the code `key_invalid` if it is not a private P-256 key. */
export async function loadAgentKey({ x, y, d }: PrivateJwk): Promise<MandateKey> {
  const publicJwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y }
  const sign = await (await engine()).signer({ ...publicJwk, d }).catch((cause: unknown) => {
    throw keyProblem('The key is not a private P-256 key in JWK form.', cause)
  })
  return {
    kid: await thumbprintOf(publicJwk),
    publicJwk,
    sign: (signingInput) => sign(utf8(signingInput)),
  }
}

/** RFC 7638: the `kid` of a public key, computed from its required members. */
export const thumbprintOf = ({ crv, kty, x, y }: PublicJwk): Promise<string> =>
  digestOf(JSON.stringify({ crv, kty, x, y }))

/** Whether the ES256 signature is the key's. */
export async function isSignedBy(
  { x, y }: PublicJwk,
  signingInput: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const jwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y }
  const isBy = await (await engine()).verifier(jwk).catch((cause: unknown) => {
    throw keyProblem('The key is not a public P-256 key in JWK form.', cause)
  })
  return isBy(utf8(signingInput), signature)
}

/** `header.payload.signature` with `alg` ES256. */
export async function signToken(
  header: { typ: string; kid?: string },
  payload: Record<string, unknown>,
  key: MandateKey,
): Promise<string> {
  const signingInput = `${encodeJson({ alg: 'ES256', ...header })}.${encodeJson(payload)}`
  return `${signingInput}.${toBase64url(await key.sign(signingInput))}`
}

const keyProblem = (error: string, cause: unknown): PurserError =>
  new PurserError(0, { error, code: 'key_invalid' }, { cause })

import { engine } from '../crypto/web-crypto.ts'
import { type Bytes, fromBase64url, sha256, toBase64url, utf8 } from './bytes.ts'
import {
  hasShape,
  isCount,
  isHash,
  isObject,
  isText,
  isTime,
  isUnits,
  mustBe,
  orNull,
  ProofError,
} from './shape.ts'

/** A public key of the service, as its /.well-known/jwks.json has it. */
export type ProofKey = { kty: string; crv: string; x: string; y: string; kid?: string }
/** The figures that can be added up from the leaves. Amounts are base units, as text. */
export type ProvenFigures = {
  revenue_lifetime: string
  payments_lifetime: number
  revenue_30d: string
  payments_30d: number
  refunded: string
  distinct_protocols: number
  first_active: string | null
  last_active: string | null
  payers: number
  repeat_payers: number
  largest_payer: string
}
/** The content of a signed statement. */
export type ProofStatement = {
  iss: string
  sub: string
  network: string
  asset: string
  decimals: number
  method: string
  figures: ProvenFigures
  declared: Record<string, unknown>
  leaf_count: number
  merkle_root: string
  as_of: { at: string; sequence: string; block: number | null }
}
export type Statement = {
  content: ProofStatement
  kid: string
  signingInput: string
  signature: Bytes
}

const TYPE = 'purser-credential-proof+jwt'
const isFigures = hasShape({
  revenue_lifetime: isUnits,
  payments_lifetime: isCount,
  revenue_30d: isUnits,
  payments_30d: isCount,
  refunded: isUnits,
  distinct_protocols: isCount,
  first_active: orNull(isTime),
  last_active: orNull(isTime),
  payers: isCount,
  repeat_payers: isCount,
  largest_payer: isUnits,
})
const isContent = hasShape({
  iss: isText,
  sub: isText,
  network: isText,
  asset: isText,
  decimals: (value) => isCount(value) && (value as number) <= 36,
  method: isText,
  figures: isFigures,
  declared: isObject,
  leaf_count: isCount,
  merkle_root: isHash,
  as_of: hasShape({ at: isTime, sequence: isText, block: orNull(isCount) }),
})
export const isJwk = hasShape({ kty: isText, crv: isText, x: isText, y: isText })

/** A signed text, read without checking its signature. */
export type Signed = Omit<Statement, 'content'>

/** Reads a statement without checking its signature. Throws for what is none. */
export function readStatement(text: unknown): Statement {
  const { payload, ...signed } = readSigned(text, TYPE)
  const content = mustBe<ProofStatement>(
    payload,
    isContent,
    'The statement does not hold the figures of a credential, each in its form.',
  )
  return { content, ...signed }
}

/** Reads a compact JWS of this type, signed with ES256, without checking its signature. Its text has one form only. */
export function readSigned(text: unknown, type: string): Signed & { payload: unknown } {
  const parts = typeof text === 'string' ? text.split('.') : []
  const [header, payload, signature] = parts
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new ProofError('The statement is not a signed statement: it must have three parts.')
  const { alg, typ, kid } = readPart(header) as Record<string, unknown>
  if (alg !== 'ES256' || typ !== type || typeof kid !== 'string')
    throw new ProofError(`The statement is not of the type ${type}, signed with ES256.`)
  const bytes = fromBase64url(signature)
  // The last character has bits that no byte takes up.
  if (toBase64url(bytes) !== signature)
    throw new ProofError('The signature of the statement is not written in base64url.')
  const signingInput = `${header}.${payload}`
  return { payload: readPart(payload), kid, signingInput, signature: bytes }
}

function readPart(text: string): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(text)))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ProofError('A part of the statement is not JSON.')
}

/** RFC 7638: the name of a key, made from the key itself. */
export const thumbprintOf = async ({ crv, kty, x, y }: ProofKey): Promise<string> =>
  toBase64url(await sha256(utf8(JSON.stringify({ crv, kty, x, y }))))

/** The one of these keys, whose thumbprint the statement names, that made its signature. */
export async function findSigner(
  statement: Signed,
  keys: readonly ProofKey[],
): Promise<ProofKey | undefined> {
  for (const key of keys)
    if ((await thumbprintOf(key)) === statement.kid && (await isSigned(statement, key))) return key
  return undefined
}

/** Whether this key made the signature, with ES256. */
export async function isSigned(
  { signingInput, signature }: Pick<Signed, 'signingInput' | 'signature'>,
  jwk: ProofKey,
): Promise<boolean> {
  const { kty, crv, x, y } = jwk
  if (kty !== 'EC' || crv !== 'P-256') return false
  try {
    const isBy = await (await engine()).verifier({ kty, crv, x, y })
    return await isBy(utf8(signingInput), signature)
  } catch {
    // A point off the curve has signed nothing.
    return false
  }
}

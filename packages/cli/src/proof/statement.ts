import { createHash, createPublicKey, verify } from 'node:crypto'
import { Fault } from '../fault.ts'
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
} from './shape.ts'

export type Jwk = { kty: string; crv: string; x: string; y: string; kid?: string }
/** The figures that can be added up from the leaves. Amounts are base units, as text. */
export type Figures = {
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
export type Content = {
  iss: string
  sub: string
  network: string
  asset: string
  decimals: number
  method: string
  figures: Figures
  declared: Record<string, unknown>
  leaf_count: number
  merkle_root: string
  as_of: { at: string; sequence: string; block: number | null }
}
export type Statement = { content: Content; kid: string; signingInput: string; signature: Buffer }

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

/** Reads a statement without checking its signature. Throws for what is none. */
export function readStatement(text: unknown): Statement {
  const parts = typeof text === 'string' ? text.split('.') : []
  const [header, payload, signature] = parts
  if (parts.length !== 3 || !header || !payload || !signature)
    throw new Fault('The statement is not a signed statement: it must have three parts.')
  const { alg, typ, kid } = readPart(header) as Record<string, unknown>
  if (alg !== 'ES256' || typ !== TYPE || typeof kid !== 'string')
    throw new Fault(`The statement is not of the type ${TYPE}, signed with ES256.`)
  const content = mustBe<Content>(
    readPart(payload),
    isContent,
    'The statement does not hold the figures of a credential, each in its form.',
  )
  const bytes = Buffer.from(signature, 'base64url')
  return { content, kid, signingInput: `${header}.${payload}`, signature: bytes }
}

function readPart(text: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Fault('A part of the statement is not JSON.')
}

/** RFC 7638: the name of a key, made from the key itself. */
export const thumbprintOf = ({ crv, kty, x, y }: Jwk): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

/** Whether one of these keys, whose thumbprint the statement names, made its signature. */
export function findSigner(statement: Statement, keys: readonly Jwk[]): Jwk | undefined {
  return keys.find((key) => thumbprintOf(key) === statement.kid && isSigned(statement, key))
}

function isSigned({ signingInput, signature }: Statement, jwk: Jwk): boolean {
  const { kty, crv, x, y } = jwk
  try {
    const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
    const input = Buffer.from(signingInput, 'latin1')
    return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    // A point off the curve has signed nothing.
    return false
  }
}

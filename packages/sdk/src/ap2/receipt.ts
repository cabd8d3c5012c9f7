import { PurserError } from '../error.ts'
import { checkNames, type NamesOf } from '../options/names.ts'
import type { ClosedMandate } from './close.ts'
import { digestOf } from './encode.ts'
import { isSignedBy, type PublicJwk } from './key.ts'
import { type JsonObject, readJwt } from './token.ts'

/** A JSON Web Key Set, as `GET /api/ap2/.well-known/jwks.json` has it. */
export type Jwks = {
  keys: readonly { kid?: string; kty: string; crv?: string; x?: string; y?: string }[]
}

/** A payment receipt (AP2 v0.2, payment_receipt.json), with its names on the wire. */
export type MandateReceipt = {
  iss: string
  /** Unix seconds. */
  iat: number
  /** SHA-256 of the closed mandate's JWT. */
  reference: string
  mandate_sd_hash?: string
  payment_id: string
} & (
  | { status: 'Success'; psp_confirmation_id: string; network_confirmation_id: string }
  | { status: 'Error'; error: string; error_description: string }
)

/** The names of what `closeMandate` returns, which is taken whole. */
const NAMES: NamesOf<ClosedMandate> = {
  closedMandate: true,
  openMandate: true,
  mandateId: true,
  expiresAt: true,
}

/**
 * Verifies a receipt and returns its content: a key of the set must have signed it. If you give `closedMandate`, the
 * receipt must be for that mandate. Throws `PurserError` with the code `receipt_invalid`.
 *
 * ```ts
 * const jwks = await purser.GET('/api/ap2/.well-known/jwks.json')
 * const receipt = await verifyReceipt(settled.receipt, jwks, { closedMandate })
 * ```
 */
export async function verifyReceipt(
  jwt: string,
  jwks: Jwks,
  options: Partial<ClosedMandate> = {},
): Promise<MandateReceipt> {
  checkNames(options, NAMES, 'verifyReceipt')
  const { header, payload, signingInput, signature } = read(jwt)
  if (header.alg !== 'ES256' || (header.typ ?? 'JWT') !== 'JWT')
    throw invalid('It is not a JWT signed with ES256')
  const key = jwks.keys.find(({ kid }) => kid !== undefined && kid === header.kid)
  if (!key || !isP256(key)) throw invalid('The key set has no key with its kid')
  if (!(await isSignedBy(key, signingInput, signature)))
    throw invalid('Its signature is not by the key that it names')
  const receipt = readReceipt(payload)
  if (options.closedMandate !== undefined) {
    const jwtOf = options.closedMandate.split('~~').at(-1)?.split('~')[0] ?? ''
    if (receipt.reference !== (await digestOf(jwtOf)))
      throw invalid('It is the receipt of another mandate')
  }
  return receipt
}

const isP256 = (key: { kty: string; crv?: string; x?: string; y?: string }): key is PublicJwk =>
  key.kty === 'EC' && key.crv === 'P-256' && key.x !== undefined && key.y !== undefined

function read(jwt: string): ReturnType<typeof readJwt> {
  try {
    return readJwt(jwt)
  } catch (cause) {
    if (!(cause instanceof PurserError)) throw cause
    throw invalid('It is not a JWT', cause)
  }
}

function readReceipt(payload: JsonObject): MandateReceipt {
  const text = (name: string): string => {
    const value = payload[name]
    if (typeof value !== 'string') throw invalid(`It has no ${name}`)
    return value
  }
  const { iat, mandate_sd_hash: sdHash, status } = payload
  if (typeof iat !== 'number') throw invalid('It has no iat')
  if (sdHash !== undefined && typeof sdHash !== 'string')
    throw invalid('Its mandate_sd_hash is no text')
  const base = {
    iss: text('iss'),
    iat,
    reference: text('reference'),
    payment_id: text('payment_id'),
    ...(sdHash !== undefined && { mandate_sd_hash: sdHash }),
  }
  if (status === 'Success')
    return {
      ...base,
      status,
      psp_confirmation_id: text('psp_confirmation_id'),
      network_confirmation_id: text('network_confirmation_id'),
    }
  if (status === 'Error')
    return { ...base, status, error: text('error'), error_description: text('error_description') }
  throw invalid('Its status is neither Success nor Error')
}

const invalid = (why: string, cause?: unknown): PurserError =>
  new PurserError(
    0,
    { error: `The receipt cannot be trusted. ${why}.`, code: 'receipt_invalid' },
    { cause },
  )

import { isObject, type JsonObject, member } from '../../json.ts'
import { Ap2Refusal } from '../refusal.ts'
import { readBase64url, readBase64urlJson, toBase64url } from './digest.ts'
import { SIGNATURE_BYTES, type Signer } from './keys.ts'

/** The members of a protected header that we read. `jwk`, `jku` and `x5u` are never used. */
export type JwsHeader = { readonly typ?: string; readonly kid?: string }

export type CompactJws = {
  readonly header: JwsHeader
  readonly payload: JsonObject
  /** The signed text, `header.payload`. */
  readonly signingInput: string
  readonly signature: Uint8Array
}

const KID_MAX_CHARACTERS = 512

/** Reads `header.payload.signature`, without checking the signature. Only ES256, without extensions. */
export function readJws(text: string): CompactJws {
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 0 || second < 0)
    throw new Ap2Refusal('mandate_malformed', 'A JWT must have three parts')
  const header = readHeader(readPart(text.slice(0, first)))
  const payload = readPart(text.slice(first + 1, second))
  const signature = readBase64url(text.slice(second + 1))
  if (signature.length !== SIGNATURE_BYTES)
    throw new Ap2Refusal('mandate_malformed', 'An ES256 signature must have 64 bytes')
  return { header, payload, signingInput: text.slice(0, second), signature }
}

function readPart(text: string): JsonObject {
  const value = readBase64urlJson(text)
  if (!isObject(value))
    throw new Ap2Refusal('mandate_malformed', 'Header and payload of a JWT must be JSON objects')
  return value
}

function readHeader(header: JsonObject): JwsHeader {
  if (member(header, 'alg') !== 'ES256')
    throw new Ap2Refusal('mandate_algorithm_unsupported', 'Only ES256 signatures are accepted')
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64'))
    throw new Ap2Refusal(
      'mandate_algorithm_unsupported',
      'The header members crit and b64 are not accepted',
    )
  const typ = readText(header, 'typ')
  const kid = readText(header, 'kid')
  return { ...(typ !== undefined && { typ }), ...(kid !== undefined && { kid }) }
}

function readText(header: JsonObject, name: string): string | undefined {
  const value = member(header, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > KID_MAX_CHARACTERS)
    throw new Ap2Refusal('mandate_malformed', `The header member ${name} must be a short string`)
  return value
}

/** Signs and answers `header.payload.signature`, with ES256 as `alg`. */
export async function signJws(
  header: JwsHeader,
  payload: JsonObject,
  sign: Signer,
): Promise<string> {
  const signingInput = `${toBase64url(JSON.stringify({ alg: 'ES256', ...header }))}.${toBase64url(JSON.stringify(payload))}`
  const signature = await sign(signingInput)
  if (signature.length !== SIGNATURE_BYTES)
    throw new Ap2Refusal('mandate_key_invalid', 'The signer gave no ES256 signature of 64 bytes')
  return `${signingInput}.${Buffer.from(signature).toString('base64url')}`
}

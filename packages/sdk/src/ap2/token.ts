import { fromBase64url } from '../crypto/base64url.ts'
import { PurserError } from '../error.ts'
import { digestOf, encodeJson, type HashAlgorithm, isHashAlgorithm, randomText } from './encode.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

export const malformed = (why: string, cause?: unknown): PurserError =>
  new PurserError(
    0,
    { error: `This is not a mandate: ${why}.`, code: 'mandate_malformed' },
    { cause },
  )

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Adds the disclosure of a value and returns the digest that replaces the value. */
export async function disclose(value: unknown, disclosures: string[]): Promise<{ '...': string }> {
  const disclosure = encodeJson([randomText(), value])
  disclosures.push(disclosure)
  return { '...': await digestOf(disclosure) }
}

export const serialize = (jwt: string, disclosures: readonly string[]): string =>
  [jwt, ...disclosures, ''].join('~')

/** Splits `header.payload.signature`. Does not check the signature. */
export function readJwt(jwt: string): {
  header: JsonObject
  payload: JsonObject
  signingInput: string
  signature: Uint8Array<ArrayBuffer>
} {
  const parts = jwt.split('.')
  const [header = '', payload = '', signature = ''] = parts
  if (parts.length !== 3) throw malformed('a JWT has three parts')
  return {
    header: readJsonObject(header),
    payload: readJsonObject(payload),
    signingInput: `${header}.${payload}`,
    signature: decode(signature, fromBase64url),
  }
}

/** A signed token with its disclosures put back in place. */
export type Token = {
  header: JsonObject
  envelope: JsonObject
  content: JsonObject
  jwt: string
  signingInput: string
  /** The token with all its disclosures, as presented. `sd_hash` is the hash of this text. */
  serialized: string
  algorithm: HashAlgorithm
}

/** Reads `jwt~disclosure~...~`. Undisclosed values stay digests. Does not check signatures. */
export async function readToken(serialized: string): Promise<Token> {
  const [jwt = '', ...encoded] = serialized.split('~')
  if (encoded.pop() !== '') throw malformed('it does not end with ~')
  const { header, payload, signingInput } = readJwt(jwt)
  const { delegate_payload: delegated, _sd_alg: algorithm = 'sha-256', ...envelope } = payload
  if (!isHashAlgorithm(algorithm)) throw malformed('its hash algorithm is not known')
  const values = new Map<string, Json>()
  for (const text of encoded) {
    const disclosure = readJson(text)
    if (Array.isArray(disclosure) && disclosure.length === 2)
      values.set(await digestOf(text, algorithm), disclosure[1] ?? null)
  }
  const content = Array.isArray(delegated) ? resolve(delegated[0] ?? null, values) : undefined
  if (!isObject(content) || '...' in content) throw malformed('it has no disclosed content')
  return { header, envelope, content, jwt, signingInput, serialized, algorithm }
}

function resolve(value: Json, values: ReadonlyMap<string, Json>, depth = 0): Json {
  if (depth > 64) throw malformed('it has too many levels')
  if (Array.isArray(value)) return value.map((item) => resolve(item, values, depth + 1))
  if (!isObject(value)) return value
  const digest = value['...']
  const disclosed = typeof digest === 'string' ? values.get(digest) : undefined
  if (disclosed !== undefined) return resolve(disclosed, values, depth + 1)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolve(item, values, depth + 1)]),
  )
}

function readJsonObject(text: string): JsonObject {
  const value = readJson(text)
  if (!isObject(value)) throw malformed('a header or payload is not a JSON object')
  return value
}

const readJson = (text: string): Json =>
  decode(text, (encoded) =>
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(encoded))),
  )

function decode<T>(text: string, read: (text: string) => T): T {
  try {
    return read(text)
  } catch (cause) {
    throw malformed('a part of it is not JSON in base64url', cause)
  }
}

import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { JsonFault, type JsonValue, parseJson } from '../../json.ts'
import { Ap2Refusal } from '../refusal.ts'

/** Hash algorithms of an SD-JWT (`_sd_alg`): IANA names and Node's names. */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' } as const
export type HashAlgorithm = keyof typeof ALGORITHMS

export const isHashAlgorithm = (value: unknown): value is HashAlgorithm =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)

/** The unpadded base64url hash of ASCII text. Every hash of AP2 has this form. */
export const digestOf = (text: string, algorithm: HashAlgorithm = 'sha-256'): string =>
  hash(ALGORITHMS[algorithm], text, 'base64url')

export const toBase64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')

/** The bytes of canonical unpadded base64url. Each value has one text, so a changed character is a changed value. */
export function readBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== text)
    throw new Ap2Refusal(
      'mandate_malformed',
      'A part of the token is not canonical, unpadded base64url',
    )
  return bytes
}

/** As `readBase64url`, but the bytes must be UTF-8. */
function readBase64urlText(text: string): string {
  const bytes = readBase64url(text)
  if (!isUtf8(bytes)) throw new Ap2Refusal('mandate_malformed', 'A part of the token is not UTF-8')
  return bytes.toString('utf8')
}

/** The strict JSON in a base64url part of a token. Throws `mandate_malformed`. */
export function readBase64urlJson(text: string): JsonValue {
  try {
    return parseJson(readBase64urlText(text))
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    const { message } = error
    throw new Ap2Refusal('mandate_malformed', `A part of the token is not strict JSON: ${message}`)
  }
}

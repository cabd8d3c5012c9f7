import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { Ap2Refusal } from '../refusal.ts'

/** Hash algorithms of an SD-JWT (`_sd_alg`), by their IANA names, with the names that Node gives them. */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' } as const
export type HashAlgorithm = keyof typeof ALGORITHMS

export const isHashAlgorithm = (value: unknown): value is HashAlgorithm =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)

/** Unpadded base64url of the hash over ASCII text: every hash of AP2 has this form. */
export const digestOf = (text: string, algorithm: HashAlgorithm = 'sha-256'): string =>
  hash(ALGORITHMS[algorithm], text, 'base64url')

export const toBase64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')

/** Bytes of canonical unpadded base64url: one text for one value, so that a changed character is a changed value. */
export function readBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== text)
    throw new Ap2Refusal(
      'mandate_malformed',
      'A part of the token is not canonical, unpadded base64url',
    )
  return bytes
}

/** As `readBase64url`, and the bytes must be UTF-8. */
export function readBase64urlText(text: string): string {
  const bytes = readBase64url(text)
  if (!isUtf8(bytes)) throw new Ap2Refusal('mandate_malformed', 'A part of the token is not UTF-8')
  return bytes.toString('utf8')
}

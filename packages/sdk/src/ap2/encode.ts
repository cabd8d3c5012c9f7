import { toBase64url } from '../crypto/base64url.ts'
import { engine } from '../crypto/web-crypto.ts'

export const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text))

/** JSON in base64url, the form of headers, payloads and disclosures. */
export const encodeJson = (value: unknown): string => toBase64url(utf8(JSON.stringify(value)))

const ALGORITHMS = { 'sha-256': 'SHA-256', 'sha-384': 'SHA-384', 'sha-512': 'SHA-512' } as const
export type HashAlgorithm = keyof typeof ALGORITHMS
export const isHashAlgorithm = (value: unknown): value is HashAlgorithm =>
  typeof value === 'string' && Object.hasOwn(ALGORITHMS, value)

/** Unpadded base64url of the hash over the text: every hash of AP2 has this form. */
export const digestOf = async (
  text: string,
  algorithm: HashAlgorithm = 'sha-256',
): Promise<string> => toBase64url(await (await engine()).digest(ALGORITHMS[algorithm], utf8(text)))

/** 128 random bits, as RFC 9901 section 9.3 asks of a salt. */
export const randomText = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(16)))

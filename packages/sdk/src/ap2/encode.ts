const CODES_AT_ONCE = 8192

export function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CODES_AT_ONCE)
    binary += String.fromCharCode(...bytes.subarray(at, at + CODES_AT_ONCE))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Throws `SyntaxError` or `DOMException` if the text is not base64url. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new SyntaxError('not base64url')
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
}

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
): Promise<string> =>
  toBase64url(new Uint8Array(await crypto.subtle.digest(ALGORITHMS[algorithm], utf8(text))))

/** 128 random bits, as RFC 9901 section 9.3 asks of a salt. */
export const randomText = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(16)))

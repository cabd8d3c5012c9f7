/** Bytes that own their buffer, as WebCrypto and bodies take them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A key of WebCrypto, whose global type not every environment names. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Text as UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Padded standard base64, as x402 writes it. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8_192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8_192))
  return btoa(text)
}

/** Base64url without padding, as MPP writes it. */
export const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** The bytes of base64 of either form. Undefined for anything else. */
export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined
  try {
    const bare = text.replaceAll('-', '+').replaceAll('_', '/')
    return Uint8Array.from(atob(bare), (character) => character.charCodeAt(0))
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

/** The object in base64 of JSON. Undefined for anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  const bytes = fromBase64(text)
  if (!bytes) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Random text of 128 bits or more. */
export const randomText = (bytes = 24): string =>
  base64url(crypto.getRandomValues(new Uint8Array(bytes)))

/** JSON with sorted members, as RFC 8785 has it for the values that a demand holds: text, whole numbers, lists, objects. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`
}

import { sha256 } from '#crypto'

/** Bytes that own their buffer, as WebCrypto and bodies take them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Text as UTF-8. */
export const utf8 = (text: string): Bytes => encoder.encode(text)
const encoder = new TextEncoder()

type NodeBuffer = {
  from(data: ArrayBufferLike, at: number, length: number): { toString(form: string): string }
}
const here = globalThis as { Buffer?: NodeBuffer }

/** Padded standard base64, as x402 writes it. */
export function base64(bytes: Uint8Array): string {
  if (here.Buffer)
    return here.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
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

/** The parts as one. */
export function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const BLOCK_BYTES = 64

/** An HMAC-SHA-256 key of at most 64 bytes: its two blocks (RFC 2104). */
export type HmacKey = { inner: Bytes; outer: Bytes }

export const hmacKey = (secret: Uint8Array): HmacKey => {
  const block = (pad: number) => new Uint8Array(BLOCK_BYTES).map((_, i) => (secret[i] ?? 0) ^ pad)
  return { inner: block(0x36), outer: block(0x5c) }
}

export async function hmac({ inner, outer }: HmacKey, data: Uint8Array): Promise<Uint8Array> {
  return sha256(joined([outer, await sha256(joined([inner, data]))]))
}

/** Random text of 128 bits or more. */
export function randomText(bytes = 24): string {
  if (at + bytes > pool.length) {
    crypto.getRandomValues(pool)
    at = 0
  }
  at += bytes
  return base64url(pool.subarray(at - bytes, at))
}

/** Random bytes are drawn for many texts at once. */
const pool = new Uint8Array(4_096)
let at = pool.length

/** JSON with sorted members, as RFC 8785 has it for the values that a demand holds: text, whole numbers, lists, objects. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`
}

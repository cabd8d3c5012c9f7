import { decodeBase64 } from '../../base64.ts'
import {
  ExactNumber,
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../../json.ts'
import { MppRefusal } from '../refusal.ts'

/** The longest header that is read, in characters. */
export const HEADER_MAX_CHARACTERS = 16 * 1024
/** Our own values must fit in a challenge of 8 KB (draft-httpauth-payment "Size Considerations"). */
const TEXT_MAX_CHARACTERS = 512

/** JSON in RFC 8785's canonical form as unpadded base64url: the form of requests, credentials and receipts. */
export const encodeJson = (value: JsonObject): string =>
  Buffer.from(canonicalJson(value), 'utf8').toString('base64url')

/** The JSON object in base64 of any form; `undefined` for anything else and for text that is too long. */
export function decodeJson(
  text: string,
  maxCharacters = HEADER_MAX_CHARACTERS,
): JsonObject | undefined {
  const bytes = text.length > maxCharacters ? undefined : decodeBase64(text)
  return bytes && readJsonObject(bytes)
}

/**
 * Canonical JSON by RFC 8785 (JCS). Throws for numbers that are not safe integers (amounts are strings) and for text
 * that is not well-formed Unicode.
 */
export function canonicalJson(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value instanceof ExactNumber) throw notCanonical()
  if (isObject(value)) {
    // Sorted by UTF-16 code units (3.2.3), which is how JavaScript compares strings.
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, item]) => `${quote(name)}:${canonicalJson(item)}`).join(',')}}`
  }
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw notCanonical()
  return JSON.stringify(value)
}

function quote(text: string): string {
  if (!text.isWellFormed()) throw notCanonical()
  return JSON.stringify(text)
}

const notCanonical = (): MppRefusal =>
  new MppRefusal('challenge_malformed', 'A value has no canonical JSON form')

/** A non-empty string of at most 512 characters. */
export const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX_CHARACTERS
    ? value
    : undefined

/** A price in base units: plain decimal above zero, as in `base/protocols/x402`. */
export const readPrice = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^[1-9]\d{0,20}$/.test(value) ? BigInt(value) : undefined

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** An RFC 3339 date and time with its offset. */
export function readInstant(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

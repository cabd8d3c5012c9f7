import { isUtf8 } from 'node:buffer'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly JsonValue[]
  | JsonObject
export type JsonObject = { readonly [name: string]: JsonValue }

/** A JSON number that is not a safe integer, kept as it was written, so that no amount passes through a float. */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** For display only. */
  toJSON(): number {
    return Number(this.text)
  }
}

const DEPTH_MAX = 64
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const [QUOTE, BACKSLASH, OPEN_BRACE, OPEN_BRACKET] = [0x22, 0x5c, 0x7b, 0x5b]

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof ExactNumber)

export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value)

/** An own member, or `undefined`. `null` is a value like others: it does not stand for a member that is left out. */
export const member = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** An own member, or `fallback` where there is none. */
export const memberOr = (object: JsonObject, name: string, fallback: JsonValue): JsonValue =>
  member(object, name) === undefined ? fallback : (member(object, name) as JsonValue)

/** The reason why a text is not strict JSON. */
export class JsonFault extends Error {}

/**
 * Strict JSON (RFC 8259 and I-JSON, RFC 7493), at most 64 levels deep. Throws `JsonFault`, also for a member that
 * occurs twice, because parsers disagree on which one counts, and for unpaired surrogates and NUL, which databases
 * refuse.
 */
export function parseJson(text: string): JsonValue {
  const cursor: Cursor = { text, at: 0 }
  const value = readValue(cursor, 0)
  if (!Number.isNaN(nextCode(cursor))) throw malformed('text after its end')
  return value
}

/** A strict JSON object from UTF-8; undefined for anything else. */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const value = parseJson(Buffer.from(bytes).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonFault) return undefined
    throw error
  }
}

type Cursor = { readonly text: string; at: number }

const malformed = (what: string): JsonFault => new JsonFault(what)

/** The code of the next character that is not white space; NaN at the end. */
function nextCode(cursor: Cursor): number {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
    cursor.at += 1
  }
}

function readValue(cursor: Cursor, depth: number): JsonValue {
  if (depth > DEPTH_MAX) throw malformed('too many levels')
  const code = nextCode(cursor)
  if (code === QUOTE) return readString(cursor)
  if (code === OPEN_BRACE) return readObject(cursor, depth)
  if (code === OPEN_BRACKET) return readArray(cursor, depth)
  for (const [word, value] of WORDS) {
    if (!cursor.text.startsWith(word, cursor.at)) continue
    cursor.at += word.length
    return value
  }
  return readNumber(cursor)
}

const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

function readObject(cursor: Cursor, depth: number): JsonObject {
  const object: { [name: string]: JsonValue } = {}
  cursor.at += 1
  if (takes(cursor, '}')) return object
  do {
    if (nextCode(cursor) !== QUOTE) throw malformed('a member has no name')
    const name = readString(cursor)
    // An assignment to this name would set the prototype instead of a member.
    if (name === '__proto__') throw malformed('a member has a reserved name')
    if (Object.hasOwn(object, name)) throw malformed('a member stands twice')
    if (!takes(cursor, ':')) throw malformed('a member has no value')
    object[name] = readValue(cursor, depth + 1)
  } while (takes(cursor, ','))
  if (!takes(cursor, '}')) throw malformed('an object does not end')
  return object
}

function readArray(cursor: Cursor, depth: number): JsonValue[] {
  const list: JsonValue[] = []
  cursor.at += 1
  if (takes(cursor, ']')) return list
  do list.push(readValue(cursor, depth + 1))
  while (takes(cursor, ','))
  if (!takes(cursor, ']')) throw malformed('an array does not end')
  return list
}

function takes(cursor: Cursor, character: string): boolean {
  if (nextCode(cursor) !== character.charCodeAt(0)) return false
  cursor.at += 1
  return true
}

function readString(cursor: Cursor): string {
  const start = cursor.at
  let end = start + 1
  let isPlain = true
  for (let code = cursor.text.charCodeAt(end); code !== QUOTE; code = cursor.text.charCodeAt(end)) {
    // NaN, which marks the end of the text, fails this comparison too.
    if (!(code >= 0x20)) throw malformed('a string does not end')
    if (code === BACKSLASH) isPlain = false
    end += code === BACKSLASH ? 2 : 1
  }
  cursor.at = end + 1
  return isPlain
    ? cursor.text.slice(start + 1, end)
    : unescapeString(cursor.text.slice(start, end + 1))
}

function unescapeString(quoted: string): string {
  try {
    const value: string = JSON.parse(quoted)
    if (value.isWellFormed() && !value.includes('\0')) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw malformed('a string has a bad escape')
}

function readNumber(cursor: Cursor): number | ExactNumber {
  NUMBER.lastIndex = cursor.at
  const text = NUMBER.exec(cursor.text)?.[0]
  if (text === undefined) throw malformed('a value is missing')
  cursor.at += text.length
  const number = Number(text)
  return Number.isSafeInteger(number) && !/[.eE]/.test(text) ? number : new ExactNumber(text)
}

/**
 * Whether every member that `ours` sets is unchanged in `theirs`, which may have more members. Lists must be equal.
 */
export function keeps(ours: JsonValue, theirs: JsonValue | undefined): boolean {
  if (theirs === undefined) return false
  if (ours instanceof ExactNumber) return theirs instanceof ExactNumber && theirs.text === ours.text
  if (isList(ours))
    return (
      isList(theirs) &&
      ours.length === theirs.length &&
      ours.every((item, index) => keeps(item, theirs[index]))
    )
  if (!isObject(ours)) return ours === theirs
  return (
    isObject(theirs) &&
    Object.entries(ours).every(([name, value]) => keeps(value, member(theirs, name)))
  )
}

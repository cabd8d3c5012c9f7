/** One challenge or one set of credentials of an authentication header (RFC 9110, 11.3 to 11.6). */
export type AuthItem = {
  /** In lower case. */
  readonly scheme: string
  readonly token68?: string
  /** Names in lower case, values unquoted. */
  readonly params: ReadonlyMap<string, string>
}

export type AuthList = {
  readonly items: readonly AuthItem[]
  /** Schemes of unusable items: a parameter occurred twice, or the syntax was broken. */
  readonly broken: readonly string[]
}

const ITEMS_MAX = 32
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y
const BLANK = /[ \t]*/y
const COMMAS = /[ \t,]*/y
const PLAIN = '[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\uffff]*'
const QUOTED = new RegExp(`"${PLAIN}(?:\\\\[\\t\\x20-\\x7e\\x80-\\uffff]${PLAIN})*"`, 'y')
const ESCAPED = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g

type Cursor = { readonly text: string; at: number }
type Draft = { scheme: string; token68?: string; params: Map<string, string>; isBroken: boolean }

/**
 * Reads a list of challenges of any schemes from one field or several joined by commas (RFC 9110, 11.6.1). Keeps the
 * items before a break in the syntax and guesses nothing after it.
 */
export function readAuthList(text: string): AuthList {
  const cursor: Cursor = { text, at: 0 }
  const drafts: Draft[] = []
  while (drafts.length <= ITEMS_MAX) {
    const gap = take(cursor, COMMAS) ?? ''
    if (cursor.at === text.length) break
    if ((drafts.length === 0 || gap.includes(',')) && readElement(cursor, drafts)) continue
    const last = drafts.at(-1)
    if (last) last.isBroken = true
    break
  }
  const kept = drafts.slice(0, ITEMS_MAX)
  return {
    items: kept.filter((draft) => !draft.isBroken),
    broken: kept.filter((draft) => draft.isBroken).map((draft) => draft.scheme),
  }
}

/** Reads `name=value` of the last item, or the beginning of a new item. Returns false if the text is neither. */
function readElement(cursor: Cursor, drafts: Draft[]): boolean {
  const token = take(cursor, TOKEN)
  if (token === undefined) return false
  const blank = take(cursor, BLANK) ?? ''
  const last = drafts.at(-1)
  if (cursor.text[cursor.at] === '=')
    return last !== undefined && last.token68 === undefined && readValue(cursor, last, token)
  const draft: Draft = { scheme: token.toLowerCase(), params: new Map(), isBroken: false }
  drafts.push(draft)
  if (cursor.at === cursor.text.length || cursor.text[cursor.at] === ',') return true
  if (blank === '') return false
  const token68 = take(cursor, TOKEN68)
  if (token68 !== undefined) {
    draft.token68 = token68
    return true
  }
  const name = take(cursor, TOKEN)
  take(cursor, BLANK)
  return name !== undefined && cursor.text[cursor.at] === '=' && readValue(cursor, draft, name)
}

function readValue(cursor: Cursor, draft: Draft, name: string): boolean {
  cursor.at += 1
  take(cursor, BLANK)
  const quoted = take(cursor, QUOTED)
  const value = quoted === undefined ? take(cursor, TOKEN) : unquote(quoted)
  if (value === undefined) return false
  const key = name.toLowerCase()
  if (draft.params.has(key)) draft.isBroken = true
  draft.params.set(key, value)
  return true
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

/** mppx writes a character beyond Latin-1, which no header can carry, as `\u` and four hexadecimal digits. */
const unquote = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(ESCAPED, (_all, code: string | undefined, character: string | undefined) =>
      code === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    )

/** A quoted-string in printable ASCII that `readAuthList` and mppx read back. */
export function quoteText(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(
      /[^\x20-\x7e]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  return `"${escaped}"`
}

import { isAscii } from 'node:buffer'
import { hash } from 'node:crypto'

/** The first byte says which of two forms follows. */
const AS_TEXT = 0
const IN_PARTS = 1
/** Two bytes before each part: its length, whether `~` ends it instead of `.`, and whether its bytes are codes. */
const HEAD_BYTES = 2
const TILDE = 0x8000
const CODED = 0x4000

/**
 * Phrases that most mandates share, by how a part begins, in the order in which they are looked for: each is one byte, from `FIRST_CODE` on in
 * the order of these lists. A stored mandate names them so: a released list only grows at the end of the last one.
 */
const PHRASES = [
  ['{"alg":"ES256","typ":"', 'dc+sd-jwt', 'kb+sd-jwt', '","kid":"', '"}'],
  [
    ...[
      '{"delegate_payload":[{"...":"',
      '"}],"_sd_alg":"sha-256"',
      ',"iat":',
      ',"aud":"',
      '","nonce":"',
    ],
    ...['","sd_hash":"', '"}'],
  ],
  [
    ...['["', '",{"vct":"mandate.payment.1","jti":"', '","transaction_id":"', '","payee":{"id":"'],
    ...['","name":"', '","website":"', 'https://', 'http://', '/pay/'],
    ...['"},"payment_amount":{"amount":', ',"currency":"', '"},"payment_instrument":{"id":"'],
    ...['","type":"card"}', ',"iat":', ',"exp":', '}]'],
  ],
] as const
const FIRST_CODE = 0x80
/** Codes of what the row says already, of the hash of a disclosure that follows, and of base64url of 32 or 16 bytes. */
const KNOWN = 0xf0
const HASH = 0xf8
const RAW_32 = 0xfe
const RAW_16 = 0xff
/** So many parts after a hash may be what it is of. */
const HASHES = RAW_32 - HASH

const WORDS: readonly string[] = PHRASES.flat()
const CODED_PARTS = PHRASES.map((phrases, i) => {
  const first = FIRST_CODE + PHRASES.slice(0, i).flat().length
  return phrases.map((phrase, n) => ({ phrase, code: String.fromCharCode(first + n) }))
})

type Known = readonly (string | null)[]
/** A part as the token has it, between the points and tildes; of a disclosure also its hash. */
type Part = { text: string; isTilde: boolean; hash?: string }

/**
 * A compact JWS or SD-JWT as bytes, two fifths of its text: each part as what its base64url says, and in it phrases that all
 * mandates share as one byte each. What the mandate's row says anyway, the `known`, is left out, and so are the hashes of the
 * token's own disclosures. `unpackToken` gives back the same text, from the same `known`.
 */
export function packToken(token: string, known: Known = []): Buffer {
  const parts: Part[] = []
  for (const [i, behind] of token.split('~').entries()) {
    const last = parts.at(-1)
    if (i > 0 && last) last.isTilde = true
    for (const text of behind.split('.')) parts.push({ text, isTilde: false })
    const first = parts.at(-1)
    if (i > 0 && first?.text && !behind.includes('.')) first.hash = hashOf(first.text)
  }
  const bytes: Buffer[] = [Buffer.of(IN_PARTS)]
  for (const [i, { text, isTilde }] of parts.entries()) {
    const value = Buffer.from(text, 'base64url')
    // Text that is no base64url, or not as an encoder writes it, stays text: a signature may be over it.
    if (value.length >= CODED || value.toString('base64url') !== text)
      return Buffer.concat([Buffer.of(AS_TEXT), Buffer.from(token)])
    const coded = encode(value, known, parts.slice(i + 1, i + 1 + HASHES))
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt16BE(
      (coded ?? value).length + (isTilde ? TILDE : 0) + (coded === undefined ? 0 : CODED),
    )
    bytes.push(head, coded ?? value)
  }
  return Buffer.concat(bytes)
}

export function unpackToken(packed: Buffer, known: Known = []): string {
  if (packed[0] === AS_TEXT) return packed.toString('utf8', 1)
  const parts: { value: Buffer; head: number }[] = []
  for (let at = 1; at < packed.length; ) {
    const head = packed.readUInt16BE(at)
    const from = at + HEAD_BYTES
    at = from + (head % CODED)
    parts.push({ value: packed.subarray(from, at), head })
  }
  // From the last part on: a hash stands before what it is of.
  let texts: string[] = []
  let token = ''
  for (const { value, head } of parts.toReversed()) {
    const isCoded = (head & CODED) !== 0
    const text = isCoded ? decode(value, known, texts) : value.toString('base64url')
    if (texts.length > 0) token = (head >= TILDE ? '~' : '.') + token
    token = text + token
    texts = [text, ...texts].slice(0, HASHES)
  }
  return token
}

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** The bytes with codes in place of what they stand for. Undefined where a byte is none of ASCII: its value may be a code. */
function encode(value: Buffer, known: Known, later: Part[]): Buffer | undefined {
  if (!isAscii(value)) return undefined
  const text = value.toString('latin1')
  const phrases = CODED_PARTS.find(([opening]) => opening && text.startsWith(opening.phrase)) ?? []
  let coded = ''
  let end = 0
  for (const { phrase, code } of phrases) {
    const at = text.indexOf(phrase, end)
    if (at < 0) continue
    coded += codeOf(text.slice(end, at), known, later) + code
    end = at + phrase.length
  }
  coded += codeOf(text.slice(end), known, later)
  return Buffer.from(coded, 'latin1')
}

/** The text between two phrases, which most often is one value. */
function codeOf(text: string, known: Known, later: readonly Part[]): string {
  if (text === '') return text
  const place = known.indexOf(text)
  if (place >= 0 && KNOWN + place < HASH) return String.fromCharCode(KNOWN + place)
  if (text.length !== 43 && text.length !== 22) return text
  const which = later.findIndex((part) => part.hash === text)
  if (which >= 0) return String.fromCharCode(HASH + which)
  const raw = Buffer.from(text, 'base64url')
  if (raw.toString('base64url') !== text) return text
  return String.fromCharCode(raw.length === 32 ? RAW_32 : RAW_16) + raw.toString('latin1')
}

/** The part's text. `later`: the texts of the parts after it. */
function decode(value: Buffer, known: Known, later: readonly string[]): string {
  let plain = ''
  for (let at = 0; at < value.length; at++) {
    const code = value[at] ?? 0
    if (code < FIRST_CODE) plain += String.fromCharCode(code)
    else if (code < KNOWN) plain += WORDS[code - FIRST_CODE] ?? ''
    else if (code < HASH) plain += known[code - KNOWN] ?? ''
    else if (code < RAW_32) plain += hashOf(later[code - HASH] ?? '')
    else {
      const end = at + 1 + (code === RAW_32 ? 32 : 16)
      plain += value.toString('base64url', at + 1, end)
      at = end - 1
    }
  }
  return Buffer.from(plain, 'latin1').toString('base64url')
}

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_ALPHABET = ALPHABET.toUpperCase()

export type IdPrefix =
  | 'card'
  | 'txn'
  | 'pur'
  | 'stl'
  | 'pl'
  | 'hold'
  | 'trf'
  | 'evt'
  | 'req'
  | 'key'
  | 'dep'
  | 'snd'
  | 'dec'
  | 'exc'
  | 'ses'
  | 'lgn'
  | 'str'
  | 'wd'
  | 'alm'
  | 'mnd'
  | 'fst'
  | 'eso'
  | 'tkn'
  | 'wh'
  | 'agr'
  | 'chg'
  | 'fee'
  | 'lst'
  | 'pwp'
  | 'apr'
  | 'drf'
  | 'act'
  | 'mch'
  | 'pad'
/** The prefix is part of the type: a `card_` id in place of a `pl_` id does not compile. */
export type Id<P extends IdPrefix> = `${P}_${string}`

/** Random bytes are drawn for many ids at once: drawing sixteen costs as much as drawing thousands. */
const POOL_BYTES = 16 * 256
let pool = Buffer.alloc(0)

function randomSixteen(): Buffer {
  if (pool.length < 16) pool = randomBytes(POOL_BYTES)
  const taken = pool.subarray(0, 16)
  pool = pool.subarray(16)
  return taken
}

/**
 * The cell that this service is, the first character after the prefix. A single cell is 0, which the time alone would put there until
 * the year 3084: so ids that were made before there were cells name it too. Ids that `idOf` makes name none: an event is in its wallet's cell.
 */
const CELL = '0'
/** So many characters of an id are its cell and its time. */
const HEAD = 10

/** A new id: the prefix and 26 characters. They start with the cell and the time, so that ids sort by creation, then 80 random bits. */
export function newId<P extends IdPrefix>(prefix: P, at: Date): Id<P> {
  let tail = ''
  for (const byte of randomSixteen()) tail += ALPHABET[byte & 31]
  return `${prefix}_${headOf(at)}${tail}`
}

function headOf(at: Date): string {
  let time = at.getTime()
  let head = ''
  for (let i = 1; i < HEAD; i++) {
    head = ALPHABET[time % 32] + head
    time = Math.floor(time / 32)
  }
  return CELL + head
}

/** No id that `newId` makes at this time or later is smaller. */
export const firstId = <P extends IdPrefix>(prefix: P, at: Date): Id<P> =>
  `${prefix}_${headOf(at)}${ALPHABET[0]?.repeat(16)}`

/** When `newId` made the id. Of an id that `idOf` made it tells nothing. Undefined for text of another form. */
export function timeOf(prefix: IdPrefix, id: string): Date | undefined {
  const tail = id.slice(prefix.length + 1)
  if (id !== `${prefix}_${tail}` || !/^[0-9a-hjkmnp-tv-z]{26}$/.test(tail)) return undefined
  const time = [...tail.slice(1, HEAD)].reduce(
    (sum, letter) => sum * 32 + ALPHABET.indexOf(letter),
    0,
  )
  return new Date(time)
}

/** The id of a digest of at least 26 bytes. The same digest gives the same id. */
export function idOf<P extends IdPrefix>(prefix: P, digest: Uint8Array): Id<P> {
  let tail = ''
  for (const byte of digest.subarray(0, 26)) tail += ALPHABET[byte & 31]
  return `${prefix}_${tail}`
}

/** The public code of a pay link: `PL_` and 10 Crockford characters (50 random bits). */
export function newPayLinkCode(): string {
  let code = 'PL_'
  for (const byte of randomBytes(10)) code += CODE_ALPHABET[byte & 31]
  return code
}

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_ALPHABET = ALPHABET.toUpperCase()

export type IdPrefix =
  | 'card'
  | 'txn'
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
  | 'tkn'
/** A prefix of the caller's choosing is the brand: a `card_` id where a `pl_` id is due does not compile. */
export type Id<P extends IdPrefix> = `${P}_${string}`

/** Random bytes are drawn in one go for many ids: asking for sixteen costs as much as for thousands. */
const POOL_BYTES = 16 * 256
let pool = Buffer.alloc(0)

function randomSixteen(): Buffer {
  if (pool.length < 16) pool = randomBytes(POOL_BYTES)
  const taken = pool.subarray(0, 16)
  pool = pool.subarray(16)
  return taken
}

/** A new id: the prefix and 26 characters, 48 bits of time then 82 random bits, so that ids sort by creation. */
export function newId<P extends IdPrefix>(prefix: P, at: Date): Id<P> {
  let time = at.getTime()
  let head = ''
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (const byte of randomSixteen()) tail += ALPHABET[byte & 31]
  return `${prefix}_${head}${tail}`
}

/** The id that a digest of at least 26 bytes stands for: the same digest gives the same id. */
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

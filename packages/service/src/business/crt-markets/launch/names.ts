import { Problem } from '../../../base/kernel/problem.ts'
import { holds, looksLike, readsAs } from '../../../money/tokens/names/glance.ts'
import { isOfOneScript, isOfToday } from '../../../money/tokens/names/scripts.ts'

/** Small capitals and letters of phonetics, which are Latin to Unicode. */
const LOOKALIKES = /[\u{250}-\u{2af}\u{1d00}-\u{1dbf}\u{a720}-\u{a7ff}\u{ab30}-\u{ab6f}]/u
/** Letters and marks of which nothing is seen, such as the Hangul filler, and the blank of Braille. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u{2800}]/u
/** More marks on one letter than any language has: they cover the lines around them. */
const HEAP = /\p{M}{4}/u
const MOST_LETTERS = 64
/** Signs that a page or a model could read as more than text. */
const MARKUP = /[<>[\]{}`|\\*_~#&]|:\/\/|\bjavascript:|\bdata:/i
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Emoji_Presentation} ]+$/u

/** A symbol or name that holds one of these reads as USDC. */
const DOLLARS = ['USDC', 'USDBC', 'USDCOIN', 'USDOLLARCOIN']
/** A symbol or name that is one of these, perhaps with digits behind it, reads as ETH. Many words hold those letters. */
const ETHERS = [
  ...['ETH', 'WETH', 'STETH', 'WSTETH', 'CBETH', 'RETH', 'BETH', 'ETHER', 'ETHEREUM'],
  ...['WRAPPEDETH', 'WRAPPEDETHER', 'STAKEDETH', 'STAKEDETHER', 'NATIVEETHER', 'BASEETH'],
]
/** The sign of Ether. */
const ETHER_SIGN = /^[\u039e\u27e0\s\d]*[\u039e\u27e0][\s\d]*$/u

/** A token of a market here, by what it is called. */
export type Known = { symbol: string; name: string }
/** Names that a new token may not read as, and tokens that it may not imitate. */
export type Taken = { own: readonly string[]; known: readonly Known[] }

/** Nobody owns a plain word: two tokens may have one symbol, as on any chain. A text that is drawn like it imitates it. */
const imitates = (text: string, known: string): boolean =>
  plain(text) !== plain(known) && looksLike(text, known)

const plain = (text: string): string => text.replaceAll(' ', '').toUpperCase()

function checkImitation(param: 'symbol' | 'name', text: string, { own, known }: Taken): void {
  if (holds(text, DOLLARS) || ETHER_SIGN.test(text) || readsAs(text, ETHERS))
    throw invalid(param, 'reads as USDC or ETH, which it is not. Choose another')
  const mine = readsAs(text, own)
  if (mine) throw invalid(param, `reads as ${mine}, the money of this service. Choose another`)
  const other = known.find(({ symbol, name }) => imitates(text, symbol) || imitates(text, name))
  if (other) throw invalid(param, `reads as ${other.symbol}, another token here. Choose another`)
}

/** Refuses a symbol that people could take for USDC, ETH or a known token. Its letters were checked before. */
export const checkSymbol = (symbol: string, taken: Taken): void =>
  checkImitation('symbol', symbol, taken)

/** The name with single spaces. Refuses markup, signs that cannot be seen, mixed and look-alike scripts, and names of known tokens. */
export function checkName(text: string, taken: Taken): string {
  // Emoji come with a sign that asks for their color.
  const name = text.normalize('NFC').replaceAll('\u{fe0f}', '').trim().replaceAll(/ +/g, ' ')
  if (name === '') throw invalid('name', 'must hold a sign that can be seen')
  if (Array.from(name).length > MOST_LETTERS)
    throw invalid('name', `may have ${MOST_LETTERS} characters at most`)
  if (!PRINTABLE.test(name) || UNSEEN.test(name) || HEAP.test(name.normalize('NFD')))
    throw invalid('name', 'holds characters that cannot be printed')
  if (MARKUP.test(name))
    throw invalid('name', 'may not hold markup: no < > [ ] { } ` | \\ * _ ~ # & and no addresses')
  if (LOOKALIKES.test(name) || !isOfToday(name))
    throw invalid('name', 'holds letters that look like others. Use plain ones')
  if (!isOfOneScript(name))
    throw invalid('name', 'mixes letters of scripts that look alike. Keep to one')
  checkImitation('name', name, taken)
  return name
}

const invalid = (param: string, why: string): Problem =>
  new Problem('invalid_field', `${param} ${why}.`, { param })

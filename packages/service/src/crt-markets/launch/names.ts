import { Problem } from '../../kernel/problem.ts'

/** Signs that people take for one another, each group written as one letter. */
const ALIKE: Readonly<Record<string, string>> = {
  '0': 'O',
  D: 'O',
  Q: 'O',
  '1': 'I',
  L: 'I',
  '2': 'Z',
  '3': 'E',
  '4': 'A',
  '5': 'S',
  '6': 'C',
  G: 'C',
  '7': 'T',
  '8': 'B',
  V: 'U',
  '9': 'C',
}
/** Letters of other scripts that look like one of ours. */
const FOREIGN: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  І: 'I',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Ѕ: 'S',
  Т: 'T',
  Ԁ: 'D',
  Ү: 'Y',
  Х: 'X',
  Ζ: 'Z',
  Τ: 'T',
  Ε: 'E',
  Η: 'H',
  Ο: 'O',
  Ι: 'I',
  Α: 'A',
  Β: 'B',
  Κ: 'K',
  Μ: 'M',
  Ν: 'N',
  Ρ: 'P',
  Υ: 'Y',
  Χ: 'X',
  Ԍ: 'G',
  Ѡ: 'W',
  Ս: 'U',
  Օ: 'O',
  Đ: 'D',
  Ð: 'D',
  Ɖ: 'D',
  Ɗ: 'D',
  Ƈ: 'C',
  Ȼ: 'C',
  Ʉ: 'U',
  Ʊ: 'U',
  Ʋ: 'U',
  Ƨ: 'S',
  Ȿ: 'S',
  Ɇ: 'E',
  Ɛ: 'E',
  Ǝ: 'E',
  Ŧ: 'T',
  Ƭ: 'T',
  Ʈ: 'T',
  Ⱦ: 'T',
  Ħ: 'H',
  Ⱨ: 'H',
  Ø: 'O',
  Ł: 'I',
}
/** Signs that stand for the letters from A on, and that Unicode does not take apart: white on black, and of flags. */
const SIGNS_OF_LETTERS = [0x1f150, 0x1f170, 0x1f1e6]
/** Whole alphabets that look like ours, small capitals, and letters of phonetics. */
const LOOKALIKES =
  /[\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Carian}\p{Script=Lycian}\p{Script=Lydian}\p{Script=Osage}\p{Script=Vai}\u{250}-\u{2af}\u{1d00}-\u{1dbf}\u{a720}-\u{a7ff}\u{ab30}-\u{ab6f}]/u
/** Letters and marks of which nothing is seen, such as the Hangul filler, and the blank of Braille. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u{2800}]/u
/** More marks on one letter than any language has: they cover the lines around them. */
const HEAP = /\p{M}{4}/u
const MOST_LETTERS = 64
/** Signs that a page or a model could read as more than text. */
const MARKUP = /[<>[\]{}`|\\*_~#&]|:\/\/|\bjavascript:|\bdata:/i
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Emoji_Presentation} ]+$/u

/** A text as one would read it at a glance: capitals, look-alikes as one letter, nothing between them. */
export const glanceOf = (text: string): string =>
  Array.from(text.normalize('NFKD').toUpperCase())
    .map((sign) => FOREIGN[sign] ?? letterOf(sign))
    .filter((sign) => /[A-Z0-9]/.test(sign))
    .map((sign) => ALIKE[sign] ?? sign)
    .join('')

function letterOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const first = SIGNS_OF_LETTERS.find((start) => code >= start && code < start + 26)
  return first === undefined ? sign : String.fromCharCode(65 + code - first)
}

/** A symbol or name that holds one of these reads as USDC. */
const DOLLARS = ['USDC', 'USDBC', 'USDCOIN', 'USDOLLARCOIN'].map(glanceOf)
/** A symbol or name that is one of these, perhaps with digits behind it, reads as ETH. Many words hold those letters. */
const ETHERS = [
  ...['ETH', 'WETH', 'STETH', 'WSTETH', 'CBETH', 'RETH', 'BETH', 'ETHER', 'ETHEREUM'],
  ...['WRAPPEDETH', 'WRAPPEDETHER', 'STAKEDETH', 'STAKEDETHER', 'NATIVEETHER', 'BASEETH'],
].map(glanceOf)

const isImitation = (text: string): boolean => {
  const glances = [glanceOf(text), glanceOf(text.replace(/\d+$/, ''))]
  return glances.some(
    (glance) => ETHERS.includes(glance) || DOLLARS.some((dollar) => glance.includes(dollar)),
  )
}

/** Refuses a symbol that people could take for USDC or ETH. Its letters were checked before. */
export function checkSymbol(symbol: string): void {
  if (isImitation(symbol))
    throw invalid('symbol', 'reads as USDC or ETH, which it is not. Choose another')
}

/** The name with single spaces. Refuses markup, signs that cannot be seen, mixed and look-alike scripts, and names of USDC or ETH. */
export function checkName(text: string): string {
  // Emoji come with a sign that asks for their color.
  const name = text.normalize('NFC').replaceAll('\u{fe0f}', '').trim().replaceAll(/ +/g, ' ')
  if (name === '') throw invalid('name', 'must hold a sign that can be seen')
  if (Array.from(name).length > MOST_LETTERS)
    throw invalid('name', `may have ${MOST_LETTERS} characters at most`)
  if (!PRINTABLE.test(name) || UNSEEN.test(name) || HEAP.test(name.normalize('NFD')))
    throw invalid('name', 'holds characters that cannot be printed')
  if (MARKUP.test(name))
    throw invalid('name', 'may not hold markup: no < > [ ] { } ` | \\ * _ ~ # & and no addresses')
  if (
    /\p{Script=Latin}/u.test(name) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name)
  )
    throw invalid('name', 'mixes letters of scripts that look alike. Keep to one')
  if (LOOKALIKES.test(name))
    throw invalid('name', 'holds letters that look like others. Use plain ones')
  if (isImitation(name))
    throw invalid('name', 'reads as USDC or ETH, which it is not. Choose another')
  return name
}

const invalid = (param: string, why: string): Problem =>
  new Problem('invalid_field', `${param} ${why}.`, { param })

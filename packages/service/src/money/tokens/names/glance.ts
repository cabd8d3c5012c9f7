import table from 'unhomoglyph/data.json' with { type: 'json' }

/** Unicode's list of confusables: what each sign is drawn like. */
const SKELETON = new Map(Object.entries(table))

/** Letters and digits that people take for one another, each group written as one letter. */
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
  W: 'UU',
}
/** Letters and signs that are drawn like a letter of ours with a stroke or a tail, which Unicode's list tells apart. */
const DRAWN_LIKE = new Map(
  Object.entries({
    A: '₳Ⱥ卂ᗩ',
    B: '₿฿Ƀ乃ᗷ',
    C: '₵¢©₡ƇȻϾϽƆↃↅ⊂⊏⟃匚ᑕ',
    D: '₫ĐÐƉƊ⊃◗ᗪᗞᑐ',
    E: '€₠ΞΣ∑ƎɆƐ∈∊≡☰乇ㅌᗴ',
    F: '千',
    H: 'ĦⱧ⊢⊣卄廾ᕼ',
    I: 'Ɨ丨工ㅣ',
    K: '₭',
    L: '£₤Łㄥ乚ㄴᒪ',
    M: '₥爪ᗰ',
    N: '₦几ᑎ',
    O: '⊘⊙⊚○◯●∅ㄖ口ㅇ',
    P: '₱卩',
    R: '®尺ᖇ',
    S: '$₴§ƧȾⱾ∫ʃ丂ᔕ',
    T: '₮₸†‡ŦƬƮ⊤ㄒ丅丁ㅜ',
    U: 'ɄƱƲ∪⋃⨆⊔⊍⊎⋓µㄩ凵ᑌ',
    W: '₩山ᗯ',
    X: '乂',
    Y: '¥ㄚ丫',
    Z: '乙',
  }).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
)
/** Two signs that read as one letter. */
const DRAWN_TOGETHER: readonly (readonly [RegExp, string])[] = [
  [/[LlI1|][Jj]/g, 'U'],
  [/[I1l|][-–—][I1l|]/g, 'H'],
  [/[I1l|][)]/g, 'D'],
  [/(?<=\p{L})\(/gu, 'C'],
  [/cl|c[|]/g, 'd'],
  [/rn/g, 'm'],
  [/vv/gi, 'w'],
]
/** Signs that stand for the letters from A on, and that Unicode does not take apart: white on black, and of flags. */
const SIGNS_OF_LETTERS = [0x1f150, 0x1f170, 0x1f1e6]
/** A sign that is drawn and says nothing. In the middle of a word it may be read as any letter, or as none. */
const ANY = '?'
const SAYS_NOTHING = /[\p{Sc}\p{Sm}\p{So}]|[^\P{Ps}!-~]|[^\P{Pe}!-~]|[^\P{Po}!-~]/u
const PICTURE = /\p{Extended_Pictographic}/u

/**
 * A text in the ways in which one would read it at a glance: skeletons of UTS #39 in capitals, nothing between the letters.
 * Two texts that share one look alike.
 */
export const glancesOf = (text: string): string[] =>
  waysOf(text)
    .map((way) => way.filter((sign) => /[\p{L}\p{N}]/u.test(sign)).join(''))
    .filter((glance) => glance !== '')

/** The same, of letters and digits of ours alone, roughly: each group as one letter. A sign that says nothing is `?`. */
const oursOf = (text: string): string[] =>
  waysOf(text).map((way) =>
    way
      .filter((sign) => sign === ANY || /[A-Z0-9]/.test(sign))
      .map((sign) => ALIKE[sign] ?? sign)
      .join(''),
  )

function waysOf(text: string): string[][] {
  const together = DRAWN_TOGETHER.reduce(
    (read, [signs, letter]) => read.replace(signs, letter),
    text,
  )
  return [...new Set([text, together].flatMap((way) => [way, way.toUpperCase()]))].map(readSigns)
}

function readSigns(text: string): string[] {
  return Array.from(text.normalize('NFKD'), (sign) => DRAWN_LIKE.get(sign) ?? letterOf(sign))
    .flatMap((sign) => Array.from((SKELETON.get(sign) ?? sign).normalize('NFKD').toUpperCase()))
    .map((sign) => DRAWN_LIKE.get(sign) ?? sign)
    .map((sign) => (SAYS_NOTHING.test(sign) && !PICTURE.test(sign) ? ANY : sign))
}

function letterOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const first = SIGNS_OF_LETTERS.find((start) => code >= start && code < start + 26)
  return first === undefined ? sign : String.fromCharCode(65 + code - first)
}

/** Whether two texts of any script look alike as a whole. */
export const looksLike = (text: string, other: string): boolean => {
  const glances = glancesOf(other)
  return glancesOf(text).some((glance) => glances.includes(glance))
}

/** The word that the text reads as, by itself or with digits behind it. */
export const readsAs = (text: string, words: readonly string[]): string | undefined =>
  match([text, text.replace(/\d+$/, '')], words, (pattern) => new RegExp(`^(?:${pattern})$`))

/** The word of which the text holds something that reads as it. */
export const holds = (text: string, words: readonly string[]): string | undefined =>
  match([text], words, (pattern) => new RegExp(pattern))

function match(
  texts: readonly string[],
  words: readonly string[],
  compile: (pattern: string) => RegExp,
): string | undefined {
  const read = new Set(texts.flatMap(oursOf))
  return words.find((word) =>
    [...new Set(oursOf(word))].some((wanted) => {
      const pattern = compile(patternOf(wanted))
      return [...read].some((way) => pattern.test(way))
    }),
  )
}

/** The word with signs that say nothing between its letters, and with one of them in place of a letter. */
function patternOf(word: string): string {
  const letters = Array.from(word)
  const between = `\\${ANY}*`
  const ways = letters.map((_, i) => letters.with(i, `\\${ANY}`).join(between))
  const plain = letters.join(between)
  return letters.length < 3 ? plain : [plain, ...ways].join('|')
}

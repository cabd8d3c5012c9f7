/** Scripts that people write in today: the recommended ones of UAX #31. */
const RECOMMENDED = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
  ],
  ...[
    'Gujarati',
    'Gurmukhi',
    'Han',
    'Hangul',
    'Hebrew',
    'Hiragana',
    'Kannada',
    'Katakana',
    'Khmer',
    'Lao',
    'Latin',
  ],
  ...['Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]
/** Scripts that one text may use together: the highly restrictive level of UTS #39. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...RECOMMENDED.map((script) => [script]),
]
const COMMON = String.raw`\p{Script=Common}\p{Script=Inherited}`
const inScripts = (scripts: readonly string[]) => {
  const own = scripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('')
  return new RegExp(`^[${COMMON}${own}]*$`, 'u')
}
const WRITTEN = inScripts(RECOMMENDED)
const ALONE = TOGETHER.map(inScripts)

/** Whether all letters are of scripts that people write in today. Others are full of letters that look like ours. */
export const isOfToday = (text: string): boolean => WRITTEN.test(text)

/** Whether the text keeps to one script, or to those that one language uses together. */
export const isOfOneScript = (text: string): boolean => ALONE.some((allowed) => allowed.test(text))

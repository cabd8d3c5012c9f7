const WORDS = '(?:Who|Whom|Whose|Whoever|What|Whatever|Of)'
const OPENING = new RegExp(
  `\\/\\*\\*?\\s*(?:\\* )?(${WORDS} [^\\n]*)|(?<!(?:\\/\\/|--)[^\\n]*\\n\\s*)(?:\\/\\/|--) (${WORDS} [^\\n]*)`,
  'g',
)

/** Comments of a source file that do not begin with a subject (STYLE, Comments). */
export const poorOpenings = (text: string): string[] =>
  [...text.matchAll(OPENING)].map(([, block, line]) => block ?? line ?? '')

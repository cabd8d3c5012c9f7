import { stopProgress } from './progress.ts'

const STANDARD_WIDTH = 80
const INDENT = '  '
const GAP = '  '

/** Prints a result: as JSON for programs, or with `show` for people. */
export function print<T>(
  result: T,
  asJson: boolean | undefined,
  show: (result: T) => string,
): void {
  stopProgress()
  console.log(asJson ? JSON.stringify(result, null, 2) : show(result))
}

/** The columns of the terminal. Undefined for a file or a pipe, which takes lines of any length. */
export function terminalWidth(): number | undefined {
  if (!process.stdout.isTTY) return undefined
  const named = Number(process.env.COLUMNS ?? process.stdout.columns)
  return Number.isInteger(named) && named > 0 ? named : STANDARD_WIDTH
}

type Margins = { page: number; first: string; rest: string }

/** A line that is broken at single blanks where it is longer than the page. */
export function wrap(text: string, { page, first, rest }: Margins): string {
  if (first.length + text.length <= page) return first + text
  const [begin = '', ...words] = text.split(' ')
  const lines = [first + begin]
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line.length + 1 + word.length > page) lines.push(rest + word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

const LONGEST_NAME = 24

/** Names and values below one another: for a terminal in its width, for a pipe a line each with a tab between. */
export function pairs(values: Record<string, unknown>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  const page = terminalWidth()
  if (page === undefined)
    return entries.map(([name, value]) => `${printable(name)}\t${cell(value)}`).join('\n')
  const names = entries.map(([name]) => name.length).filter((length) => length <= LONGEST_NAME)
  const width = Math.max(0, ...names)
  return entries
    .map(([name, value]) => {
      const text = cell(value)
      const beside = `${printable(name).padEnd(width)}${GAP}`
      const longest = Math.max(...text.split(' ').map((word) => word.length))
      // A line of its own would be too short for it, too.
      const isTooLong = INDENT.length + longest > page
      if (name.length <= width && (isTooLong || beside.length + longest <= page))
        return wrap(text, { page, first: beside, rest: ' '.repeat(beside.length) })
      return `${printable(name)}\n${wrap(text, { page, first: INDENT, rest: INDENT })}`
    })
    .join('\n')
}

/** A value on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return printable(text).replaceAll(/[\n\t]/g, ' ')
}

/**
 * Removes from foreign text what could control the terminal, turn the direction of a line, or not be seen: the rule of the
 * service's pages. Joiners stay, because some scripts and emoji need them.
 */
export const printable = (text: string): string =>
  text.replace(UNSHOWN, '').replace(/[\u2028\u2029]/g, ' ')

const UNSHOWN =
  /(?!\u200c|\u200d|\ufe0f|[\n\t\u0600-\u0605\u06dd])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

import { stopProgress } from './progress.ts'

const NARROW = 60
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

/** The columns to write in: those of the terminal, and 60 where there is none. */
export function pageWidth(): number {
  const named = Number(process.env.COLUMNS ?? process.stdout.columns)
  return Number.isInteger(named) && named > NARROW ? named : NARROW
}

type Column<Row> = readonly [title: string, value: (row: Row) => unknown]

/**
 * Rows under their titles, numbers to the right. What does not fit beside the columns before it goes on in the next line,
 * below its title there: no value is cut, and only a value without a blank may be longer than the page.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): string {
  if (rows.length === 0) return none
  const cells = rows.map((row) => columns.map(([, value]) => cell(value(row))))
  const kept = columns.map((_, i) => i).filter((i) => cells.some((row) => row[i] !== '-'))
  const places = kept.map((i) => {
    const texts = cells.map((row) => row[i] ?? '')
    const title = columns[i]?.[0] ?? ''
    const width = Math.max(title.length, ...texts.map((text) => text.length))
    return { i, width, isNumeric: texts.every((text) => NUMERIC.test(text)) }
  })
  const page = pageWidth()
  const lines = flow(places, page)
  const write = (texts: readonly string[]) =>
    lines.map((line, n) => {
      const padded = line.map(({ i, width, isNumeric }) => {
        const text = texts[i] ?? ''
        return isNumeric ? text.padStart(width) : text.padEnd(width)
      })
      const indent = n === 0 ? '' : INDENT
      return wrap(padded.join(GAP).trimEnd(), { page, first: indent, rest: `${INDENT}${INDENT}` })
    })
  const all = [write(columns.map(([title]) => title)), ...cells.map(write)]
  return all.map((texts) => texts.join('\n')).join('\n')
}

/** Numbers, with the asset that they are in. */
const NUMERIC = /^(-|[-~]?\d+(\.\d+)?( [A-Z][\w.]{0,11})?)$/

type Place = { i: number; width: number; isNumeric: boolean }

/** The columns by lines. A column that is wider than the page has a line for itself. */
function flow(places: readonly Place[], page: number): Place[][] {
  const lines: Place[][] = []
  let left = 0
  for (const place of places) {
    const needed = place.width + GAP.length
    if (lines.length === 0 || needed > left) {
      lines.push([place])
      left = page - (lines.length > 1 ? INDENT.length : 0) - place.width
    } else {
      lines.at(-1)?.push(place)
      left -= needed
    }
  }
  return lines
}

type Margins = { page: number; first: string; rest: string }

/** A line that is broken at single blanks where it is longer than the page. */
function wrap(text: string, { page, first, rest }: Margins): string {
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

/** Names and values below one another. */
export function pairs(values: Record<string, unknown>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  const names = entries.map(([name]) => name.length).filter((length) => length <= LONGEST_NAME)
  const width = Math.max(0, ...names)
  const page = pageWidth()
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
function cell(value: unknown): string {
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

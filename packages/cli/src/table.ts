import { cell, print, printable, terminalWidth, wrap } from './output.ts'

const GAP = '  '
/** The width that a column of text keeps before columns are left out. */
const SHORTEST = 10

export type Column<Row> = readonly [title: string, value: (row: Row) => unknown]
type Listed<Row> = { rows: readonly Row[]; columns: readonly Column<Row>[]; none: string }
type ListOptions = { json?: boolean | undefined; columns?: readonly string[] | undefined }

/**
 * Prints a list: as JSON for programs, or as a table of the named columns. What else the answer says goes to stderr, so that
 * a pipe gets rows alone.
 */
export function printList<Row>(
  answer: object,
  { json, columns: named }: ListOptions,
  { rows, columns, none }: Listed<Row>,
  notes: readonly string[] = [],
): void {
  const chosen = named?.map((name) => columns.find(([title]) => columnName(title) === name))
  const shown = chosen?.filter((column) => column !== undefined) ?? columns
  const isPipe = terminalWidth() === undefined
  // A pipe would take the sentence for a row.
  const nothing = isPipe ? shown.map(([title]) => title).join('\t') : none
  print(answer, json, () => table(rows, shown, { none: nothing, more: '--columns or --json' }))
  if (json) return
  const goOn = 'has_more' in answer && answer.has_more === true ? lastOf(rows) : []
  const empty = rows.length === 0 && isPipe ? [none] : []
  for (const note of [...empty, ...notes, ...goOn]) console.error(printable(note))
}

/** How to go on after the last row: a list goes on after an id, or else after what a row begins with. */
function lastOf(rows: readonly unknown[]): string[] {
  const row = (rows.at(-1) ?? {}) as { id?: unknown }
  return [`There are more: --after ${row.id ?? Object.values(row)[0]}`]
}

/** The name by which `--columns` knows a column. */
export const columnName = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]/g, '_')

/**
 * Rows under their titles. A terminal gets them in its width, numbers to the right: long texts are shortened, and what then
 * has no room is left out and named. A pipe gets a line a row, tab-separated and whole.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { none, more = '--json' }: { none: string; more?: string },
): string {
  if (rows.length === 0) return none
  const titles = columns.map(([title]) => title)
  const cells = rows.map((row) => columns.map(([, value]) => cell(value(row))))
  const page = terminalWidth()
  if (page === undefined) return [titles, ...cells].map((line) => line.join('\t')).join('\n')
  const places = placesWithin(
    titles.map((title, i) => placeOf(title, i, cells)),
    page,
  )
  const lines = [titles, ...cells].map((texts) =>
    places
      .map(({ i, width, isNumeric }) => {
        const text = shortened(texts[i] ?? '', width)
        const blanks = ' '.repeat(width - widthOf(text))
        return isNumeric ? blanks + text : text + blanks
      })
      .join(GAP)
      .trimEnd(),
  )
  const leftOut = titles.filter((_, i) => {
    const isEmpty = cells.every((texts) => texts[i] === '-')
    return !isEmpty && !places.some((place) => place.i === i)
  })
  if (leftOut.length > 0)
    lines.push(
      wrap(`No room for ${leftOut.join(', ')}: ${more} shows more.`, { page, first: '', rest: '' }),
    )
  return lines.join('\n')
}

/** Numbers, with the asset that they are in. */
const NUMERIC = /^(-|[-~]?\d+(\.\d+)?( [A-Z][\w.]{0,11})?)$/

type Place = { i: number; width: number; isNumeric: boolean; isEmpty: boolean }

function placeOf(title: string, i: number, cells: readonly string[][]): Place {
  const texts = cells.map((row) => row[i] ?? '')
  const width = Math.max(...[title, ...texts].map(widthOf))
  const isEmpty = texts.every((text) => text === '-')
  return { i, width, isNumeric: texts.every((text) => NUMERIC.test(text)), isEmpty }
}

/** The columns that have room, each with its width there. A number is never shortened, nor is the first: it names the row. */
function placesWithin(places: readonly Place[], page: number): Place[] {
  const widthOfAll = (all: readonly number[]) =>
    all.reduce((sum, one) => sum + one, 0) + GAP.length * (all.length - 1)
  const isWhole = widthOfAll(places.map(({ width }) => width)) <= page
  if (isWhole) return [...places]
  const kept = places.filter(({ isEmpty }, n) => n === 0 || !isEmpty)
  const least = kept.map(({ width, isNumeric }, n) =>
    n === 0 || isNumeric ? Math.min(width, page) : Math.min(width, SHORTEST),
  )
  while (widthOfAll(least) > page) least.pop()
  const widths = kept.slice(0, least.length).map(({ width }) => Math.min(width, page))
  while (widthOfAll(widths) > page) {
    const spare = widths.map((width, n) => (width > (least[n] ?? 0) ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths.map((width, n) => ({ ...(kept[n] as Place), width }))
}

const graphemes = new Intl.Segmenter()
/** Takes two columns of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u
const NARROW = /^[\x20-\x7e]*$/

/** The columns that a text takes in a terminal. */
const widthOf = (text: string): number =>
  NARROW.test(text) ? text.length : [...graphemes.segment(text)].reduce(addWidth, 0)

const addWidth = (sum: number, { segment }: { segment: string }): number =>
  sum + (WIDE.test(segment) ? 2 : 1)

/** The beginning of a text that is too wide, with a mark that it goes on. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let start = ''
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(start + segment) > width - 1) break
    start += segment
  }
  return `${start.trimEnd()}…`
}

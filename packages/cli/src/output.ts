/** Prints a result: as JSON for programs, or with `show` for people. */
export function print<T>(
  result: T,
  asJson: boolean | undefined,
  show: (result: T) => string,
): void {
  console.log(asJson ? JSON.stringify(result, null, 2) : show(result))
}

type Column<Row> = readonly [title: string, value: (row: Row) => unknown]

/** Rows under their titles, numbers to the right. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: string,
): string {
  if (rows.length === 0) return none
  const cells = rows.map((row) => columns.map(([, value]) => cell(value(row))))
  const isNumeric = columns.map(([, value]) => rows.every((row) => typeof value(row) === 'number'))
  const widths = columns.map(([title], i) =>
    Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => {
        const width = widths[i] ?? 0
        return isNumeric[i] ? text.padStart(width) : text.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(columns.map(([title]) => title)), ...cells.map(line)].join('\n')
}

/** Names and values below one another. */
export function pairs(values: Record<string, unknown>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n')
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

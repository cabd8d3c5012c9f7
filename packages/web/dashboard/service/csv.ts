/**
 * The beginnings of formulas, also in full width, and also behind what a program may take for the end of a cell: some part cells by
 * semicolons or tabs, whatever stands in quotes.
 */
const FORMULA = /(^|[;\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r])/g

/** A cell of a table that others may have written: what begins as a formula does is shown by programs, and not run. */
export function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = (value ?? '').replaceAll(FORMULA, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line of CSV (RFC 4180). */
export const line = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(',')}\r\n`

/** Gives the person a CSV file. Its first mark lets Excel know that this is UTF-8. */
export const download = (name: string, parts: readonly string[]): void =>
  save(name, 'text/csv', ['\uFEFF', ...parts])

/** Gives the person a file. */
export function save(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

import type { ReactNode } from 'react'

export type Column<Row> = {
  title: string
  /** Amounts stand at the right. */
  isNumber?: boolean
  /** Not shown on a phone, where the row itself leads to all of it. */
  isWide?: boolean
  cell: (row: Row) => ReactNode
}

const styleOf = ({ isNumber, isWide }: Pick<Column<never>, 'isNumber' | 'isWide'>): string =>
  `px-3 py-2 ${isNumber ? 'text-right md:whitespace-nowrap' : 'text-left'} ${isWide ? 'hidden md:table-cell' : ''}`

/** Rows of one kind. `caption` names the table for those who do not see it. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}) {
  return (
    // Wider than a phone, it moves sideways: by the keyboard, too. Words for screen readers alone move with it.
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached
      tabIndex={0}
      aria-label={caption}
      className="relative min-w-0 overflow-x-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-panel text-sm text-soft">
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={`${styleOf(column)} font-medium`}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-t border-line">
              {columns.map((column) => (
                <td key={column.title} className={`${styleOf(column)} align-top`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

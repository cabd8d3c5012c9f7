// biome-ignore-all lint/a11y/noRedundantRoles: rows that are no longer drawn as a table lose their own roles in some browsers
import type { ReactNode } from 'react'
import { Aligned } from './aligned.tsx'

export type Column<Row> = {
  title: string
  /** Amounts stand at the right. */
  isNumber?: boolean
  /** Not shown on a phone, where the row itself leads to all of it. */
  isWide?: boolean
  /** Buttons, which need no name beside them on a phone. */
  isAct?: boolean
  cell: (row: Row) => ReactNode
}

const styleOf = ({ isNumber, isWide }: Pick<Column<never>, 'isNumber' | 'isWide'>): string =>
  `md:px-3 md:py-2 ${isNumber ? 'md:text-right md:whitespace-nowrap' : 'text-left'} ${isWide ? 'max-md:hidden' : ''}`

/**
 * Rows of one kind. `caption` names the table for those who do not see it. On a phone the parts of a row stand below each other, each
 * with its name; the roles keep it a table for a screen reader there.
 */
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
  const first = columns.findIndex(({ isWide }) => !isWide)
  return (
    // Wider than a phone, it moves sideways: by the keyboard, too. Words for screen readers alone move with it.
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached
      tabIndex={0}
      aria-label={caption}
      className="relative min-w-0 overflow-x-auto rounded-lg border border-line"
    >
      <Aligned>
        <table role="table" className="w-full border-collapse max-md:block">
          <caption className="sr-only">{caption}</caption>
          <thead role="rowgroup" className="bg-panel text-sm text-soft max-md:sr-only">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.title}
                  role="columnheader"
                  scope="col"
                  className={`${styleOf(column)} font-medium`}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-md:block">
            {rows.map((row) => (
              <tr
                key={keyOf(row)}
                role="row"
                className="border-line max-md:grid max-md:gap-1 max-md:p-3 max-md:not-first:border-t md:border-t"
              >
                {columns.map((column, at) => (
                  <td
                    key={column.title}
                    role="cell"
                    className={`${styleOf(column)} align-top ${at > first ? 'max-md:flex max-md:flex-wrap max-md:gap-x-3' : ''}`}
                  >
                    {at > first && !column.isAct && (
                      <span aria-hidden="true" className="text-soft md:hidden">
                        {column.title}
                      </span>
                    )}
                    <div className="min-w-0">{column.cell(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Aligned>
    </section>
  )
}

import type { Purser } from '@purser/sdk'
import type { Command } from 'commander'
import { accountCommand, given, withPages } from './command.ts'
import { type AccountOptions, connect } from './context.ts'
import { type Column, printList } from './table.ts'

/** The options that name a page of a list. */
export type Page = AccountOptions & { limit?: number; after?: string }

type ListSpec<Options extends Page, Answer extends object, Row> = {
  name: string
  summary: string
  example: string
  names?: Readonly<Record<string, string>>
  options?: (command: Command) => Command
  /** The most rows of a page, of a list that comes in pages. */
  most?: number
  read: (purser: Purser, options: Options, ...args: string[]) => Promise<Answer>
  rows: (answer: Answer) => readonly Row[]
  columns: readonly Column<Row>[]
  /** The sentence for a list without rows. */
  none: string
  /** Sentences about the answer that are no rows. */
  notes?: (answer: Answer) => string[]
}

/** A command that prints a list of the service. */
export const listCommand = <Options extends Page, Answer extends object, Row>(
  spec: ListSpec<Options, Answer, Row>,
): Command =>
  accountCommand<Options>({
    ...spec,
    options: (made) => {
      spec.options?.(made)
      return spec.most === undefined ? made : withPages(made, spec.most)
    },
    run: async (options, ...args) => {
      const answer = await spec.read(await connect(options), options, ...args)
      const { columns, none } = spec
      printList(answer, options, { rows: spec.rows(answer), columns, none }, spec.notes?.(answer))
    },
  })

/** The query of a page. */
export const pageOf = ({ limit, after }: Page) => given({ limit, after })

/** Where a page with a number stands among the others. */
export const numbered = (it: { page: number; pages: number; total: number }): string[] =>
  it.pages > 1 ? [`Page ${it.page} of ${it.pages}, ${it.total} in all: --page`] : []

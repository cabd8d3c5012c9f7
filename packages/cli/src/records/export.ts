import { link, open, rm } from 'node:fs/promises'
import type { Purser, Transaction } from '@purser/sdk'
import { stringify } from 'csv-stringify/sync'
import { accountCommand, time } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { Fault } from '../fault.ts'
import { unwritable } from '../files.ts'
import { amountIn } from '../money.ts'
import { showCount, stopProgress } from '../progress.ts'

const KINDS = ['payments', 'transactions'] as const
type Kind = (typeof KINDS)[number]
type Options = AccountOptions & { output?: string; card?: string; since?: string; until?: string }

/**
 * A row as it was made: a refund is a row of its own, so that the file of a month stays the same whatever is refunded later.
 */
const asMade = ({ refunded: _, refunded_atomic: __, ...row }: Transaction) => ({
  ...row,
  ...(row.status === 'REFUNDED' && { status: 'SETTLED' as const }),
})
type Row = ReturnType<typeof asMade>

/** Amounts are decimals to the last base unit, with their asset beside them. */
const COLUMNS = [
  ['id', (row) => row.id],
  ['created_at', (row) => row.created_at],
  ['settled_at', (row) => row.settled_at],
  ['direction', (row) => row.direction],
  ['amount', (row) => amountIn(row, 'amount', '').trim()],
  ['fee', (row) => amountIn(row, 'fee', '').trim()],
  ['fee_kept', (row) => (row.refund_of ? amountIn(row, 'fee_kept', '').trim() : '')],
  ['refund_of', (row) => row.refund_of],
  ['asset', (row) => row.asset],
  ['status', (row) => row.status],
  ['protocol', (row) => row.protocol],
  ['merchant', (row) => row.merchant],
  ['card_id', (row) => row.card_id],
  ['card_purpose', (row) => row.card_purpose],
  ['memo', (row) => row.memo],
  ['network', (row) => row.network],
  ['tx_hash', (row) => row.tx_hash],
] as const satisfies readonly (readonly [string, (row: Row) => unknown])[]

export const exportCommand = accountCommand<Options>({
  name: 'export',
  summary: 'write payments, or the transactions of cards, as CSV',
  json: 'print one JSON object a line',
  example: 'npx purser export payments --since 2026-11-01 --output november.csv',
  options: (made) =>
    made
      .argument('<what>', KINDS.join(' or '))
      .option('--card <id>', 'transactions of this card alone')
      .option('--since <time>', 'made at this day or time, or later', time)
      .option('--before, --until <time>', 'made before this day or time', time)
      .option('--output <file>', 'a new 0600 file (else standard output)'),
  run: async ({ output, since, until, json, ...options }, what = '') => {
    const kind = KINDS.find((one) => one === what)
    if (!kind) throw new Fault(`<what> must be one of ${KINDS.join(', ')}.`)
    if (options.card !== undefined && kind === 'payments')
      throw new Fault('--card is for transactions.')
    const period = { since: dateOf(since), until: dateOf(until) }
    const purser = await connect(options)
    const lines = linesOf(within(period, rowsOf(purser, kind, options.card)), json ?? false)
    if (output === undefined) for await (const line of lines) console.log(line.replace(/\n$/, ''))
    else await writeNew(output, lines)
    stopProgress()
  },
})

type Period = { since: Date | undefined; until: Date | undefined }
const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

async function* within({ since, until }: Period, rows: AsyncIterable<Transaction>) {
  for await (const row of rows) {
    const at = new Date(row.created_at)
    if (until && at >= until) continue
    if (since && at < since) continue
    yield asMade(row)
  }
}

async function* rowsOf(purser: Purser, kind: Kind, card: string | undefined) {
  if (kind === 'payments') return yield* payments(purser)
  if (card !== undefined) return yield* purser.listTransactions(card)
  for await (const { id } of purser.listCards()) yield* purser.listTransactions(id)
}

const PAGE = 100

async function* payments(purser: Purser): AsyncGenerator<Transaction, void, undefined> {
  for (let after: { after?: string } = {}; ; ) {
    const page = await purser.GET('/api/payments', { params: { query: { ...after, limit: PAGE } } })
    yield* page.payments
    const last = page.payments.at(-1)
    if (!page.has_more || !last) return
    after = { after: last.id }
  }
}

/** A spreadsheet would take a cell that begins with = for a formula: such a text of a peer gets an apostrophe before it. */
async function* linesOf(rows: AsyncIterable<Row>, asJson: boolean) {
  if (!asJson) yield csv(COLUMNS.map(([name]) => name))
  let count = 0
  for await (const row of rows) {
    showCount(++count, 'rows')
    yield asJson ? `${JSON.stringify(row)}\n` : csv(COLUMNS.map(([, value]) => value(row)))
  }
}

const csv = (cells: readonly unknown[]): string =>
  stringify([cells.map((cell) => cell ?? '')], {
    escape_formulas: true,
    record_delimiter: 'windows',
  })

/** The file has its name once it is complete. */
async function writeNew(path: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  const file = await open(unfinished, 'wx', 0o600).catch((cause) => {
    throw unwritable(path, cause)
  })
  try {
    for await (const line of lines) await file.write(line)
    await link(unfinished, path).catch((cause) => {
      throw cause.code === 'EEXIST'
        ? new Fault(`${path} exists already; name another file.`, { cause })
        : unwritable(path, cause)
    })
  } finally {
    await file.close()
    await rm(unfinished, { force: true })
  }
}

/** The payments of a month that was put away, for people and their programs. */
import { stringify } from 'csv-stringify/sync'
import type { Reader } from '../../../base/db/sql.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { readAddress } from '../../../base/protocols/x402/wire.ts'
import { listArchived } from '../../../money/ledger/verify/store-archived.ts'
import { StartError } from '../start-error.ts'
import { filesOf, type Manifest, measure, partsOf } from './archive-file.ts'
import { addRead, dropRead, listRead, makeRead, type ReadPayment } from './store.ts'

/** `of` names a payment, a card, a wallet in any letter case, a link, an agreement or a mandate. */
export type ExportOrder = { month: string; dir: string; of: string | undefined }

const COLUMNS = [
  ['settlement_id', (row) => row.id],
  ['sent_id', (row) => row.sentId],
  ['received_id', (row) => row.receivedId],
  ['created_at', (row) => row.createdAt.toISOString()],
  ['protocol', (row) => row.protocol],
  ['amount', (row) => formatAmount(row.amount, row.decimals)],
  ['fee', (row) => formatAmount(row.fee, row.decimals)],
  ['net_amount', (row) => formatAmount(row.amount - row.fee, row.decimals)],
  ['asset', (row) => row.asset],
  ['network', (row) => row.network],
  ['payer_card_id', (row) => row.payer],
  ['payer_wallet', (row) => row.payerWallet],
  ['receiver_card_id', (row) => row.receiverCardId],
  ['receiver_wallet', (row) => row.receiverWallet],
  ['pay_link_code', (row) => row.payLinkCode],
  ['memo', (row) => row.memo],
  ['agreement_id', (row) => row.agreementId],
  ['mandate_id', (row) => row.mandateId],
] as const satisfies readonly (readonly [string, (row: ReadPayment) => string | null])[]

/**
 * The payments of the file, oldest first, as parts of a CSV with a head, or as an object a line. Throws a sentence before the first
 * part if the month was not put away, or the file is not the one that was written.
 */
export async function* exportArchive(
  on: Reader,
  { month, dir, of }: ExportOrder,
  asJson: boolean,
): AsyncGenerator<string, void, undefined> {
  const archived = (await listArchived(on)).find((one) => one.month === month)
  if (!archived) throw new StartError(`${month} was not put away: its payments are in the API.`)
  const { columns, sha256 } = JSON.parse(archived.manifest) as Manifest
  const path = filesOf(dir, month).rows
  const measured = await measure(path)
  if (measured?.sha256 !== sha256)
    throw new StartError(
      `${path} ${measured ? 'is not as it was written: its SHA-256 differs' : 'is missing'}. Bring a copy from another machine.`,
    )
  if (!asJson) yield csvOf([COLUMNS.map(([name]) => name)])
  await makeRead(on, columns)
  try {
    for await (const lines of partsOf(path)) {
      await addRead(on, columns, lines)
      const rows = await listRead(on, readAddress(of) ?? of)
      if (rows.length > 0) yield asJson ? linesOf(rows) : csvOf(rows.map(cellsOf))
    }
  } finally {
    await dropRead(on)
  }
}

const cellsOf = (row: ReadPayment) => COLUMNS.map(([, cell]) => cell(row))

/** A spreadsheet would take a seller's memo that begins with = for a formula: it gets an apostrophe before it. */
const csvOf = (rows: readonly (string | null)[][]): string =>
  stringify([...rows], { escape_formulas: true }).trimEnd()

const linesOf = (rows: readonly ReadPayment[]): string =>
  rows
    .map((row) => JSON.stringify(Object.fromEntries(COLUMNS.map(([n, cell]) => [n, cell(row)]))))
    .join('\n')

import Papa from 'papaparse'
import { plainText } from '../../../service/amounts.ts'
import type { purser } from '../../../service/client.ts'

export type Order = Parameters<typeof purser.cards.issueMany>[0]['cards'][number]
/** One line of the file: an order, or the reason why it is none. */
export type Line = {
  /** As a spreadsheet counts: the names of columns are line 1. */
  number: number
  purpose: string
  amount: string
  /** Its text, in the order of the columns. */
  cells: readonly string[]
  order?: Order
  fault?: string
}

const AMOUNTS = [
  'limit_amount',
  'max_transaction',
  'hourly_limit',
  'daily_limit',
  'weekly_limit',
  'monthly_limit',
  'approval_above',
] as const
/** The columns of the file, in the order of the template. */
export const COLUMNS = ['purpose', ...AMOUNTS, 'allowed_merchants', 'expires_in'] as const
/** A column of the file of lines to mend, which may stay where they were mended. */
const FAULT = 'fault'
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

/** Reads the orders of a CSV file. A fault of the whole file is thrown, that of a line stays with the line. */
export function readOrders(text: string): Line[] {
  const { data, meta, errors } = Papa.parse<Cells>(text, {
    header: true,
    transformHeader: (name) => name.trim().toLowerCase(),
    transform: (cell) => cell.trim(),
  })
  const named = meta.fields ?? []
  const missing = ['purpose', 'limit_amount'].filter((name) => !named.includes(name))
  if (missing.length > 0)
    throw new Error(`The file has no column ${missing.join(' and no column ')}.`)
  const known: readonly string[] = [...COLUMNS, FAULT]
  const unknown = named.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`The file has a column that no card has: ${unknown.join(', ')}.`)
  const lines = data.flatMap((cells, i) => {
    const said = COLUMNS.map((name) => cells[name] ?? '')
    if (said.every((cell) => cell === '')) return []
    const broken = errors.find(({ row }) => row === i)
    return [{ number: i + FIRST_LINE, cells: said, ...lineOf(cells, broken?.message) }]
  })
  if (lines.length === 0) throw new Error('The file has no lines below its names of columns.')
  return lines
}

const FIRST_LINE = 2

/** The lines that are no orders, as a file to mend, each with its fault. */
export const toMend = (lines: readonly Line[]): (readonly string[])[] => [
  [...COLUMNS, FAULT],
  ...lines.flatMap(({ cells, fault }) => (fault ? [[...cells, fault]] : [])),
]

/** The money of all orders together, exact. */
export function sumOf(orders: readonly Order[]): string {
  const units = orders.reduce((sum, { limit_amount }) => {
    const [whole = '', part = ''] = String(limit_amount).split('.')
    return sum + BigInt(whole + part.padEnd(DECIMALS, '0'))
  }, 0n)
  return plainText(String(units), DECIMALS)
}

const DECIMALS = 6

function lineOf(cells: Cells, broken: string | undefined): Omit<Line, 'number' | 'cells'> {
  const purpose = cells.purpose ?? ''
  const amount = cells.limit_amount ?? ''
  const fault = broken ?? faultOf(cells)
  return { purpose, amount, ...(fault ? { fault } : { order: orderOf(cells) }) }
}

function faultOf(cells: Cells): string | undefined {
  if (!cells.purpose) return 'purpose is empty'
  if (!cells.limit_amount) return 'limit_amount is empty'
  const wrong = AMOUNTS.find((name) => cells[name] && !/^\d+(\.\d{1,6})?$/.test(cells[name]))
  if (wrong) return `${wrong} is no amount: digits, a point, and at most six decimals`
  if (cells.expires_in && !/^\d+(\.\d+)?$/.test(cells.expires_in))
    return 'expires_in is no number of hours'
  return undefined
}

function orderOf(cells: Cells): Order {
  const merchants = (cells.allowed_merchants ?? '').split(/[\s;]+/).filter(Boolean)
  const amounts = AMOUNTS.flatMap((name) => (cells[name] ? [[name, cells[name]]] : []))
  return {
    purpose: cells.purpose ?? '',
    limit_amount: cells.limit_amount ?? '',
    ...Object.fromEntries(amounts),
    ...(merchants.length > 0 && { allowed_merchants: merchants }),
    ...(cells.expires_in && { expires_in: Number(cells.expires_in) }),
  }
}

/** The template that a person fills in. */
export const TEMPLATE = [
  [...COLUMNS],
  ['Research agent', '50', '5', '', '20', '', '', '', 'api.example.com;*.example.org', '720'],
]

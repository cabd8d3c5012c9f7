import Papa from 'papaparse'
import type { purser } from '../../../service/client.ts'

export type Order = Parameters<typeof purser.cards.issueMany>[0]['cards'][number]
/** One line of the file: an order, or the reason why it is none. */
export type Line = {
  number: number
  purpose: string
  amount: string
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
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

/** Reads the orders of a CSV file. A fault of the whole file is thrown, that of a line stays with the line. */
export function readOrders(text: string): Line[] {
  const { data, meta, errors } = Papa.parse<Cells>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
    transform: (cell) => cell.trim(),
  })
  const named = meta.fields ?? []
  const missing = ['purpose', 'limit_amount'].filter((name) => !named.includes(name))
  if (missing.length > 0)
    throw new Error(`The file has no column ${missing.join(' and no column ')}.`)
  const unknown = named.filter((name) => !(COLUMNS as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw new Error(`The file has a column that no card has: ${unknown.join(', ')}.`)
  if (data.length === 0) throw new Error('The file has no lines below its names of columns.')
  return data.map((cells, i) => {
    const broken = errors.find(({ row }) => row === i)
    return { number: i + 1, ...lineOf(cells, broken?.message) }
  })
}

function lineOf(cells: Cells, broken: string | undefined): Omit<Line, 'number'> {
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

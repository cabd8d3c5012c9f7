import { appendFileSync } from 'node:fs'
import type { Reply } from './service.ts'

/** One call of a test and its response: a line of the file that RECORD_EXAMPLES names. */
export type Exchange = {
  method: string
  path: string
  request: unknown
  /** The headers by which the request paid. */
  paidBy?: string[]
  status: number
  /** The media type of a response that is not JSON: of such a text the beginning is kept. */
  type?: string
  response: unknown
}

/** A longer exchange is no use as an example. */
const LONGEST = 16_000
/** Enough of a text to see its form. */
const BEGINNING = 600
const PAYMENTS = ['PAYMENT-SIGNATURE', 'X-PAYMENT']

/** If RECORD_EXAMPLES names a file, appends the call and its response to it, for `test/run/choose-examples.ts`. */
export function recordExchange(
  { method, path, request, headers = {} }: Call,
  { status, body, text, headers: answered }: Reply,
): void {
  const file = process.env.RECORD_EXAMPLES
  if (!file || (body === undefined && text === '')) return
  const exchange: Exchange = { method, path, request, status, response: body ?? beginningOf(text) }
  const paidBy = paymentsIn(headers)
  if (paidBy.length > 0) exchange.paidBy = paidBy
  if (body === undefined) exchange.type = String(answered['content-type']).split(';')[0]!
  const line = JSON.stringify(exchange)
  if (line.length <= LONGEST) appendFileSync(file, `${line}\n`)
}

type Call = { method: string; path: string; request?: unknown; headers?: Record<string, string> }

function paymentsIn(headers: Record<string, string>): string[] {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const isMpp = given.get('AUTHORIZATION')?.startsWith('Payment ')
  return [...PAYMENTS.filter((name) => given.has(name)), ...(isMpp ? ['Authorization'] : [])]
}

/** Whole lines only. */
function beginningOf(text: string): string {
  if (text.length <= BEGINNING) return text
  const cut = text.slice(0, BEGINNING)
  return `${cut.slice(0, cut.lastIndexOf('\n') + 1 || BEGINNING)}…`
}

import { appendFileSync } from 'node:fs'
import type { Reply } from './service.ts'

/** One call of a test and its response: a line of the file that RECORD_EXAMPLES names. */
export type Exchange = {
  method: string
  path: string
  request: unknown
  status: number
  response: unknown
}

/** A longer exchange is no use as an example. */
const LONGEST = 16_000

/** If RECORD_EXAMPLES names a file, appends the call and its response to it, for `test/run/choose-examples.ts`. */
export function recordExchange(method: string, path: string, request: unknown, reply: Reply): void {
  const file = process.env.RECORD_EXAMPLES
  if (!file || reply.body === undefined) return
  const exchange = { method, path, request, status: reply.status, response: reply.body }
  const line = JSON.stringify(exchange satisfies Exchange)
  if (line.length <= LONGEST) appendFileSync(file, `${line}\n`)
}

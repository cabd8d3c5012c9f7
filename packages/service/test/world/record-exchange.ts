import { appendFileSync } from 'node:fs'
import type { Reply } from './service.ts'

/** One call of a test and its answer, a line of the file that RECORD_EXAMPLES names. */
export type Exchange = {
  method: string
  path: string
  request: unknown
  status: number
  response: unknown
}

/** What is longer shows no one how to call. */
const LONGEST = 16_000

/** Where RECORD_EXAMPLES names a file, calls and answers are kept there, for `test/run/choose-examples.ts` to choose from. */
export function recordExchange(method: string, path: string, request: unknown, reply: Reply): void {
  const file = process.env.RECORD_EXAMPLES
  if (!file || reply.body === undefined) return
  const exchange = { method, path, request, status: reply.status, response: reply.body }
  const line = JSON.stringify(exchange satisfies Exchange)
  if (line.length <= LONGEST) appendFileSync(file, `${line}\n`)
}

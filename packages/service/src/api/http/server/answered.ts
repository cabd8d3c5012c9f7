import type { Caller } from '../caller.ts'

/** A request of a caller whose credential was good, after its answer. Neither its body, its query nor a header is here. */
export type Answered = {
  id: string
  caller: Caller
  at: Date
  method: string
  /** With `{name}` where the path has a value. */
  route: string
  /** As it was sent, without the query. */
  path: string
  status: number
  /** The code of a refusal. */
  code: string | undefined
  ms: number
}
export type OnAnswered = (request: Answered) => void

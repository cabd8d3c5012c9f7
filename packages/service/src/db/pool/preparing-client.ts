import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { columnNameOf, parameterOf } from '../values.ts'
import { CountingClient } from './silence.ts'
import { nameOf } from './statement-names.ts'

const ABORTED = '25P02'

/**
 * A connection that has each statement parsed once, by name, so that what is asked for again is only bound and run; and
 * that sends what is asked for in one turn in one piece.
 */
export class PreparingClient extends CountingClient {
  /** What broke the transaction that is open. */
  #fault: unknown

  constructor(options?: pg.ClientConfig) {
    super(options)
    const { connection } = this as unknown as { connection: EventEmitter }
    // Before the driver reads them: so its rows are made with the names that they keep.
    connection.prependListener('rowDescription', ({ fields }: { fields: { name: string }[] }) => {
      for (const field of fields) field.name = columnNameOf(field.name)
    })
  }

  // Kysely asks in one form alone: a text and its values, for a promise.
  override query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const { stream } = this
    if (!stream.writableCorked) {
      stream.cork()
      process.nextTick(() => stream.uncork())
    }
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const answer = isPlain
      ? this.ask({ name: nameOf(text), text, values: values.map(parameterOf) }, ...rest)
      : this.ask(text, values, ...rest)
    return answer instanceof Promise ? answer.catch((error) => this.#blame(error)) : answer
  }) as pg.Client['query']

  /** Statements pipelined behind a failed one also fail; reports the original error. */
  #blame(error: unknown): never {
    if (!(error instanceof pg.DatabaseError && error.code === ABORTED)) this.#fault = error
    throw this.#fault ?? error
  }
}

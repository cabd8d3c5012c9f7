import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { columnNameOf, parameterOf } from '../values.ts'
import { CountingClient } from './silence.ts'
import { nameOf } from './statement-names.ts'

const ABORTED = '25P02'

/**
 * Prepares each statement once, by name, so that the server does not parse it again. Sends all statements of one turn of
 * the event loop in one write.
 */
export class PreparingClient extends CountingClient {
  /** The error that aborted the open transaction. */
  #fault: unknown

  constructor(options?: pg.ClientConfig) {
    super(options)
    const { connection } = this as unknown as { connection: EventEmitter }
    // Runs before the driver reads the names, so that it makes the rows with camelCase names.
    connection.prependListener('rowDescription', ({ fields }: { fields: { name: string }[] }) => {
      for (const field of fields) field.name = columnNameOf(field.name)
    })
  }

  // Kysely always passes a text and its values, and expects a promise.
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

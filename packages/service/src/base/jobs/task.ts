import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Id, IdPrefix } from '../kernel/ids.ts'

/** A share of the worker: its jobs take at most `concurrency` connections at once, whatever other queues do. */
export type Queue = { readonly name: string; readonly concurrency: number }

export const MAIN_QUEUE: Queue = { name: 'main', concurrency: 4 }
/** Its jobs read much of some tables, so they never take a slot that a payment needs. */
export const BOOKS_QUEUE: Queue = { name: 'books', concurrency: 1 }
/** Its jobs read all of the books, which may take hours: those that look at them each minute do not wait for it. */
export const VERIFY_QUEUE: Queue = { name: 'verify', concurrency: 1 }

/** A kind of job: its payload, and which jobs count as the same one. */
export type TaskDefinition<P> = {
  readonly name: string
  readonly queue: Queue
  /** A job with the same key replaces a waiting one; null for jobs without a key. */
  keyOf(payload: P): string | null
  /** Whether a payload from the queue is one of this task. */
  fits(payload: unknown): payload is P
}

/** A task that has one job at a time. */
export type SingleTask = TaskDefinition<Record<never, never>> & { readonly isSingle: true }

type Fields = Record<string, TSchema>

/** Defines a task. `key` names the field that identifies a job. */
export function defineTask<F extends Fields>(of: {
  name: string
  payload: F
  key?: (keyof F & string) | ((payload: Static<TObject<F>>) => string)
  queue?: Queue
}): TaskDefinition<Static<TObject<F>>> {
  const { name, key, queue = MAIN_QUEUE } = of
  const compile = () => Compile(Type.Object(of.payload))
  // Compiled by the first job.
  let schema: ReturnType<typeof compile> | undefined
  type Payload = Static<TObject<F>>
  const partOf = (payload: Payload): string | undefined =>
    typeof key === 'function' ? key(payload) : key && String((payload as never)[key])
  return {
    name,
    queue,
    keyOf(payload) {
      const part = partOf(payload)
      return part === undefined ? null : keyFor(name, part)
    },
    fits(payload): payload is Payload {
      schema ??= compile()
      return schema.Check(payload)
    },
  }
}

/** Defines a task without a payload that has one job at a time. */
export const defineSingleTask = (name: string, queue: Queue = MAIN_QUEUE): SingleTask => ({
  name,
  queue,
  isSingle: true,
  keyOf: () => name,
  fits: (payload): payload is Record<never, never> =>
    typeof payload === 'object' && payload !== null,
})

/** The key of the job of `name` that `part` identifies. */
export const keyFor = (name: string, part: string): string => `${name}:${part}`

/** The minute of the hour for which the timetable made this job, also when it is tried again; undefined for a job that was asked for otherwise. */
export function minuteOf(payload: unknown): number | undefined {
  const { _cron: cron } = payload as { _cron?: { ts: string } }
  return cron && new Date(cron.ts).getUTCMinutes()
}

/** A payload field with an id of this kind. */
export const IdField = <P extends IdPrefix>(prefix: P) =>
  Type.Unsafe<Id<P>>({ type: 'string', pattern: `^${prefix}_` })
/** A payload field with `0x` and hexadecimal digits. */
export const HexField = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]*$' })
/** The number of looks that the job has made before. */
export const Looks = Type.Optional(Type.Integer({ minimum: 0 }))

import { reach } from '../../kernel/fault-points.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Db, isLost, isRollback, type Tx } from '../sql.ts'

/**
 * A write that many callers want at once and that is decided for all of them in one transaction. `run` answers one
 * outcome per intent, in order; a refusal is an outcome, so that it undoes nobody else's work.
 */
export type Lane<Intent, Outcome> = {
  name: string
  run(tx: Tx, at: Date, intents: Intent[]): Promise<Outcome[]>
}

/** Writes what belongs to an outcome in the same transaction, for all of a batch at once (stored answers). */
type Recorder<Note> = (tx: Tx, at: Date, notes: Note[]) => Promise<void>

type Waiting = {
  intent: unknown
  note: ((outcome: unknown) => unknown) | undefined
  resolve(outcome: unknown): void
  reject(error: unknown): void
}
type Queue = { waiting: Waiting[]; running: number }

/**
 * The most intents in one transaction, and the most transactions of one lane at once in this process. With two the batches
 * are half as large, and cost half as much again a settlement: measured in docs/performance.md.
 */
const BATCH_MAX = 256
const RUNNING_MAX = 1
/** What one process does in a second or two: whoever would wait longer is told to come again. */
export const WAITING_MAX = 4_000

export type Lanes<Note> = {
  /** Hands the intent to its lane. Resolves with its own outcome once that is committed. */
  submit<I, O>(lane: Lane<I, O>, intent: I, note?: (outcome: O) => Note | undefined): Promise<O>
}

/**
 * The settle queues of this process. A queue never waits on purpose: a free lane takes what has gathered; while
 * commits are in flight, requests gather. A full queue refuses (503) rather than grow.
 */
export function createLanes<Note>(options: {
  db: Db
  now: () => Date
  record: Recorder<Note>
}): Lanes<Note> {
  const queues = new Map<string, Queue>()

  async function runBatch(lane: Lane<unknown, unknown>, batch: Waiting[]): Promise<void> {
    let isCommitting = false
    try {
      const outcomes = await options.db.write(async (tx) => {
        isCommitting = false
        const at = options.now()
        const results = await lane.run(
          tx,
          at,
          batch.map((waiting) => waiting.intent),
        )
        const notes = batch.flatMap((waiting, i) => waiting.note?.(results[i]) ?? []) as Note[]
        if (notes.length > 0) await options.record(tx, at, notes)
        isCommitting = true
        reach('lanes.before_commit')
        return results
      })
      reach('lanes.after_commit')
      batch.forEach((waiting, i) => {
        waiting.resolve(outcomes[i])
      })
    } catch (error) {
      // A connection that was lost with the COMMIT under way leaves open whether it was done: it is not done twice.
      // A database out of reach is no fault of one intent: halving would make each caller wait for all the others.
      if (batch.length === 1 || isLost(error) || (isCommitting && !isRollback(error))) {
        for (const waiting of batch) waiting.reject(error)
        return
      }
      // One poison intent must not take the others down: halve until it stands alone.
      const middle = Math.ceil(batch.length / 2)
      await runBatch(lane, batch.slice(0, middle))
      await runBatch(lane, batch.slice(middle))
    }
  }

  function pump(lane: Lane<unknown, unknown>, queue: Queue): void {
    while (queue.running < RUNNING_MAX && queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, BATCH_MAX)
      queue.running++
      void runBatch(lane, batch).finally(() => {
        queue.running--
        pump(lane, queue)
      })
    }
  }

  return {
    submit: (lane, intent, note) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(lane.name) ?? { waiting: [], running: 0 }
        queues.set(lane.name, queue)
        if (queue.waiting.length >= WAITING_MAX) {
          const headers = { 'retry-after': '1' }
          reject(
            new Problem('overloaded', 'Too many requests are waiting. Try again in a second.', {
              headers,
            }),
          )
          return
        }
        queue.waiting.push({ intent, note, resolve, reject } as Waiting)
        // After the requests that arrived in the same turn have been queued too.
        setImmediate(pump, lane, queue)
      }),
  }
}

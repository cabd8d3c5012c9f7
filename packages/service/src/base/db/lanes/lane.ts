import { reach } from '../../kernel/fault-points.ts'
import { Problem } from '../../kernel/problem.ts'
import { type Db, isLost, isRollback, type RawBuilder, type Tx } from '../sql.ts'
import { type Ahead, createAheadQueue } from './ahead.ts'
import type { Waiting } from './waiting.ts'

/**
 * A write that many callers ask for at once, decided for all of them in one transaction. `run` answers one outcome per
 * intent, in order. A refusal is an outcome too: throwing it would roll back the other callers' work.
 */
export type Lane<Intent, Outcome> = {
  name: string
  run(tx: Tx, at: Date, intents: Intent[]): Promise<Outcome[]>
  /** For a lane that can decide on rows that it remembers: its memory in this process. */
  createAhead?(now: () => Date): Ahead<Intent, Outcome>
}

/** Writes the notes of a batch, such as stored answers, in the transaction of its outcomes. */
type Recorder<Note> = (tx: Tx, at: Date, notes: Note[]) => Promise<void>

type Queue = { readonly length: number; push(one: Waiting): void; pump(): void }

/**
 * The most intents in one transaction, and the most transactions of one lane at once in this process. Two at once halve the
 * batches, and a settlement then costs half as much again: measured in docs/performance.md.
 */
const BATCH_MAX = 256
const RUNNING_MAX = 1
/** As many as one process handles in a second or two. A caller that would wait longer is asked to retry. */
export const WAITING_MAX = 4_000

export type Lanes<Note> = {
  /** Queues the intent. Resolves with its own outcome once that is committed. */
  submit<I, O>(lane: Lane<I, O>, intent: I, note?: (outcome: O) => Note | undefined): Promise<O>
}

/**
 * The lanes of this process. A lane that is free takes all waiting intents at once; intents gather while its commit is in
 * flight. A full queue refuses (503) instead of growing.
 */
export function createLanes<Note>(options: {
  db: Db
  now: () => Date
  record: Recorder<Note>
  /** The same as a statement that is sent with the batch; it fails where `record` throws. */
  recordStatement: (notes: Note[]) => RawBuilder<unknown>
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
      // If the connection was lost during COMMIT, the batch may be committed: it must not run again.
      // If the database is out of reach, halving finds no culprit and makes each caller wait for all the others.
      if (batch.length === 1 || isLost(error) || (isCommitting && !isRollback(error))) {
        for (const waiting of batch) waiting.reject(error)
        return
      }
      // One poison intent must not fail the others: halve until it is alone.
      const middle = Math.ceil(batch.length / 2)
      await runBatch(lane, batch.slice(0, middle))
      await runBatch(lane, batch.slice(middle))
    }
  }

  function newQueue(lane: Lane<unknown, unknown>): Queue {
    const { hold } = options.db
    if (!lane.createAhead || !hold) return createQueue((batch) => runBatch(lane, batch))
    return createAheadQueue(lane.createAhead(options.now), {
      db: options.db,
      hold,
      now: options.now,
      batchMax: BATCH_MAX,
      runBatch: (batch) => runBatch(lane, batch),
      recordStatement: (notes) => options.recordStatement(notes as Note[]),
    })
  }

  return {
    submit: (lane, intent, note) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(lane.name) ?? newQueue(lane as Lane<unknown, unknown>)
        queues.set(lane.name, queue)
        if (queue.length >= WAITING_MAX) {
          const headers = { 'retry-after': '1' }
          reject(
            new Problem('overloaded', 'Too many requests are waiting. Try again in a second.', {
              headers,
            }),
          )
          return
        }
        queue.push({ intent, note, resolve, reject } as Waiting)
        // Waits until all requests of this turn of the event loop are queued.
        setImmediate(queue.pump)
      }),
  }
}

/** Runs one batch after the other. */
function createQueue(runBatch: (batch: Waiting[]) => Promise<void>): Queue {
  const waiting: Waiting[] = []
  let running = 0
  function pump(): void {
    while (running < RUNNING_MAX && waiting.length > 0) {
      running++
      void runBatch(waiting.splice(0, BATCH_MAX)).finally(() => {
        running--
        pump()
      })
    }
  }
  return {
    get length(): number {
      return waiting.length
    },
    push: (one) => waiting.push(one),
    pump,
  }
}

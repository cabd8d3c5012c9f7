import { reach } from '../../kernel/fault-points.ts'
import { Problem } from '../../kernel/problem.ts'
import { inSpan, theTracer } from '../../kernel/tracing.ts'
import { takesNothing } from '../outage.ts'
import { type Db, isRollback, type Tx } from '../sql.ts'
import { ALONE, type Crowd, takeTurns } from './turns.ts'

/**
 * A write that many callers ask for at once, decided for all of them in one transaction. `run` answers one outcome per
 * intent, in order. A refusal is an outcome too: throwing it would roll back the other callers' work.
 */
export type Lane<Intent, Outcome> = {
  name: string
  run(tx: Tx, at: Date, intents: Intent[]): Promise<Outcome[]>
}

/** Writes the notes of a batch, such as stored answers, in the transaction of its outcomes. */
type Recorder<Note> = (tx: Tx, at: Date, notes: Note[]) => Promise<void>

/** An intent in the queue of a lane, and its caller. */
type Waiting = {
  intent: unknown
  /** The caller's span. */
  span: unknown
  /** Makes the note that is stored with the outcome, for a request with an Idempotency-Key. */
  note: ((outcome: unknown) => unknown) | undefined
  resolve(outcome: unknown): void
  reject(error: unknown): void
}

type Queue = {
  readonly length: number
  readonly sizes: ReadonlyMap<number, number>
  refused: number
  push(one: Waiting): void
  pump(): void
}

/** The most intents in one transaction. */
const BATCH_MAX = 256
/** As many as one process handles in a second or two. A caller that would wait longer is asked to retry. */
export const WAITING_MAX = 4_000

export type Lanes<Note> = {
  /** Queues the intent. Resolves with its own outcome once that is committed. */
  submit<I, O>(lane: Lane<I, O>, intent: I, note?: (outcome: O) => Note | undefined): Promise<O>
  use(): LaneUse[]
}

/** The work of a lane since the start, and what waits for it now. */
export type LaneUse = {
  lane: string
  waiting: number
  /** Intents that were refused because the queue was full. */
  refused: number
  /** How many batches had each number of intents. */
  sizes: ReadonlyMap<number, number>
}

/**
 * The lanes of this process. Intents gather while a batch is written, and are the next batch: it is sent behind the commit
 * of the one before, on the same connection. A full queue refuses (503) instead of growing.
 */
export function createLanes<Note>(options: {
  db: Db
  now: () => Date
  record: Recorder<Note>
  /** The processes that take turns; this one alone by default. */
  crowd?: Crowd
}): Lanes<Note> {
  const queues = new Map<string, Queue>()

  async function runBatch(
    lane: Lane<unknown, unknown>,
    batch: Waiting[],
    write: Db['write'] = options.db.write,
  ): Promise<void> {
    let isCommitting = false
    try {
      const outcomes = await write(async (tx) => {
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
      // All in one turn: callers that hear together ask again together, and so share the next batch.
      batch.forEach((waiting, i) => {
        waiting.resolve(outcomes[i])
      })
    } catch (error) {
      // If the connection was lost during COMMIT, the batch may be committed: it must not run again.
      // If the database takes nothing, halving finds no culprit and makes each caller wait for all the others.
      if (batch.length === 1 || takesNothing(error) || (isCommitting && !isRollback(error))) {
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
    const line = options.db.line()
    return createQueue(options.crowd ?? ALONE, (batch, written) =>
      inSpan(
        () => ({
          name: `lane ${lane.name}`,
          values: { 'purser.lane': lane.name, 'purser.batch.size': batch.length },
          of: batch.map(({ span }) => span),
        }),
        () => runBatch(lane, batch, (work) => line.write(work, written)),
      ),
    )
  }

  return {
    submit: (lane, intent, note) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(lane.name) ?? newQueue(lane as Lane<unknown, unknown>)
        queues.set(lane.name, queue)
        if (queue.length >= WAITING_MAX) {
          queue.refused++
          reject(queueFull())
          return
        }
        const span = theTracer()?.here()
        queue.push({ intent, span, note, resolve, reject } as Waiting)
        // Waits until all requests of this turn of the event loop are queued.
        setImmediate(queue.pump)
      }),
    use: () =>
      [...queues].map(([lane, { length, refused, sizes }]) => ({
        lane,
        waiting: length,
        refused,
        sizes,
      })),
  }
}

const queueFull = (): Problem =>
  new Problem('overloaded', 'Too many requests are waiting. Try again in a second.', {
    headers: { 'retry-after': '1' },
  })

/** Runs a batch once the one before it is written and it is this lane's turn. */
function createQueue(
  crowd: Crowd,
  runBatch: (batch: Waiting[], written: () => void) => Promise<void>,
): Queue {
  const waiting: Waiting[] = []
  const sizes = new Map<number, number>()
  const turns = takeTurns(crowd)
  let isWriting = false
  let isResting = false
  const wake = () => {
    isResting = false
    pump()
  }
  function pump(): void {
    if (isWriting || waiting.length === 0) return
    const waitMs = turns.waitMs(waiting.length)
    if (waitMs > 0) {
      if (!isResting) setTimeout(wake, waitMs)
      isResting = true
      return
    }
    isWriting = true
    turns.begin()
    const batch = waiting.splice(0, BATCH_MAX)
    sizes.set(batch.length, (sizes.get(batch.length) ?? 0) + 1)
    const written = Promise.withResolvers<void>()
    void runBatch(batch, written.resolve).finally(written.resolve)
    void written.promise.then(() => {
      isWriting = false
      turns.end()
      pump()
    })
  }
  return {
    get length(): number {
      return waiting.length
    },
    sizes,
    refused: 0,
    push: (one) => waiting.push(one),
    pump,
  }
}

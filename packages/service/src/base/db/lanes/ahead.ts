import { reach } from '../../kernel/fault-points.ts'
import { type Db, type Held, isRollback, type RawBuilder, send, sql, type Tx } from '../sql.ts'
import type { Waiting } from './waiting.ts'

/**
 * Decides intents on rows that this process remembers, as the last plan leaves them, while the batches before are still
 * being written. Every plan's `write` must name what the plan decided on, so that the database refuses it if a row has
 * changed elsewhere.
 */
export type Ahead<Intent, Outcome> = {
  /** Decides in order, and remembers the rows as they will be. Neither reads nor writes. */
  plan(at: Date, intents: readonly Intent[]): Plan<Outcome>
  /** Reads the rows of these intents and remembers those that are not remembered yet. */
  read(db: Db, intents: readonly Intent[]): Promise<void>
  /** Forgets the rows of these intents, or all. */
  forget(intents?: readonly Intent[]): void
}
export type Plan<Outcome> = {
  /** One for each intent. */
  planned: Planned<Outcome>[]
  /** Sends the statements of all that was decided. Awaits nothing. */
  write(tx: Tx): void
}
/**
 * `unread`: a row of the intent is not remembered. `unsure`: the lane must decide on rows that it reads, as it does for
 * every refusal.
 */
export type Planned<Outcome> = { kind: 'decided'; outcome: Outcome } | { kind: 'unread' | 'unsure' }

type Deps = {
  db: Db
  hold: () => Promise<Held>
  now: () => Date
  batchMax: number
  /** Decides and writes a batch on rows that it reads, and answers its callers. */
  runBatch(batch: Waiting[]): Promise<void>
  /** The statement that stores the answers of keyed requests. It fails if one of the keys is taken over. */
  recordStatement(notes: unknown[]): RawBuilder<unknown>
}
type Going = { waiting: Waiting; outcome: unknown }

/** The next batch is sent behind the commit of the last one. Three were no faster than two. */
const IN_FLIGHT_MAX = 2

type State = {
  readonly ahead: Ahead<unknown, unknown>
  readonly deps: Deps
  readonly waiting: Waiting[]
  /** To be decided on rows that are read, once nothing is in flight. */
  readonly unsure: Waiting[]
  readonly wasRead: WeakSet<Waiting>
  held: Held | undefined
  /** A connection is being opened, or a batch runs on rows that are read: nothing is sent meanwhile. */
  isBusy: boolean
  inFlight: number
  /** The statements of the last batch are not all answered yet. */
  isWriting: boolean
  lastSent: number
}

/**
 * The queue of a lane that plans ahead. It sends a whole batch once every statement of the last one is answered; the
 * commit of that one may still wait for the disk. If a batch fails, the one in flight behind it fails too. Then everything
 * remembered is forgotten, and both are decided again on rows that are read.
 */
export function createAheadQueue(ahead: Ahead<unknown, unknown>, deps: Deps) {
  const state: State = {
    ahead,
    deps,
    waiting: [],
    unsure: [],
    wasRead: new WeakSet(),
    held: undefined,
    isBusy: false,
    inFlight: 0,
    isWriting: false,
    lastSent: 0,
  }
  return {
    get length(): number {
      return state.waiting.length + state.unsure.length
    },
    push(one: Waiting): void {
      state.waiting.push(one)
    },
    pump: () => pump(state),
  }
}

function pump(state: State): void {
  const { waiting, unsure, held, isBusy, inFlight, isWriting } = state
  if (isBusy) return
  if (unsure.length > 0) {
    if (inFlight === 0) void runUnsure(state)
    return
  }
  if (waiting.length === 0 || isWriting || inFlight >= IN_FLIGHT_MAX) return
  if (held?.isOpen) planNext(state, held)
  else if (inFlight === 0) void openHeld(state)
}

async function runUnsure(state: State): Promise<void> {
  state.isBusy = true
  const batch = state.unsure.splice(0, state.deps.batchMax)
  await state.deps.runBatch(batch)
  state.ahead.forget(intentsOf(batch))
  state.isBusy = false
  pump(state)
}

async function openHeld(state: State): Promise<void> {
  state.isBusy = true
  try {
    state.held = await state.deps.hold()
  } catch {
    // The ordinary way reports what is wrong with the database.
    state.unsure.push(...state.waiting.splice(0))
  }
  state.isBusy = false
  pump(state)
}

const intentsOf = (batch: readonly Waiting[]): unknown[] => batch.map(({ intent }) => intent)

function planNext(state: State, held: Held): void {
  const { ahead, deps, waiting, unsure, wasRead } = state
  const batch = waiting.splice(0, deps.batchMax)
  const going: Going[] = []
  const unread: Waiting[] = []
  let plan: Plan<unknown>
  try {
    plan = ahead.plan(deps.now(), intentsOf(batch))
  } catch {
    // The memory may hold half of this plan. The ordinary way finds the intent that cannot be decided.
    ahead.forget()
    unsure.push(...batch)
    pump(state)
    return
  }
  for (const [i, one] of batch.entries()) {
    const planned = plan.planned[i]
    if (planned?.kind === 'decided') going.push({ waiting: one, outcome: planned.outcome })
    else if (planned?.kind === 'unread' && !wasRead.has(one)) unread.push(one)
    else unsure.push(one)
  }
  if (unread.length > 0) void readFor(state, unread)
  if (going.length > 0) void fly(state, { held, going, plan })
  else pump(state)
}

async function readFor(state: State, unread: Waiting[]): Promise<void> {
  const { ahead, deps, wasRead, waiting } = state
  // If the read fails, the intents are decided the ordinary way.
  await ahead.read(deps.db, intentsOf(unread)).catch(() => undefined)
  for (const one of unread) wasRead.add(one)
  waiting.unshift(...unread)
  pump(state)
}

async function fly(
  state: State,
  { held, going, plan }: { held: Held; going: Going[]; plan: Plan<unknown> },
): Promise<void> {
  const { deps, ahead, unsure } = state
  const behind = state.inFlight > 0 ? state.lastSent : undefined
  const number = ++state.lastSent
  state.inFlight++
  state.isWriting = true
  let isSent = false
  const { answered, committed } = held.write((tx) => {
    send(tx, followStatement(number, behind))
    const notes = going.flatMap(({ waiting: { note }, outcome }) => note?.(outcome) ?? [])
    plan.write(tx)
    if (notes.length > 0) send(tx, deps.recordStatement(notes))
    reach('lanes.before_commit')
    isSent = true
  })
  void answered.then(() => {
    state.isWriting = false
    pump(state)
  })
  try {
    await committed
    reach('lanes.after_commit')
    // All in one turn: callers that hear together ask again together, and so share the next batch.
    for (const { waiting, outcome } of going) waiting.resolve(outcome)
  } catch (error) {
    ahead.forget()
    // A batch that was rolled back is decided again. A lost connection leaves open whether it was committed.
    if (!isSent || isRollback(error)) unsure.push(...going.map(({ waiting }) => waiting))
    else for (const { waiting } of going) waiting.reject(error)
  } finally {
    state.inFlight--
    pump(state)
  }
}

/**
 * Numbers the batch, and refuses it unless the one before it was committed: a setting that a transaction makes is undone
 * with it. So no batch rests on one that failed.
 */
const followStatement = (number: number, behind: number | undefined): RawBuilder<unknown> =>
  sql`select refuse_stale(${behind !== undefined}::boolean
    and current_setting('purser.batch', true) is distinct from ${String(behind)}::text),
    set_config('purser.batch', ${String(number)}::text, false)`

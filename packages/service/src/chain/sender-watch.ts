import { setTimeout as sleep } from 'node:timers/promises'
import { reach } from '../kernel/fault-points.ts'
import { Problem } from '../kernel/problem.ts'
import { carrySends } from './sender-batch.ts'
import { type Bell, createBell } from './sender-bell.ts'
import { offerGiven } from './sender-carry.ts'
import { type AnyEnding, type Ending, endNews } from './sender-ending.ts'
import { isOutOfGas } from './sender-gas.ts'
import { findNews, lookForReceipts } from './sender-receipts.ts'
import type { SenderDeps } from './sender-sign.ts'
import type { Started } from './sender-start.ts'
import { findSends, type SendState } from './sender-store.ts'

/** How a wait has ended: by the outcome of the ending that came with it, by a block, or in vain. */
export type Waited<Outcome> = { outcome: Outcome } | { send: SendState | undefined }

type Waiter = {
  ref: string
  started: Started | undefined
  ending: AnyEnding | undefined
  /** How often it was looked for. */
  looks: number
  end(waited: Waited<unknown>): void
  fail(error: unknown): void
  /** While its end is written down, it is not given up. */
  isHeld: boolean
  release(): void
  /** What the last look failed with: the caller is told if no later one goes well. */
  trouble: unknown
  /** Whether it was carried, or a turn has tried to. */
  isTried: boolean
}
/** Carries and looks for everybody who waits with the same database and chain. */
type Loop = {
  deps: SenderDeps
  waiters: Set<Waiter>
  /** Rung when there is something to carry, and to look for. */
  toCarry: Bell
  toLook: Bell
  gathering: NodeJS.Timeout | undefined
  offered: Set<string>
  /** How long it was waited since something was carried last. */
  waitedMs: number
  isOver: boolean
}

/**
 * Receipts are asked for as soon as something was carried, since some chains make a block at once; then whenever a
 * quarter more time has passed, at these least and most intervals.
 */
const LOOK_LEAST_MS = 3
const LOOK_MOST_MS = 150
/** So often what was started here is looked for by what this process knows, without the database. */
const KNOWN_LOOKS = 64
/** With no more waiting than these, a new one is carried at once; with more it waits so long for others, to share. */
const FEW = 4
const GATHER_MS = 4

/** Who waits for what. Held by the chain, so that a process polls once for all of its callers. */
export type SendWatch = { readonly loops: Set<Loop> }

export type Wait<Intent, Outcome> = {
  ref: string
  timeoutMs: number
  /** Of a send that was started a moment ago. */
  started?: Started | undefined
  ending?: Ending<Intent, Outcome> | undefined
}

/**
 * Sees that the send is carried and waits until a block holds it, at most `timeoutMs`. Who brings an ending is told its
 * outcome if that was written down with the block, and else of the send.
 */
export async function waitForSend<Intent, Outcome>(
  deps: SenderDeps,
  wait: Wait<Intent, Outcome>,
): Promise<Waited<Outcome>> {
  const { promise, resolve, reject } = Promise.withResolvers<Waited<unknown>>()
  const { ref, started, timeoutMs } = wait
  let isOut = false
  const waiter: Waiter = {
    ...{ ref, started, ending: wait.ending as AnyEnding | undefined, looks: 0 },
    ...{ end: resolve, fail: reject, trouble: undefined },
    ...{ isTried: started !== undefined, isHeld: false },
    release() {
      waiter.isHeld = false
      if (isOut) giveUp()
    },
  }
  const giveUp = () =>
    waiter.trouble === undefined ? resolve({ send: undefined }) : reject(waiter.trouble)
  const timer = setTimeout(() => {
    isOut = true
    if (!waiter.isHeld) giveUp()
  }, timeoutMs)
  const loop = join(deps, waiter)
  try {
    return (await promise) as Waited<Outcome>
  } finally {
    clearTimeout(timer)
    loop.waiters.delete(waiter)
  }
}

function join(deps: SenderDeps, waiter: Waiter): Loop {
  const loop = findLoop(deps) ?? openLoop(deps, waiter)
  loop.waiters.add(waiter)
  if (waiter.started) void offerStarted(loop, waiter.started)
  else if (loop.waiters.size <= FEW) loop.toCarry.ring()
  else
    loop.gathering ??= setTimeout(() => {
      loop.gathering = undefined
      loop.toCarry.ring()
    }, GATHER_MS)
  return loop
}

const findLoop = ({ db, chain }: SenderDeps): Loop | undefined =>
  [...chain.sends.loops].find(({ deps }) => deps.db === db && deps.chain.rpc === chain.rpc)

function openLoop(deps: SenderDeps, first: Waiter): Loop {
  const loop: Loop = {
    ...{ deps, waiters: new Set([first]), toCarry: createBell(), toLook: createBell() },
    ...{ gathering: undefined, offered: new Set(), waitedMs: 0, isOver: false },
  }
  deps.chain.sends.loops.add(loop)
  void carryNew(loop)
  void lookAgain(loop)
  return loop
}

/** Carries those who have come since, again and again while anybody waits. */
async function carryNew(loop: Loop): Promise<void> {
  // Those who come in the same moment share the first turn.
  await sleep(0)
  while (!loop.isOver) {
    const waiters = [...loop.waiters].filter(({ isTried }) => !isTried)
    if (waiters.length > 0) {
      await telling(waiters, async () => {
        const sends = await findSends(loop.deps.db.reader, refsOf(waiters))
        endMined(loop, waiters, sends)
        await carry(loop, waiters, sends)
      })
      for (const waiter of waiters) waiter.isTried = true
      lookSoon(loop)
    }
    await loop.toCarry.sleep(LONG_MS)
  }
}

/** Longer than any wait: whoever comes, and the end of the loop, ends it. */
const LONG_MS = 60_000

/** Broadcasts what was started a moment ago, once. */
async function offerStarted(loop: Loop, { send }: Started): Promise<void> {
  if (loop.offered.has(send.id)) return
  loop.offered.add(send.id)
  try {
    reach('chain.after_store')
    await offerGiven(loop.deps, send)
  } catch (error) {
    for (const waiter of loop.waiters) if (waiter.started?.send.id === send.id) waiter.fail(error)
  }
  lookSoon(loop)
}

function lookSoon(loop: Loop): void {
  loop.waitedMs = 0
  loop.toLook.ring()
}

/**
 * Asks for the receipts of those who were carried, and carries again what lost its way, while anybody waits; meanwhile
 * others are carried. Ends the loop after the last.
 */
async function lookAgain(loop: Loop): Promise<void> {
  while (loop.waiters.size > 0) {
    const ms = Math.min(Math.max(loop.waitedMs / 4, LOOK_LEAST_MS), LOOK_MOST_MS)
    loop.waitedMs += ms
    await loop.toLook.sleep(ms)
    const tried = [...loop.waiters].filter(({ isTried, isHeld }) => isTried && !isHeld)
    const [known, others] = split(tried, isKnown)
    await Promise.all([
      telling(known, () => lookForKnown(loop, known)),
      telling(others, () => look(loop, others)),
    ])
  }
  loop.isOver = true
  loop.deps.chain.sends.loops.delete(loop)
  clearTimeout(loop.gathering)
  loop.toCarry.ring()
}

const isKnown = ({ started, looks }: Waiter): boolean =>
  typeof started?.send.hash === 'string' && looks < KNOWN_LOOKS

/** What fails is told to those who wait if nothing goes well until then, never thrown. */
async function telling(waiters: Waiter[], act: () => Promise<void>): Promise<void> {
  if (waiters.length === 0) return
  try {
    await act()
    for (const waiter of waiters) waiter.trouble = undefined
  } catch (error) {
    for (const waiter of waiters) waiter.trouble = error
  }
}

/** Looks for blocks by what this process knows. What is found is written down while others are looked for. */
async function lookForKnown(loop: Loop, waiters: Waiter[]): Promise<void> {
  for (const waiter of waiters) waiter.looks++
  const started = new Set(waiters.flatMap((waiter) => waiter.started ?? []))
  for (const news of await findNews(loop.deps, [...started])) {
    const theirs = waiters.filter((waiter) => waiter.started === news.started)
    for (const waiter of theirs) waiter.isHeld = true
    void telling(theirs, () => endNews(loop.deps, { news, waiters: theirs })).finally(() => {
      for (const waiter of theirs) waiter.release()
    })
    loop.offered.delete(news.started.send.id)
  }
}

/** Ends the wait for what is in a block by now, and brings to the chain what lost its way there. */
async function look(loop: Loop, waiters: Waiter[]): Promise<void> {
  const sends = await readReceipts(loop.deps, refsOf(waiters))
  const isEnded = endMined(loop, waiters, sends)
  const left = waiters.filter(({ ref }) => !isEnded(ref))
  if (left.length > 0) await carry(loop, left, sends)
}

/** Brings to the chain what is not there. */
async function carry({ deps, offered }: Loop, waiters: Waiter[], sends: SendState[]) {
  const { isAll, failures } = await carrySends(deps, sends, offered)
  for (const waiter of waiters) if (failures.has(waiter.ref)) waiter.fail(failures.get(waiter.ref))
  if (!isAll && (await isOutOfGas(deps)))
    tellOutOfGas(waiters, await findSends(deps.db.reader, refsOf(waiters)))
}

const refsOf = (waiters: readonly Waiter[]): string[] => [...new Set(waiters.map(({ ref }) => ref))]

const split = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

/** Tells those who wait for a send that is mined; answers which sends are. */
function endMined(
  { offered }: Loop,
  waiters: readonly Waiter[],
  sends: readonly SendState[],
): (ref: string) => boolean {
  const mined = new Map(
    sends.filter(({ state }) => state === 'mined').map((send) => [send.ref, send]),
  )
  for (const { id, batchId } of mined.values()) offered.delete(batchId ?? id)
  for (const waiter of waiters) {
    const send = mined.get(waiter.ref)
    if (send) waiter.end({ send })
  }
  return (ref) => mined.has(ref)
}

/** The sends once the chain was asked for receipts of what has none. */
async function readReceipts(deps: SenderDeps, refs: string[]): Promise<SendState[]> {
  const sends = await findSends(deps.db.reader, refs)
  const found = await lookForReceipts(
    deps,
    sends.filter(({ state }) => state !== 'mined'),
  )
  return found.size > 0 ? findSends(deps.db.reader, refs) : sends
}

function tellOutOfGas(waiters: Waiter[], sends: SendState[]): void {
  const stuck = new Set(
    sends.filter(({ state, nonce }) => state === 'queued' && nonce === null).map(({ ref }) => ref),
  )
  const problem = new Problem(
    'chain_unavailable',
    'The chain did not answer. Try again in a moment.',
    {
      cause: new Error('every relayer is out of gas'),
    },
  )
  for (const waiter of waiters) if (stuck.has(waiter.ref)) waiter.fail(problem)
}

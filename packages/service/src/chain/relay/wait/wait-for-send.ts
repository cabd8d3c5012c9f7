import { setTimeout as sleep } from 'node:timers/promises'
import { reach } from '../../../base/kernel/fault-points.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Started } from '../batch/store.ts'
import { isOutOfGas } from '../gas/relayer-gas.ts'
import {
  type AnyEnding,
  createWakeUp,
  type Ending,
  type Loop,
  type Waited,
  type Waiter,
} from '../loop.ts'
import { findMinedBatches, lookForReceipts } from '../receipts.ts'
import type { Relay } from '../relay.ts'
import { findSends, type SendState } from '../store.ts'
import { submitAssigned } from '../submit/submit-send.ts'
import { submitSends } from '../submit/submit-sends.ts'
import { endWithBlock } from './end-with-block.ts'

/**
 * Receipts are asked for right after a submission, since some chains make a block at once; then each time a quarter
 * more time has passed, between these two intervals.
 */
const LOOK_LEAST_MS = 3
const LOOK_MOST_MS = 150
/** After so many looks by the hashes that this process knows, the database is asked too. */
const KNOWN_LOOKS = 64
/** Up to so many callers are submitted at once; with more, a new one waits this long for others to share with. */
const FEW = 4
const GATHER_MS = 4
/** Longer than any wait: a new caller, or the end of the loop, cuts it short. */
const LONG_MS = 60_000

export type Wait<Intent, Outcome> = {
  ref: string
  timeoutMs: number
  /** The transaction, if this process has just started it. */
  started?: Started | undefined
  ending?: Ending<Intent, Outcome> | undefined
}

/**
 * Submits the send and waits until a block holds it, at most `timeoutMs`. A caller with an ending gets its outcome if
 * that was stored with the block, and otherwise the send.
 */
export async function waitForSend<Intent, Outcome>(
  relay: Relay,
  wait: Wait<Intent, Outcome>,
): Promise<Waited<Outcome>> {
  const { promise, resolve, reject } = Promise.withResolvers<Waited<unknown>>()
  const { ref, started, timeoutMs } = wait
  let isOut = false
  const waiter: Waiter = {
    ref,
    started,
    ending: wait.ending as AnyEnding | undefined,
    looks: 0,
    end: resolve,
    fail: reject,
    trouble: undefined,
    isTried: started !== undefined,
    isHeld: false,
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
  }, timeoutMs * relay.patience)
  const loop = join(relay, waiter)
  try {
    return (await promise) as Waited<Outcome>
  } finally {
    clearTimeout(timer)
    loop.waiters.delete(waiter)
  }
}

function join(relay: Relay, waiter: Waiter): Loop {
  const loop = relay.waiting.loop ?? openLoop(relay, waiter)
  loop.waiters.add(waiter)
  if (waiter.started) void submitStarted(relay, loop, waiter.started)
  else if (loop.waiters.size <= FEW) loop.toSubmit.wake()
  else
    loop.gathering ??= setTimeout(() => {
      loop.gathering = undefined
      loop.toSubmit.wake()
    }, GATHER_MS)
  return loop
}

function openLoop(relay: Relay, first: Waiter): Loop {
  const loop: Loop = {
    waiters: new Set([first]),
    toSubmit: createWakeUp(),
    toLook: createWakeUp(),
    gathering: undefined,
    submitted: new Set(),
    waitedMs: 0,
    isOver: false,
  }
  relay.waiting.loop = loop
  void submitNew(relay, loop)
  void lookAgain(relay, loop)
  return loop
}

/** Submits for callers that joined since, again and again while anybody waits. */
async function submitNew(relay: Relay, loop: Loop): Promise<void> {
  // Callers of the same moment share the first round.
  await sleep(0)
  while (!loop.isOver) {
    const waiters = [...loop.waiters].filter(({ isTried }) => !isTried)
    if (waiters.length > 0) {
      await notingTrouble(waiters, async () => {
        const sends = await findSends(relay.db.reader, refsOf(waiters))
        endMined(loop, waiters, sends)
        await submit(relay, loop, { waiters, sends })
      })
      for (const waiter of waiters) waiter.isTried = true
      lookSoon(loop)
    }
    await loop.toSubmit.sleep(LONG_MS)
  }
}

/** Broadcasts, once, a transaction that this process has just started. */
async function submitStarted(relay: Relay, loop: Loop, { send }: Started): Promise<void> {
  if (loop.submitted.has(send.id)) return
  loop.submitted.add(send.id)
  try {
    reach('chain.after_store')
    await submitAssigned(relay, send)
  } catch (error) {
    for (const waiter of loop.waiters) if (waiter.started?.send.id === send.id) waiter.fail(error)
  }
  lookSoon(loop)
}

function lookSoon(loop: Loop): void {
  loop.waitedMs = 0
  loop.toLook.wake()
}

/** Asks for the receipts of what was submitted while anybody waits, and submits again what got lost. */
async function lookAgain(relay: Relay, loop: Loop): Promise<void> {
  while (loop.waiters.size > 0) {
    const ms = Math.min(Math.max(loop.waitedMs / 4, LOOK_LEAST_MS), LOOK_MOST_MS)
    loop.waitedMs += ms
    await loop.toLook.sleep(ms)
    const tried = [...loop.waiters].filter(({ isTried, isHeld }) => isTried && !isHeld)
    const [known, others] = split(tried, isKnown)
    await Promise.all([
      notingTrouble(known, () => lookForKnown(relay, loop, known)),
      notingTrouble(others, () => look(relay, loop, others)),
    ])
  }
  loop.isOver = true
  delete relay.waiting.loop
  clearTimeout(loop.gathering)
  loop.toSubmit.wake()
}

const isKnown = ({ started, looks }: Waiter): boolean =>
  typeof started?.send.hash === 'string' && looks < KNOWN_LOOKS

/** Never throws: the error becomes the waiters' trouble, and a later success clears it. */
async function notingTrouble(waiters: Waiter[], act: () => Promise<void>): Promise<void> {
  if (waiters.length === 0) return
  try {
    await act()
    for (const waiter of waiters) waiter.trouble = undefined
  } catch (error) {
    for (const waiter of waiters) waiter.trouble = error
  }
}

/** Looks for receipts by the hashes that this process knows. Found blocks are stored while the loop goes on looking. */
async function lookForKnown(relay: Relay, loop: Loop, waiters: Waiter[]): Promise<void> {
  for (const waiter of waiters) waiter.looks++
  const started = new Set(waiters.flatMap((waiter) => waiter.started ?? []))
  for (const mined of await findMinedBatches(relay, [...started])) {
    const theirs = waiters.filter((waiter) => waiter.started === mined.started)
    for (const waiter of theirs) waiter.isHeld = true
    const ending = notingTrouble(theirs, () => endWithBlock(relay, { mined, waiters: theirs }))
    void ending.finally(() => {
      for (const waiter of theirs) waiter.release()
    })
    loop.submitted.delete(mined.started.send.id)
  }
}

/** Ends the waits for sends that a block holds by now, and submits the others again if they got lost. */
async function look(relay: Relay, loop: Loop, waiters: Waiter[]): Promise<void> {
  const sends = await readReceipts(relay, refsOf(waiters))
  const isEnded = endMined(loop, waiters, sends)
  const left = waiters.filter(({ ref }) => !isEnded(ref))
  if (left.length > 0) await submit(relay, loop, { waiters: left, sends })
}

async function submit(
  relay: Relay,
  { submitted }: Loop,
  { waiters, sends }: { waiters: Waiter[]; sends: SendState[] },
): Promise<void> {
  const { isAll, failures } = await submitSends(relay, sends, submitted)
  for (const waiter of waiters) if (failures.has(waiter.ref)) waiter.fail(failures.get(waiter.ref))
  if (!isAll && (await isOutOfGas(relay)))
    failWithoutGas(waiters, await findSends(relay.db.reader, refsOf(waiters)))
}

const refsOf = (waiters: readonly Waiter[]): string[] => [...new Set(waiters.map(({ ref }) => ref))]

const split = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

/** Ends the waits for mined sends. Returns which refs those are. */
function endMined(
  { submitted }: Loop,
  waiters: readonly Waiter[],
  sends: readonly SendState[],
): (ref: string) => boolean {
  const mined = new Map(
    sends.filter(({ state }) => state === 'mined').map((send) => [send.ref, send]),
  )
  for (const { id, batchId } of mined.values()) submitted.delete(batchId ?? id)
  for (const waiter of waiters) {
    const send = mined.get(waiter.ref)
    if (send) waiter.end({ send })
  }
  return (ref) => mined.has(ref)
}

/** The sends, after the chain was asked for receipts of the unmined ones. */
async function readReceipts(relay: Relay, refs: string[]): Promise<SendState[]> {
  const sends = await findSends(relay.db.reader, refs)
  const found = await lookForReceipts(
    relay,
    sends.filter(({ state }) => state !== 'mined'),
  )
  return found.size > 0 ? findSends(relay.db.reader, refs) : sends
}

function failWithoutGas(waiters: Waiter[], sends: SendState[]): void {
  const stuck = new Set(
    sends.filter(({ state, nonce }) => state === 'queued' && nonce === null).map(({ ref }) => ref),
  )
  const problem = new Problem(
    'chain_unavailable',
    'The chain did not answer. Try again in a moment.',
    { cause: new Error('every relayer is out of gas') },
  )
  for (const waiter of waiters) if (stuck.has(waiter.ref)) waiter.fail(problem)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../kernel/problem.ts'
import { carrySends } from './sender-batch.ts'
import { isOutOfGas } from './sender-gas.ts'
import { lookForReceipts } from './sender-receipts.ts'
import type { SenderDeps } from './sender-sign.ts'
import { findSends, type SendState } from './sender-store.ts'

type Waiter = {
  ref: string
  end(outcome: SendState | undefined): void
  fail(error: unknown): void
  /** What the last look failed with: the caller is told if no later one goes well. */
  trouble: unknown
  /** Whether a turn has tried to carry it. */
  isTried: boolean
}
/** One loop that carries and looks for everybody who waits with the same database and chain. */
type Loop = {
  deps: SenderDeps
  waiters: Set<Waiter>
  wake: AbortController
  offered: Set<string>
  /** Whether it is time to ask for receipts, and how often that was in vain since something was carried. */
  isDue: boolean
  looks: number
  timers: { gather?: NodeJS.Timeout | undefined; look?: NodeJS.Timeout | undefined }
}

/** Receipts are asked for soon after something was carried, then more rarely: some chains make a block at once. */
const LOOK_FIRST_MS = 5
const LOOK_LAST_MS = 150
/** With no more waiting than these, a new one is carried at once; with more it waits so long for others, to share. */
const FEW = 4
const GATHER_MS = 4

/** Who waits for what. Held by the chain, so that a process polls once for all of its callers. */
export type SendWatch = { readonly loops: Set<Loop> }

/** Sees that the send is carried and waits until a block holds it, at most `timeoutMs`; undefined if none did by then. */
export async function waitForSend(
  deps: SenderDeps,
  wait: { ref: string; timeoutMs: number },
): Promise<SendState | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<SendState | undefined>()
  const waiter: Waiter = {
    ...{ ref: wait.ref, end: resolve, fail: reject },
    ...{ trouble: undefined, isTried: false },
  }
  const loop = join(deps, waiter)
  const timeout = setTimeout(
    () => (waiter.trouble === undefined ? resolve(undefined) : reject(waiter.trouble)),
    wait.timeoutMs,
  )
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    loop.waiters.delete(waiter)
  }
}

function join(deps: SenderDeps, waiter: Waiter): Loop {
  const { loops } = deps.chain.sends
  for (const loop of loops)
    if (loop.deps.db === deps.db && loop.deps.chain.rpc === deps.chain.rpc) {
      loop.waiters.add(waiter)
      if (loop.waiters.size <= FEW) loop.wake.abort()
      else
        loop.timers.gather ??= setTimeout(() => {
          loop.timers.gather = undefined
          loop.wake.abort()
        }, GATHER_MS)
      return loop
    }
  const loop: Loop = {
    ...{ deps, waiters: new Set([waiter]), wake: new AbortController(), offered: new Set() },
    ...{ isDue: true, looks: 0, timers: {} },
  }
  loops.add(loop)
  void run(loop).finally(() => loops.delete(loop))
  return loop
}

/** Carries and looks again and again while anybody waits. What fails is told to those who wait, never thrown. */
async function run(loop: Loop): Promise<void> {
  // Those who come in the same moment share the first turn.
  await sleep(0)
  while (loop.waiters.size > 0) {
    loop.wake = new AbortController()
    const { isDue } = loop
    loop.isDue = false
    // Between looks only what is new is carried.
    const waiters = [...loop.waiters].filter((waiter) => isDue || !waiter.isTried)
    try {
      if (waiters.length > 0) await turn(loop, waiters, isDue)
      for (const waiter of waiters) waiter.trouble = undefined
    } catch (error) {
      for (const waiter of waiters) waiter.trouble = error
    }
    loop.timers.look ??= setTimeout(
      () => {
        loop.timers.look = undefined
        loop.isDue = true
        loop.wake.abort()
      },
      Math.min(LOOK_FIRST_MS * 2 ** loop.looks++, LOOK_LAST_MS),
    )
    await sleep(LONG_MS, undefined, { signal: loop.wake.signal }).catch(() => undefined)
  }
  clearTimeout(loop.timers.look)
  clearTimeout(loop.timers.gather)
}

/** Longer than any wait: a timer of the loop ends it. */
const LONG_MS = 60_000

async function turn(loop: Loop, waiters: Waiter[], isDue: boolean): Promise<void> {
  const { deps, offered } = loop
  const refs = [...new Set(waiters.map(({ ref }) => ref))]
  const before = await findSends(deps.db.reader, refs)
  const { isAll, failures } = await carrySends(deps, before, offered)
  if (waiters.some(({ isTried }) => !isTried)) loop.looks = 0
  for (const waiter of waiters) waiter.isTried = true
  for (const waiter of waiters) if (failures.has(waiter.ref)) waiter.fail(failures.get(waiter.ref))
  const now = isDue ? await look(deps, refs) : before
  const ended = new Map(
    now.filter(({ state }) => state === 'mined').map((send) => [send.ref, send]),
  )
  for (const waiter of waiters) {
    const send = ended.get(waiter.ref)
    if (send) waiter.end(send)
  }
  if (!isAll && (await isOutOfGas(deps))) tellOutOfGas(waiters, now)
}

/** Asks the chain for receipts of what has none; answers the sends as they are then. */
async function look(deps: SenderDeps, refs: string[]): Promise<SendState[]> {
  const now = await findSends(deps.db.reader, refs)
  const found = await lookForReceipts(
    deps,
    now.filter(({ state }) => state !== 'mined'),
  )
  return found.size > 0 ? findSends(deps.db.reader, refs) : now
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

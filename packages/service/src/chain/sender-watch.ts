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
  /** Ends the rest of those who carry. */
  wake: AbortController
  gathering: NodeJS.Timeout | undefined
  offered: Set<string>
  /** How often receipts were asked for in vain since something was carried. */
  looks: number
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
        loop.gathering ??= setTimeout(() => {
          loop.gathering = undefined
          loop.wake.abort()
        }, GATHER_MS)
      return loop
    }
  const loop: Loop = {
    ...{ deps, waiters: new Set([waiter]), wake: new AbortController(), gathering: undefined },
    ...{ offered: new Set(), looks: 0 },
  }
  loops.add(loop)
  void carryNew(loop)
  void lookAgain(loop)
  return loop
}

/** Carries those who have come since, again and again while anybody waits. */
async function carryNew(loop: Loop): Promise<void> {
  // Those who come in the same moment share the first turn.
  await sleep(0)
  while (loop.waiters.size > 0) {
    loop.wake = new AbortController()
    const waiters = [...loop.waiters].filter(({ isTried }) => !isTried)
    if (waiters.length > 0) {
      await telling(waiters, async () => {
        const sends = await findSends(loop.deps.db.reader, refsOf(waiters))
        endMined(waiters, sends)
        await carry(loop.deps, { waiters, sends, offered: loop.offered })
      })
      for (const waiter of waiters) waiter.isTried = true
      loop.looks = 0
    }
    await sleep(LONG_MS, undefined, { signal: loop.wake.signal }).catch(() => undefined)
  }
}

/** Longer than any wait: whoever comes, and the end of the loop, ends it. */
const LONG_MS = 60_000

/**
 * Asks for the receipts of those who were carried, and carries again what lost its way, while anybody waits; meanwhile
 * others are carried. Ends the loop after the last.
 */
async function lookAgain(loop: Loop): Promise<void> {
  while (loop.waiters.size > 0) {
    await sleep(Math.min(LOOK_FIRST_MS * 2 ** loop.looks++, LOOK_LAST_MS))
    const waiters = [...loop.waiters].filter(({ isTried }) => isTried)
    if (waiters.length > 0) await telling(waiters, () => look(loop, waiters))
  }
  loop.deps.chain.sends.loops.delete(loop)
  clearTimeout(loop.gathering)
  loop.wake.abort()
}

/** What fails is told to those who wait if nothing goes well until then, never thrown. */
async function telling(waiters: Waiter[], act: () => Promise<void>): Promise<void> {
  try {
    await act()
    for (const waiter of waiters) waiter.trouble = undefined
  } catch (error) {
    for (const waiter of waiters) waiter.trouble = error
  }
}

/** Ends the wait for what is in a block by now, and brings to the chain what lost its way there. */
async function look({ deps, offered }: Loop, waiters: Waiter[]): Promise<void> {
  const sends = await readReceipts(deps, refsOf(waiters))
  const isEnded = endMined(waiters, sends)
  const left = waiters.filter(({ ref }) => !isEnded(ref))
  if (left.length > 0) await carry(deps, { waiters: left, sends, offered })
}

type Carry = { waiters: Waiter[]; sends: SendState[]; offered: Set<string> }

/** Brings to the chain what is not there. */
async function carry(deps: SenderDeps, { waiters, sends, offered }: Carry): Promise<void> {
  const { isAll, failures } = await carrySends(deps, sends, offered)
  for (const waiter of waiters) if (failures.has(waiter.ref)) waiter.fail(failures.get(waiter.ref))
  if (!isAll && (await isOutOfGas(deps)))
    tellOutOfGas(waiters, await findSends(deps.db.reader, refsOf(waiters)))
}

const refsOf = (waiters: readonly Waiter[]): string[] => [...new Set(waiters.map(({ ref }) => ref))]

/** Tells those who wait for a send that is mined; answers which sends are. */
function endMined(
  waiters: readonly Waiter[],
  sends: readonly SendState[],
): (ref: string) => boolean {
  const mined = new Map(
    sends.filter(({ state }) => state === 'mined').map((send) => [send.ref, send]),
  )
  for (const waiter of waiters) {
    const send = mined.get(waiter.ref)
    if (send) waiter.end(send)
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

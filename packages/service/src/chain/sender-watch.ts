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
}
/** One loop that carries and looks for everybody who waits with the same database and chain. */
type Loop = { deps: SenderDeps; waiters: Set<Waiter>; wake: AbortController; offered: Set<string> }

const POLL_MS = 150
/** With no more waiting than these, a new one is carried at once; with more it waits for the next turn, to share. */
const FEW = 4

/** Who waits for what. Held by the chain, so that a process polls once for all of its callers. */
export type SendWatch = { readonly loops: Set<Loop> }

/** Sees that the send is carried and waits until a block holds it, at most `timeoutMs`; undefined if none did by then. */
export async function waitForSend(
  deps: SenderDeps,
  wait: { ref: string; timeoutMs: number },
): Promise<SendState | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<SendState | undefined>()
  const waiter: Waiter = { ref: wait.ref, end: resolve, fail: reject, trouble: undefined }
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
      return loop
    }
  const loop: Loop = {
    deps,
    waiters: new Set([waiter]),
    wake: new AbortController(),
    offered: new Set(),
  }
  loops.add(loop)
  void turn(loop, loops)
  return loop
}

/** Looks again and again while anybody waits. A look that fails is told to those who wait, never thrown. */
async function turn(loop: Loop, loops: Set<Loop>): Promise<void> {
  // Those who come in the same moment share the first turn.
  await sleep(0)
  while (loop.waiters.size > 0) {
    loop.wake = new AbortController()
    const waiters = [...loop.waiters]
    try {
      await look(loop, waiters)
      for (const waiter of waiters) waiter.trouble = undefined
    } catch (error) {
      for (const waiter of waiters) waiter.trouble = error
    }
    // Woken early, or the time is over.
    await sleep(POLL_MS, undefined, { signal: loop.wake.signal }).catch(() => undefined)
  }
  loops.delete(loop)
}

async function look({ deps, offered }: Loop, waiters: Waiter[]): Promise<void> {
  const refs = [...new Set(waiters.map(({ ref }) => ref))]
  const before = await findSends(deps.db.reader, refs)
  const { isAll, failures } = await carrySends(deps, before, offered)
  for (const waiter of waiters) if (failures.has(waiter.ref)) waiter.fail(failures.get(waiter.ref))
  const now = await findSends(deps.db.reader, refs)
  const found = await lookForReceipts(
    deps,
    now.filter(({ state }) => state !== 'mined'),
  )
  const after = found.size > 0 ? await findSends(deps.db.reader, refs) : now
  const ended = new Map(
    after.filter(({ state }) => state === 'mined').map((send) => [send.ref, send]),
  )
  for (const waiter of waiters) {
    const send = ended.get(waiter.ref)
    if (send) waiter.end(send)
  }
  if (!isAll && (await isOutOfGas(deps))) tellOutOfGas(waiters, after)
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

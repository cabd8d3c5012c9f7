import { setTimeout as sleep } from 'node:timers/promises'
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
/** One loop that looks for everybody who waits with the same database and chain. */
type Loop = { deps: SenderDeps; waiters: Set<Waiter>; carry: Carry }
/** Brings a send that has no nonce yet, or no signature, to the chain. False if no relayer is free. */
type Carry = (deps: SenderDeps, ref: string) => Promise<boolean>

const POLL_MS = 150

/** Who waits for what. Held by the chain, so that a process polls once for all of its callers. */
export type SendWatch = { readonly loops: Set<Loop> }

/** Waits until a block holds the send, at most `timeoutMs`; undefined if none did by then. */
export async function waitForSend(
  deps: SenderDeps,
  wait: { ref: string; timeoutMs: number; carry: Carry },
): Promise<SendState | undefined> {
  const loop = loopFor(deps, wait.carry)
  const { promise, resolve, reject } = Promise.withResolvers<SendState | undefined>()
  const waiter: Waiter = { ref: wait.ref, end: resolve, fail: reject, trouble: undefined }
  loop.waiters.add(waiter)
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

function loopFor(deps: SenderDeps, carry: Carry): Loop {
  const { loops } = deps.chain.sends
  for (const loop of loops)
    if (loop.deps.db === deps.db && loop.deps.chain.rpc === deps.chain.rpc) return loop
  const loop: Loop = { deps, waiters: new Set(), carry }
  loops.add(loop)
  void turn(loop, loops)
  return loop
}

/** Looks again and again while anybody waits. A look that fails is told to those who wait, never thrown. */
async function turn(loop: Loop, loops: Set<Loop>): Promise<void> {
  // The first waiter is added in the same tick that starts the loop.
  await sleep(0)
  while (loop.waiters.size > 0) {
    const waiters = [...loop.waiters]
    try {
      await look(loop, waiters)
      for (const waiter of waiters) waiter.trouble = undefined
    } catch (error) {
      for (const waiter of waiters) waiter.trouble = error
    }
    await sleep(POLL_MS)
  }
  loops.delete(loop)
}

async function look({ deps, carry }: Loop, waiters: Waiter[]): Promise<void> {
  const read = () => findSends(deps.db.reader, [...new Set(waiters.map(({ ref }) => ref))])
  const before = await read()
  const found = await lookForReceipts(
    deps,
    before.filter(({ state }) => state !== 'mined'),
  )
  for (const send of found.size > 0 ? await read() : before) {
    if (send.state === 'mined')
      for (const waiter of waiters) if (waiter.ref === send.ref) waiter.end(send)
  }
  // What had to wait for a place at a relayer. One after the other: they want the same few rows.
  for (const send of before)
    if (send.state === 'queued' && !found.has(send.id) && !(await carry(deps, send.ref))) return
}

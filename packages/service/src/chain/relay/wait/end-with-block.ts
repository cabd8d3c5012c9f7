import { isRollback, type Tx } from '../../../base/db/sql.ts'
import type { Waiter } from '../loop.ts'
import { type MinedBatch, storeMinedBatch } from '../receipts.ts'
import type { Relay } from '../relay.ts'
import { type Ended, findSends } from '../store.ts'

type Outcomes = Map<Waiter, unknown>

/** Stores the block of a mined batch together with the endings of its waiters, and ends their waits. */
export async function endWithBlock(
  relay: Relay,
  { mined, waiters }: { mined: MinedBatch; waiters: readonly Waiter[] },
): Promise<void> {
  const { ended, outcomes } = await store(relay, mined, waiters)
  const isEnded = new Set(ended.map(({ ref }) => ref))
  const others = waiters.filter((waiter) => isEnded.has(waiter.ref) && !outcomes.has(waiter))
  for (const [waiter, outcome] of outcomes) waiter.end({ outcome })
  if (others.length === 0) return
  const sends = await findSends(
    relay.db.reader,
    others.map(({ ref }) => ref),
  )
  for (const waiter of others) waiter.end({ send: sends.find(({ ref }) => ref === waiter.ref) })
}

async function store(
  relay: Relay,
  mined: MinedBatch,
  waiters: readonly Waiter[],
): Promise<{ ended: readonly Ended[]; outcomes: Outcomes }> {
  try {
    return await storeMinedBatch(relay, mined, (tx, ended) => runAll(tx, ended, waiters))
  } catch (error) {
    if (!isRollback(error)) throw error
    // One ending that is refused must not hold up the others: the block is stored alone, and each caller ends by itself.
    relay.log?.warn({ err: error }, 'the endings of a transaction are written one by one')
    return storeMinedBatch(relay, mined, async () => new Map())
  }
}

async function runAll(
  tx: Tx,
  ended: readonly Ended[],
  waiters: readonly Waiter[],
): Promise<Outcomes> {
  const byRef = new Map(ended.map((one) => [one.ref, one]))
  const endings = waiters.flatMap((waiter) => {
    const own = byRef.get(waiter.ref)
    return own && waiter.ending ? [{ waiter, own, ending: waiter.ending }] : []
  })
  const outcomes: Outcomes = new Map()
  for (const [run, group] of Map.groupBy(endings, ({ ending }) => ending.run)) {
    const results = await run(
      tx,
      group.map(({ own, ending }) => ({ ...own, intent: ending.intent })),
    )
    group.forEach(({ waiter }, i) => {
      outcomes.set(waiter, results[i])
    })
  }
  return outcomes
}

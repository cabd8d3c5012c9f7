import { isRollback, type Tx } from '../db/sql.ts'
import { type Ended, type News, writeNews } from './sender-receipts.ts'
import type { SenderDeps } from './sender-sign.ts'
import { findSends, type SendState } from './sender-store.ts'

/**
 * What its owner writes down in the very transaction that writes a send's block down: a commit less. All who wait with
 * the same `run` are written together; it answers one outcome each, in order.
 */
export type Ending<Intent, Outcome> = {
  intent: Intent
  run(tx: Tx, ended: readonly (Ended & { intent: Intent })[]): Promise<Outcome[]>
}
export type AnyEnding = Ending<unknown, unknown>

/** Whoever waits for a send, as far as its end goes. */
type Waiter = {
  ref: string
  ending: AnyEnding | undefined
  end(waited: { outcome: unknown } | { send: SendState | undefined }): void
}
type Outcomes = Map<Waiter, unknown>

/** Writes the block of a transaction down, and with it what those who wait have brought; then tells them. */
export async function endNews(
  deps: SenderDeps,
  { news, waiters }: { news: News; waiters: readonly Waiter[] },
): Promise<void> {
  const { ended, outcomes } = await write(deps, news, waiters)
  const isEnded = new Set(ended.map(({ ref }) => ref))
  const others = waiters.filter((waiter) => isEnded.has(waiter.ref) && !outcomes.has(waiter))
  for (const [waiter, outcome] of outcomes) waiter.end({ outcome })
  if (others.length === 0) return
  const sends = await findSends(
    deps.db.reader,
    others.map(({ ref }) => ref),
  )
  for (const waiter of others) waiter.end({ send: sends.find(({ ref }) => ref === waiter.ref) })
}

async function write(
  deps: SenderDeps,
  news: News,
  waiters: readonly Waiter[],
): Promise<{ ended: readonly Ended[]; outcomes: Outcomes }> {
  try {
    return await writeNews(deps, news, (tx, ended) => runAll(tx, ended, waiters))
  } catch (error) {
    if (!isRollback(error)) throw error
    // One whose ending is refused keeps no other from being told: each ends by itself then.
    deps.log?.warn({ err: error }, 'the endings of a transaction are written one by one')
    return writeNews(deps, news, async () => new Map())
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

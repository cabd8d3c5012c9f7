import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { findCursor } from '../../links/watcher/store.ts'
import { type ChainPlace, type FollowedBatch, readBatchesAfter } from '../../money/ledger/follow.ts'
import { countExceptions } from './store.ts'
import { countPage, type Page } from './store-count.ts'
import {
  type Fact,
  lockProgress,
  type Progress,
  readPlaces,
  savePlaces,
  saveProgress,
  takeFacts,
} from './store-progress.ts'

/** One transaction: so many payments are counted in a second or two. */
const PAGE = { batches: 500, transfers: 20_000 }
const FACTS = 500
/** Without payments, the time and block of the progress are written only so often. */
const IDLE_MS = 10_000

/**
 * Counts the next payments, refunds and exceptions, once: rows and cursor move in one transaction, and one process at a
 * time does it. Returns whether more may wait.
 */
export async function followOnce({ db, chain }: Uses<'db' | 'chain'>, at: Date): Promise<boolean> {
  const found = await db.write((tx) => countNext(tx, defaultAsset(chain), at))
  if (found.batches + found.facts > 0) reach('stats.after_commit')
  return found.hasMore
}

const NOTHING = { batches: 0, facts: 0, hasMore: false }

async function countNext(tx: Tx, asset: Asset, at: Date): Promise<typeof NOTHING> {
  const progress = await lockProgress(tx)
  if (!progress) return NOTHING
  const watched = await findCursor(tx, asset.network)
  const facts = await takeFacts(tx, FACTS)
  const { batches, hasMore } = await readBatchesAfter(tx, await readPlaces(tx), PAGE)
  const found = {
    batches: batches.length,
    facts: facts.length,
    hasMore: hasMore || facts.length === FACTS,
  }
  const isAny = found.batches + found.facts > 0
  if (!isAny && !isOld(progress, at)) return NOTHING
  if (isAny) await count(tx, asset, { batches, facts })
  await saveProgress(tx, at, { ...found, block: watched?.block ?? null })
  if (isAny) reach('stats.before_commit')
  return found
}

const isOld = ({ at: before }: Progress, at: Date): boolean =>
  before === null || at.getTime() - before.getTime() >= IDLE_MS

type Found = { batches: readonly FollowedBatch[]; facts: readonly Fact[] }

async function count(tx: Tx, asset: Asset, { batches, facts }: Found): Promise<void> {
  reach('stats.taken')
  await countPage(tx, pageOf({ batches, facts }), asset)
  reach('stats.counted')
  await countExceptions(tx, refsOf(facts, 'exception'))
  await savePlaces(tx, lastOf(batches))
}

/** A DIRECT payment that settled and went missing since the last page was never counted. */
function pageOf({ batches, facts }: Found): Page {
  const direct = refsOf(facts, 'direct')
  const missing = refsOf(facts, 'direct_missing')
  return {
    batches: batches.map(({ id }) => id),
    direct: direct.filter((ref) => !missing.includes(ref)),
    missing: missing.filter((ref) => !direct.includes(ref)),
  }
}

const refsOf = (facts: readonly Fact[], kind: Fact['kind']): string[] =>
  facts.filter((fact) => fact.kind === kind).map(({ ref }) => ref)

/** The last batch of each chain; batches come in the order of their chains. */
const lastOf = (batches: readonly FollowedBatch[]): ChainPlace[] => [
  ...new Map(batches.map(({ chain, seq }) => [chain, { chain, seq }])).values(),
]

import type { Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { throughBestNode } from '../../chain/client/best-node.ts'
import { railOf, symbolsOf } from '../../chain/client/rails.ts'
import { type Heads, readHeads, readTransfersTo } from '../../chain/client/watch.ts'
import { findWatchedLinks, type WatchedLink } from '../link/store-addresses.ts'
import { handOn } from './hand-on.ts'
import { planOf, type View } from './plan.ts'
import {
  type Cursor,
  findCursor,
  findKnown,
  findLowestWaiting,
  moveCursor,
  saveTransfers,
  startCursor,
} from './store.ts'

/** The most blocks in one question. */
const RANGE_BLOCKS = 2_000n
/**
 * The number of finished blocks that are read again, for logs that a node omitted or that changed although they should
 * not.
 */
const AGAIN_BLOCKS = 64n
/** On a public chain, a new database begins this far before the head. */
const MARGIN_BLOCKS = 1_000n
/** The most ranges of new blocks in one pass, so that a job that catches up lets other jobs run in between. */
const RANGES_MAX = 20
const LOG_EVERY_RANGES = 5
/** The address of an ended link is watched for this long, since payers may not know that the link has ended. */
export const WATCHED_HOURS = 30 * 24

type Watched = { addresses: Address[]; links: Map<string, WatchedLink> }

/**
 * Reads the chain from the cursor to its head, and passes on the safe transfers. Returns whether safe blocks are left
 * to read. Any number of passes may run at once: a pass writes only if no other has written since it read.
 */
export async function watchOnce(
  given: Uses<'chain' | 'db' | 'log' | 'settings'>,
  at: Date,
): Promise<{ isBehind: boolean }> {
  const services = { ...given, chain: await throughBestNode(given.chain) }
  const { chain, db } = services
  // Heads first: a link that was paid before this head had its address shown before we list the addresses.
  const heads = await readHeads(chain)
  const found = await findCursor(db.reader, chain.network)
  if (!found) {
    const back = heads.latest > MARGIN_BLOCKS ? heads.latest - MARGIN_BLOCKS : 0n
    const first = services.settings.embeddedRpcUrl === null ? back : 0n
    await db.write((tx) => startCursor(tx, chain.network, first))
  }
  const cursor = found ?? (await findCursor(db.reader, chain.network))
  if (!cursor) throw new Error(`the watcher's cursor on ${chain.network} vanished`)
  const links = await findWatchedLinks(db.reader, chain.network, addHours(at, -WATCHED_HOURS))
  const watched = {
    addresses: [chain.treasury.address, ...links.map((link) => link.depositAddress)],
    links: new Map(links.map((link) => [link.depositAddress as string, link])),
  }
  return readOn(services, at, { cursor, heads, watched })
}

async function readOn(
  services: Uses<'chain' | 'db' | 'log'>,
  at: Date,
  { cursor, heads, watched }: { cursor: Cursor; heads: Heads; watched: Watched },
): Promise<{ isBehind: boolean }> {
  // Blocks that are not safe yet are only displayed, so at most one range of them is read.
  let end = least(heads.latest, greatest(heads.safe, cursor.block) + RANGE_BLOCKS)
  const again = greatest(cursor.block + 1n - AGAIN_BLOCKS, cursor.firstBlock)
  // A transfer that waits for more than a safe block is read again until it is deep enough.
  const { addresses } = watched
  const waiting = { addresses, block: cursor.block }
  const lowest = await findLowestWaiting(services.db.reader, services.chain.network, waiting)
  let from = least(again, lowest ?? again)
  let size = RANGE_BLOCKS
  let { version } = cursor
  for (let ranges = 0; from <= end && ranges < RANGES_MAX; version++) {
    const range = { from, to: least(from + size - 1n, end) }
    const { serviceToken } = services.chain
    const beside = serviceToken ? [serviceToken] : []
    const read = await readTransfersTo(services.chain, { addresses, beside }, range)
    const { to, transfers } = read
    const view: View = { ...viewOf(services, heads), from, to, transfers }
    if (!(await write(services, at, { view, watched, version }))) return { isBehind: false }
    if (to > cursor.block) ranges++
    if (ranges % LOG_EVERY_RANGES === LOG_EVERY_RANGES - 1 && to < heads.safe)
      logProgress(services, { from: cursor.behindFrom ?? cursor.block, to, safe: heads.safe })
    end = least(end, read.head)
    // A range that a node refused once in this pass is not requested again.
    if (to < least(range.to, end)) size = to - from + 1n
    from = to + 1n
  }
  return { isBehind: from <= least(heads.safe, end) }
}

const viewOf = ({ chain }: Uses<'chain'>, heads: Heads) => ({
  network: chain.network,
  levelsOf: (asset: string) => railOf(chain, asset).creditLevels,
  ...heads,
})

/** Stores the transfers of a range, passes on those that are safe and moves the cursor, all or nothing. */
async function write(
  services: Uses<'chain' | 'db' | 'log'>,
  at: Date,
  { view, watched, version }: { view: View; watched: Watched; version: bigint },
): Promise<boolean> {
  const { chain, db, log } = services
  const alarms = await db.write(async (tx) => {
    const block = least(view.to, view.safe)
    if (!(await moveCursor(tx, chain.network, { ...view, version, block }))) return undefined
    const txHashes = [...new Set(view.transfers.map((transfer) => transfer.txHash))]
    const { from, to } = view
    const assets = symbolsOf(chain)
    const asked = { assets, txHashes, addresses: watched.addresses, from, to }
    const plan = planOf(view, await findKnown(tx, chain.network, asked))
    const done = await handOn(tx, at, { chain, links: watched.links, ready: plan.ready })
    await saveTransfers(tx, at, [...plan.rows, ...plan.alarms, ...done])
    if (done.length > 0) reach('watcher.before_commit')
    return [...plan.alarms, ...done.filter((row) => row.state === 'alarm')]
  })
  if (view.transfers.length > 0) reach('watcher.after_commit')
  for (const { txHash, logIndex, blockNumber, blockHash } of alarms ?? [])
    log.error(
      { txHash, logIndex, blockNumber: String(blockNumber), blockHash },
      'a transfer that was credited is not where it was on the chain: compare both, and the books with verify',
    )
  return alarms !== undefined
}

function logProgress(
  { log }: Uses<'log'>,
  { from, to, safe }: { from: bigint; to: bigint; safe: bigint },
): void {
  const percent = Number((100n * (to - from)) / greatest(safe - from, 1n))
  log.info({ from: String(from), to: String(to), percent }, 'the watcher is catching up')
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

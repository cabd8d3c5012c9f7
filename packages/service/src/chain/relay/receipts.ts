import type { TransactionReceipt } from 'viem'
import type { Tx } from '../../base/db/sql.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { askChain, type Chain } from '../client/chain.ts'
import { findReceipt } from '../client/reads.ts'
import { findLanded, itemsOf, readAuthorized } from './batch/items.ts'
import {
  type BatchItem,
  findSendsById,
  type ItemEnd,
  isBatch,
  type Started,
  storeItemEnds,
  storeItemsSafe,
  storeItemsUnmined,
} from './batch/store.ts'
import { readItemEnd, readItemEnds, readMinedLogs } from './item-ends.ts'
import type { Relay } from './relay.ts'
import {
  type Ended,
  findAttempts,
  type Mined,
  type SendState,
  storeMined,
  storeSafe,
  storeUnmined,
} from './store.ts'

/**
 * Looks for every attempt of the sends in one request to the RPC, and stores what changed; for a batch item, what the
 * logs of its batch show. Given `safe`, the newest safe block, it also marks a send whose block is gone as unmined, and
 * one in a safe block as safe. Returns the receipt that counts for each send that has one, by the send's id.
 */
export async function lookForReceipts(
  relay: Relay,
  asked: readonly SendState[],
  safe?: bigint,
): Promise<Map<string, TransactionReceipt>> {
  const { chain, db } = relay
  const sends = await withBatches(relay, asked)
  const attempts = await findAttempts(
    db.reader,
    sends.map(({ id }) => id),
  )
  if (attempts.length === 0) return new Map()
  const receipts = await askChain(() =>
    Promise.all(attempts.map(({ hash }) => findReceipt(chain, hash))),
  )
  const found = new Map<string, TransactionReceipt>()
  attempts.forEach(({ sendId }, i) => {
    const receipt = receipts[i]
    const other = found.get(sendId)
    // Attempts under different nonces may both be mined: the one that had an effect counts.
    if (receipt && other?.status !== 'success') found.set(sendId, receipt)
  })
  const changed = sends.filter((send) => isChanged(send, found.get(send.id), safe))
  if (changed.length > 0) {
    reach('chain.after_receipt')
    await storeReceipts(relay, { changed, found, safe })
  }
  for (const { id, batchId } of asked) {
    const receipt = batchId === null ? undefined : found.get(batchId)
    if (receipt) found.set(id, receipt)
  }
  return found
}

/** A transaction that this process started, and the receipt that shows it in a block. */
export type MinedBatch = { started: Started; receipt: TransactionReceipt }

/** Looks for receipts of what this process started. It knows their hashes, so the database is not asked. */
export async function findMinedBatches(
  { chain }: Relay,
  asked: readonly Started[],
): Promise<MinedBatch[]> {
  const receipts = await askChain(() =>
    Promise.all(asked.map(({ send: { hash } }) => hash && findReceipt(chain, hash))),
  )
  return asked.flatMap((started, i) => {
    const receipt = receipts[i]
    return receipt ? [{ started, receipt }] : []
  })
}

/** Stores the block of a transaction and of its batch items, and in the same database transaction runs `beside`. */
export async function storeMinedBatch<T>(
  relay: Relay,
  { started: { send, items }, receipt }: MinedBatch,
  beside: (tx: Tx, ended: readonly Ended[]) => Promise<T>,
): Promise<{ ended: Ended[]; outcomes: T }> {
  const { chain, db } = relay
  reach('chain.after_receipt')
  const mined = minedOf(chain, send, receipt)
  const logs = readMinedLogs(relay, receipt)
  const ends = await Promise.all(items.map((item) => readItemEnd(relay, item, logs)))
  const ended = isBatch(send) ? endedOf(mined, items, ends) : [{ ref: send.ref, mined }]
  const outcomes = await db.write((tx) => {
    storeMined(tx, send.id, mined)
    if (isBatch(send)) storeItemEnds(tx, { batchId: send.id, mined, ends })
    return beside(tx, ended)
  })
  return { ended, outcomes }
}

/** The batch items that ended: all but those that are sent again. */
const endedOf = (mined: Mined, items: readonly BatchItem[], ends: readonly ItemEnd[]): Ended[] =>
  items.flatMap(({ ref }, i) => {
    const logIndexes = ends[i]?.logIndexes
    if (!logIndexes) return []
    return [{ ref, mined: { ...mined, logIndexes, succeeded: logIndexes[0] !== null } }]
  })

/** The sends that have transactions of their own, and the batches of the others. */
async function withBatches({ db }: Relay, asked: readonly SendState[]): Promise<SendState[]> {
  const own = asked.filter(({ batchId }) => batchId === null)
  const known = new Set<string>(own.map(({ id }) => id))
  const missing = new Set(asked.flatMap(({ batchId }) => batchId ?? []))
  const ids = [...missing].filter((id) => !known.has(id))
  return ids.length === 0 ? own : [...own, ...(await findSendsById(db.reader, ids))]
}

type Looked = {
  changed: SendState[]
  found: ReadonlyMap<string, TransactionReceipt>
  safe: bigint | undefined
}

async function storeReceipts(relay: Relay, { changed, found, safe }: Looked): Promise<void> {
  const batches = changed.filter((send) => isBatch(send) && isOther(send, found.get(send.id)))
  const ends = await readItemEnds(relay, batches, found)
  await relay.db.write(async (tx) => {
    for (const send of [...changed].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const receipt = found.get(send.id)
      if (receipt) storeReceipt(tx, relay.chain, { send, receipt, safe, ends: ends.get(send.id) })
      else if ((await storeUnmined(tx, send.id, send.blockHash)) > 0 && isBatch(send))
        await storeItemsUnmined(tx, send.id)
    }
  })
}

type Stored = {
  send: SendState
  receipt: TransactionReceipt
  safe: bigint | undefined
  ends: ItemEnd[] | undefined
}

function storeReceipt(tx: Tx, chain: Chain, { send, receipt, safe, ends }: Stored): void {
  const mined = minedOf(chain, send, receipt)
  if (isOther(send, receipt)) storeMined(tx, send.id, mined)
  if (ends) storeItemEnds(tx, { batchId: send.id, mined, ends })
  if (safe === undefined || receipt.blockNumber > safe) return
  storeSafe(tx, send.id, receipt.blockHash)
  if (isBatch(send)) storeItemsSafe(tx, send.id, receipt.blockHash)
}

function minedOf(chain: Chain, send: SendState, receipt: TransactionReceipt): Mined {
  const items = isBatch(send) ? undefined : itemsOf(chain, send)
  return {
    hash: receipt.transactionHash,
    succeeded: receipt.status === 'success',
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash,
    logIndexes: items ? findLanded(readAuthorized(chain, receipt.logs), items) : null,
    gasUsed: receipt.gasUsed,
  }
}

/** Whether the receipt differs from what is stored. */
const isOther = (
  send: SendState,
  receipt: Pick<TransactionReceipt, 'blockHash' | 'transactionHash'> | undefined,
): boolean =>
  receipt !== undefined &&
  (send.state !== 'mined' ||
    send.blockHash !== receipt.blockHash ||
    send.hash !== receipt.transactionHash)

function isChanged(
  send: SendState,
  receipt: TransactionReceipt | undefined,
  safe: bigint | undefined,
): boolean {
  if (!receipt) return send.state === 'mined' && safe !== undefined
  if (isOther(send, receipt)) return true
  return safe !== undefined && receipt.blockNumber <= safe
}

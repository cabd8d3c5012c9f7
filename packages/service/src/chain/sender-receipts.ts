import type { TransactionReceipt } from 'viem'
import type { Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import type { Hex } from '../kernel/assets.ts'
import { reach } from '../kernel/fault-points.ts'
import { transferWithAuthorizationData } from '../protocols/evm/eip3009/calldata.ts'
import type { SignedAuthorization } from './batch-settler.ts'
import { askChain, type Chain } from './chain.ts'
import { findReceipt, isAuthorizationUsed } from './reads.ts'
import { findLanded, itemsOf } from './sender-items.ts'
import {
  findRiders,
  findSendsById,
  isCarrier,
  type Ride,
  storeRides,
  storeRidesSafe,
  storeRidesUnmined,
} from './sender-riders.ts'
import type { SenderDeps } from './sender-sign.ts'
import type { Rider, Started } from './sender-start.ts'
import {
  findAttempts,
  type Mined,
  type SendState,
  storeMined,
  storeSafe,
  storeUnmined,
} from './sender-store.ts'
import { simulateSend } from './simulate.ts'

/**
 * Looks for every attempt of the sends at once, which is one request to the RPC, and writes down what changed; for one
 * that rides in another's transaction, what the logs there say of it. With `safe`, the number of the newest safe
 * block, a send whose block is gone is unmined again, and one in a safe block is looked at no more. Answers the receipt
 * that counts for each send that has one, by the send's id.
 */
export async function lookForReceipts(
  deps: SenderDeps,
  asked: readonly SendState[],
  safe?: bigint,
): Promise<Map<string, TransactionReceipt>> {
  const { chain, db } = deps
  const sends = await withCarriers(deps, asked)
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
  const news = sends.filter((send) => isNews(send, found.get(send.id), safe))
  if (news.length > 0) {
    reach('chain.after_receipt')
    await writeDown(deps, { news, found, safe })
  }
  for (const { id, batchId } of asked) {
    const receipt = batchId === null ? undefined : found.get(batchId)
    if (receipt) found.set(id, receipt)
  }
  return found
}

/** A transaction that was started a moment ago and has a block now. */
export type News = { started: Started; receipt: TransactionReceipt }
/** How a send has ended, by the block that holds its transaction. */
export type Ended = { ref: string; mined: Mined }

/** Looks for receipts of what was started by this process, which knows what the database would tell. */
export async function findNews({ chain }: SenderDeps, asked: readonly Started[]): Promise<News[]> {
  const receipts = await askChain(() =>
    Promise.all(asked.map(({ send: { hash } }) => hash && findReceipt(chain, hash))),
  )
  return asked.flatMap((started, i) => {
    const receipt = receipts[i]
    return receipt ? [{ started, receipt }] : []
  })
}

/** Writes down the block of a transaction and of those that ride in it, and in the same transaction what is `beside`. */
export async function writeNews<T>(
  deps: SenderDeps,
  { started: { send, riders }, receipt }: News,
  beside: (tx: Tx, ended: readonly Ended[]) => Promise<T>,
): Promise<{ ended: Ended[]; outcomes: T }> {
  const { chain, db } = deps
  reach('chain.after_receipt')
  const mined = minedOf(chain, send, receipt)
  const rides = await Promise.all(riders.map((rider) => readRide(deps, rider, receipt)))
  const ended = isCarrier(send) ? endedOf(mined, riders, rides) : [{ ref: send.ref, mined }]
  const outcomes = await db.write((tx) => {
    storeMined(tx, send.id, mined)
    if (isCarrier(send)) storeRides(tx, { carrier: send.id, mined, rides })
    return beside(tx, ended)
  })
  return { ended, outcomes }
}

/** Of those that rode, all but those that go again. */
const endedOf = (mined: Mined, riders: readonly Rider[], rides: readonly Ride[]): Ended[] =>
  riders.flatMap(({ ref }, i) => {
    const logIndexes = rides[i]?.logIndexes
    if (!logIndexes) return []
    return [{ ref, mined: { ...mined, logIndexes, succeeded: logIndexes[0] !== null } }]
  })

/** The sends that have transactions of their own, and those in whose transactions the others ride. */
async function withCarriers({ db }: SenderDeps, asked: readonly SendState[]): Promise<SendState[]> {
  const own = asked.filter(({ batchId }) => batchId === null)
  const known = new Set<string>(own.map(({ id }) => id))
  const missing = new Set(asked.flatMap(({ batchId }) => batchId ?? []))
  const ids = [...missing].filter((id) => !known.has(id))
  return ids.length === 0 ? own : [...own, ...(await findSendsById(db.reader, ids))]
}

type Looked = {
  news: SendState[]
  found: ReadonlyMap<string, TransactionReceipt>
  safe: bigint | undefined
}

async function writeDown(deps: SenderDeps, { news, found, safe }: Looked): Promise<void> {
  const rides = await readRides(deps, { news, found, safe })
  await deps.db.write(async (tx) => {
    for (const send of [...news].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const receipt = found.get(send.id)
      if (receipt) storeReceipt(tx, deps.chain, { send, receipt, safe, rides: rides.get(send.id) })
      else if ((await storeUnmined(tx, send.id, send.blockHash)) > 0 && isCarrier(send))
        await storeRidesUnmined(tx, send.id)
    }
  })
}

type Stored = {
  send: SendState
  receipt: TransactionReceipt
  safe: bigint | undefined
  rides: Ride[] | undefined
}

function minedOf(chain: Chain, send: SendState, receipt: TransactionReceipt): Mined {
  const items = isCarrier(send) ? undefined : itemsOf(chain, send)
  return {
    hash: receipt.transactionHash,
    succeeded: receipt.status === 'success',
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash,
    logIndexes: items ? findLanded(chain, receipt.logs, items) : null,
    gasUsed: receipt.gasUsed,
  }
}

function storeReceipt(tx: Tx, chain: Chain, { send, receipt, safe, rides }: Stored): void {
  const mined = minedOf(chain, send, receipt)
  storeMined(tx, send.id, mined)
  if (rides) storeRides(tx, { carrier: send.id, mined, rides })
  if (safe === undefined || receipt.blockNumber > safe) return
  storeSafe(tx, send.id, receipt.blockHash)
  if (isCarrier(send)) storeRidesSafe(tx, send.id, receipt.blockHash)
}

/**
 * What the logs of each carrier's block say of those that ride in it. Whose authorization moved nothing there is done
 * all the same if the token has seen it used: somebody carried it first.
 */
async function readRides(deps: SenderDeps, { news, found }: Looked): Promise<Map<string, Ride[]>> {
  const { chain, db } = deps
  const carriers = news.filter((send) => isCarrier(send) && isOther(send, found.get(send.id)))
  if (carriers.length === 0) return new Map()
  const riders = await findRiders(
    db.reader,
    carriers.map(({ id }) => id),
  )
  const rides = new Map<string, Ride[]>(carriers.map(({ id }) => [id, []]))
  await Promise.all(
    riders.map(async (rider) => {
      const receipt = found.get(rider.batchId ?? '')
      const items = itemsOf(chain, rider)
      if (receipt && items)
        rides
          .get(rider.batchId ?? '')
          ?.push(await readRide(deps, { id: rider.id, ref: rider.ref, items }, receipt))
    }),
  )
  return rides
}

async function readRide(
  { chain, log }: SenderDeps,
  { id, ref, items }: Rider,
  receipt: TransactionReceipt,
): Promise<Ride> {
  const logIndexes = findLanded(chain, receipt.logs, items)
  const [first] = items
  assert(first, 'what rides hands something to the token')
  const { from, nonce } = first.authorization
  if (logIndexes[0] !== null || (await isAuthorizationUsed(chain, from, nonce)))
    return { id, logIndexes }
  // Alone it would burn more gas for nothing, unless what stopped it is over.
  if (await wouldMoveNothing(chain, first)) return { id, logIndexes }
  log?.warn({ ref, hash: receipt.transactionHash }, 'an item of a batch goes again, alone')
  return { id, logIndexes: null }
}

const wouldMoveNothing = async (chain: Chain, item: SignedAuthorization): Promise<boolean> => {
  const data = transferWithAuthorizationData(item.authorization, item.signature)
  return (await simulateSend(chain, { to: chain.asset.contract, data })) !== undefined
}

/** Whether the receipt is another than what is written down. */
const isOther = (send: SendState, receipt: { blockHash: Hex } | undefined): boolean =>
  receipt !== undefined && (send.state !== 'mined' || send.blockHash !== receipt.blockHash)

function isNews(
  send: SendState,
  receipt: TransactionReceipt | undefined,
  safe: bigint | undefined,
): boolean {
  if (!receipt) return send.state === 'mined' && safe !== undefined
  if (send.state !== 'mined' || send.blockHash !== receipt.blockHash) return true
  return safe !== undefined && receipt.blockNumber <= safe
}

import type { Db } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addHours, addSeconds } from '../../base/kernel/clock.ts'
import { eip3009Abi } from '../../base/protocols/evm/eip3009/abi.ts'
import { throughBestNode } from '../../chain/client/best-node.ts'
import { askChain, type Rail } from '../../chain/client/chain.ts'
import { isTokenRail } from '../../chain/client/rails.ts'
import { findReceipt, isStateKept, readAssetBalance, readBlock } from '../../chain/client/reads.ts'
import { readTransfersTo, type SeenTransfer } from '../../chain/client/watch.ts'
import { findPermitUse } from '../../chain/transfers/reads/permit-use.ts'
import { isPermitUsed } from '../../chain/transfers/reads/permit2.ts'
import { findWatchedLinks } from '../link/store-addresses.ts'
import { custodyAddresses } from '../pay-links/methods/on-chain/sweep.ts'
import { WATCHED_HOURS } from '../watcher/pass.ts'
import { findCursor } from '../watcher/store.ts'
import {
  type BooksAt,
  findComparison,
  findPaidAddresses,
  type Opened,
  type OpenPermit,
  type Promised,
  readBooks,
  type Terms,
} from './store.ts'

/** Ledger and chain at one block, in base units of one asset. If the difference is zero, every unit is explained. */
export type Comparison = Terms &
  Opened & {
    block: bigint
    /** Addresses whose balance was read. */
    addresses: number
    /** Transfers from unknown wallets. */
    unclaimedTransfers: bigint
  }
/** Why nothing could be compared. This is no fault of the books. */
export type NotCompared = { why: string }
type Of = { db: Db; rail: Rail; at: Date; isEmbedded: boolean }

const RANGE_BLOCKS = 2_000n
/** A watcher with more blocks to read than this is catching up, so what has arrived is not known yet. */
const BEHIND_BLOCKS = 40_000n
/** How far our clock and the chain's may be apart. */
const SKEW_SECONDS = 600
const AT_ONCE = 50

/**
 * Compares the custody of the ledger with the custody on chain at one block, to the unit. It accounts for money that has
 * arrived and is not credited, or has left and is not booked, and for credits and bookings of later blocks. The block is
 * the newest safe one. The embedded chain never reorganizes: there it is the newest block that has a successor.
 */
export async function compareCustody(of: Of): Promise<Comparison | NotCompared> {
  const { db, at } = of
  const rail = await throughBestNode(of.rail, (rpc) =>
    readAssetBalance({ ...of.rail, rpc }, of.rail.treasury.address),
  )
  const { network } = rail
  const cursor = (await findCursor(db.reader, network)) ?? startOf(of)
  if (!cursor) return { why: 'the watcher has not looked at the chain yet' }
  // Read the addresses with money before the head: a later sweep then shows in the blocks after it.
  const paid = isTokenRail(rail) ? [] : await findPaidAddresses(db.reader, network)
  const unswept = isTokenRail(rail) ? [] : await custodyAddresses({ db, chain: rail })
  const latest = await readBlock(rail, 'latest')
  // Read the links after the head: a link that was paid by then existed before.
  const links = isTokenRail(rail)
    ? []
    : await findWatchedLinks(db.reader, network, addHours(at, -WATCHED_HOURS))
  const head = of.isEmbedded ? beforeLatest(latest) : await readBlock(rail, 'safe')
  if (latest.number - cursor.block > BEHIND_BLOCKS)
    return { why: `the watcher has ${latest.number - cursor.block} blocks to read` }
  if (of.isEmbedded && !(await isStateKept(rail, head.number)))
    return { why: 'the chain has made no block since it was started' }
  const watchedAddresses = [rail.treasury.address, ...links.map((link) => link.depositAddress)]
  const range = { from: cursor.block + 1n, to: latest.number }
  const fresh = await readFresh(rail, watchedAddresses, range)
  const block = fresh.to < head.number ? fresh.to : head.number
  const watched = block < cursor.block ? block : cursor.block

  const opened = await findComparison(db.reader, { network, asset: rail.asset.symbol })
  const books = await db.write((tx) =>
    readBooks(tx, {
      opened,
      network,
      asset: rail.asset.symbol,
      token: rail.asset.contract,
      treasury: rail.treasury.address,
      block,
      watched,
      since: addSeconds(head.at < at ? head.at : at, -SKEW_SECONDS),
      places: fresh.transfers,
      senders: [...new Set(fresh.transfers.map((log) => log.from))],
    }),
  )
  const touched = [...books.touched, ...fresh.transfers.flatMap((log) => [log.from, log.to])]
  const ours = new Set<Address>([...unswept, ...paid])
  const addresses = [rail.treasury.address, ...standing({ ours, touched, watchedAddresses, books })]
  return settle(rail, {
    books,
    block,
    fresh: fresh.transfers,
    addresses,
    opened,
    watched,
    at,
  })
}

/**
 * Anvil answers balances of the newest block from the block it is still making: they may include transfers that no log
 * shows yet. The block before has the right balances.
 */
const beforeLatest = ({ number, at }: { number: bigint; at: Date }) => ({
  number: number === 0n ? 0n : number - 1n,
  at,
})

/** The block at which the watcher would begin. Undefined on a public chain, where only the watcher knows. */
const startOf = ({ isEmbedded }: Of): { block: bigint } | undefined =>
  isEmbedded ? { block: -1n } : undefined

/** The addresses that may hold money at the block, without the treasury. */
function standing(of: {
  ours: Set<Address>
  touched: Address[]
  watchedAddresses: Address[]
  books: BooksAt
}): Address[] {
  const [treasury, ...links] = of.watchedAddresses
  const isLink = new Set<Address>([...links, ...of.books.linkAddresses])
  for (const address of of.touched) if (isLink.has(address)) of.ours.add(address)
  return [...of.ours].filter((address) => address !== treasury)
}

/** Transfers to our addresses that the watcher has not stored yet. `to` is the last block that could be read. */
async function readFresh(
  rail: Rail,
  addresses: Address[],
  range: { from: bigint; to: bigint },
): Promise<{ to: bigint; transfers: SeenTransfer[] }> {
  const transfers: SeenTransfer[] = []
  let { from } = range
  while (from <= range.to) {
    const end = from + RANGE_BLOCKS - 1n
    const read = await readTransfersTo(
      rail,
      { addresses, assets: [rail.asset] },
      {
        from,
        to: end < range.to ? end : range.to,
      },
    )
    transfers.push(...read.transfers)
    from = read.to + 1n
    if (read.head <= read.to) break
  }
  return { to: from - 1n, transfers }
}

type Read = {
  books: BooksAt
  block: bigint
  fresh: SeenTransfer[]
  addresses: Address[]
  opened: Opened | undefined
  watched: bigint
  at: Date
}

/** Asks the chain for the remaining terms, all at one block, and computes the difference. */
async function settle(rail: Rail, read: Read): Promise<Comparison> {
  const { books, block, addresses, opened } = read
  const [balances, departed, permits, notYet, notYetPermits, early] = await Promise.all([
    inGroups(addresses, (address) => readAssetBalance(rail, address, block)),
    sumUsed(rail, books.open, { block, isUsed: true }),
    sumPermits(rail, books.openPermits, block),
    sumUsed(rail, books.closed, { block, isUsed: false }),
    sumUnusedPermits(rail, books.closedPermits, block),
    sumEarly(rail, read),
  ])
  const unclaimed = books.arrived.filter(({ state }) => state === 'unclaimed')
  const waiting = books.arrived.filter(({ state }) => state !== 'unclaimed')
  const terms = {
    onChain: sum(balances),
    owed: books.owed,
    unclaimed: sum(unclaimed.map((row) => row.sum)),
    awaited: sum(waiting.map((row) => row.sum)) + sum(arrivedFresh(rail, read)),
    early: books.depositsAhead + early,
    departed: departed + permits,
    ahead: books.paymentsAhead + notYet + notYetPermits,
  }
  const rest = terms.onChain - expected(terms)
  const surplus = rest > 0n ? rest : 0n
  const opening = opened?.opening ?? (books.isVirgin ? surplus : 0n)
  const claimed = books.claimed < opening ? books.claimed : opening
  return {
    ...terms,
    opening,
    openingBlock: opened?.openingBlock ?? read.watched,
    openedAt: opened?.openedAt ?? read.at,
    claimed,
    difference: rest - opening + claimed,
    block,
    addresses: addresses.length,
    unclaimedTransfers: sum(unclaimed.map((row) => row.transfers)),
  }
}

const expected = (terms: Omit<Terms, 'onChain' | 'opening' | 'claimed' | 'difference'>): bigint =>
  terms.owed + terms.unclaimed + terms.awaited - terms.early - terms.departed + terms.ahead

/** The money that arrived by the block, after the watcher's last pass, and is not credited yet. */
function arrivedFresh(rail: Rail, { books, block, fresh }: Read): bigint[] {
  const keyOf = (log: { txHash: string; logIndex: number }) => `${log.txHash} ${log.logIndex}`
  const taken = new Set(books.taken.map(keyOf))
  const inside = new Set<Address>([rail.treasury.address, ...books.linkAddresses])
  const isWithin = (log: SeenTransfer) => log.to === rail.treasury.address && inside.has(log.from)
  return fresh
    .filter((log) => log.blockNumber <= block && !taken.has(keyOf(log)) && !isWithin(log))
    .map((log) => log.value)
}

/** The credits of links from later blocks, or from transactions that a reorganization removed. */
async function sumEarly(rail: Rail, { books, block, fresh }: Read): Promise<bigint> {
  const seen = new Map(fresh.map((log) => [log.txHash, log.blockNumber]))
  const early = await inGroups(books.credited, async ({ txHash, value, blockNumber }) => {
    const known = seen.get(txHash) ?? blockNumber
    const minedAt = known ?? (await askChain(() => findReceipt(rail, txHash)))?.blockNumber
    return minedAt !== undefined && minedAt <= block ? 0n : value
  })
  return sum(early)
}

/** The sum of those whose authorization is used at the block, or is unused. */
async function sumUsed(
  rail: Rail,
  promised: Promised[],
  { block, isUsed }: { block: bigint; isUsed: boolean },
): Promise<bigint> {
  const values = await inGroups(promised, async ({ from, nonce, value }) => {
    const found = await askChain(() =>
      rail.rpc.readContract({
        address: rail.asset.contract,
        abi: eip3009Abi,
        functionName: 'authorizationState',
        args: [from, nonce],
        blockNumber: block,
      }),
    )
    return found === isUsed ? value : 0n
  })
  return sum(values)
}

/** The sum of those whose permit is unused at the block. */
async function sumUnusedPermits(rail: Rail, promised: Promised[], block: bigint): Promise<bigint> {
  const values = await inGroups(promised, async ({ value, ...permit }) =>
    (await isPermitUsed(rail, permit, block)) ? 0n : value,
  )
  return sum(values)
}

/** The sum that permits have moved by the block: only the transaction of each tells how much. */
async function sumPermits(
  rail: Rail,
  permits: readonly OpenPermit[],
  block: bigint,
): Promise<bigint> {
  const values = await inGroups([...permits], async ({ fromBlock, ...permit }) => {
    const use = await findPermitUse(rail, permit, fromBlock)
    return use && use.blockNumber <= block ? use.value : 0n
  })
  return sum(values)
}

async function inGroups<In, Out>(items: In[], ask: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(ask))))
  return done
}

const sum = (values: readonly bigint[]): bigint => values.reduce<bigint>((a, b) => a + b, 0n)

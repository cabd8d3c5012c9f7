import { BaseError, getAddress, HttpRequestError, isAddressEqual, TimeoutError } from 'viem'
import type { Address, Asset, Hex } from '../../base/kernel/assets.ts'
import { amount } from '../../base/kernel/money.ts'
import { erc20Abi } from '../../base/protocols/evm/eip3009/abi.ts'
import { placeOf, pulledAbi, refsOfPulls } from '../../base/protocols/evm/pulled.ts'
import { askChain, type Chain } from './chain.ts'
import { waitsLonger } from './credit-level.ts'
import type { TransferLog } from './reads.ts'

/** A transfer to a watched address; `asset` is the symbol of its token. */
export type SeenTransfer = TransferLog & { txHash: Hex; asset: string }
export type Heads = {
  safe: bigint
  /** Equal to `safe` if no amount waits for more. */
  finalized: bigint
  latest: bigint
}
export type Range = { from: bigint; to: bigint }

/** The most addresses in one question. Nodes are slow with more. */
const ADDRESSES_AT_ONCE = 200
const QUESTIONS_AT_ONCE = 4

/** The newest block that is safe from reorganization, the newest that is final, and the newest of all. */
export const readHeads = (chain: Chain): Promise<Heads> =>
  askChain(async () => {
    const [safe, latest, finalized] = await Promise.all([
      chain.rpc.getBlock({ blockTag: 'safe' }),
      chain.rpc.getBlock({ blockTag: 'latest' }),
      waitsLonger(chain.creditLevels) ? chain.rpc.getBlock({ blockTag: 'finalized' }) : undefined,
    ])
    return {
      safe: safe.number,
      finalized: (finalized ?? safe).number,
      latest: latest.number,
    }
  })

/** `to` and `head` may be lower than the requested range and than another node reports. */
export type RangeRead = { to: bigint; head: bigint; transfers: SeenTransfer[] }

/** Addresses and assets, those of links where none are named; assets `beside` them are read at the treasury alone. */
export type Watching = {
  addresses: readonly Address[]
  assets?: readonly Asset[]
  beside?: readonly Asset[]
}

/**
 * Every transfer above zero to one of these addresses in the range, or in its first part. `to` is the last block read:
 * some nodes refuse so many blocks, and some lag behind. `head` is the lowest head of the answering nodes. Throws if
 * not one block can be read.
 */
export const readTransfersTo = (
  chain: Chain,
  watching: Watching,
  range: Range,
): Promise<RangeRead> =>
  askChain(() => inFewerBlocks(range, (part) => readRange(chain, watching, part)))

/** Reads the range, or half of it, and so on, until the node does not refuse so many blocks. */
export async function inFewerBlocks<T>(
  range: Range,
  read: (part: Range) => Promise<T>,
): Promise<T> {
  for (let { to } = range; ; to = range.from + (to - range.from) / 2n) {
    try {
      return await read({ from: range.from, to })
    } catch (error) {
      if (to === range.from || !mayLikeFewer(error)) throw error
    }
  }
}

/** Whether the node refused or took too long, so that a shorter range may succeed. */
function mayLikeFewer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const isSilence = (e: unknown) => e instanceof HttpRequestError && e.status === undefined
  return error.walk((e) => e instanceof TimeoutError) !== null || error.walk(isSilence) === null
}

async function readRange(
  chain: Chain,
  { addresses, assets: everywhere = chain.assets, beside = [] }: Watching,
  range: Range,
): Promise<RangeRead> {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE * QUESTIONS_AT_ONCE) {
    const questions: ReturnType<typeof ask>[] = []
    for (let n = 0; n < QUESTIONS_AT_ONCE; n++) {
      const start = from + n * ADDRESSES_AT_ONCE
      const some = addresses.slice(start, start + ADDRESSES_AT_ONCE)
      const assets = some.includes(chain.treasury.address) ? [...everywhere, ...beside] : everywhere
      if (some.length > 0) questions.push(ask(chain, { addresses: some, assets, beside }, range))
    }
    answers.push(...(await Promise.all(questions)))
  }
  // A node that has not reached a block answers as if nothing had happened in it.
  const head = answers.map((answer) => answer.head).reduce(least)
  const to = least(head, range.to)
  if (to < range.from) throw new Error(`a node is at block ${head}, asked for block ${range.from}`)
  const transfers = answers.flatMap((a) => a.transfers).filter((log) => log.blockNumber <= to)
  return { to, head, transfers }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

type Question = Required<Watching>

/**
 * Asks for the node's head first, in the same request: the logs below that head are complete. One question has the logs of
 * all assets.
 */
async function ask(
  chain: Chain,
  { addresses, assets, beside }: Question,
  { from, to }: Range,
): Promise<{ head: bigint; transfers: SeenTransfer[] }> {
  const range = {
    args: { to: [...addresses] },
    fromBlock: from,
    toBlock: to,
    strict: true,
  } as const
  const [head, logs, pulled] = await Promise.all([
    chain.rpc.getBlockNumber({ cacheTime: 0 }),
    chain.rpc.getContractEvents({
      address: assets.map(({ contract }) => contract),
      abi: erc20Abi,
      eventName: 'Transfer',
      ...range,
    }),
    chain.settler
      ? chain.rpc.getContractEvents({
          address: chain.settler,
          abi: pulledAbi,
          eventName: 'Pulled',
          ...range,
        })
      : [],
  ])
  const found = logs.filter((log) => !log.removed && log.args.value > 0n)
  const transfers = assets.flatMap((asset) => {
    const own = found.filter((log) => isAddressEqual(log.address, asset.contract))
    return withPulls(chain, asset, { transfers: own.map((log) => seenIn(log, asset)), pulled })
  })
  const isWatched = ({ asset, to }: SeenTransfer): boolean =>
    to === chain.treasury.address || beside.every(({ symbol }) => symbol !== asset)
  return { head, transfers: transfers.filter(isWatched) }
}

type Log = {
  transactionHash: Hex
  logIndex: number
  blockNumber: bigint
  blockHash: Hex
  args: { from: Address; to: Address; value: bigint }
}

const seenIn = (log: Log, { symbol }: Asset): SeenTransfer => ({
  asset: symbol,
  txHash: log.transactionHash,
  logIndex: log.logIndex,
  from: getAddress(log.args.from),
  to: getAddress(log.args.to),
  value: amount(log.args.value),
  blockNumber: log.blockNumber,
  blockHash: log.blockHash,
})

/** Marks the transfers that our contract pulled. */
function withPulls(
  { settler }: Chain,
  { contract: token }: Asset,
  { transfers, pulled }: { transfers: SeenTransfer[]; pulled: Parameters<typeof refsOfPulls>[0] },
): SeenTransfer[] {
  if (!settler || pulled.length === 0) return transfers
  const refs = refsOfPulls(pulled, { settler, token, transfers })
  return transfers.map((transfer) => {
    const pullRef = refs.get(placeOf(transfer))
    return pullRef ? { ...transfer, pullRef } : transfer
  })
}

import { BaseError, getAddress, HttpRequestError, TimeoutError } from 'viem'
import type { Address, Hex } from '../kernel/assets.ts'
import { amount } from '../kernel/money.ts'
import { erc20Abi } from '../protocols/evm/eip3009/abi.ts'
import { placeOf, pulledAbi, refsOfPulls } from '../protocols/evm/pulled.ts'
import { askChain, type Chain } from './chain.ts'
import { waitsLonger } from './credit-level.ts'
import type { TransferLog } from './reads.ts'

/** A USDC transfer to a watched address. */
export type SeenTransfer = TransferLog & { txHash: Hex }
export type Heads = {
  safe: bigint
  /** Equal to `safe` if no amount waits for more. */
  finalized: bigint
  latest: bigint
}
type Range = { from: bigint; to: bigint }

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

/**
 * Every transfer above zero to one of these addresses in the range, or in its first part. `to` is the last block read:
 * some nodes refuse so many blocks, and some lag behind. `head` is the lowest head of the answering nodes. Throws if
 * not one block can be read.
 */
export const readTransfersTo = (
  chain: Chain,
  addresses: readonly Address[],
  range: Range,
): Promise<RangeRead> =>
  askChain(async () => {
    for (let { to } = range; ; to = range.from + (to - range.from) / 2n) {
      try {
        return await readRange(chain, addresses, { from: range.from, to })
      } catch (error) {
        if (to === range.from || !mayLikeFewer(error)) throw error
      }
    }
  })

/** Whether the node refused or took too long, so that a shorter range may succeed. */
function mayLikeFewer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const isSilence = (e: unknown) => e instanceof HttpRequestError && e.status === undefined
  return error.walk((e) => e instanceof TimeoutError) !== null || error.walk(isSilence) === null
}

async function readRange(
  chain: Chain,
  addresses: readonly Address[],
  range: Range,
): Promise<RangeRead> {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE * QUESTIONS_AT_ONCE) {
    const questions: ReturnType<typeof ask>[] = []
    for (let n = 0; n < QUESTIONS_AT_ONCE; n++) {
      const start = from + n * ADDRESSES_AT_ONCE
      const some = addresses.slice(start, start + ADDRESSES_AT_ONCE)
      if (some.length > 0) questions.push(ask(chain, some, range))
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

/** Asks for the node's head first, in the same request: the logs below that head are complete. */
async function ask(
  chain: Chain,
  addresses: readonly Address[],
  { from, to }: Range,
): Promise<{ head: bigint; transfers: SeenTransfer[] }> {
  const [head, logs, pulled] = await Promise.all([
    chain.rpc.getBlockNumber({ cacheTime: 0 }),
    chain.rpc.getContractEvents({
      address: chain.asset.contract,
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { to: [...addresses] },
      fromBlock: from,
      toBlock: to,
      strict: true,
    }),
    chain.settler
      ? chain.rpc.getContractEvents({
          address: chain.settler,
          abi: pulledAbi,
          eventName: 'Pulled',
          args: { to: [...addresses] },
          fromBlock: from,
          toBlock: to,
          strict: true,
        })
      : [],
  ])
  const transfers: SeenTransfer[] = logs
    .filter((log) => !log.removed && log.args.value > 0n)
    .map((log) => ({
      txHash: log.transactionHash,
      logIndex: log.logIndex,
      from: getAddress(log.args.from),
      to: getAddress(log.args.to),
      value: amount(log.args.value),
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
    }))
  if (!chain.settler || pulled.length === 0) return { head, transfers }
  const parties = { settler: chain.settler, token: chain.asset.contract, transfers }
  const refs = refsOfPulls(pulled, parties)
  return {
    head,
    transfers: transfers.map((transfer) => {
      const pullRef = refs.get(placeOf(transfer))
      return pullRef ? { ...transfer, pullRef } : transfer
    }),
  }
}

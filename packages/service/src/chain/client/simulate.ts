import { BaseError, decodeErrorResult, type Hex } from 'viem'
import { assert } from '../../base/kernel/assert.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addressWord } from '../../base/protocols/evm/words.ts'
import { askChain, type Chain } from './chain.ts'
import { feesFor, readRecentHead } from './head.ts'
import {
  type CallResult,
  callsTogether,
  GET_BLOCK_NUMBER,
  MULTICALL3,
  type OneCall,
  readResults,
} from './multicall.ts'

const ERROR_STRING = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
] as const

/** A relayer's call. It must not take more than `gas`, if given. `by` is the one relayer that may make it. */
export type SimulatedCall = { to: Address; data: Hex; gas?: bigint; by?: Address }

/**
 * Asks the chain whether a relayer's call would succeed now, at the gas price that we would send it with, since a
 * contract sees the price. Undefined if so; otherwise the reason in the contract's own words (never the RPC's), or `it
 * would be reverted`.
 */
export async function simulateSend(chain: Chain, call: SimulatedCall): Promise<string | undefined> {
  try {
    await answerTo(chain, call)
    return undefined
  } catch (error) {
    const reason = revertReason(error)
    if (reason === undefined) return askChain(() => Promise.reject(error))
    return reason
  }
}

/** The contract's answer to a relayer's call. Throws the RPC's own error if it would be reverted. */
export async function answerTo(chain: Chain, call: SimulatedCall): Promise<Hex | undefined> {
  const ask = (sender: Sender) => chain.rpc.call({ to: call.to, data: call.data, ...sender })
  return (await asRelayer(chain, call.gas ?? SIMULATION_GAS, ask, call.by)).data
}

/** More than any send takes. */
const SIMULATION_GAS = 2_000_000n
/** The number of calls that fit into the gas that a node allows for one question. */
const CALLS_AT_ONCE = 100
/** For all calls of one question; below the limit of any node. */
const GAS_TOGETHER = 25_000_000n

/**
 * As `simulateSend`, for many calls at once: calls are asked about in shared questions. A call that fails there is
 * asked about again alone, since an earlier call may have used up what it needs.
 */
export async function simulateSends(
  chain: Chain,
  calls: readonly { to: Address; data: Hex }[],
): Promise<(string | undefined)[]> {
  const chunks = chunksOf(calls, CALLS_AT_ONCE)
  const passed = (await Promise.all(chunks.map((chunk) => passTogether(chain, chunk)))).flat()
  return Promise.all(calls.map((call, i) => (passed[i] ? undefined : simulateSend(chain, call))))
}

/** A transfer of `payer` in the token `to`. */
export type TransferCall = { to: Address; data: Hex; payer: Address }
/** The reason why a transfer would fail, if it would, and the payer's balance. */
export type TransferAnswer = { revert: string | undefined; funds: Funds }

/** As `simulateSends`, with each payer's balance before any of the calls, read in the same block. */
export async function simulateTransfers(
  chain: Chain,
  calls: readonly TransferCall[],
): Promise<TransferAnswer[]> {
  const looks = calls.map(({ to, payer }) => ({ to, data: balanceOfData(payer) }))
  const results = await aggregate(chain, [BLOCK_NUMBER, ...looks, ...calls])
  const block = numberIn(results?.[0]?.returnData)
  return Promise.all(
    calls.map(async (call, i) => {
      const balance = numberIn(results?.[1 + i]?.returnData)
      const [revert, funds] = await Promise.all([
        results?.[1 + calls.length + i]?.success ? undefined : simulateSend(chain, call),
        block === undefined || balance === undefined
          ? readFunds(chain, call.to, call.payer)
          : { balance, block },
      ])
      return { revert, funds }
    }),
  )
}

/** An account's balance of a token, and the block of that balance. */
export type Funds = { balance: bigint; block: bigint }

/** Reads the account's balance of the token at the newest block. */
export async function readFunds(chain: Chain, token: Address, account: Address): Promise<Funds> {
  const asked = [BLOCK_NUMBER, { to: token, data: balanceOfData(account) }]
  const [block, balance] = (await askChain(() => aggregateOrThrow(chain, asked))).map(
    ({ returnData }) => numberIn(returnData),
  )
  assert(block !== undefined && balance !== undefined, 'the token tells balances')
  return { balance, block }
}

const BLOCK_NUMBER = { to: MULTICALL3, data: GET_BLOCK_NUMBER }
/** `balanceOf(address)`. */
const balanceOfData = (account: Address): Hex => `0x70a08231${addressWord(account)}`
const numberIn = (data: Hex | undefined): bigint | undefined =>
  data?.length === 66 ? BigInt(data) : undefined

/** Whether each call succeeds after those before it. False for all if the question itself fails. */
async function passTogether(
  chain: Chain,
  calls: readonly { to: Address; data: Hex }[],
): Promise<boolean[]> {
  const results = calls.length < 2 ? undefined : await aggregate(chain, calls)
  return calls.map((_, i) => results?.[i]?.success ?? false)
}

/** The results of the calls, one after the other, in one question. Undefined if the question itself fails. */
async function aggregate(chain: Chain, calls: readonly { to: Address; data: Hex }[]) {
  try {
    return await aggregateOrThrow(chain, calls)
  } catch (error) {
    // A silent node is not asked again for each call alone.
    if (revertReason(error) === undefined) return askChain(() => Promise.reject(error))
    return undefined
  }
}

async function aggregateOrThrow(
  chain: Chain,
  calls: readonly { to: Address; data: Hex }[],
): Promise<CallResult[]> {
  const data = callsTogether(calls.map(({ to, data: callData }) => ({ target: to, callData })))
  const answer = await asRelayer(chain, GAS_TOGETHER, (sender) =>
    chain.rpc.call({ to: MULTICALL3, data, ...sender }),
  )
  return readResults(answer.data, calls.length)
}

/** The sender of a simulated call and its gas price. `stateOverride` lends gas money to a relayer that has none now. */
export type Sender = {
  account?: Address
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  stateOverride?: [{ address: Address; balance: bigint }]
}

const LENT_WEI = 10n ** 21n

/** Asks from the account of a relayer, of `by` if given, at the price of a send made now. */
export async function asRelayer<T>(
  chain: Chain,
  gas: bigint,
  ask: (sender: Sender) => Promise<T>,
  by?: Address,
): Promise<T> {
  const account = by ?? chain.relayers[0]?.address
  const { maxFee, maxTip } = feesFor(await readRecentHead(chain))
  const sender = { gas, maxFeePerGas: maxFee, maxPriorityFeePerGas: maxTip }
  if (!account) return ask(sender)
  try {
    return await ask({ ...sender, account })
  } catch (error) {
    if (!isBroke(error)) throw error
    return ask({ ...sender, account, stateOverride: [{ address: account, balance: LENT_WEI }] })
  }
}

/** As `simulateSend`, for the last of several calls. The calls before it may fail. */
export async function simulateLast(
  chain: Chain,
  calls: readonly OneCall[],
  gas: bigint,
): Promise<string | undefined> {
  try {
    const { data } = await asRelayer(chain, gas, (sender) =>
      chain.rpc.call({ to: MULTICALL3, data: callsTogether(calls), ...sender }),
    )
    const last = readResults(data, calls.length).at(-1)
    if (last?.success) return undefined
    return last ? decodeString(last.returnData) : 'it would be reverted'
  } catch (error) {
    const reason = revertReason(error)
    if (reason === undefined) return askChain(() => Promise.reject(error))
    return reason
  }
}

const isBroke = (error: unknown): boolean =>
  error instanceof BaseError && /insufficient funds/i.test(error.details)

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
    all.slice(n * size, (n + 1) * size),
  )

/** The wordings of nodes for a call that failed in the contract: reverted, or out of gas. */
const FAILED =
  /revert|EVM error|out of gas|gas required exceeds|invalid (?:opcode|jump)|stack (?:under|over)flow/i

/** The string that a contract reverted with; undefined if the failure was not the contract's. */
export function revertReason(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const holder = error.walk((e) => revertData(e) !== undefined)
  const data = holder && revertData(holder)
  if (data && data !== '0x') return decodeString(data)
  return FAILED.test(`${error.details} ${error.message}`) ? 'it would be reverted' : undefined
}

/** The revert bytes of an RPC error. Nodes put them in different places. */
function revertData(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown }).data
  const bytes = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  return typeof bytes === 'string' && /^0x[0-9a-f]*$/i.test(bytes) ? (bytes as Hex) : undefined
}

function decodeString(data: Hex): string {
  try {
    return decodeErrorResult({ abi: ERROR_STRING, data }).args[0]
  } catch {
    // A custom error or a panic carries no text.
    return 'it would be reverted'
  }
}

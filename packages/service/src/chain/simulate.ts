import { BaseError, decodeErrorResult, type Hex } from 'viem'
import type { Address } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'
import { MULTICALL3, multicallAbi } from './multicall.ts'

const ERROR_STRING = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
] as const

/**
 * Asks the chain whether a relayer's call would succeed now. Undefined if so; else the reason in the contract's own
 * words (never the RPC's), or `it would be reverted`. With `gas`, it must not take more.
 */
export async function simulateSend(
  chain: Chain,
  call: { to: Address; data: Hex; gas?: bigint },
): Promise<string | undefined> {
  const account = chain.relayers[0]?.address
  return askChain(async () => {
    try {
      await chain.rpc.call({ ...call, ...(account ? { account } : {}) })
      return undefined
    } catch (error) {
      const reason = revertReason(error)
      if (reason === undefined) throw error
      return reason
    }
  })
}

/** Of as many calls as fit into the gas that a node gives one question. */
const CALLS_AT_ONCE = 100

/**
 * As `simulateSend`, of many at once: those of one contract are asked about in one question. Whoever is refused there
 * is asked about alone, since one before it may have used up what it needs.
 */
export async function simulateSends(
  chain: Chain,
  calls: readonly { to: Address; data: Hex }[],
): Promise<(string | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(calls.length / CALLS_AT_ONCE) }, (_, n) =>
    calls.slice(n * CALLS_AT_ONCE, (n + 1) * CALLS_AT_ONCE),
  )
  const passed = (await Promise.all(chunks.map((chunk) => passTogether(chain, chunk)))).flat()
  return Promise.all(calls.map((call, i) => (passed[i] ? undefined : simulateSend(chain, call))))
}

/** Whether each call succeeds after those before it; nothing is said of any where the question itself fails. */
async function passTogether(
  chain: Chain,
  calls: readonly { to: Address; data: Hex }[],
): Promise<boolean[]> {
  if (calls.length < 2) return calls.map(() => false)
  try {
    const account = chain.relayers[0]?.address
    const { result } = await chain.rpc.simulateContract({
      address: MULTICALL3,
      abi: multicallAbi,
      functionName: 'aggregate3',
      args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
      ...(account ? { account } : {}),
    })
    return result.map(({ success }) => success)
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return calls.map(() => false)
  }
}

/** How nodes say that a call has failed in the contract: reverted, or with no gas left. */
const FAILED =
  /revert|EVM error|out of gas|gas required exceeds|invalid (?:opcode|jump)|stack (?:under|over)flow/i

/** The string a contract reverted with; undefined where the failure was not the contract's. */
export function revertReason(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const holder = error.walk((e) => revertData(e) !== undefined)
  const data = holder && revertData(holder)
  if (data && data !== '0x') return decodeString(data)
  return FAILED.test(`${error.details} ${error.message}`) ? 'it would be reverted' : undefined
}

/** The bytes that an RPC error carries beside its text, wherever its node puts them. */
function revertData(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown }).data
  const bytes = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  return typeof bytes === 'string' && /^0x[0-9a-f]*$/i.test(bytes) ? (bytes as Hex) : undefined
}

function decodeString(data: Hex): string {
  try {
    return decodeErrorResult({ abi: ERROR_STRING, data }).args[0]
  } catch {
    // A custom error or panic: it has no words of its own.
    return 'it would be reverted'
  }
}

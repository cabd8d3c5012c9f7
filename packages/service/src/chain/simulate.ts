import { BaseError, decodeErrorResult, type Hex } from 'viem'
import type { Address } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'

const ERROR_STRING = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
] as const

/**
 * Asks the chain whether a relayer's call would succeed now. Undefined if so; else the reason in the contract's own
 * words (never the RPC's), or `it would be reverted`.
 */
export async function simulateSend(
  chain: Chain,
  call: { to: Address; data: Hex },
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

/** The string a contract reverted with; undefined where the failure was not a revert. */
function revertReason(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const holder = error.walk((e) => revertData(e) !== undefined)
  const data = holder && revertData(holder)
  if (data && data !== '0x') return decodeString(data)
  return /revert/i.test(error.message) ? 'it would be reverted' : undefined
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

import { Problem } from '../../base/kernel/problem.ts'
import { askChain, type Chain } from './chain.ts'
import { perChain } from './per-chain.ts'

/** The newest block's number, its time, and its base fee in wei per gas. */
export type Head = { number: bigint; at: Date; baseFee: bigint }

/** Fees leave room for the base fee to triple, so a head may be this old. */
export const HEAD_FRESH_MS = 200

/**
 * The newest block of the configured chain. Throws if the RPC serves another chain: that chain's nonce counts would
 * make us lose track of our own nonces.
 */
export async function readHead(chain: Chain): Promise<Head> {
  const [chainId, block] = await askChain(() =>
    Promise.all([chain.rpc.getChainId(), chain.rpc.getBlock({ blockTag: 'latest' })]),
  )
  if (chainId !== chain.chainId) throw wrongChain(chain, `it answers as eip155:${chainId}`)
  const at = new Date(Number(block.timestamp) * 1000)
  return { number: block.number, at, baseFee: block.baseFeePerGas ?? 0n }
}

/** A promise that is cached for `HEAD_FRESH_MS` once it is fulfilled. */
export type Recent<T> = { seen?: Promise<T> }

/** Reads as `read` does, cached for `HEAD_FRESH_MS`. Failures are not cached. */
export function readRecent<T>(cache: Recent<T>, read: () => Promise<T>): Promise<T> {
  if (cache.seen !== undefined) return cache.seen
  const seen = read()
  cache.seen = seen
  const forget = () => {
    if (cache.seen === seen) delete cache.seen
  }
  seen.then(() => setTimeout(forget, HEAD_FRESH_MS).unref(), forget)
  return seen
}

const heads = perChain((): Recent<Head> => ({}))

/** As `readHead`, cached for 200 ms. */
export const readRecentHead = (chain: Chain): Promise<Head> =>
  readRecent(heads(chain), () => readHead(chain))

export const wrongChain = (chain: Chain, what: string): Problem =>
  new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.', {
    cause: new Error(`The RPC does not serve ${chain.network}: ${what}. Nothing is sent to it.`),
  })

/** Wei per gas. */
export type Fees = { maxFee: bigint; maxTip: bigint }

const MIN_TIP = 1_000_000n
/** The base fee may triple before a transaction has to wait. At an eighth more per block, that takes nine blocks. */
const BASE_FEE_ROOM = 3n

/** Fees for a transaction that is signed now, at least an eighth above those of an earlier attempt. */
export function feesFor(head: Head, before?: Fees): Fees {
  const more = (fee: bigint): bigint => (fee * 9n) / 8n + 1n
  const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const maxTip = before ? max(more(before.maxTip), MIN_TIP) : MIN_TIP
  const asked = head.baseFee * BASE_FEE_ROOM + maxTip
  return { maxTip, maxFee: before ? max(more(before.maxFee), asked) : asked }
}

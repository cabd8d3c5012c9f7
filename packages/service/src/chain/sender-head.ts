import type { Address } from '../kernel/assets.ts'
import { Problem } from '../kernel/problem.ts'
import { askChain, type Chain } from './chain.ts'

/** The newest block, as far as fees go. Fees are wei per gas. */
export type Head = { number: bigint; baseFee: bigint }
/** A head with the chain's count of each relayer's transactions there. */
export type CountedHead = Head & { counts: ReadonlyMap<Address, number> }

/** Held by the chain, so that all who sign within a moment share one look. */
export type HeadWatch = { seen?: Promise<CountedHead> }

/** A nonce is counted on in the database and a fee has room to triple: both may be as old as this. */
const FRESH_MS = 200

/**
 * The newest block of the chain that we are configured for. Refuses an RPC that serves another one: its counts of
 * nonces would be believed, and every one of ours lost.
 */
export async function readHead(chain: Chain): Promise<Head> {
  const [chainId, block] = await askChain(() =>
    Promise.all([chain.rpc.getChainId(), chain.rpc.getBlock({ blockTag: 'latest' })]),
  )
  if (chainId !== chain.chainId) throw wrongChain(chain, `it answers as eip155:${chainId}`)
  return { number: block.number, baseFee: block.baseFeePerGas ?? 0n }
}

/** As `readHead`, with the counts of our relayers, a fifth of a second old at most beside the time that the RPC took. One that failed is not kept. */
export function readRecentHead(chain: Chain): Promise<CountedHead> {
  const { heads } = chain
  if (heads.seen !== undefined) return heads.seen
  const seen = readCountedHead(chain)
  heads.seen = seen
  const forget = () => {
    if (heads.seen === seen) delete heads.seen
  }
  seen.then(() => setTimeout(forget, FRESH_MS).unref(), forget)
  return seen
}

/** As `readRecentHead`, read now; whoever signs from here on sees it too, and counts no nonce that is known to be used. */
export function readNewHead(chain: Chain): Promise<CountedHead> {
  delete chain.heads.seen
  return readRecentHead(chain)
}

/** One request to the RPC: counts and chain id are of the same node. */
async function readCountedHead(chain: Chain): Promise<CountedHead> {
  const [head, ...counts] = await Promise.all([
    readHead(chain),
    ...chain.relayers.map(({ address }) => readCount(chain, address)),
  ])
  return {
    ...head,
    counts: new Map(chain.relayers.map(({ address }, i) => [address, counts[i] ?? 0])),
  }
}

/** The chain's count of a relayer's transactions at the newest block. */
const readCount = (chain: Chain, address: Address): Promise<number> =>
  askChain(() => chain.rpc.getTransactionCount({ address, blockTag: 'latest' }))

export const wrongChain = (chain: Chain, what: string): Problem =>
  new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.', {
    cause: new Error(`The RPC does not serve ${chain.network}: ${what}. Nothing is sent to it.`),
  })

import type { Address } from '../../base/kernel/assets.ts'
import { askChain, type Chain } from '../client/chain.ts'
import { type Head, type Recent, readHead, readRecent } from '../client/head.ts'

/** A head with the chain's count of each relayer's transactions there. */
export type CountedHead = Head & { counts: ReadonlyMap<Address, number> }
export type HeadCache = Recent<CountedHead>

type Heads = { chain: Chain; heads: HeadCache }

/** The newest block with the counts of our relayers, cached for 200 ms: the database counts nonces too. */
export const readRecentCounts = ({ chain, heads }: Heads): Promise<CountedHead> =>
  readRecent(heads, () => readCountedHead(chain))

/** As `readRecentCounts`, but read now. It replaces what was cached, so that nobody counts a used nonce again. */
export function readNewCounts({ chain, heads }: Heads): Promise<CountedHead> {
  delete heads.seen
  return readRecentCounts({ chain, heads })
}

/** One request to the RPC, so that counts and chain id come from the same node. */
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

const readCount = (chain: Chain, address: Address): Promise<number> =>
  askChain(() => chain.rpc.getTransactionCount({ address, blockTag: 'latest' }))

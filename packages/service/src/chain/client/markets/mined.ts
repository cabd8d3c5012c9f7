import { type Hex, TransactionNotFoundError, type TransactionReceipt } from 'viem'
import { askChain, type Chain } from '../chain.ts'
import { findReceipt } from '../reads.ts'

/**
 * How a transaction stands. `pending`: known and not in a block that is safe from reorganization. Only a safe one tells
 * anything for good.
 */
export type Standing =
  | { kind: 'unknown' | 'pending' | 'reverted' }
  | { kind: 'safe'; receipt: TransactionReceipt }

/** How the transaction stands at the safe block. */
export const readStanding = (chain: Chain, hash: Hex): Promise<Standing> =>
  askChain(async (): Promise<Standing> => {
    const [receipt, safe] = await Promise.all([
      findReceipt(chain, hash),
      chain.rpc.getBlock({ blockTag: 'safe' }),
    ])
    if (!receipt) return { kind: (await isKnown(chain, hash)) ? 'pending' : 'unknown' }
    if (receipt.blockNumber > safe.number) return { kind: 'pending' }
    return receipt.status === 'success' ? { kind: 'safe', receipt } : { kind: 'reverted' }
  })

async function isKnown({ rpc }: Chain, hash: Hex): Promise<boolean> {
  try {
    await rpc.getTransaction({ hash })
    return true
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false
    throw error
  }
}

/** The time of a block. */
export const readTimeOf = ({ rpc }: Chain, blockNumber: bigint): Promise<Date> =>
  askChain(async () => new Date(Number((await rpc.getBlock({ blockNumber })).timestamp) * 1000))

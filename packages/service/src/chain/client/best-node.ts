import type { PublicClient } from 'viem'
import { within } from '../../base/kernel/clock.ts'
import type { Chain } from './chain.ts'

/** A node this many blocks behind another is skipped. */
const LAG_BLOCKS = 20n
const PATIENCE_MS = 2_000

/**
 * The chain read through one node: the first in order that answers in time and is not far behind the others. One node's
 * answers are consistent with each other; those of several may not be. Returns the chain unchanged if it has one node
 * or none answers. `ask` is a question that the node must answer too: some nodes report their head and nothing else.
 */
export async function throughBestNode<C extends Chain>(
  chain: C,
  ask?: (node: PublicClient) => Promise<unknown>,
): Promise<C> {
  const { nodes } = chain
  if (nodes.length < 2) return chain
  const heads = await Promise.all(nodes.map((node) => withinPatience(headOf(node, ask))))
  const most = heads.reduce<bigint>((max, head) => (head && head > max ? head : max), 0n)
  const best = nodes.find((_, i) => {
    const head = heads[i]
    return head !== undefined && head + LAG_BLOCKS >= most
  })
  return best ? { ...chain, rpc: best } : chain
}

async function headOf(
  node: PublicClient,
  ask: ((node: PublicClient) => Promise<unknown>) | undefined,
): Promise<bigint> {
  const [head] = await Promise.all([node.getBlockNumber({ cacheTime: 0 }), ask?.(node)])
  return head
}

const withinPatience = (asked: Promise<bigint>): Promise<bigint | undefined> =>
  within(
    asked.catch(() => undefined),
    PATIENCE_MS,
    () => undefined,
  )

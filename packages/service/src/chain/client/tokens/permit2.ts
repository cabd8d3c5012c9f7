import { encodeFunctionData } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import {
  EXACT_PERMIT2_PROXY,
  exactPermit2ProxyAbi,
  PERMIT2,
} from '../../../base/protocols/evm/permit2/abi.ts'
import type { Chain } from '../chain.ts'
import { perChain } from '../per-chain.ts'
import { hasCode } from '../reads.ts'
import { callToken, wordOf } from './calls.ts'

/** Whether Permit2 and x402's proxy for it are deployed on the chain. */
export async function readPermit2Presence(
  chain: Chain,
  proxy: Address = EXACT_PERMIT2_PROXY,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: exactPermit2ProxyAbi, functionName: 'PERMIT2' })
  const [isThere, named] = await Promise.all([
    hasCode(chain, PERMIT2),
    callToken(chain, proxy, data),
  ])
  return isThere && wordOf(named) === BigInt(PERMIT2)
}

const watches = perChain(() => new Map<Address, Promise<boolean>>())

/** Whether the chain has Permit2 and x402's proxy. Asked until it has; callers at the same time share one question. */
export async function isPermit2There(
  { chain }: { chain: Chain },
  proxy: Address = EXACT_PERMIT2_PROXY,
): Promise<boolean> {
  const watch = watches(chain)
  const asking = watch.get(proxy) ?? readPermit2Presence(chain, proxy)
  watch.set(proxy, asking)
  const isThere = await asking.catch((error) => {
    watch.delete(proxy)
    throw error
  })
  if (!isThere) watch.delete(proxy)
  return isThere
}

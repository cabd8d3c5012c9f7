import artifact from '../../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import type { Address } from '../../../base/kernel/assets.ts'
import type { Chain } from '../../client/chain.ts'
import { isBuildAt } from '../../client/public/builds.ts'

/** The configured BatchSettler; `isOurs` is set once its code was compared. */
export type Settler = { readonly address: Address | undefined; isOurs?: Promise<boolean> }

/**
 * The settler through which sends may share a transaction. Undefined if none is configured, or the code at its address
 * is not our contract's. The code is read once.
 */
export async function settlerOf({
  chain,
  settler,
}: {
  chain: Chain
  settler: Settler
}): Promise<Address | undefined> {
  if (!settler.address) return undefined
  settler.isOurs ??= isSettler(chain, settler.address)
  try {
    return (await settler.isOurs) ? settler.address : undefined
  } catch (error) {
    delete settler.isOurs
    throw error
  }
}

/** Whether the code at the address is BatchSettler's, with any operator: the operator's address is part of the code. */
export const isSettler = (chain: Pick<Chain, 'rpc'>, address: Address): Promise<boolean> =>
  isBuildAt(chain, address, artifact)

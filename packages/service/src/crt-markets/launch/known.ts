import type { Reader } from '../../db/sql.ts'
import type { Services } from '../../http/services.ts'
import type { Address } from '../../kernel/assets.ts'
import { glancesOf } from '../../tokens/names/glance.ts'
import { findAlike } from '../store.ts'
import type { Known } from './names.ts'

/**
 * Tokens that nobody else may imitate: the assets of this service, and of the credential tokens in its markets those that
 * look like one of these texts. A token that some wallet registered is none: anybody could keep names from others by it.
 */
export async function findKnown(
  on: Reader,
  { chain }: Services,
  of: { creator: Address; texts: readonly string[] },
): Promise<Known[]> {
  const assets = [chain.asset, ...(chain.serviceToken ? [chain.serviceToken] : [])]
  const glances = of.texts.flatMap(glancesOf)
  const alike = await findAlike(on, { network: chain.network, creator: of.creator, glances })
  return [...assets.map(({ symbol, eip712 }) => ({ symbol, name: eip712.name })), ...alike]
}

import { findV4, type V4Contracts } from '../chain/markets/contracts.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../kernel/problem.ts'

/** The contracts of the chain's markets. Throws `markets_unavailable` where there are none. */
export async function mustHaveMarkets({ chain }: Pick<Services, 'chain'>): Promise<V4Contracts> {
  const { chainId } = chain
  try {
    const found = await findV4(chain)
    if (found) return found
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, error.message, { cause: error.cause, extra: { chainId } })
  }
  throw new Problem(
    'markets_unavailable',
    `Uniswap v4 is not on chain ${chainId}, so no token can be listed or traded here. Use a service on a chain that has it.`,
    { extra: { chainId } },
  )
}

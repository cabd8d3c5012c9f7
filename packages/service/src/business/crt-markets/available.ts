import type { Uses } from '../../api/http/services.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { findV4, type V4Contracts } from '../../chain/client/markets/contracts.ts'

const ELSEWHERE = 'Use a service on a chain that has it.'
/** The package is for development alone, and is placed on a fresh chain. */
const INSTALL =
  'The embedded chain gets it from the development packages: install them with npm ci, and start again.'

/** The contracts of the chain's markets. Throws `markets_unavailable` where there are none. */
export async function mustHaveMarkets({
  chain,
  settings,
}: Uses<'chain' | 'settings'>): Promise<V4Contracts> {
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
    `Uniswap v4 is not on chain ${chainId}, so no token can be listed or traded here. ${settings.embeddedRpcUrl === null ? ELSEWHERE : INSTALL}`,
    { extra: { chainId } },
  )
}

import type { Chain } from '../../chain/client/chain.ts'
import { readBlock } from '../../chain/client/reads.ts'
import { gasLevelOf, readGas } from '../../chain/relay/gas/relayer-gas.ts'

/** The status is public, so the RPC is asked at most once in this time. */
const KEPT_MS = 2_000

/** Caches answers of the chain for two seconds, for all callers. Failures are cached too. */
export function kept<T>(look: (chain: Chain) => Promise<T>): (chain: Chain) => Promise<T> {
  const answers = new WeakMap<Chain, Promise<T>>()
  return (chain) => {
    const known = answers.get(chain)
    if (known !== undefined) return known
    const answer = look(chain)
    answers.set(chain, answer)
    const forget = () => setTimeout(() => answers.delete(chain), KEPT_MS).unref()
    answer.then(forget, forget)
    return answer
  }
}

export const readKeptGas = kept(async (chain) => gasLevelOf(await readGas({ chain })))

export const readKeptBlock = kept((chain) => readBlock(chain, 'latest'))

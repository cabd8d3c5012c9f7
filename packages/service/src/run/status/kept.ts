import { tryWrite } from '../../base/db/try-write.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { readBlock } from '../../chain/client/reads.ts'
import { gasLevelOf, readGas } from '../../chain/relay/gas/relayer-gas.ts'

/** The status is public, so the RPC is asked, and the database is written to, at most once in this time. */
const KEPT_MS = 2_000

/** Caches answers for two seconds, for all callers. Failures are cached too. */
export function kept<Of extends object, T>(look: (of: Of) => Promise<T>): (of: Of) => Promise<T> {
  const answers = new WeakMap<Of, Promise<T>>()
  return (of) => {
    const known = answers.get(of)
    if (known !== undefined) return known
    const answer = look(of)
    answers.set(of, answer)
    const forget = () => setTimeout(() => answers.delete(of), KEPT_MS).unref()
    answer.then(forget, forget)
    return answer
  }
}

export const readKeptGas = kept(async (chain: Chain) => gasLevelOf(await readGas({ chain })))

export const readKeptBlock = kept((chain: Chain) => readBlock(chain, 'latest'))

export const tryKeptWrite = kept(tryWrite)

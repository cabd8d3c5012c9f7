import type { Uses } from '../../api/http/services.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { readStanding, type Standing } from '../../chain/client/markets/mined.ts'

export type SafeTransaction = (Standing & { kind: 'safe' })['receipt']
/** A safe block on Base is some two minutes old. */
const WAIT_SECONDS = { embedded: 2, public: 15 }

/** The transaction, once its block is safe from reorganization. Throws what it is instead. */
export async function mustBeSafe(
  { chain, settings }: Uses<'chain' | 'settings'>,
  { hash, param }: { hash: Hex; param: string },
): Promise<SafeTransaction> {
  const standing = await readStanding(chain, hash)
  switch (standing.kind) {
    case 'safe':
      return standing.receipt
    case 'unknown':
      throw new Problem(
        'transaction_not_found',
        `The chain does not know ${param}. Check the hash; if you have just sent it, try again in a moment.`,
        { param },
      )
    case 'reverted':
      throw new Problem(
        'transaction_reverted',
        `${param} was reverted by the chain: nothing came of it. Send the step again, or prepare anew.`,
        { param },
      )
    default: {
      const wait = settings.embeddedRpcUrl === null ? WAIT_SECONDS.public : WAIT_SECONDS.embedded
      throw new Problem(
        'transaction_pending',
        `${param} is not yet in a block that is safe. Ask again in ${wait} seconds.`,
        { param, headers: { 'retry-after': String(wait) } },
      )
    }
  }
}

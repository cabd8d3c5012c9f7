import { unixSeconds } from '../kernel/clock.ts'
import type { Chain } from './chain.ts'
import { readBlock } from './reads.ts'

export type Latest = { number: bigint; at: Date }
/** The look at the newest block that is under way. Held by the chain, so that callers of one moment share it. */
export type LatestWatch = { reading?: Promise<Latest> }

/** The number and time of the newest block. */
export function readLatest(chain: Chain): Promise<Latest> {
  const { latest } = chain
  latest.reading ??= readBlock(chain, 'latest').finally(() => {
    delete latest.reading
  })
  return latest.reading
}

/**
 * Unix seconds by which an authorization must be valid: those of the newest block or of our own clock, whichever is
 * later, as it must be valid by both. A clock a minute ahead of the chain is not believed.
 */
export function nowSecondsOf(latest: Latest, at: Date): bigint {
  const [chain, own] = [BigInt(unixSeconds(latest.at)), BigInt(unixSeconds(at))]
  return own > chain && own < chain + 60n ? own : chain
}

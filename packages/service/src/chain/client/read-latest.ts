import { unixSeconds } from '../../base/kernel/clock.ts'
import type { Chain } from './chain.ts'
import { perChain } from './per-chain.ts'
import { readBlock } from './reads.ts'

export type Latest = { number: bigint; at: Date }

const readings = perChain((): { running?: Promise<Latest> } => ({}))

/** The number and time of the newest block. Concurrent callers share one read. */
export function readLatest(chain: Chain): Promise<Latest> {
  const reading = readings(chain)
  reading.running ??= readBlock(chain, 'latest').finally(() => {
    delete reading.running
  })
  return reading.running
}

/**
 * Unix seconds at which an authorization must be valid: the later of the newest block's time and our clock, since it
 * must be valid by both. A clock more than a minute ahead of the chain is ignored.
 */
export function nowSecondsOf(latest: Latest, at: Date): bigint {
  const [chain, own] = [BigInt(unixSeconds(latest.at)), BigInt(unixSeconds(at))]
  return own > chain && own < chain + 60n ? own : chain
}

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

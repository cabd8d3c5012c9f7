import { sql } from '../../src/base/db/sql.ts'
import type { World } from '../world.ts'

/** Counts the transactions that the world's relayers send from now on, and those that had no effect. */
export async function carriedBy(w: World) {
  const count = async (): Promise<number> => {
    const counts = w.chain.relayers.map(({ address }) =>
      w.chain.rpc.getTransactionCount({ address }),
    )
    return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0)
  }
  const before = await count()
  return async () => ({
    transactions: (await count()) - before,
    failed: Number(
      (
        await sql<{ n: bigint }>`select count(*) as n from chain_sends
          where is_alone or (state = 'mined' and succeeded is not true)`.execute(w.db.reader)
      ).rows[0]?.n ?? 0n,
    ),
  })
}

import type { Reader } from '../../base/db/sql.ts'
import type { Standing } from './membership.ts'
import { listStandings } from './store.ts'

/** The standings by wallet. A wallet that never had a membership is absent. */
export async function readStandings(
  on: Reader,
  wallets: readonly string[],
  at: Date,
): Promise<Map<string, Standing>> {
  const rows = await listStandings(on, [...new Set(wallets)], at)
  return new Map(
    rows.map(({ wallet, directQuota, ...standing }) => [
      wallet,
      { ...standing, directQuota: Number(directQuota) },
    ]),
  )
}

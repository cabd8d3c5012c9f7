import { all, type RawBuilder, type Reader, sql } from '../db/sql.ts'
import { type Amount, ZERO } from '../kernel/money.ts'
import type { Standing } from './membership.ts'

export type StandingRow = Omit<Standing, 'directQuota'> & { wallet: string; directQuota: bigint }

export const listStandings = (
  on: Reader,
  wallets: readonly string[],
  at: Date,
): Promise<StandingRow[]> =>
  all<StandingRow>(
    on,
    sql`select m.wallet_address as wallet, m.tier, m.billing_period, m.status, p.direct_quota, p.overage_fee,
        m.current_period_end as period_end, m.status = 'PAST_DUE' or (m.status = 'ACTIVE'
          and (m.current_period_end > ${at} or (m.auto_renew and not m.cancel_at_period_end))) as is_live
      from memberships m join plans p using (tier, billing_period, asset)
      where m.wallet_address = any(${wallets}::text[])`,
  )

/** A subquery for another room's statement: the tier of the wallet in this column while its membership counts, or null. */
export const tierOf = (wallet: string): RawBuilder<string | null> =>
  sql`(select m.tier from memberships m where m.wallet_address = ${sql.ref(wallet)} and m.status in ('ACTIVE', 'PAST_DUE'))`

/** The fee of a DIRECT settlement above the quota, by the plan of this tier. */
export async function findPlanOverage(on: Reader, tier: string): Promise<Amount> {
  const [row] = await all<{ overageFee: Amount }>(
    on,
    sql`select overage_fee from plans where tier = ${tier} order by overage_fee desc limit 1`,
  )
  return row?.overageFee ?? ZERO
}

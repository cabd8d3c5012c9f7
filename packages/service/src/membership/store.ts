import { all, type Reader, sql } from '../db/sql.ts'
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

import { one, type Reader, run, sql, type Tx } from '../../../../base/db/sql.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'

/** One withdrawal of the asset at a time, until the transaction ends. */
export async function lockCaps(tx: Tx, { network, symbol }: Asset): Promise<void> {
  await run(tx, sql`select lock_payout_caps(${network}, ${symbol})`)
}

/** Withdrawals of the last 24 hours, by the database's time, that have not failed, and those that wait: of one wallet, or of all. */
const counted = ({ network, symbol }: Asset, of: string | null) =>
  sql`(select id, amount, wallet_address, counted_at from withdrawals
      where network = ${network} and asset = ${symbol} and status <> 'FAILED' and counted_at is not null
        and counted_at > payout_time() - interval '24 hours'
    union all select id, amount, wallet_address, counted_at from withdrawal_requests
      where network = ${network} and asset = ${symbol} and state in ('pending', 'approved')
        and counted_at > payout_time() - interval '24 hours') w
    where ${of}::text is null or wallet_address = ${of}`

/** How much of the asset has left in the last 24 hours or is about to, fees included. */
export async function sumCounted(on: Reader, asset: Asset, of: string | null): Promise<bigint> {
  const row = await one<{ sum: bigint }>(
    on,
    sql`select coalesce(sum(amount), 0) as sum from ${counted(asset, of)}`,
  )
  return row?.sum ?? 0n
}

/** When the withdrawal was counted after whose 24 hours `over` base units are free again. */
export const findRoom = (
  on: Reader,
  asset: Asset,
  { of, over }: { of: string | null; over: bigint },
): Promise<{ countedAt: Date; now: Date } | undefined> =>
  one(
    on,
    sql`select counted_at, payout_time() as now from
      (select counted_at, sum(amount) over (order by counted_at, id) as freed from ${counted(asset, of)}) c
      where freed >= ${over} order by counted_at limit 1`,
  )

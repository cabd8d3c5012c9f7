import { one, type Reader, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'

/** The total that a wallet has spent of an asset with its cards, those it has sold since included, in base units. */
export async function sumSpent(on: Reader, asset: Asset, walletAddress: string): Promise<Amount> {
  const row = await one<{ spent: bigint }>(
    on,
    sql`select greatest(coalesce(sum(spent), 0), 0) as spent from card_spending where wallet_address = ${walletAddress}
      and network = ${asset.network} and asset = ${asset.symbol}`,
  )
  return amount(row?.spent ?? 0n)
}

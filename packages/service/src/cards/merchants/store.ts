import { all, one, type Reader, run, sql, type Tx } from '../../db/sql.ts'

/** The category that the operator assigned to a wallet; `mcc` is null where it was taken away. */
export type MerchantCategory = {
  walletAddress: string
  mcc: string | null
  note: string
  assignedAt: Date
}
export type CategoryChange = {
  walletAddress: string
  previous: string | null
  mcc: string | null
  note: string
  databaseRole: string
  changedAt: Date
}

/** The merchant category that the operator assigned to this wallet, whatever it says of itself. */
export async function findCategory(on: Reader, walletAddress: string): Promise<string | null> {
  const row = await one<{ mcc: string | null }>(
    on,
    sql`select mcc from merchant_categories where wallet_address = ${walletAddress}`,
  )
  return row?.mcc ?? null
}

/** The categories of those of these wallets that have one, by address. */
export async function findCategories(
  on: Reader,
  wallets: readonly string[],
): Promise<Map<string, string>> {
  const rows = await all<{ walletAddress: string; mcc: string }>(
    on,
    sql`select wallet_address, mcc from merchant_categories
      where wallet_address = any(${wallets}::text[]) and mcc is not null`,
  )
  return new Map(rows.map((row) => [row.walletAddress, row.mcc]))
}

/** Assigns a category, or takes it away with null. The database writes the change down. False where it is so already. */
export const assignCategory = async (
  tx: Tx,
  at: Date,
  { walletAddress, mcc, note }: Pick<MerchantCategory, 'walletAddress' | 'mcc' | 'note'>,
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into merchant_categories as m (wallet_address, mcc, note, assigned_at)
      values (${walletAddress}, ${mcc}, ${note}, ${at})
      on conflict (wallet_address) do update set mcc = excluded.mcc, note = excluded.note, assigned_at = ${at}
      where m.mcc is distinct from excluded.mcc`,
  )) === 1

/** The categories that count now, by wallet. */
export const listCategories = (on: Reader): Promise<MerchantCategory[]> =>
  all<MerchantCategory>(
    on,
    sql`select wallet_address, mcc, note, assigned_at from merchant_categories
      where mcc is not null order by wallet_address`,
  )

/** Every change there was, the newest first. */
export const listCategoryChanges = (on: Reader): Promise<CategoryChange[]> =>
  all<CategoryChange>(
    on,
    sql`select wallet_address, previous, mcc, note, database_role, changed_at
      from merchant_category_changes order by id desc`,
  )

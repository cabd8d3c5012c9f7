import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'

/** The operator's category for a wallet; `mcc` is null if it was removed. */
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

/** The merchant category that the operator assigned to this wallet, whatever the wallet says about itself. */
export async function findCategory(on: Reader, walletAddress: string): Promise<string | null> {
  const row = await one<{ mcc: string | null }>(
    on,
    sql`select mcc from merchant_categories where wallet_address = ${walletAddress}`,
  )
  return row?.mcc ?? null
}

/** The categories by address, for those of these wallets that have one. */
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

/** Assigns a category, or removes it with null. The database records the change. Returns false if nothing changes. */
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

/** The categories in force, by wallet. */
export const listCategories = (on: Reader): Promise<MerchantCategory[]> =>
  all<MerchantCategory>(
    on,
    sql`select wallet_address, mcc, note, assigned_at from merchant_categories
      where mcc is not null order by wallet_address`,
  )

/** All changes, newest first. */
export const listCategoryChanges = (on: Reader): Promise<CategoryChange[]> =>
  all<CategoryChange>(
    on,
    sql`select wallet_address, previous, mcc, note, database_role, changed_at
      from merchant_category_changes order by id desc`,
  )

/** A subquery for another room's statement: the category of the wallet in this column, or null. */
export const categoryOf = (wallet: string): RawBuilder<string | null> =>
  sql`(select m.mcc from merchant_categories m where m.wallet_address = ${sql.ref(wallet)})`

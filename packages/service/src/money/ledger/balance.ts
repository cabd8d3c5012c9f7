import { all, one, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import { type Amount, amount, ZERO } from '../../base/kernel/money.ts'
import type { AccountKey } from './accounts.ts'

/** The amount available on an account: posted less held, without a lock. Zero if the account does not exist. */
export async function readAvailable(on: Reader, key: AccountKey): Promise<Amount> {
  const row = await one<{ available: bigint }>(
    on,
    sql`select posted - held as available from ledger_accounts where kind = ${key.kind} and owner = ${key.owner}
      and network = ${key.network} and asset = ${key.asset}`,
  )
  return row ? amount(row.available) : ZERO
}

/**
 * The amounts that an account gained and gave, by kind of transfer. Only for accounts of wallets: cards and the house
 * have no totals.
 */
export async function readTotals(
  on: Reader,
  key: AccountKey,
): Promise<Map<string, { in: bigint; out: bigint }>> {
  const rows = await all<{ kind: string; gained: bigint; gave: bigint }>(
    on,
    sql`select t.kind, t.gained, t.gave from ledger_accounts a join ledger_totals t on t.account_id = a.id
      where a.kind = ${key.kind} and a.owner = ${key.owner} and a.network = ${key.network} and a.asset = ${key.asset}`,
  )
  return new Map(rows.map((row) => [row.kind, { in: row.gained, out: row.gave }]))
}

/** A condition for another room's statement: the wallet has a treasury account. `wallet` is a column. */
export const hasBalance = (wallet: string): RawBuilder<boolean> =>
  sql`exists (select from ledger_accounts a where a.kind = 'treasury' and a.owner = ${sql.ref(wallet)})`

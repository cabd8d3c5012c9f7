import { all, one, type Reader, sql } from '../db/sql.ts'
import { type Amount, amount, ZERO } from '../kernel/money.ts'
import type { AccountKey } from './accounts.ts'

/** What is available on an account that may not exist yet: posted less held. Not locked. */
export async function readAvailable(on: Reader, key: AccountKey): Promise<Amount> {
  const row = await one<{ available: bigint }>(
    on,
    sql`select posted - held as available from ledger_accounts where kind = ${key.kind} and owner = ${key.owner}
      and network = ${key.network} and asset = ${key.asset}`,
  )
  return row ? amount(row.available) : ZERO
}

/** What came to and went from an account that is neither a card's nor of the house, by kind of transfer. */
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

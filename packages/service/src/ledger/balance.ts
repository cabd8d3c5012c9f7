import { one, type Reader, sql } from '../db/sql.ts'
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

/** What came to (> 0) and went from (< 0) an account, by kind of transfer. */
export async function readTotals(
  on: Reader,
  key: AccountKey,
): Promise<Map<string, { in: bigint; out: bigint }>> {
  const { rows } = await sql<{ kind: string; gained: bigint; gave: bigint }>`
    select t.kind, coalesce(sum(e.amount) filter (where e.amount > 0), 0) as gained,
      coalesce(-sum(e.amount) filter (where e.amount < 0), 0) as gave
    from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_transfers t on t.id = e.transfer_id
    where a.kind = ${key.kind} and a.owner = ${key.owner} and a.network = ${key.network} and a.asset = ${key.asset}
    group by t.kind`.execute(on)
  return new Map(rows.map((row) => [row.kind, { in: row.gained, out: row.gave }]))
}

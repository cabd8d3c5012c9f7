import { all, sql, type Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { type Amount, amount } from '../kernel/money.ts'
import type { AccountId } from './accounts.ts'

export type Hold = { account: AccountId; amount: Amount; ref: string }

/** Sets the amounts aside, one hold per cause. Lock the accounts and check what is available first. */
export async function openHolds(tx: Tx, at: Date, holds: Hold[]): Promise<Id<'hold'>[]> {
  const ids = holds.map(() => newId('hold', at))
  await sql`insert into ledger_holds (id, account_id, amount, ref, created_at)
    select *, ${at}::timestamptz from unnest(${ids}::text[], ${holds.map((h) => h.account)}::bigint[],
      ${holds.map((h) => h.amount)}::numeric[], ${holds.map((h) => h.ref)}::text[])`.execute(tx)
  return ids
}

/** Closes the hold and answers its account and amount, or undefined where another got there first. */
async function close(tx: Tx, at: Date, id: Id<'hold'>, captured: Amount) {
  const [row] = await all<{ accountId: bigint; amount: bigint }>(
    tx,
    sql`update ledger_holds set state = ${captured > 0n ? 'captured' : 'released'}, captured = ${captured}, closed_at = ${at}
      where id = ${id} and state = 'open' returning account_id, amount`,
  )
  return row && { account: row.accountId, amount: amount(row.amount) }
}

/**
 * Frees the hold so that `captured` base units of it can be posted in this same transaction; the rest goes back.
 * True for the one caller that closed it, false for everybody after.
 */
export async function captureHold(
  tx: Tx,
  at: Date,
  id: Id<'hold'>,
  captured: Amount,
): Promise<boolean> {
  assert(captured > 0n, 'a capture takes something')
  return (await close(tx, at, id, captured)) !== undefined
}

/** Gives all of the hold back. True for the one caller that closed it. */
export async function releaseHold(tx: Tx, at: Date, id: Id<'hold'>): Promise<boolean> {
  return (await close(tx, at, id, amount(0n))) !== undefined
}

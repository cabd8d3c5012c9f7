import { all, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'
import type { AccountId } from './accounts.ts'

export type Hold = { account: AccountId; amount: Amount; ref: string }

/** Sets the amounts aside, one hold per cause. Lock the accounts first, and check what is available. */
export async function openHolds(tx: Tx, at: Date, holds: Hold[]): Promise<Id<'hold'>[]> {
  const ids = holds.map(() => newId('hold', at))
  await sql`insert into ledger_holds (id, account_id, amount, ref, created_at)
    select *, ${at}::timestamptz from unnest(${ids}::text[], ${holds.map((h) => h.account)}::bigint[],
      ${holds.map((h) => h.amount)}::numeric[], ${holds.map((h) => h.ref)}::text[])`.execute(tx)
  return ids
}

/** Closes the hold and answers its account and amount. Undefined if it is closed already. */
async function close(tx: Tx, at: Date, id: Id<'hold'>, captured: Amount) {
  const [row] = await all<{ accountId: bigint; amount: bigint }>(
    tx,
    sql`update ledger_holds set state = ${captured > 0n ? 'captured' : 'released'}, captured = ${captured}, closed_at = ${at}
      where id = ${id} and state = 'open' returning account_id, amount`,
  )
  return row && { account: row.accountId, amount: amount(row.amount) }
}

/**
 * Frees the hold, so that `captured` base units of it can be posted in the same transaction. The rest goes back. True for
 * the caller that closed the hold, false for all later ones.
 */
export async function captureHold(
  tx: Tx,
  at: Date,
  id: Id<'hold'>,
  captured: Amount,
): Promise<boolean> {
  assert(captured > 0n, 'a capture is more than zero')
  return (await close(tx, at, id, captured)) !== undefined
}

/** A part of a hold that came back: as it was closed, or since a reorganization undid the payment. `ref` is its cause. */
export type GivenBack = { ref: string; amount: Amount; heldAt: Date; at: Date }

/** The parts that came back of the holds of these causes. */
export const readGivenBack = (on: Reader, refs: readonly string[]): Promise<GivenBack[]> =>
  all<GivenBack>(
    on,
    sql`select ref, amount - captured as amount, created_at as held_at, closed_at as at from ledger_holds
      where ref = any(${refs}::text[]) and state <> 'open' and captured < amount
      union all
      select h.ref, h.captured, h.created_at, t.created_at from ledger_transfer_rows t join ledger_holds h on h.ref = t.ref
      where t.kind = 'payment_undone' and t.ref = any(${refs}::text[])`,
  )

/** Gives the whole hold back. True for the caller that closed it. */
export async function releaseHold(tx: Tx, at: Date, id: Id<'hold'>): Promise<boolean> {
  return (await close(tx, at, id, amount(0n))) !== undefined
}

import { all, type RawBuilder, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import type { AccountId } from './accounts.ts'

/** One line of a transfer, in base units: what the account gains (> 0) or gives (< 0). */
export type Entry = { account: AccountId; amount: bigint }
/**
 * Money that moves for one cause. The entries sum to zero per network and asset. `kind` and `ref` name the cause: the
 * database accepts one transfer for each such pair, so a retry posts nothing twice. `reverses` names the transfer that is
 * taken back, in whole or, by a refund, in part: the database lets it give to those alone who gave.
 */
export type Transfer = { kind: string; ref: string; entries: Entry[]; reverses?: Id<'trf'> }

/**
 * Posts the transfers as one batch, in one statement. The database applies the entries to the balances, refuses a
 * transfer that does not balance or would overdraw, and seals the batch into a hash chain (`ledger_apply`).
 * If the amounts depend on balances, lock the accounts first.
 */
export async function post(tx: Tx, at: Date, transfers: Transfer[]): Promise<Id<'trf'>[]> {
  const posted = checked(at, transfers)
  if (posted.length > 0) await insertTransfers(tx, at, posted)
  return posted.map((transfer) => transfer.id)
}

type Posted = Transfer & { id: Id<'trf'>; digest: Buffer }

function checked(at: Date, transfers: Transfer[]): Posted[] {
  return transfers.map((transfer) => {
    const entries = transfer.entries.filter((entry) => entry.amount !== 0n)
    assert(entries.length >= 2, `transfer for ${transfer.ref} has no two sides`)
    const sum = entries.reduce((total, entry) => total + entry.amount, 0n)
    assert(sum === 0n, `transfer for ${transfer.ref} is off by ${sum}`)
    const id = newId('trf', at)
    return { ...transfer, id, entries, digest: digestOf({ ...transfer, id, entries }, at) }
  })
}

async function insertTransfers(tx: Tx, at: Date, posted: Posted[]): Promise<void> {
  const column = (pick: (transfer: Posted) => unknown) => posted.map(pick)
  // PostgreSQL accepts only rectangular arrays of arrays, so the lines of each transfer are sent as the text of an array.
  const lines = (pick: (entry: Entry) => bigint) =>
    column(({ entries }) => `{${entries.map(pick).join()}}`)
  await sql`with batch as materialized (select nextval('ledger_batch_ids') as id)
    insert into ledger_transfer_rows (id, kind, ref, reverses, digest, accounts, amounts, batch, created_at)
    select t.id, t.kind, t.ref, t.reverses, t.digest, t.accounts::bigint[], t.amounts::numeric[], batch.id, ${at}
    from batch, unnest(${column((t) => t.id)}::text[], ${column((t) => t.kind)}::text[],
      ${column((t) => t.ref)}::text[], ${column((t) => t.reverses ?? null)}::text[],
      ${column((t) => t.digest)}::bytea[], ${lines((e) => e.account)}::text[], ${lines((e) => e.amount)}::text[])
      as t (id, kind, ref, reverses, digest, accounts, amounts)`.execute(tx)
}

/** SHA-256 over all parts of a transfer. `verify` computes it again from the rows. */
export function digestOf(transfer: Transfer & { id: string }, at: Date): Buffer {
  const lines = transfer.entries.map((entry, line) => `${line} ${entry.account} ${entry.amount}`)
  const head = [
    transfer.id,
    transfer.kind,
    transfer.ref,
    transfer.reverses ?? '-',
    at.toISOString(),
  ]
  return sha256([...head, ...lines].join('\n'))
}

/** Subquery: the batch of a transfer. Of two batches that move one account, the later one has the larger number. */
export const batchOf = (id: Id<'trf'>): RawBuilder<bigint> =>
  sql`(select t.batch from ledger_transfer(${id}) t)`

/** The transfer posted for this cause, if any. */
export async function findTransfer(
  tx: Tx,
  kind: string,
  ref: string,
): Promise<Id<'trf'> | undefined> {
  const [row] = await all<{ id: Id<'trf'> }>(
    tx,
    sql`select id from ledger_transfers where kind = ${kind} and ref = ${ref}`,
  )
  return row?.id
}

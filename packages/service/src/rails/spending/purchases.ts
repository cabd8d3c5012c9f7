import { isRefused } from '../../api/http/idempotency.ts'
import { one, run, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'

/** The longest time in which a request may count as a repetition. Answers are kept longer than that. */
export const WINDOW_MAX_SECONDS = 86_400

/** A purchase that its agent did not name: what it is, and the name that its payment goes under. */
export type Purchase = { id: Id<'pur'>; createdAt: Date }
type Asked = { walletAddress: string; keySpace: string; digest: Buffer; windowSeconds: number }

/**
 * The purchase that a request belongs to: the one of the same digest that began within the window, or a new one. A purchase
 * whose payment was refused is over, so that the same request is a new one after it. Of requests at once one begins it.
 */
export async function openPurchase(
  tx: Tx,
  at: Date,
  asked: Asked,
): Promise<Purchase & { isNew: boolean }> {
  const { walletAddress, keySpace, digest, windowSeconds } = asked
  const id = newId('pur', at)
  const inserted = await run(
    tx,
    sql`insert into purchases (wallet_address, key_space, digest, id, created_at)
      values (${walletAddress}, ${keySpace}, ${digest}, ${id}, ${at}) on conflict do nothing`,
  )
  if (inserted === 1) return { id, createdAt: at, isNew: true }
  const known = await one<Purchase>(
    tx,
    sql`select id, created_at from purchases
      where wallet_address = ${walletAddress} and key_space = ${keySpace} and digest = ${digest} for update`,
  )
  assert(known, 'a purchase is deleted a day after its window at the earliest')
  const isOver =
    known.createdAt <= addSeconds(at, -windowSeconds) ||
    (await isRefused(tx, { walletAddress, reader: keySpace, key: known.id }))
  if (!isOver) return { ...known, isNew: false }
  await sql`update purchases set id = ${id}, created_at = ${at} where id = ${known.id}`.execute(tx)
  return { id, createdAt: at, isNew: true }
}

/** Deletes the purchases that no request can belong to any more. */
export const deleteOldPurchases = (tx: Tx, at: Date): Promise<number> =>
  run(
    tx,
    sql`delete from purchases where created_at < ${addSeconds(at, -2 * WINDOW_MAX_SECONDS)}`,
  )

import { one, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'

/** A purchase that its agent did not name: the id is the name that its payment goes under. */
export type Purchase = { id: Id<'pur'>; createdAt: Date }
/** The owner of a digest: a wallet, in the space of one of its keys. */
export type PurchaseKey = { walletAddress: string; keySpace: string; digest: Buffer }

/** Returns false if the digest has a purchase. */
export async function insertPurchase(
  tx: Tx,
  { walletAddress, keySpace, digest }: PurchaseKey,
  { id, createdAt }: Purchase,
): Promise<boolean> {
  const inserted = await run(
    tx,
    sql`insert into purchases (wallet_address, key_space, digest, id, created_at)
      values (${walletAddress}, ${keySpace}, ${digest}, ${id}, ${createdAt}) on conflict do nothing`,
  )
  return inserted === 1
}

export const lockPurchase = (
  tx: Tx,
  { walletAddress, keySpace, digest }: PurchaseKey,
): Promise<Purchase | undefined> =>
  one<Purchase>(
    tx,
    sql`select id, created_at from purchases
      where wallet_address = ${walletAddress} and key_space = ${keySpace} and digest = ${digest} for update`,
  )

/** Begins another purchase of the same digest in place of one that is over. */
export const replacePurchase = (
  tx: Tx,
  over: Purchase,
  { id, createdAt }: Purchase,
): Promise<unknown> =>
  run(tx, sql`update purchases set id = ${id}, created_at = ${createdAt} where id = ${over.id}`)

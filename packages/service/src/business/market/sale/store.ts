import { sql, type Tx } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { Listing } from '../listing.ts'

/** Records a sale in the books, which is done as it is made. */
export async function insertSale(
  tx: Tx,
  at: Date,
  of: { listing: Listing; buyer: string; fee: Amount; transferId: string },
): Promise<void> {
  const { listing, buyer, fee, transferId } = of
  await sql`insert into sales (listing_id, card_id, seller, buyer, price, fee, mode, state, transfer_id, created_at, ended_at)
    values (${listing.id}, ${listing.cardId}, ${listing.seller}, ${buyer}, ${listing.price}, ${fee}, 'custodial', 'done',
      ${transferId}, ${at}, ${at})`.execute(tx)
}

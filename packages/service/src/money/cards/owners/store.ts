import { one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { batchOf } from '../../ledger/post.ts'
import type { CardWithMoney } from '../card.ts'

/** Writes the new owner of a locked card, and its new token. False if the card is not as it was locked. */
export const saveOwner = async (
  tx: Tx,
  of: { card: CardWithMoney; toWallet: string; token: { hash: Buffer; hint: string } },
): Promise<boolean> =>
  (await run(
    tx,
    // The funding transaction stays with the wallet that sent it: it may be that of another card of the new owner.
    sql`update cards set wallet_address = ${of.toWallet}, token_hash = ${of.token.hash}, token_hint = ${of.token.hint},
        keys_version = keys_version + 1, owner_no = owner_no + 1, is_listed = false, funding_tx = null,
        draft = null
      where id = ${of.card.id} and wallet_address = ${of.card.walletAddress}`,
  )) === 1

export type Handover = {
  cardId: string
  fromWallet: string
  toWallet: string
  ownerNo: number
  spent: bigint
  listingId: string | null
  createdAt: Date
}

export async function insertHandover(tx: Tx, row: Handover): Promise<void> {
  await sql`insert into card_handovers (card_id, owner_no, from_wallet, to_wallet, spent, listing_id, created_at)
    values (${row.cardId}, ${row.ownerNo}, ${row.fromWallet}, ${row.toWallet}, ${row.spent}, ${row.listingId},
      ${row.createdAt})`.execute(tx)
}

/** Subquery for statements of this room and of others: the cards that the wallet has had from other wallets. */
export const cardsBoughtBy = (walletAddress: string): RawBuilder<unknown> =>
  sql`(select distinct h.card_id from card_handovers h where h.to_wallet = ${walletAddress})`

/** The wallet that the card belonged to at a time before its newest sale; undefined after that. */
export const findOwnerAt = async (
  on: Reader,
  { cardId, at }: { cardId: string; at: Date },
): Promise<string | undefined> =>
  (
    await one<{ wallet: string }>(
      on,
      sql`select from_wallet as wallet from card_handovers where card_id = ${cardId} and created_at > ${at}
        order by owner_no limit 1`,
    )
  )?.wallet

/** Whether the card, which is locked, has changed hands since a transfer of its money; also if it has come back since. */
export const hasMovedSince = async (
  tx: Tx,
  { cardId, transferId }: { cardId: string; transferId: Id<'trf'> },
): Promise<boolean> =>
  (await one(
    tx,
    sql`select from card_handovers where card_id = ${cardId} and batch > ${batchOf(transferId)} limit 1`,
  )) !== undefined

/** Join: the wallet that had the card of `c` when a batch of the ledger was written, as `h.from_wallet`; null for its owner of today. */
export const soldAfter = (batch: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left join lateral (select h.from_wallet from card_handovers h where c.owner_no > 0 and h.card_id = c.id
    and h.batch > ${batch} order by h.batch limit 1) h on true`

/** Subquery: the wallets that have, or have had, the card. */
export const ownersOf = (cardId: string): RawBuilder<unknown> =>
  sql`(select c.wallet_address as wallet from cards c where c.id = ${cardId}
    union select h.from_wallet from card_handovers h where h.card_id = ${cardId})`

/** Subquery: the wallets that the wallet of `from`, a column, gave a card or the price of one. */
export const handedBy = (from: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select h.to_wallet as wallet from card_handovers h where h.from_wallet = ${from}
    union all select h.from_wallet from card_handovers h where h.to_wallet = ${from} and h.listing_id is not null)`

import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { cardsOf } from '../../../money/cards/store.ts'
import { mandateIdOf, paidByMandate } from '../../../money/settlements/store.ts'

/** A closed mandate that has paid. `amount` is in minor units of `currency`, `fee` in base units. */
export type Mandate = {
  cardId: string
  mandateId: string
  settlementId: string
  /** Null if it paid a wallet's balance, or the house. */
  payLinkId: string | null
  payeeId: string
  currency: string
  amount: bigint
  fee: Amount
  transactionId: string
  openId: string | null
  reference: string
  mandateSdHash: string
  mandate: string
  createdAt: Date
}
export type MandateKey = Pick<Mandate, 'cardId' | 'mandateId'>

const MANDATE_FACTS =
  sql.raw(`card_id, mandate_id, settlement_id, pay_link_id, payee_id, currency, amount, fee,
  transaction_id, open_id, reference, mandate_sd_hash, created_at`)
export type MandateFacts = Omit<Mandate, 'mandate'>

/**
 * The statement that inserts accepted mandates, after their settlements. Undefined when there are no rows. If a card has
 * a mandate of the same id, the statement fails.
 */
export function insertMandatesStatement(rows: readonly Mandate[]): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: Mandate) => unknown) => rows.map(pick)
  return sql`insert into ap2_mandates (${MANDATE_FACTS}, mandate)
    select * from unnest(${column((r) => r.cardId)}::text[], ${column((r) => r.mandateId)}::text[],
      ${column((r) => r.settlementId)}::text[], ${column((r) => r.payLinkId)}::text[],
      ${column((r) => r.payeeId)}::text[], ${column((r) => r.currency)}::text[],
      ${column((r) => r.amount)}::bigint[], ${column((r) => r.fee)}::numeric[],
      ${column((r) => r.transactionId)}::text[], ${column((r) => r.openId)}::text[],
      ${column((r) => r.reference)}::text[], ${column((r) => r.mandateSdHash)}::text[],
      ${column((r) => r.createdAt)}::timestamptz[], ${column((r) => r.mandate)}::text[])`
}

/**
 * The accepted mandates of these keys. To rely on a missing one, read or lock its card first. `offset 0` makes PostgreSQL
 * look each one up by its key, instead of a join that reads the whole table.
 */
export const findMandates = (on: Reader, keys: readonly MandateKey[]): Promise<MandateFacts[]> =>
  all<MandateFacts>(
    on,
    sql`select m.* from (select distinct * from unnest(${keys.map((k) => k.cardId)}::text[],
        ${keys.map((k) => k.mandateId)}::text[])) as k (card_id, mandate_id),
      lateral (select ${MANDATE_FACTS} from ap2_mandates m
        where m.card_id = k.card_id and m.mandate_id = k.mandate_id offset 0) m`,
  )

/** A card's accepted mandates, newest first. Reads one more than `limit`. `after` is a settlement id. */
export const listMandates = (
  on: Reader,
  cardId: string,
  page: { owner: string; after?: string | undefined; limit: number },
): Promise<MandateFacts[]> =>
  all<MandateFacts>(
    on,
    sql`select m.* from ${paidByMandate(cardId, page)} s,
      lateral (select ${MANDATE_FACTS} from ap2_mandates
        where card_id = s.payer and mandate_id = s.mandate_id offset 0) m
      order by s.id desc`,
  )

/** The hashes by which a receipt refers to a mandate. */
export type References = Pick<Mandate, 'reference' | 'mandateSdHash'>

/** The references of the wallet's mandates of this id: those that have paid, and those that the service signed. */
export const findReferences = (
  on: Reader,
  { walletAddress, mandateId }: { walletAddress: string; mandateId: string },
): Promise<References[]> =>
  all<References>(
    on,
    sql`select m.reference, m.mandate_sd_hash from (
        select card_id, mandate_id, reference, mandate_sd_hash from ap2_mandates
        union all select card_id, mandate_id, reference, mandate_sd_hash from ap2_signed_mandates) m
      where m.mandate_id = ${mandateId} and m.card_id in ${cardsOf(walletAddress)}`,
  )

/** Inserts a closed mandate that the service signed for a card, unless it is stored already. */
export async function insertSigned(
  tx: Tx,
  of: References & { cardId: string; mandateId: string; ownerNo: number; createdAt: Date },
): Promise<void> {
  await sql`insert into ap2_signed_mandates (card_id, mandate_id, reference, mandate_sd_hash, owner_no, created_at)
    values (${of.cardId}, ${of.mandateId}, ${of.reference}, ${of.mandateSdHash}, ${of.ownerNo}, ${of.createdAt})
    on conflict do nothing`.execute(tx)
}

/** Whether the service signed this closed mandate for the owner that the card has. */
export async function isSignedForOwner(
  on: Reader,
  of: { cardId: string; mandateId: string; ownerNo: number },
): Promise<boolean> {
  const row = await one(
    on,
    sql`select 1 from ap2_signed_mandates
      where card_id = ${of.cardId} and mandate_id = ${of.mandateId} and owner_no = ${of.ownerNo}`,
  )
  return row !== undefined
}

/** The mandate that backed a settlement, with its token. */
export const findMandateOf = (
  on: Reader,
  of: { cardId: string; settlementId: string },
): Promise<Mandate | undefined> =>
  one<Mandate>(
    on,
    sql`select ${MANDATE_FACTS}, mandate from ap2_mandates where card_id = ${of.cardId} and mandate_id =
      ${mandateIdOf(of)}`,
  )

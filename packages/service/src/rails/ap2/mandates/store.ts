import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { unpackToken } from '../../../base/protocols/ap2/jose/packed.ts'
import { readPaid } from '../../../base/protocols/ap2/read/presentation.ts'
import { cardsOf } from '../../../money/cards/store.ts'
import { knownOf } from '../../../money/settlements/store.ts'

/** A closed mandate that has paid. `amount` is in minor units of `currency`, `fee` in base units. */
export type MandateFacts = {
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
  createdAt: Date
} & References
/** The hashes by which a receipt refers to a mandate. */
export type References = { reference: string; mandateSdHash: string }

type Row = Omit<MandateFacts, 'payeeId' | 'transactionId' | keyof References> & {
  receiverWallet: string | null
  token: Buffer
}
export type MandateKey = Pick<MandateFacts, 'cardId' | 'mandateId'>

const FACTS =
  'settlement_id, pay_link_id, receiver_wallet, currency, amount, fee, open_id, token, created_at'
const COLUMNS = sql.raw(`card_id, mandate_id, ${FACTS}`)

/** Reads from the mandate itself what the settlement does not keep. */
function factsOf({ token, receiverWallet, ...row }: Row): MandateFacts {
  const known = knownOf({ payer: row.cardId, receiverWallet, mandateId: row.mandateId })
  const { closed, ...references } = readPaid(unpackToken(token, known))
  const { payee, transactionId } = closed
  return { ...row, payeeId: payee.id, transactionId, ...references }
}

/** `gone`: what paid in a month that was put away since. */
export type Accepted = { mandates: MandateFacts[]; gone: MandateKey[] }

/**
 * The accepted mandates of these keys. To rely on a missing one, read or lock its card first. `offset 0` makes PostgreSQL
 * look each one up by its key, instead of a join that reads the whole table.
 */
export async function readAccepted(on: Reader, keys: readonly MandateKey[]): Promise<Accepted> {
  const rows = await all<Row | (MandateKey & { settlementId: null })>(
    on,
    sql`select k.*, m.* from (select distinct * from unnest(${keys.map((k) => k.cardId)}::text[],
        ${keys.map((k) => k.mandateId)}::text[])) as k (card_id, mandate_id)
      cross join lateral (select p.settlement_id as id from paid_mandates p
        where p.key = mandate_key(k.card_id, k.mandate_id) offset 0) p
      left join lateral (select ${sql.raw(FACTS)} from ap2_mandates m
        where m.settlement_id = p.id and m.card_id = k.card_id and m.mandate_id = k.mandate_id offset 0) m on true`,
  )
  const gone = rows.filter(({ settlementId }) => settlementId === null)
  return { mandates: rows.filter((row) => row.settlementId !== null).map(factsOf), gone }
}

export const findMandates = async (
  on: Reader,
  keys: readonly MandateKey[],
): Promise<MandateFacts[]> => (await readAccepted(on, keys)).mandates

/** The mandate that paid, of whatever month. It is found by a hash of both names, so they are compared too. */
const mandate = (card: RawBuilder<unknown>, name: RawBuilder<unknown>) =>
  sql`select ${COLUMNS} from ap2_mandates m
    where m.settlement_id = (select p.settlement_id from paid_mandates p where p.key = mandate_key(${card}, ${name}))
      and m.card_id = ${card} and m.mandate_id = ${name} offset 0`

/** The statement that fails the transaction unless all of these mandates were accepted. */
export function checkAcceptedStatement(
  accepted: readonly Pick<MandateFacts, 'settlementId'>[],
): RawBuilder<unknown> | undefined {
  if (accepted.length === 0) return undefined
  const ids = [...new Set(accepted.map(({ settlementId }) => settlementId))]
  return sql`select refuse_stale((select count(*) from ap2_mandates
    where settlement_id = any(${ids}::text[])) <> ${ids.length}::bigint)`
}

/** A card's accepted mandates, newest first. Reads one more than `limit`. `after` is a settlement id. */
export const listMandates = async (
  on: Reader,
  cardId: string,
  page: { owner: string; after?: string | undefined; limit: number },
): Promise<MandateFacts[]> => {
  // Ranges have the index read in order: from an equality the planner expects few rows, and sorts them all.
  const earlier =
    page.after === undefined
      ? sql`number_of(card_id) <= number_of(${cardId})`
      : sql`(number_of(card_id), settlement_id) < (number_of(${cardId}), ${page.after})`
  const rows = await all<Row>(
    on,
    sql`select ${COLUMNS} from ap2_mandates where (number_of(card_id), settlement_id) >= (number_of(${cardId}), '') and ${earlier}
      and is_same(card_id, ${cardId}) and is_same(payer_wallet, ${page.owner})
      order by number_of(card_id) desc, settlement_id desc limit ${page.limit + 1}`,
  )
  return rows.map(factsOf)
}

/** The references of the wallet's mandates of this id: those that have paid, and those that the service signed. */
export async function findReferences(
  on: Reader,
  { walletAddress, mandateId }: { walletAddress: string; mandateId: string },
): Promise<References[]> {
  const isTheirs = sql`mandate_id = ${mandateId} and card_id in ${cardsOf(walletAddress)}`
  const signed = await all<References>(
    on,
    sql`select reference, mandate_sd_hash from ap2_signed_mandates where ${isTheirs}`,
  )
  const paid = await all<Row>(
    on,
    sql`select m.* from ${cardsOf(walletAddress)} c,
      lateral (${mandate(sql`c.id`, sql`${mandateId}`)}) m`,
  )
  return [...signed, ...paid.map(factsOf)]
}

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

/** The mandate that backed a settlement. */
export async function findMandateOf(
  on: Reader,
  settlementId: string,
): Promise<MandateFacts | undefined> {
  const row = await one<Row>(
    on,
    sql`select ${COLUMNS} from ap2_mandates where settlement_id = ${settlementId}`,
  )
  return row && factsOf(row)
}

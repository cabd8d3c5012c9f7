import { all, json, one, type RawBuilder, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Amount } from '../kernel/money.ts'
import type { PublicJwk } from '../protocols/ap2/jose/keys.ts'

export type KeyRole = 'user' | 'agent'
/** A P-256 key of a card: a user's signs for the card, an agent's only under an open mandate. */
export type CardKey = {
  cardId: string
  /** RFC 7638 thumbprint. */
  kid: string
  role: KeyRole
  jwk: PublicJwk
  label: string
  /** The private half, of a key that the service keeps for the card. */
  sealed: Buffer | null
  createdAt: Date
  revokedAt: Date | null
}

const CARD_KEY = sql.raw('card_id, kid, role, jwk, label, sealed, created_at, revoked_at')

/** Writes the key; false where the card has one of this id already, revoked ones too. */
export const insertCardKey = async (tx: Tx, key: Omit<CardKey, 'revokedAt'>): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into ap2_card_keys (card_id, kid, role, jwk, label, sealed, created_at)
      values (${key.cardId}, ${key.kid}, ${key.role}, ${json(key.jwk)}, ${key.label}, ${key.sealed},
        ${key.createdAt}) on conflict do nothing`,
  )) === 1

/** The card's keys, revoked ones too, oldest first. */
export const listCardKeys = (on: Reader, cardId: string): Promise<CardKey[]> =>
  all<CardKey>(
    on,
    sql`select ${CARD_KEY} from ap2_card_keys where card_id = ${cardId} order by created_at, kid`,
  )

export const findCardKey = (
  on: Reader,
  { cardId, kid }: { cardId: string; kid: string },
): Promise<CardKey | undefined> =>
  one<CardKey>(
    on,
    sql`select ${CARD_KEY} from ap2_card_keys where card_id = ${cardId} and kid = ${kid}`,
  )

/** The cards of a wallet that have this key, revoked or not. */
export async function findCardsWithKey(
  on: Reader,
  { walletAddress, kid }: { walletAddress: string; kid: string },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select c.id from cards c join ap2_card_keys k on k.card_id = c.id
      where c.wallet_address = ${walletAddress} and k.kid = ${kid} order by c.id`,
  )
  return rows.map(({ id }) => id)
}

/** Revokes the key on these cards for good; what was revoked stays as it was. */
export async function revokeCardKey(
  tx: Tx,
  at: Date,
  { cardIds, kid }: { cardIds: string[]; kid: string },
): Promise<void> {
  await sql`update ap2_card_keys set revoked_at = ${at}
    where card_id = any(${cardIds}::text[]) and kid = ${kid} and revoked_at is null`.execute(tx)
}

/** What a settle asks of a card before any lock: whose token, and which keys may sign for it. */
export type PayerCard = {
  id: string
  walletAddress: string
  tokenHash: Buffer
  /** Public keys of users that are not revoked, by `kid`. */
  userKeys: Record<string, PublicJwk>
  /** Thumbprints of agents' keys that were revoked. */
  revokedAgents: string[]
  /** Of these keys: that of the card, as long as they are the same. */
  keysVersion: number
}

/** The cards of these ids with their user keys, by id. */
export async function findPayerCards(on: Reader, ids: string[]): Promise<Map<string, PayerCard>> {
  const cards = await all<PayerCard>(
    on,
    sql`select c.id, c.wallet_address, c.token_hash, c.keys_version, coalesce(k.user_keys, '{}') as user_keys,
        coalesce(k.revoked_agents, '{}') as revoked_agents
      from cards c, lateral (
        select jsonb_object_agg(kid, jwk) filter (where role = 'user' and revoked_at is null) as user_keys,
          array_agg(kid) filter (where role = 'agent' and revoked_at is not null) as revoked_agents
        from ap2_card_keys where card_id = c.id) k
      where c.id = any(${ids}::text[])`,
  )
  return new Map(cards.map((card) => [card.id, card]))
}

/** A closed mandate that moved money. `amount` is minor units of `currency`, `fee` base units. */
export type Mandate = {
  cardId: string
  mandateId: string
  settlementId: string
  payLinkId: string
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
 * The accepted mandates of these keys. To rely on what is missing, read or lock their cards first. `offset 0`: each is
 * looked up by its key, never by a join that reads the whole table.
 */
export const findMandates = (on: Reader, keys: readonly MandateKey[]): Promise<MandateFacts[]> =>
  all<MandateFacts>(
    on,
    sql`select m.* from (select distinct * from unnest(${keys.map((k) => k.cardId)}::text[],
        ${keys.map((k) => k.mandateId)}::text[])) as k (card_id, mandate_id),
      lateral (select ${MANDATE_FACTS} from ap2_mandates m
        where m.card_id = k.card_id and m.mandate_id = k.mandate_id offset 0) m`,
  )

/** A card's accepted mandates, newest first; one more than `limit`. `after` is a settlement id. */
export const listMandates = (
  on: Reader,
  cardId: string,
  page: { after?: string | undefined; limit: number },
): Promise<MandateFacts[]> =>
  all<MandateFacts>(
    on,
    sql`select m.* from (
        select payer, mandate_id, id from settlements where payer = ${cardId} and mandate_id is not null
        and (${page.after ?? null}::text is null or id < ${page.after ?? null})
        order by id desc limit ${page.limit + 1}) s,
      lateral (select ${MANDATE_FACTS} from ap2_mandates
        where card_id = s.payer and mandate_id = s.mandate_id offset 0) m
      order by s.id desc`,
  )

/** What names one mandate in a receipt for it. */
export type References = Pick<Mandate, 'reference' | 'mandateSdHash'>

/** What names the wallet's mandates of this id: those that paid here, and those that the service signed. */
export const findReferences = (
  on: Reader,
  { walletAddress, mandateId }: { walletAddress: string; mandateId: string },
): Promise<References[]> =>
  all<References>(
    on,
    sql`select m.reference, m.mandate_sd_hash from (
        select card_id, mandate_id, reference, mandate_sd_hash from ap2_mandates
        union all select card_id, mandate_id, reference, mandate_sd_hash from ap2_signed_mandates) m
      where m.mandate_id = ${mandateId} and m.card_id in (select id from cards where wallet_address = ${walletAddress})`,
  )

/** Notes a closed mandate that the service signed for a card. One that was signed before stays as it is. */
export async function insertSigned(
  tx: Tx,
  of: References & { cardId: string; mandateId: string; createdAt: Date },
): Promise<void> {
  await sql`insert into ap2_signed_mandates (card_id, mandate_id, reference, mandate_sd_hash, created_at)
    values (${of.cardId}, ${of.mandateId}, ${of.reference}, ${of.mandateSdHash}, ${of.createdAt})
    on conflict do nothing`.execute(tx)
}

export type ReceivedReceipt = {
  walletAddress: string
  mandateId: string
  receipt: string
  status: string
  reference: string
  signature: 'verified' | 'unverified'
  createdAt: Date
}

/** Keeps a counterparty's receipt. False where the very same is kept already. */
export const insertReceived = async (tx: Tx, of: ReceivedReceipt): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into ap2_received_receipts (wallet_address, mandate_id, receipt_hash, receipt, status, reference,
        signature, created_at)
      values (${of.walletAddress}, ${of.mandateId}, sha256(convert_to(${of.receipt}, 'UTF8')), ${of.receipt},
        ${of.status}, ${of.reference}, ${of.signature}, ${of.createdAt})
      on conflict on constraint each_receipt_once do nothing`,
  )) === 1

/** The mandate that a settlement was made on, whole. */
export const findMandateOf = (
  on: Reader,
  of: { cardId: string; settlementId: string },
): Promise<Mandate | undefined> =>
  one<Mandate>(
    on,
    sql`select ${MANDATE_FACTS}, mandate from ap2_mandates where card_id = ${of.cardId} and mandate_id =
      (select mandate_id from settlements where id = ${of.settlementId} and payer = ${of.cardId})`,
  )

/** Keeps a settlement's receipt, and answers the one that is kept: the first. */
export async function keepReceipt(
  tx: Tx,
  at: Date,
  of: { settlementId: string; receipt: string },
): Promise<string> {
  await sql`insert into ap2_receipts (settlement_id, receipt, created_at)
    values (${of.settlementId}, ${of.receipt}, ${at}) on conflict do nothing`.execute(tx)
  return (await findReceipt(tx, of.settlementId)) ?? of.receipt
}

export async function findReceipt(on: Reader, settlementId: string): Promise<string | undefined> {
  const row = await one<{ receipt: string }>(
    on,
    sql`select receipt from ap2_receipts where settlement_id = ${settlementId}`,
  )
  return row?.receipt
}

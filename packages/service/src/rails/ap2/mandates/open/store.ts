import {
  all,
  one,
  type RawBuilder,
  type Reader,
  run,
  sql,
  type Tx,
} from '../../../../base/db/sql.ts'
import { CARDS, cardsOf } from '../../../../money/cards/store.ts'

/**
 * An open mandate: one grant, by its own id, and what all cards together have used of it. `spent` and `budgetMax` are
 * minor units of `currency`.
 */
export type OpenMandate = {
  openId: string
  /** The card it was issued for or first seen on. */
  cardId: string
  jti: string | null
  issuedHere: boolean
  agentKid: string
  currency: string
  budgetMax: bigint | null
  maxUses: number | null
  spent: bigint
  uses: number
  firstAt: Date | null
  lastAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** Null if an agreement keeps it, sealed. */
  token: string | null
  createdAt: Date
}

const FACTS = sql.raw(
  'open_id, card_id, jti, issued_here, agent_kid, currency, budget_max, max_uses, expires_at, token, created_at',
)
const COLUMNS =
  sql.raw(`open_id, card_id, jti, issued_here, agent_kid, currency, budget_max, max_uses, spent, uses,
  first_at, last_at, expires_at, revoked_at, token, created_at`)

/** Inserts a new open mandate. If another transaction has inserted it, this one runs again. */
export async function insertOpenMandate(tx: Tx, row: OpenMandate): Promise<void> {
  await insertOpenMandatesStatement([row])?.execute(tx)
}

/** The statement of `insertOpenMandate`, for many. Undefined when there are no rows. */
export function insertOpenMandatesStatement(
  rows: readonly OpenMandate[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: OpenMandate) => unknown) => rows.map(pick)
  return sql`with written as (
    insert into ap2_open_mandates (${FACTS}, owner_no)
    select v.*, c.owner_no from unnest(${column((r) => r.openId)}::text[], ${column((r) => r.cardId)}::text[],
      ${column((r) => r.jti)}::text[], ${column((r) => r.issuedHere)}::boolean[],
      ${column((r) => r.agentKid)}::text[], ${column((r) => r.currency)}::text[],
      ${column((r) => r.budgetMax)}::bigint[], ${column((r) => r.maxUses)}::integer[],
      ${column((r) => r.expiresAt)}::timestamptz[], ${column((r) => r.token)}::text[],
      ${column((r) => r.createdAt)}::timestamptz[]) as v (${FACTS})
    join ${CARDS} on c.id = v.card_id
    order by open_id on conflict (open_id) do nothing returning 1)
    select refuse_stale((select count(*) from written) <> ${rows.length}::bigint)`
}

/**
 * The statement that locks open mandates. If one was used or revoked since it was read, the transaction runs again. A
 * trigger on `settlements` counts what they pay.
 */
export function lockUnchangedOpensStatement(
  seen: readonly Pick<OpenMandate, 'openId' | 'uses'>[],
): RawBuilder<unknown> | undefined {
  if (seen.length === 0) return undefined
  const ids = seen.map(({ openId }) => openId)
  return sql`select refuse_stale(exists (
    select from (select open_id, uses, revoked_at from ap2_open_mandates where open_id = any(${ids}::text[])
      order by open_id for update) l
    join unnest(${ids}::text[], ${seen.map(({ uses }) => uses)}::integer[]) as v (open_id, uses) on v.open_id = l.open_id
    where l.uses <> v.uses or l.revoked_at is not null))`
}

/** A card other than the first on which an open mandate was used or revoked. */
export type Noted = Pick<OpenMandate, 'openId' | 'cardId' | 'createdAt'> & { token: string }

/** Inserts the other cards of open mandates, each once. Insert the open mandates first. */
export async function insertOpenMandateCards(tx: Tx, rows: readonly Noted[]): Promise<void> {
  await insertOpenMandateCardsStatement(rows)?.execute(tx)
}

/** The statement of `insertOpenMandateCards`. Undefined when there are no rows. */
export function insertOpenMandateCardsStatement(
  rows: readonly Noted[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  return sql`insert into ap2_open_mandate_cards (open_id, card_id, token, created_at, owner_no)
    select v.*, c.owner_no from unnest(${rows.map((r) => r.openId)}::text[], ${rows.map((r) => r.cardId)}::text[],
      ${rows.map((r) => r.token)}::text[], ${rows.map((r) => r.createdAt)}::timestamptz[]) as v (open_id, card_id, token, at)
    join ${CARDS} on c.id = v.card_id
    on conflict do nothing`
}

/** The open mandates of these ids, whichever cards they were seen on. */
export const findOpenMandates = (on: Reader, ids: readonly string[]): Promise<OpenMandate[]> =>
  all<OpenMandate>(on, sql`${byIds(ids)}`)

/** As `findOpenMandates`, locked until the transaction ends. Cards are locked before, and nothing of ours after. */
export const lockOpenMandates = (tx: Tx, ids: readonly string[]): Promise<OpenMandate[]> =>
  all<OpenMandate>(tx, sql`${byIds(ids)} order by open_id for update`)

const byIds = (ids: readonly string[]) =>
  sql`select ${COLUMNS} from ap2_open_mandates where open_id = any(${[...new Set(ids)]}::text[])`

/** The wallets whose cards an open mandate was issued for or used on, each with those cards. */
export const findOwners = (
  on: Reader,
  openId: string,
): Promise<{ walletAddress: string; cardIds: string[] }[]> =>
  all(
    on,
    sql<{ walletAddress: string; cardIds: string[] }>`
      select c.wallet_address, array_agg(c.id order by c.id) as card_ids
      from ap2_open_mandates_of_cards m join ${CARDS} on c.id = m.card_id where m.open_id = ${openId}
      group by c.wallet_address order by c.wallet_address`,
  )

/** The statement that removes the token of an open mandate: its agreement keeps it, sealed. */
export const deleteTokenStatement = (openId: string): RawBuilder<unknown> =>
  sql`update ap2_open_mandates set token = null where open_id = ${openId} and token is not null`

/** Revokes an open mandate for good, on every card. */
export const markOpenRevoked = async (tx: Tx, at: Date, openId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update ap2_open_mandates set revoked_at = ${at} where open_id = ${openId} and revoked_at is null`,
  )) === 1

/** Revokes the open mandates that the service issued for a card that changes hands. */
export async function revokeIssuedFor(tx: Tx, at: Date, cardId: string): Promise<void> {
  await sql`update ap2_open_mandates set revoked_at = ${at}
    where card_id = ${cardId} and issued_here and revoked_at is null`.execute(tx)
}

/** The open mandates of a card, newest first; one more than `limit`. `after` is one's hash, or `jti`. */
export const listOpenMandates = (
  on: Reader,
  cardId: string,
  page: { after?: string | undefined; limit: number },
): Promise<OpenMandate[]> =>
  all<OpenMandate>(
    on,
    sql`select ${COLUMNS} from ap2_open_mandates_of_cards where card_id = ${cardId}
      and (${page.after ?? null}::text is null or (created_at, open_id) < (
        select created_at, open_id from ap2_open_mandates_of_cards
        where card_id = ${cardId} and ${page.after ?? null}::text in (open_id, jti) limit 1))
      order by created_at desc, open_id desc limit ${page.limit + 1}`,
  )

/** Whether the card has an open mandate of this hash, or `jti`. */
export async function hasOpenMandate(on: Reader, cardId: string, name: string): Promise<boolean> {
  const row = await one<{ found: boolean }>(
    on,
    sql`select exists (select from ap2_open_mandates_of_cards
      where card_id = ${cardId} and ${name} in (open_id, jti)) as found`,
  )
  return row?.found === true
}

/** The open mandates of a wallet's cards that go by this hash, or by this `jti` where they were issued here. */
export const findNamedOpenMandates = (
  on: Reader,
  { walletAddress, name }: { walletAddress: string; name: string },
): Promise<OpenMandate[]> =>
  all<OpenMandate>(
    on,
    sql`select ${COLUMNS} from ap2_open_mandates_of_cards
      where card_id in ${cardsOf(walletAddress)}
        and (open_id = ${name} or (issued_here and jti = ${name}))`,
  )

import { all, json, one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { columnOf } from '../../base/db/values.ts'
import { hasJob } from '../../base/jobs/queue.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { CARD_LIMITS, perLimit } from '../../base/kernel/card-limits.ts'
import { firstId, type Id } from '../../base/kernel/ids.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { ACCOUNTS } from '../ledger/accounts.ts'
import { hasDeposit } from '../treasury/deposits/store.ts'
import {
  CARD_FIELDS,
  type Card,
  type CardField,
  type CardStanding,
  type CardWithMoney,
  fieldsThat,
} from './card.ts'
import { parentsOf } from './family.ts'
import { activateCardTask } from './tasks.ts'
import type { LimitCounters, Limits } from './windows.ts'

const listed = (prefix: string, names: readonly CardField[]): string =>
  names.map((name) => prefix + columnOf(name)).join(', ')
const COLUMNS = sql.raw(listed('c.', CARD_FIELDS))

/** The cards as `c`, with the money on their accounts `a`. */
export const WITH_MONEY = sql`select ${COLUMNS}, a.posted - a.held as available
  from cards c join ${ACCOUNTS} on a.id = c.account_id`

/**
 * Locks the cards, those above them, and their accounts in card order until the transaction ends. Lock order: pay links, then
 * cards, then nothing.
 */
export async function lockCards(
  tx: Tx,
  ids: Iterable<string>,
): Promise<Map<string, CardWithMoney>> {
  const own = [...new Set(ids)]
  const cards = await all<CardWithMoney>(
    tx,
    sql`${WITH_MONEY} where c.id = any(${own}::text[] || array(
        select unnest(k.ancestors) from cards k where k.id = any(${own}::text[])))
      order by c.id for update of c, a`,
  )
  return new Map(cards.map((card) => [card.id, card]))
}

/**
 * A card that was read without a lock. `version` changes with any column of the card or its account. `terms` changes
 * with the columns that a payment decides on and that must not change before it is written (`CARD_COLUMNS`).
 */
export type SeenCard = CardWithMoney & { version: string; terms: string }

const VERSION = sql.raw(`c.xmin || ' ' || a.xmin as version`)
const TERMS = sql.raw(`row(${listed('c.', fieldsThat('compared'))})::text`)

/** Reads the cards without a lock. */
export async function readCards(on: Reader, ids: Iterable<string>): Promise<Map<string, SeenCard>> {
  const cards = await all<SeenCard>(
    on,
    sql`select ${COLUMNS}, a.posted - a.held as available, ${VERSION}, ${TERMS} as terms
      from cards c join ${ACCOUNTS} on a.id = c.account_id where c.id = any(${[...new Set(ids)]}::text[])`,
  )
  return new Map(cards.map((card) => [card.id, card]))
}

/** As `readCards`, with the cards above child cards. One statement more if there is a child among them. */
export async function readFamilies(
  on: Reader,
  ids: Iterable<string>,
): Promise<Map<string, SeenCard>> {
  const cards = await readCards(on, ids)
  const above = [...cards.values()]
    .flatMap(({ ancestors }) => ancestors)
    .filter((id) => !cards.has(id))
  return above.length === 0 ? cards : new Map([...cards, ...(await readCards(on, above))])
}

/** The statement that adds to what the cards below have spent, of cards that are locked. Undefined for none. */
export function countDelegatedStatement(
  delegated: readonly { id: string; amount: bigint }[],
): RawBuilder<unknown> | undefined {
  if (delegated.length === 0) return undefined
  return sql`update cards c set delegated = c.delegated + v.spent, ${ADD_USE}
    from unnest(${delegated.map(({ id }) => id)}::text[], ${delegated.map((one) => one.amount)}::numeric[]) as v (id, spent)
    where c.id = v.id`
}

/** As `readCards`, without the columns that lists do not show: they cost a page of fifty a quarter of its time. */
export async function readStandings(
  on: Reader,
  ids: readonly string[],
): Promise<Map<string, CardStanding>> {
  const cards = await all<CardStanding>(
    on,
    sql`select c.id, c.status, c.held, a.posted - a.held as available, c.expires_at, c.created_at
      from cards c join ${ACCOUNTS} on a.id = c.account_id where c.id = any(${[...ids]}::text[])`,
  )
  return new Map(cards.map((card) => [card.id, card]))
}

/**
 * The statement that locks cards and their accounts in card order. If a card of `same` has changed since it was read, or
 * the terms of a card of `sameTerms`, the transaction runs again. The cards of `others` may have changed.
 */
export function lockUnchangedCardsStatement(of: {
  same: SeenCard[]
  sameTerms: SeenCard[]
  others: string[]
}): RawBuilder<unknown> {
  const compared = [...of.same, ...of.sameTerms]
  const ids = compared.map((card) => card.id)
  const versions = [...of.same.map((card) => card.version), ...of.sameTerms.map(() => null)]
  return sql`select refuse_stale(exists (
    select from (select c.id, ${VERSION}, ${TERMS} as terms from cards c join ${ACCOUNTS} on a.id = c.account_id
      where c.id = any(${[...ids, ...of.others]}::text[]) order by c.id for update of c, a) l
    join unnest(${ids}::text[], ${versions}::text[], ${compared.map((card) => card.terms)}::text[])
      as v (id, version, terms) on v.id = l.id
    where l.version <> v.version or l.terms <> v.terms))`
}

type MovedMoney = {
  id: string
  spent: bigint
  received: bigint
  terms: string | undefined
  /** For a cached card: its counters are compared too. */
  seen?: SeenCard | undefined
}

/**
 * The statement that adds to the amounts that cards spent (in total and in each window) and received, in card order. If a card's
 * terms differ from `terms`, or its counters from `seen`, the transaction fails. A card without `terms` may have changed.
 */
export function countMoneyStatement(moved: readonly MovedMoney[]): RawBuilder<unknown> | undefined {
  if (moved.length === 0) return undefined
  const rows = moved.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const columns = sql`${rows.map((r) => r.id)}::text[], ${rows.map((r) => r.spent)}::numeric[],
      ${rows.map((r) => r.received)}::numeric[], ${rows.map((r) => r.terms)}::text[]`
  const source = rows.some(({ seen }) => seen)
    ? sql`unnest(${columns}, ${rows.map(({ seen }) => seen && countersOf(seen))}::text[])
        as v (id, spent, received, terms, counters), ledger_accounts a
        where a.id = c.account_id and (v.counters is null or v.counters = ${COUNTERS}) and`
    : sql`unnest(${columns}) as v (id, spent, received, terms) where`
  return sql`with counted as (
    update cards c set spent = c.spent + v.spent, ${ADD_USE}, received = c.received + v.received
    from ${source} c.id = v.id and (v.terms is null or v.terms = ${TERMS}) returning 1)
    select refuse_stale((select count(*) from counted) <> ${rows.length}::bigint)`
}

const ADD_USE = sql.raw(
  CARD_LIMITS.map(({ usedName }) => `${usedName} = c.${usedName} + v.spent`).join(', '),
)
const LIMITED = fieldsThat('limited')
/** The fields that limit a payment besides the terms, as one text. `countersOf` makes the same text from a card. */
const COUNTERS = sql.raw(`row(${listed('c.', LIMITED)}, a.posted - a.held)::text`)
const countersOf = (card: CardWithMoney): string =>
  `(${[...LIMITED.map((field) => card[field]), card.available].join()})`

/** The statement that fails the transaction if the terms of one of these cards have changed. Locks nothing. */
export function checkTermsStatement(
  cards: readonly Pick<SeenCard, 'id' | 'terms'>[],
): RawBuilder<unknown> | undefined {
  if (cards.length === 0) return undefined
  return sql`select refuse_stale((select count(*) from cards c
    join unnest(${cards.map((c) => c.id)}::text[], ${cards.map((c) => c.terms)}::text[]) as v (id, terms)
      on c.id = v.id and v.terms = ${TERMS}) <> ${cards.length}::bigint)`
}

export async function lockCard(tx: Tx, id: string): Promise<CardWithMoney | undefined> {
  return (await lockCards(tx, [id])).get(id)
}

export const findCard = (on: Reader, id: string): Promise<CardWithMoney | undefined> =>
  one<CardWithMoney>(on, sql`${WITH_MONEY} where c.id = ${id}`)

/** The card that this token spends. */
export const findCardByToken = (on: Reader, token: string): Promise<CardWithMoney | undefined> =>
  one<CardWithMoney>(on, sql`${WITH_MONEY} where c.token_hash = ${sha256(token)}`)

export async function insertCards(tx: Tx, cards: readonly Card[]): Promise<void> {
  const columns = sql.raw(listed('', CARD_FIELDS))
  await sql`insert into cards (${columns})
    select ${columns} from jsonb_populate_recordset(null::cards, ${json(cards.map(rowOf))})`.execute(
    tx,
  )
}

const rowOf = (card: Card): Record<string, unknown> =>
  Object.fromEntries(
    CARD_FIELDS.map((name) => {
      const value = card[name]
      return [columnOf(name), Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value]
    }),
  )

/** Stores the counters and the status of cards that this transaction has locked and changed. */
export async function saveCards(tx: Tx, cards: Card[]): Promise<void> {
  await saveCardsStatement(cards)?.execute(tx)
}

/** The fields that `saveCards` stores, with their types in the database. */
const SAVED = {
  status: 'text',
  statusReason: 'text',
  limitAmount: 'numeric',
  spent: 'numeric',
  held: 'numeric',
  delegated: 'numeric',
  received: 'numeric',
  refunded: 'numeric',
  ...perLimit('window', () => 'text'),
  ...perLimit('used', () => 'numeric'),
  ...perLimit('cap', () => 'numeric'),
  countedTo: 'text',
} satisfies Partial<Record<CardField, string>>
const SAVED_FIELDS = Object.keys(SAVED) as (keyof typeof SAVED)[]
const SAVED_COLUMNS = SAVED_FIELDS.map(columnOf)
const SET_SAVED = sql.raw(SAVED_COLUMNS.map((column) => `${column} = v.${column}`).join(', '))

/** The statement of `saveCards`. Undefined when there are no cards. */
export function saveCardsStatement(cards: Card[]): RawBuilder<unknown> | undefined {
  if (cards.length === 0) return undefined
  const values = SAVED_FIELDS.map(
    (field) => sql`${cards.map((card) => card[field])}::${sql.raw(SAVED[field])}[]`,
  )
  return sql`update cards c set ${SET_SAVED}
    from unnest(${cards.map((card) => card.id)}::text[], ${sql.join(values)})
      as v (id, ${sql.raw(SAVED_COLUMNS.join())})
    where c.id = v.id`
}

const CONTROLS = [
  'mccLocks',
  'allowedMerchants',
  'maxTransaction',
  'rollingLimit',
  'maxPaymentsPerMinute',
  'maxLikePayments',
  'approvalAbove',
  'approvalFirstMerchant',
] as const satisfies readonly CardField[]
export type Controls = Pick<Card, (typeof CONTROLS)[number]> & Limits & LimitCounters
const CONTROL_FIELDS: readonly (keyof Controls)[] = [
  ...CONTROLS,
  ...CARD_LIMITS.flatMap(({ field, window, used, cap }) => [field, window, used, cap] as const),
  'countedTo',
]

export async function saveControls(tx: Tx, id: string, controls: Controls): Promise<void> {
  const set = CONTROL_FIELDS.map((field) => sql`${sql.ref(columnOf(field))} = ${controls[field]}`)
  await sql`update cards set ${sql.join(set)} where id = ${id}`.execute(tx)
}

/** Notes on the locked card until when its payments look for grants. */
export async function saveGrantsUntil(tx: Tx, id: string, until: Date): Promise<void> {
  await sql`update cards set grants_until = greatest(grants_until, ${until}::timestamptz) where id = ${id}`.execute(
    tx,
  )
}

export async function saveToken(
  tx: Tx,
  id: string,
  token: { hash: Buffer; hint: string },
): Promise<void> {
  await sql`update cards set token_hash = ${token.hash}, token_hint = ${token.hint} where id = ${id}`.execute(
    tx,
  )
}

/** Notes whether the locked card is for sale. */
export async function markCardListed(tx: Tx, id: string, isListed: boolean): Promise<void> {
  await sql`update cards set is_listed = ${isListed} where id = ${id}`.execute(tx)
}

/** Ids of cards that have expired although their status still says ACTIVE or FROZEN. */
export async function findExpired(on: Reader, at: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from cards where status in ('ACTIVE', 'FROZEN') and expires_at <= ${at} order by expires_at limit 500`,
  )
  return rows.map((row) => row.id)
}

type PendingFunding = { fundingTx: Hex; asset: string; createdAt: Date }

/** The funding transaction a card is waiting for. Includes cards closed since: their deposit must still be credited. */
export const findPendingFunding = (on: Reader, id: string): Promise<PendingFunding | undefined> =>
  one(
    on,
    sql<PendingFunding>`select funding_tx, asset, created_at from cards
      where id = ${id} and status in ('PENDING_FUNDING', 'CLOSED') and funding_tx is not null`,
  )

/**
 * The DIRECT cards that each of these wallets has issued since, also those that it has given away: they count for their first
 * owner, and for nobody who is given them.
 */
export async function countDirect(
  on: Reader,
  wallets: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  if (wallets.length === 0) return new Map()
  const rows = await all<{ walletAddress: string; cards: bigint }>(
    on,
    sql`select wallet_address, count(*) as cards from (
        select wallet_address from cards where wallet_address = any(${wallets}::text[]) and owner_no = 0
          and id >= ${firstId('card', since)} and settlement_mode = 'DIRECT'
        union all
        select h.from_wallet from card_handovers h join cards c on c.id = h.card_id
          where h.from_wallet = any(${wallets}::text[]) and h.owner_no = 1
          and h.card_id >= ${firstId('card', since)} and c.settlement_mode = 'DIRECT') issued group by wallet_address`,
  )
  return new Map(rows.map(({ walletAddress, cards }) => [walletAddress, Number(cards)]))
}

/** The number of cards that the wallet has issued since `since` on transactions without a deposit. */
export async function countUnfunded(
  on: Reader,
  walletAddress: string,
  since: Date,
): Promise<number> {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from cards c
      where wallet_address = ${walletAddress} and funding_tx is not null and created_at > ${since}
        and not ${hasDeposit({ network: 'c.network', txHash: 'c.funding_tx' })}`,
  )
  return Number(row?.n ?? 0n)
}

/** Cards that have waited for their funding since before this time and whose job is lost or has failed. */
export async function findWaiting(on: Reader, before: Date): Promise<Id<'card'>[]> {
  const rows = await all<{ id: Id<'card'> }>(
    on,
    sql`select id from cards c where status = 'PENDING_FUNDING' and created_at < ${before}
      and not ${hasJob(activateCardTask, 'c.id', 'untried')}
      order by id limit 500`,
  )
  return rows.map((row) => row.id)
}

/** The cards above a locked child, which are locked with it: the nearest first. */
export async function lockParents(tx: Tx, card: CardWithMoney): Promise<CardWithMoney[]> {
  return card.ancestors.length === 0 ? [] : parentsOf(card, await lockCards(tx, card.ancestors))
}

/** Ids of the open cards below a card. */
export async function findBelow(on: Reader, id: string): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from cards where ancestors <> '{}' and ancestors @> array[${id}::text] and status <> 'CLOSED'`,
  )
  return rows.map((row) => row.id)
}

/** Whether a card below has money on hold. */
export const hasHoldsBelow = async (on: Reader, id: string): Promise<boolean> =>
  (await one(
    on,
    sql`select from cards where ancestors <> '{}' and ancestors @> array[${id}::text] and held > 0 limit 1`,
  )) !== undefined

/** The children of a card, newest first; one more than `limit` if there are more. */
export const listChildren = (
  on: Reader,
  { id, after, limit }: { id: string; after: string | undefined; limit: number },
): Promise<CardWithMoney[]> =>
  all<CardWithMoney>(
    on,
    sql`${WITH_MONEY} where c.ancestors <> '{}' and c.ancestors @> array[${id}::text]
      and c.ancestors[cardinality(c.ancestors)] = ${id}
      and (${after ?? null}::text is null or c.id < ${after ?? null}) order by c.id desc limit ${limit + 1}`,
  )

/** The cards as `c`, for a join in another room's statement. */
export const CARDS = sql.raw('cards c')
/** The status of `c` for spending: that of a card above it, if that one may not spend. */
export const STANDING = sql.raw(
  `coalesce((select p.status from cards p where p.id = any(c.ancestors) and p.status <> 'ACTIVE' limit 1), c.status)`,
)
/** A subquery for another room's statement: the ids of the wallet's cards. */
export const cardsOf = (walletAddress: string): RawBuilder<unknown> =>
  sql`(select id from cards where wallet_address = ${walletAddress})`

import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Scope } from '../http/caller.ts'

export type Challenge = {
  nonce: string
  walletAddress: Address
  message: string
  createdAt: Date
  expiresAt: Date
}

export type Session = {
  id: Id<'lgn'>
  hash: Buffer
  walletAddress: Address
  /** The program that signed in, as it names itself. */
  device: string | null
  createdAt: Date
  expiresAt: Date
}

/** The limits of a key; null means no limit. */
export type Limits = {
  scopes: readonly Scope[] | null
  cardIds: readonly string[] | null
  /** USDC base units. */
  maxAmount: Amount | null
  expiresAt: Date | null
}

export type ApiKey = Limits & {
  hash: Buffer
  hint: string
  walletAddress: Address
  name: string | null
  createdAt: Date
  revokedAt: Date | null
  lastUsedAt: Date | null
  /** The hash (hex) of the key, or the id of the session, that made it; null if it was not recorded. */
  madeBy: string | null
}

/** How many a wallet may have at once. The database has no place for more. */
export const KEYS_MAX = 50
export const SESSIONS_MAX = 20
export const CHALLENGES_MAX = 20

/** Locks the wallet's row: one transaction at a time assigns and frees the places of its keys and sessions. */
export async function lockOwner(tx: Tx, walletAddress: Address): Promise<void> {
  await sql`insert into credential_owners values (${walletAddress}) on conflict do nothing`.execute(
    tx,
  )
  await sql`select from credential_owners where wallet_address = ${walletAddress} for update`.execute(
    tx,
  )
}

/** Stores the wallet's row and locks it; false if there is one already: the wallet has signed in before. */
export const insertOwner = async (tx: Tx, walletAddress: Address): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into credential_owners values (${walletAddress}) on conflict do nothing`,
  )) === 1

/**
 * Stores the challenge if its wallet has a free place; otherwise returns false. Takes no lock: that would need a row
 * for each address that anybody names.
 */
export async function insertChallenge(tx: Tx, challenge: Challenge): Promise<boolean> {
  const { walletAddress, createdAt } = challenge
  await sql`update auth_challenges set place = null
    where wallet_address = ${walletAddress} and place is not null and expires_at <= ${createdAt}`.execute(
    tx,
  )
  for (let tries = 0; tries < PLACE_TRIES; tries++) {
    if (await insertAnywhere(tx, challenge)) return true
    if ((await countOpenChallenges(tx, walletAddress)) >= CHALLENGES_MAX) return false
  }
  return false
}

/** Two concurrent calls may choose the same place. The second then sees the first and chooses again. */
const PLACE_TRIES = 10

async function insertAnywhere(tx: Tx, challenge: Challenge): Promise<boolean> {
  const { nonce, walletAddress, message, createdAt, expiresAt } = challenge
  const written = await run(
    tx,
    sql`insert into auth_challenges (nonce, wallet_address, message, created_at, expires_at, place)
      select ${nonce}, ${walletAddress}, ${message}, ${createdAt}::timestamptz, ${expiresAt}::timestamptz, place
      from generate_series(1, ${CHALLENGES_MAX}::integer) as place
      where not exists (select from auth_challenges c where c.wallet_address = ${walletAddress} and c.place = place.place)
      order by random() limit 1 on conflict do nothing`,
  )
  return written === 1
}

async function countOpenChallenges(on: Reader, walletAddress: Address): Promise<number> {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from auth_challenges where wallet_address = ${walletAddress} and place is not null`,
  )
  return Number(row?.n ?? 0n)
}

/** The newest challenge of the wallet that can still be answered. */
export const findOpenChallenge = (
  on: Reader,
  at: Date,
  walletAddress: Address,
): Promise<Challenge | undefined> =>
  one<Challenge>(
    on,
    sql`select nonce, wallet_address, message, created_at, expires_at from auth_challenges
      where wallet_address = ${walletAddress} and place is not null and used_at is null and expires_at > ${at}
      order by created_at desc limit 1`,
  )

/** The challenge of this nonce, if it can still be answered. */
export const findChallenge = (
  on: Reader,
  at: Date,
  nonce: string,
): Promise<Challenge | undefined> =>
  one<Challenge>(
    on,
    sql`select nonce, wallet_address, message, created_at, expires_at from auth_challenges
      where nonce = ${nonce} and used_at is null and expires_at > ${at}`,
  )

/** Marks the challenge as used. True for one caller only; false if it was used or has expired. */
export const useChallenge = async (tx: Tx, at: Date, nonce: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update auth_challenges set used_at = ${at}, place = null
      where nonce = ${nonce} and used_at is null and expires_at > ${at}`,
  )) === 1

/** Opens the session in a place of its wallet; ends the oldest if no place is free. The owner's row must be locked. */
export async function insertSession(tx: Tx, session: Session, nonce: string): Promise<void> {
  const { id, hash, walletAddress, device, createdAt, expiresAt } = session
  await sql`delete from sessions where wallet_address = ${walletAddress} and (expires_at <= ${createdAt}
    or hash in (select hash from sessions where wallet_address = ${walletAddress}
      order by created_at desc, id desc offset ${SESSIONS_MAX - 1}))`.execute(tx)
  await sql`insert into sessions (id, hash, nonce, wallet_address, device, created_at, expires_at, place)
    select ${id}, ${hash}::bytea, ${nonce}, ${walletAddress}, ${device}, ${createdAt}::timestamptz, ${expiresAt}::timestamptz,
      min(place) from generate_series(1, ${SESSIONS_MAX}::integer) as place
    where not exists (select from sessions s where s.wallet_address = ${walletAddress} and s.place = place.place)`.execute(
    tx,
  )
}

const SESSION = sql`select id, hash, wallet_address, device, created_at, expires_at from sessions`

/** The wallet's active sessions, newest first. */
export const listSessions = (on: Reader, at: Date, walletAddress: Address): Promise<Session[]> =>
  all<Session>(
    on,
    sql`${SESSION} where wallet_address = ${walletAddress} and expires_at > ${at} order by created_at desc, id desc`,
  )

/** Ends the wallet's session of this id; false if there is none. */
export const deleteSessionById = async (
  tx: Tx,
  of: { id: string; walletAddress: Address },
): Promise<boolean> =>
  (await run(
    tx,
    sql`delete from sessions where id = ${of.id} and wallet_address = ${of.walletAddress}`,
  )) === 1

export const findSession = (on: Reader, hash: Buffer): Promise<Session | undefined> =>
  one<Session>(on, sql`${SESSION} where hash = ${hash}`)

/** The wallet's session of this id, even if it is over. */
export const findSessionById = (
  on: Reader,
  of: { id: string; walletAddress: Address },
): Promise<Session | undefined> =>
  one<Session>(on, sql`${SESSION} where id = ${of.id} and wallet_address = ${of.walletAddress}`)

/** The session, locked so that it cannot end before the transaction does. */
export const holdSession = (tx: Tx, hash: Buffer): Promise<Session | undefined> =>
  one<Session>(tx, sql`${SESSION} where hash = ${hash} for share`)

/** Returns the id of the session; undefined if it was over. */
export async function deleteSession(tx: Tx, hash: Buffer): Promise<string | undefined> {
  const row = await one<{ id: string }>(
    tx,
    sql`delete from sessions where hash = ${hash} returning id`,
  )
  return row?.id
}

/** Stores the key in a place of its wallet; false if no place is free. The owner's row must be locked. */
export async function insertKey(tx: Tx, key: ApiKey): Promise<boolean> {
  await sql`update api_keys set place = null where wallet_address = ${key.walletAddress} and place is not null
    and expires_at <= ${key.createdAt}`.execute(tx)
  const written = await run(
    tx,
    sql`insert into api_keys
      (hash, hint, wallet_address, name, scopes, card_ids, max_amount, created_at, expires_at, made_by, place)
      select ${key.hash}::bytea, ${key.hint}, ${key.walletAddress}, ${key.name}, ${key.scopes}::text[],
        ${key.cardIds}::text[], ${key.maxAmount}::numeric, ${key.createdAt}::timestamptz,
        ${key.expiresAt}::timestamptz, ${key.madeBy}, place
      from generate_series(1, ${KEYS_MAX}::integer) as place
      where not exists (select from api_keys k where k.wallet_address = ${key.walletAddress} and k.place = place.place)
      order by place limit 1`,
  )
  return written === 1
}

/** Lets the live keys that may use a card use another of the wallet too. */
export async function addCardToKeys(
  tx: Tx,
  of: { walletAddress: string; cardId: string; childId: string },
): Promise<void> {
  await sql`update api_keys set card_ids = array_append(card_ids, ${of.childId})
    where wallet_address = ${of.walletAddress} and ${of.cardId} = any(card_ids) and revoked_at is null`.execute(
    tx,
  )
}

const KEY = sql`select hash, hint, wallet_address, name, scopes, card_ids, max_amount, created_at, expires_at,
  revoked_at, last_used_at, made_by from api_keys`

export const findKey = (on: Reader, hash: Buffer): Promise<ApiKey | undefined> =>
  one<ApiKey>(on, sql`${KEY} where hash = ${hash}`)

/** The keys of these hashes (hex), by hash. */
export async function findKeys(on: Reader, hashes: string[]): Promise<Map<string, ApiKey>> {
  const sought = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const keys = await all<ApiKey>(on, sql`${KEY} where hash = any(${sought}::bytea[])`)
  return new Map(keys.map((key) => [key.hash.toString('hex'), key]))
}

/** The hashes (hex) of keys and sessions that are good at `at`, each with its cards; null for all. */
export async function findLive(
  on: Reader,
  at: Date,
  hashes: string[],
): Promise<Map<string, readonly string[] | null>> {
  const sought = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const rows = await all<{ hash: Buffer; cardIds: string[] | null }>(
    on,
    sql`select hash, card_ids from api_keys where hash = any(${sought}::bytea[]) and revoked_at is null
        and (expires_at is null or expires_at > ${at})
      union all select hash, null from sessions where hash = any(${sought}::bytea[]) and expires_at > ${at}`,
  )
  return new Map(rows.map(({ hash, cardIds }) => [hash.toString('hex'), cardIds]))
}

/** The key, locked so that it cannot be revoked before the transaction ends. */
export const holdKey = (tx: Tx, hash: Buffer): Promise<ApiKey | undefined> =>
  one<ApiKey>(tx, sql`${KEY} where hash = ${hash} for share`)

/** A wallet's keys, newest first, after the key `after`; one more than `limit` if there are more. */
export const listKeys = (
  on: Reader,
  walletAddress: Address,
  page: { after: Buffer | null; limit: number },
): Promise<ApiKey[]> =>
  all<ApiKey>(
    on,
    sql`${KEY} where wallet_address = ${walletAddress}
      and (${page.after}::bytea is null
        or seq < (select seq from api_keys where hash = ${page.after} and wallet_address = ${walletAddress}))
      order by seq desc limit ${page.limit + 1}`,
  )

/** The wallet's keys that this key (by hash) or session (by id) made, and the keys that those made. */
export const findDescendants = (
  on: Reader,
  { madeBy, walletAddress }: { madeBy: string; walletAddress: Address },
): Promise<ApiKey[]> =>
  all<ApiKey>(
    on,
    sql`with recursive made as (
        select hash from api_keys where made_by = ${madeBy} and wallet_address = ${walletAddress}
        union select k.hash from api_keys k join made m on k.made_by = encode(m.hash, 'hex'))
      ${KEY} where hash in (select hash from made) order by seq`,
  )

/** Revokes the keys; returns the hashes of those that were active. */
export async function markRevoked(tx: Tx, at: Date, hashes: Buffer[]): Promise<Set<string>> {
  const rows = await all<{ hash: Buffer }>(
    tx,
    sql`update api_keys set revoked_at = ${at}, place = null where hash = any(${hashes}::bytea[])
      and revoked_at is null returning hash`,
  )
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

/**
 * Takes a card that its wallet parts with from the wallet's restricted keys, so that they have no right to it if it comes
 * back. A key for this card alone is revoked, and returned. The owner's row must be locked.
 */
export async function takeCardFromKeys(
  tx: Tx,
  at: Date,
  of: { walletAddress: string; cardId: string },
): Promise<ApiKey[]> {
  const isNamed = sql`wallet_address = ${of.walletAddress} and ${of.cardId} = any(card_ids)`
  await sql`update api_keys set card_ids = array_remove(card_ids, ${of.cardId})
    where ${isNamed} and cardinality(array_remove(card_ids, ${of.cardId})) > 0`.execute(tx)
  const ended = await all<ApiKey>(tx, sql`${KEY} where ${isNamed} and revoked_at is null`)
  await markRevoked(
    tx,
    at,
    ended.map(({ hash }) => hash),
  )
  return ended
}

/** Records the use unless one since `since` is recorded. Skips a locked row: the next use will do. */
export async function touchKey(tx: Tx, at: Date, hash: Buffer, since: Date): Promise<void> {
  await sql`update api_keys set last_used_at = ${at} where hash = (select hash from api_keys
    where hash = ${hash} and (last_used_at is null or last_used_at < ${since}) for update skip locked)`.execute(
    tx,
  )
}

/** A condition for another room's statement: the wallet has had an API key or a session. `wallet` is a column. */
export const hasSignedIn = (wallet: string): RawBuilder<boolean> =>
  sql`(exists (select from api_keys k where k.wallet_address = ${sql.ref(wallet)})
    or exists (select from sessions s where s.wallet_address = ${sql.ref(wallet)}))`

import { all, one, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Scope } from '../http/caller.ts'
import type { Address } from '../kernel/assets.ts'
import type { Amount } from '../kernel/money.ts'

export type Challenge = {
  nonce: string
  walletAddress: Address
  message: string
  createdAt: Date
  expiresAt: Date
}

export type Session = { hash: Buffer; walletAddress: Address; createdAt: Date; expiresAt: Date }

/** What narrows a key; null is no limit. */
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
}

export async function insertChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  const { nonce, walletAddress, message, createdAt, expiresAt } = challenge
  await sql`insert into auth_challenges (nonce, wallet_address, message, created_at, expires_at)
    values (${nonce}, ${walletAddress}, ${message}, ${createdAt}, ${expiresAt})`.execute(tx)
}

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

/** Marks the challenge used; false if it was, or has expired. Of several at once, one is told true. */
export const useChallenge = async (tx: Tx, at: Date, nonce: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update auth_challenges set used_at = ${at}
      where nonce = ${nonce} and used_at is null and expires_at > ${at}`,
  )) === 1

export async function insertSession(tx: Tx, session: Session, nonce: string): Promise<void> {
  const { hash, walletAddress, createdAt, expiresAt } = session
  await sql`insert into sessions (hash, nonce, wallet_address, created_at, expires_at)
    values (${hash}, ${nonce}, ${walletAddress}, ${createdAt}, ${expiresAt})`.execute(tx)
}

const SESSION = sql`select hash, wallet_address, created_at, expires_at from sessions`

export const findSession = (on: Reader, hash: Buffer): Promise<Session | undefined> =>
  one<Session>(on, sql`${SESSION} where hash = ${hash}`)

/** The session, kept from ending until the transaction does. */
export const holdSession = (tx: Tx, hash: Buffer): Promise<Session | undefined> =>
  one<Session>(tx, sql`${SESSION} where hash = ${hash} for share`)

export async function deleteSession(tx: Tx, hash: Buffer): Promise<void> {
  await sql`delete from sessions where hash = ${hash}`.execute(tx)
}

/** Forgets challenges and sessions that nobody can use any more. */
export async function deleteExpired(tx: Tx, at: Date): Promise<void> {
  await sql`delete from auth_challenges where expires_at <= ${at}`.execute(tx)
  await sql`delete from sessions where expires_at <= ${at}`.execute(tx)
}

export async function insertKey(tx: Tx, key: ApiKey): Promise<void> {
  await sql`insert into api_keys
    (hash, hint, wallet_address, name, scopes, card_ids, max_amount, created_at, expires_at)
    values (${key.hash}, ${key.hint}, ${key.walletAddress}, ${key.name}, ${key.scopes}::text[],
      ${key.cardIds}::text[], ${key.maxAmount}, ${key.createdAt}, ${key.expiresAt})`.execute(tx)
}

const KEY = sql`select hash, hint, wallet_address, name, scopes, card_ids, max_amount, created_at, expires_at,
  revoked_at, last_used_at from api_keys`

export const findKey = (on: Reader, hash: Buffer): Promise<ApiKey | undefined> =>
  one<ApiKey>(on, sql`${KEY} where hash = ${hash}`)

/** The keys of these hashes (hex), by hash. */
export async function findKeys(on: Reader, hashes: string[]): Promise<Map<string, ApiKey>> {
  const sought = hashes.map((hash) => Buffer.from(hash, 'hex'))
  const keys = await all<ApiKey>(on, sql`${KEY} where hash = any(${sought}::bytea[])`)
  return new Map(keys.map((key) => [key.hash.toString('hex'), key]))
}

/** The key, kept from being revoked until the transaction ends. */
export const holdKey = (tx: Tx, hash: Buffer): Promise<ApiKey | undefined> =>
  one<ApiKey>(tx, sql`${KEY} where hash = ${hash} for share`)

/** A wallet's keys, newest first, after the key `after`; one more than `limit` where there are more. */
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

/** Revokes the key; false if it was already. */
export const markRevoked = async (tx: Tx, at: Date, hash: Buffer): Promise<boolean> =>
  (await run(
    tx,
    sql`update api_keys set revoked_at = ${at} where hash = ${hash} and revoked_at is null`,
  )) === 1

/** Notes the use unless one since `since` is noted. Never waits for whoever holds the row: the next use will do. */
export async function touchKey(tx: Tx, at: Date, hash: Buffer, since: Date): Promise<void> {
  await sql`update api_keys set last_used_at = ${at} where hash = (select hash from api_keys
    where hash = ${hash} and (last_used_at is null or last_used_at < ${since}) for update skip locked)`.execute(
    tx,
  )
}

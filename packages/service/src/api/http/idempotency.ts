import { one, run, sql, type Tx } from '../../base/db/sql.ts'
import { HOUR, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { equalBytes, open, type SealKeys, seal, sha256 } from '../../base/kernel/secrets.ts'
import { sealedColumn } from '../../base/signing-keys/store-sealed.ts'

/** A request's claim on its key. The key includes its space: see `claimOf`. */
export type Claim = { walletAddress: string; key: string; route: string; requestHash: Buffer }
/** The answer to a claimed request, stored in the transaction that did the work. */
export type StoredAnswer = { claim: Claim; status: number; body: unknown }

/** How long a key stays claimed without a sign of life. After a crash a retry may run after this time. */
const LOCK_SECONDS = 15

export const keyTimes: readonly TimeColumn[] = [
  { table: 'idempotency_keys', column: 'locked_until', longestSeconds: LOCK_SECONDS },
]
/** How often a running request renews its claim. */
export const RENEW_MS = 5_000
const PRINTABLE = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/

/**
 * The claim that a request's `Idempotency-Key` makes; refuses a malformed key. A restricted key has a space of its own,
 * so that its keys never collide with the wallet's. A tab separates the space from the key; no key contains a tab.
 */
export function claimOf(
  key: string,
  request: { walletAddress: string; reader: string; route: string; url: string; body: unknown },
): Claim {
  const { walletAddress, reader, route } = request
  if (!PRINTABLE.test(key))
    throw new Problem(
      'invalid_idempotency_key',
      'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    )
  const requestHash = sha256(`${reader}\n${request.url}\n${JSON.stringify(request.body ?? null)}`)
  return { walletAddress, key: keyInSpace(walletAddress, reader, key), route, requestHash }
}

const keyInSpace = (walletAddress: string, reader: string, key: string): string =>
  reader === walletAddress ? key : `${reader}\t${key}`

/** Whether the request with this key ended in a refusal, which every repetition of it gets. */
export async function isRefused(
  tx: Tx,
  { walletAddress, reader, key }: { walletAddress: string; reader: string; key: string },
): Promise<boolean> {
  const row = await one<{ status: number | null }>(
    tx,
    sql`select status from idempotency_keys
      where wallet_address = ${walletAddress} and key = ${keyInSpace(walletAddress, reader, key)}`,
  )
  return row !== undefined && row.status !== null && row.status >= 400
}

type KeyRow = {
  route: string
  requestHash: Buffer
  status: number | null
  answer: Buffer | null
  lockedUntil: Date
}

/**
 * Takes the key for this request, or returns the answer that an earlier request stored. Of concurrent requests one takes
 * the key; the others get `idempotency_in_progress`. The same key with a different request is a conflict.
 */
export async function takeKey(
  tx: Tx,
  at: Date,
  claim: Claim,
  answerKey: SealKeys,
): Promise<{ status: number; body: string } | undefined> {
  const { walletAddress, key, route, requestHash } = claim
  const taken = await run(
    tx,
    sql`insert into idempotency_keys (wallet_address, key, route, request_hash, locked_until, created_at)
      values (${walletAddress}, ${key}, ${route}, ${requestHash}, ${addSeconds(at, LOCK_SECONDS)}, ${at})
      on conflict do nothing`,
  )
  if (taken === 1) return undefined
  const row = await one<KeyRow>(
    tx,
    sql`select route, request_hash, status, answer, locked_until from idempotency_keys
      where wallet_address = ${walletAddress} and key = ${key} for update`,
  )
  // The request that held the key failed and released it between these two statements.
  if (!row) throw inProgress()
  if (row.route !== route || !equalBytes(row.requestHash, requestHash))
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    )
  if (row.status !== null && row.answer !== null)
    return { status: row.status, body: open(answerKey, row.answer, answerContext(claim)) }
  if (row.lockedUntil > at) throw inProgress()
  await sql`update idempotency_keys set locked_until = ${addSeconds(at, LOCK_SECONDS)}
    where wallet_address = ${walletAddress} and key = ${key}`.execute(tx)
  return undefined
}

const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
    { headers: { 'retry-after': '1' } },
  )

/**
 * Stores answers under their keys, each once: a later request with the key gets the same answer. Throws, and so rolls
 * the work back, if another request has taken the key over and answered.
 */
export async function storeAnswers(
  tx: Tx,
  answers: StoredAnswer[],
  answerKey: SealKeys,
): Promise<void> {
  const stored = await run(
    tx,
    sql`update idempotency_keys k set status = a.status, answer = a.answer
      from unnest(${answers.map((a) => a.claim.walletAddress)}::text[], ${answers.map((a) => a.claim.key)}::text[],
        ${answers.map((a) => a.status)}::integer[],
        ${answers.map((a) => seal(answerKey, JSON.stringify(a.body), answerContext(a.claim)))}::bytea[])
        as a (wallet_address, key, status, answer)
      where k.wallet_address = a.wallet_address and k.key = a.key and k.status is null`,
  )
  if (stored !== answers.length) throw keyTakenOver()
}

/** The refusal of a request whose key another request has taken over: the work must not be done twice. */
export const keyTakenOver = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'Another request with this Idempotency-Key was quicker. Ask again for its answer.',
    { headers: { 'retry-after': '1' } },
  )

/** Renews the claim of a running request. */
export async function renewKey(tx: Tx, at: Date, claim: Claim): Promise<void> {
  await sql`update idempotency_keys set locked_until = ${addSeconds(at, LOCK_SECONDS)}
    where wallet_address = ${claim.walletAddress} and key = ${claim.key} and status is null`.execute(
    tx,
  )
}

/** Releases the key of a request that failed through our fault, so that a retry runs. */
export async function dropKey(tx: Tx, claim: Claim): Promise<void> {
  await sql`delete from idempotency_keys where wallet_address = ${claim.walletAddress} and key = ${claim.key}
    and status is null`.execute(tx)
}

/** A claim that its request left behind when it failed, because the database took nothing. */
export type LeftClaim = { claim: Claim; madeAt: Date; failedAt: Date }

/** When a left claim has ended by itself at the latest. */
export const endOf = ({ failedAt }: LeftClaim): Date => addSeconds(failedAt, LOCK_SECONDS)

/** Releases keys as `dropKey`, later. A key that another request has claimed since stays with it. */
export async function dropLeftKeys(tx: Tx, left: readonly LeftClaim[]): Promise<void> {
  await sql`delete from idempotency_keys k using unnest(${left.map(({ claim }) => claim.walletAddress)}::text[],
      ${left.map(({ claim }) => claim.key)}::text[], ${left.map(({ madeAt }) => madeAt)}::timestamptz[],
      ${left.map(endOf)}::timestamptz[]) as l (wallet_address, key, made_at, end_at)
    where k.wallet_address = l.wallet_address and k.key = l.key and k.created_at = l.made_at
      and k.locked_until <= l.end_at and k.status is null`.execute(tx)
}

export const keptAnswers: Kept<unknown> = {
  kind: 'idempotency_answers',
  what: 'answers to requests with an Idempotency-Key',
  since: 'first use of the key',
  seconds: () => 48 * HOUR,
  ...keptRows({ table: 'idempotency_keys', column: 'created_at' }),
}

const answerContext = (claim: Claim): string => contextOf(claim.walletAddress, claim.key)
const contextOf = (walletAddress: string, key: string): string => `${walletAddress} ${key}`

/** The purpose of the key that seals answers. */
export const STORED_ANSWERS = 'stored answers'

export const sealedAnswers = sealedColumn({
  what: 'stored answers',
  purpose: STORED_ANSWERS,
  table: 'idempotency_keys',
  key: ['wallet_address', 'key'],
  column: 'answer',
  context: contextOf,
})

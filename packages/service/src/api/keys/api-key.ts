import type { Reader, Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { byCaller, noteActs } from '../audit/note.ts'
import type { BuiltEvent } from '../events/define.ts'
import { record } from '../events/record.ts'
import { keyCreated, keyRevoked } from '../events/types/access.ts'
import type { Caller } from '../http/caller.ts'
import { checkAfter } from '../http/fields.ts'
import { invalidCredential, type KeyMode, newCredential } from './credential.ts'
import type { ApiKey, Limits } from './store.ts'
import * as store from './store.ts'

const UNLIMITED: Limits = { scopes: null, cardIds: null, maxAmount: null, expiresAt: null }
const HASH = /^[0-9a-f]{64}$/

/** Makes a key for everything that the wallet may do. Its text is not stored and cannot be read again. */
export const createKey = (
  tx: Tx,
  at: Date,
  caller: Caller,
  mode: KeyMode,
): Promise<{ text: string; key: ApiKey }> =>
  mintKey(tx, at, caller, { mode, name: null, limits: UNLIMITED })

/**
 * Makes a restricted key. Throws `scope_escalation` if it could do anything that the caller's own key cannot, and
 * `invalid_state` if the wallet has reached its limit of keys.
 */
export async function mintKey(
  tx: Tx,
  at: Date,
  caller: Caller,
  wanted: Wanted,
): Promise<{ text: string; key: ApiKey }> {
  const { walletAddress } = caller
  await store.lockOwner(tx, walletAddress)
  const own = await holdCredential(tx, at, caller)
  const exceeded = exceededLimit(own.limits, wanted.limits)
  if (exceeded)
    throw new Problem(
      'scope_escalation',
      `A key cannot make a stronger one: ${exceeded} is beyond this key's own. Ask for less, or use a full key.`,
      { param: exceeded },
    )
  const made = { ...wanted, walletAddress, madeBy: own.name }
  const { text, key } = newKey(at, made)
  if (!(await store.insertKey(tx, key)))
    throw new Problem(
      'invalid_state',
      `A wallet has ${store.KEYS_MAX} active keys at most. Revoke one that is no longer used.`,
    )
  await record(tx, at, [keyEvent(keyCreated, key)])
  await noteActs(tx, at, byCaller(caller), [{ act: 'key.created', subject: nameOf(key) }])
  return { text, key }
}

/**
 * Makes the first key of a wallet, for the operator: no signature of the wallet is asked for. Throws `invalid_state` if the
 * wallet has ever signed in, so nobody's money is reached.
 */
export async function mintFirstKey(
  tx: Tx,
  at: Date,
  walletAddress: Address,
  mode: KeyMode,
): Promise<{ text: string; key: ApiKey }> {
  if (!(await store.insertOwner(tx, walletAddress)))
    throw new Problem(
      'invalid_state',
      `${walletAddress} has signed in here before: only its own signature makes another key.`,
    )
  const name = 'first key, by the operator'
  const made = newKey(at, { mode, name, limits: UNLIMITED, walletAddress, madeBy: null })
  await store.insertKey(tx, made.key)
  await record(tx, at, [keyEvent(keyCreated, made.key)])
  return made
}

type Wanted = { mode: KeyMode; name: string | null; limits: Limits }

function newKey(
  at: Date,
  { mode, limits, ...of }: Wanted & Pick<ApiKey, 'walletAddress' | 'madeBy'>,
): { text: string; key: ApiKey } {
  const { text, hash, hint } = newCredential(mode)
  const never = { revokedAt: null, lastUsedAt: null }
  return { text, key: { ...limits, ...of, ...never, hash, hint, createdAt: at } }
}

/**
 * Revokes one of the wallet's keys, from the next request on. Revoking it again is not an error. `withDescendants` also
 * revokes the keys that it made, and the keys that those made. Throws `not_found`, and `scope_escalation` if one of the
 * keys may do more than the caller's own: the holder of a weak key must not lock the others out.
 */
export async function revokeKey(
  tx: Tx,
  at: Date,
  caller: Caller,
  { hash, withDescendants }: { hash: string; withDescendants: boolean },
): Promise<number> {
  const { walletAddress } = caller
  await store.lockOwner(tx, walletAddress)
  const key = HASH.test(hash) ? await store.findKey(tx, Buffer.from(hash, 'hex')) : undefined
  if (key?.walletAddress !== walletAddress) throw notFound('key')
  const made = withDescendants
    ? await store.findDescendants(tx, { madeBy: hash, walletAddress })
    : []
  return revoke(tx, at, caller, [key, ...made])
}

/**
 * Ends a session of the wallet; it may be over already. If asked, also revokes the keys that it made, and the keys that
 * those made. Throws `not_found`, and `scope_escalation` for a restricted key.
 */
export async function endSession(
  tx: Tx,
  at: Date,
  caller: Caller,
  { id, withDescendants }: { id: string; withDescendants: boolean },
): Promise<number> {
  const { walletAddress } = caller
  await store.lockOwner(tx, walletAddress)
  const made = await store.findDescendants(tx, { madeBy: id, walletAddress })
  const isKnown = made.length > 0 || (await store.findSessionById(tx, { id, walletAddress }))
  if (!isKnown) throw notFound('session')
  const { limits } = await holdCredential(tx, at, caller)
  if (limits.scopes)
    throw new Problem(
      'scope_escalation',
      'A restricted key cannot end a session. Use a full key, or sign in.',
    )
  const revoked = await revoke(tx, at, caller, withDescendants ? made : [])
  if (await store.deleteSessionById(tx, { id, walletAddress }))
    await noteActs(tx, at, byCaller(caller), [{ act: 'session.ended', subject: id }])
  return revoked
}

/** Revokes all of the keys or none, and returns how many were active. The caller holds the lock of the owner's row. */
async function revoke(tx: Tx, at: Date, caller: Caller, keys: ApiKey[]): Promise<number> {
  const own = await holdCredential(tx, at, caller)
  for (const key of keys) {
    const isOwn = key.hash.toString('hex') === caller.credentialHash
    const exceeded = isOwn ? undefined : exceededLimit(own.limits, key)
    if (exceeded)
      throw new Problem(
        'scope_escalation',
        `A key cannot revoke a stronger one: its ${exceeded} is beyond this key's own. Use a full key, or sign in.`,
      )
  }
  const revoked = await store.markRevoked(
    tx,
    at,
    keys.map(({ hash }) => hash),
  )
  const ended = keys.filter(({ hash }) => revoked.has(hash.toString('hex')))
  await record(
    tx,
    at,
    ended.map((key) => keyEvent(keyRevoked, key)),
  )
  const acts = ended.map((key) => ({ act: 'key.revoked', subject: nameOf(key) }))
  await noteActs(tx, at, byCaller(caller), acts)
  return ended.length
}

/** Ends the rights of the wallet's restricted keys to a card that it parts with. */
export async function endRightsTo(
  tx: Tx,
  at: Date,
  of: { walletAddress: Address; cardId: string },
): Promise<void> {
  await store.lockOwner(tx, of.walletAddress)
  const ended = await store.takeCardFromKeys(tx, at, of)
  await record(
    tx,
    at,
    ended.map((key) => keyEvent(keyRevoked, key)),
  )
}

/** The wallet's keys, newest first; one more than `limit` if there are more. Throws `invalid_field`. */
export async function listKeys(
  on: Reader,
  walletAddress: Address,
  page: { after: string | undefined; limit: number },
): Promise<ApiKey[]> {
  if (page.after === undefined) return store.listKeys(on, walletAddress, { ...page, after: null })
  const after = HASH.test(page.after) ? Buffer.from(page.after, 'hex') : undefined
  const key = after && (await store.findKey(on, after))
  await checkAfter(page.after, async () => key?.walletAddress === walletAddress)
  return store.listKeys(on, walletAddress, { after: key?.hash ?? null, limit: page.limit })
}

/**
 * The caller's credential, as a key stores it in `made_by`, and its limits. Locks it, so that it cannot be revoked
 * before the transaction ends.
 */
async function holdCredential(
  tx: Tx,
  at: Date,
  caller: Caller,
): Promise<{ name: string; limits: Limits }> {
  const hash = Buffer.from(caller.credentialHash, 'hex')
  if (caller.kind === 'session') {
    const session = await store.holdSession(tx, hash)
    if (!session || session.expiresAt <= at) throw invalidCredential()
    return { name: session.id, limits: UNLIMITED }
  }
  const key = await store.holdKey(tx, hash)
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= at)) throw invalidCredential()
  return { name: caller.credentialHash, limits: key }
}

/** A key's name in the API. */
const nameOf = ({ hash }: ApiKey): string => hash.toString('hex')

/** The name on the wire of the first field in which `wanted` exceeds `own`. No limit exceeds every limit. */
function exceededLimit(own: Limits, wanted: Limits): string | undefined {
  if (!isSubset(wanted.scopes, own.scopes)) return 'scopes'
  // A webhook is sent every event of the wallet.
  if (wanted.scopes?.includes('webhooks:write') && !isSubset(['events:read'], own.scopes))
    return 'scopes'
  if (!isSubset(wanted.cardIds, own.cardIds)) return 'card_ids'
  if (own.maxAmount !== null && (wanted.maxAmount === null || wanted.maxAmount > own.maxAmount))
    return 'max_amount'
  if (own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt))
    return 'expires_in'
  return undefined
}

const isSubset = (wanted: readonly string[] | null, own: readonly string[] | null): boolean =>
  own === null || wanted?.every((item) => own.includes(item)) === true

const keyEvent = (kind: Pick<typeof keyCreated, 'of'>, key: ApiKey): BuiltEvent =>
  kind.of({
    walletAddress: key.walletAddress,
    data: {
      key_hash: nameOf(key),
      key_hint: key.hint,
      name: key.name,
      scopes: key.scopes && [...key.scopes],
    },
  })

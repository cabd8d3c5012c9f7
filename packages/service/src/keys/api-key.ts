import type { Reader, Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import type { Caller } from '../http/caller.ts'
import type { Address } from '../kernel/assets.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { invalidCredential, type KeyMode, newCredential } from './credential.ts'
import type { ApiKey, Limits } from './store.ts'
import * as store from './store.ts'

const UNLIMITED: Limits = { scopes: null, cardIds: null, maxAmount: null, expiresAt: null }
const HASH = /^[0-9a-f]{64}$/

/** A key for everything that the wallet may do. The text is in no other place and cannot be read again. */
export const createKey = (
  tx: Tx,
  at: Date,
  caller: Caller,
  mode: KeyMode,
): Promise<{ text: string; key: ApiKey }> =>
  mintKey(tx, at, caller, { mode, name: null, limits: UNLIMITED })

/** A key that may do less. Throws `scope_escalation` where it could do anything that the caller's own key cannot. */
export async function mintKey(
  tx: Tx,
  at: Date,
  caller: Caller,
  wanted: { mode: KeyMode; name: string | null; limits: Limits },
): Promise<{ text: string; key: ApiKey }> {
  const { walletAddress } = caller
  const exceeded = exceededLimit(await holdLimits(tx, at, caller), wanted.limits)
  if (exceeded)
    throw new Problem(
      'scope_escalation',
      `A key cannot make a stronger one: ${exceeded} is beyond this key's own. Ask for less, or use a full key.`,
      { param: exceeded },
    )
  const { text, hash, hint } = newCredential(wanted.mode)
  const key: ApiKey = {
    ...wanted.limits,
    hash,
    hint,
    walletAddress,
    name: wanted.name,
    createdAt: at,
    revokedAt: null,
    lastUsedAt: null,
  }
  await store.insertKey(tx, key)
  await record(tx, at, [keyEvent('key.created', key)])
  return { text, key }
}

/**
 * Revokes one of the wallet's keys, from the next request on; again is no fault. Throws `not_found`, and
 * `scope_escalation` where the key may do what the caller's own may not: who holds a weak key must not shut out the rest.
 */
export async function revokeKey(tx: Tx, at: Date, caller: Caller, hash: string): Promise<void> {
  const key = HASH.test(hash) ? await store.findKey(tx, Buffer.from(hash, 'hex')) : undefined
  if (key?.walletAddress !== caller.walletAddress) throw notFound('key')
  const exceeded =
    hash === caller.credentialHash
      ? undefined
      : exceededLimit(await holdLimits(tx, at, caller), key)
  if (exceeded)
    throw new Problem(
      'scope_escalation',
      `A key cannot revoke a stronger one: its ${exceeded} is beyond this key's own. Use a full key, or sign in.`,
    )
  if (await store.markRevoked(tx, at, key.hash))
    await record(tx, at, [keyEvent('key.revoked', key)])
}

/** The wallet's keys, newest first; one more than `limit` where there are more. Throws `invalid_field`. */
export async function listKeys(
  on: Reader,
  walletAddress: Address,
  page: { after: string | undefined; limit: number },
): Promise<ApiKey[]> {
  if (page.after === undefined) return store.listKeys(on, walletAddress, { ...page, after: null })
  const after = HASH.test(page.after) ? Buffer.from(page.after, 'hex') : undefined
  const key = after && (await store.findKey(on, after))
  if (key?.walletAddress !== walletAddress)
    throw new Problem('invalid_field', 'after must be the key_hash of one of your keys.', {
      param: 'after',
    })
  return store.listKeys(on, walletAddress, { after: key.hash, limit: page.limit })
}

/** The limits of the caller's credential, which is kept from being revoked until the transaction ends. */
async function holdLimits(tx: Tx, at: Date, caller: Caller): Promise<Limits> {
  const hash = Buffer.from(caller.credentialHash, 'hex')
  if (caller.kind === 'session') {
    const session = await store.holdSession(tx, hash)
    if (!session || session.expiresAt <= at) throw invalidCredential()
    return UNLIMITED
  }
  const key = await store.holdKey(tx, hash)
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= at)) throw invalidCredential()
  return key
}

/** The first field in which `wanted` goes beyond `own`, by its name on the wire. No limit is beyond any limit. */
function exceededLimit(own: Limits, wanted: Limits): string | undefined {
  if (!isSubset(wanted.scopes, own.scopes)) return 'scopes'
  if (!isSubset(wanted.cardIds, own.cardIds)) return 'card_ids'
  if (own.maxAmount !== null && (wanted.maxAmount === null || wanted.maxAmount > own.maxAmount))
    return 'max_amount'
  if (own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt))
    return 'expires_in'
  return undefined
}

const isSubset = (wanted: readonly string[] | null, own: readonly string[] | null): boolean =>
  own === null || wanted?.every((item) => own.includes(item)) === true

function keyEvent(type: 'key.created' | 'key.revoked', key: ApiKey) {
  const subject = key.hash.toString('hex')
  const data = { key_hash: subject, key_hint: key.hint, name: key.name, scopes: key.scopes }
  return { type, walletAddress: key.walletAddress, subject, data }
}

import { record } from '../../../api/events/record.ts'
import { limitsUpdated } from '../../../api/events/types/cards.ts'
import type { Caller } from '../../../api/http/caller.ts'
import { findKey, lockOwner } from '../../../api/keys/store.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { Cap, CapLimits } from '../caps/cap.ts'
import { beginCap, lockCaps, readCapsAt, saveLimits } from '../caps/store.ts'

/** A cap of the caller's wallet: over all its cards, or over those that one of its keys may use. */
type Asked = { caller: Caller; keyHash: string | undefined }

/** The cards that are under a cap; null for all of the wallet. Throws `not_found` for a key of another wallet. */
async function subjectOf(
  on: Reader,
  { caller, keyHash }: Asked,
): Promise<{ subject: string; cardIds: readonly string[] | null }> {
  if (keyHash === undefined) return { subject: caller.walletAddress, cardIds: null }
  const key = /^[0-9a-f]{64}$/.test(keyHash) && (await findKey(on, Buffer.from(keyHash, 'hex')))
  if (!key || key.walletAddress !== caller.walletAddress) throw notFound('key')
  return { subject: keyHash, cardIds: key.cardIds }
}

export async function readLimits(on: Reader, at: Date, asked: Asked): Promise<Cap | undefined> {
  const { subject } = await subjectOf(on, asked)
  return (await readCapsAt(on, at, [subject])).get(subject)
}

/**
 * Changes the limits over all cards of a wallet, or over those of a key, from the next debit on. Throws `forbidden_scope` for a
 * restricted key: whoever spends must not loosen what holds it. Throws `invalid_state` for a key that names no cards.
 */
export async function changeLimits(
  tx: Tx,
  at: Date,
  { change, asset, ...asked }: Asked & { change: Partial<CapLimits>; asset: Asset },
): Promise<Cap | undefined> {
  const { caller, keyHash } = asked
  if (caller.scopes !== null)
    throw new Problem(
      'forbidden_scope',
      'A restricted key cannot change the limits of its wallet or of a key. Use a full key, or sign in.',
    )
  const { walletAddress } = caller
  await lockOwner(tx, walletAddress)
  const { subject, cardIds } = await subjectOf(tx, asked)
  if (keyHash !== undefined && cardIds === null)
    throw new Problem(
      'invalid_state',
      'This key may use every card of the wallet. Limit the wallet with PATCH /api/limits, or make a key for named cards.',
    )
  const { network, symbol } = asset
  await beginCap(tx, at, { subject, walletAddress, cardIds, network, asset: symbol })
  await saveLimits(tx, subject, change)
  const data = { subject, changed: Object.keys(change) }
  await record(tx, at, [limitsUpdated.of({ walletAddress, data })])
  return (await lockCaps(tx, at, [subject])).get(subject)
}

import { isRefused } from '../../api/http/idempotency.ts'
import type { Tx } from '../../base/db/sql.ts'
import { type Kept, keptRows } from '../../base/jobs/kept.ts'
import { assert } from '../../base/kernel/assert.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import {
  insertPurchase,
  lockPurchase,
  type Purchase,
  type PurchaseKey,
  replacePurchase,
} from './store-purchases.ts'

/** The longest time in which a request may count as a repetition. Answers are kept longer than that. */
export const WINDOW_MAX_SECONDS = 86_400

/**
 * The purchase that a request belongs to: the one of the same digest that began within the window, or a new one. A purchase
 * whose payment was refused is over, so that the same request is a new one after it. Of requests at once one begins it.
 */
export async function openPurchase(
  tx: Tx,
  at: Date,
  { windowSeconds, ...key }: PurchaseKey & { windowSeconds: number },
): Promise<Purchase & { isNew: boolean }> {
  const fresh = { id: newId('pur', at), createdAt: at }
  if (await insertPurchase(tx, key, fresh)) return { ...fresh, isNew: true }
  const known = await lockPurchase(tx, key)
  assert(known, 'a purchase is deleted a day after its window at the earliest')
  const { walletAddress, keySpace: reader } = key
  const isOver =
    known.createdAt <= addSeconds(at, -windowSeconds) ||
    (await isRefused(tx, { walletAddress, reader, key: known.id }))
  if (!isOver) return { ...known, isNew: false }
  await replacePurchase(tx, known, fresh)
  return { ...fresh, isNew: true }
}

/** No request can belong to older ones any more. */
export const keptPurchases: Kept<unknown> = {
  kind: 'purchases',
  what: 'purchases that a repeated request belongs to',
  since: 'the first request',
  seconds: () => 2 * WINDOW_MAX_SECONDS,
  ...keptRows({ table: 'purchases', column: 'created_at' }),
}

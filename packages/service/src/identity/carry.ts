import type { Services } from '../http/services.ts'
import type { Id } from '../kernel/ids.ts'
import { update } from './request.ts'
import { type Credential, findCredential, lockCredential } from './store.ts'

/**
 * Advances an identity by one step. Answers true once nothing is left to do. Safe to repeat, and to run concurrently.
 */
export async function carryIdentity(
  services: Services,
  at: Date,
  cardId: Id<'card'>,
): Promise<boolean> {
  const { db, settings } = services
  const row = await findCredential(db.reader, cardId)
  if (!row || isAtRest(row)) return true
  if (settings.identity !== null) return false
  if (row.state === 'PENDING') await failMint(services, at, { cardId, reason: 'no_vault' })
  return true
}

const isAtRest = ({ state }: Credential): boolean => state === 'FINAL' || state === 'FAILED'

const failMint = (
  { db }: Services,
  at: Date,
  { cardId, reason }: { cardId: Id<'card'>; reason: string },
): Promise<void> =>
  db.write(async (tx) => {
    const row = await lockCredential(tx, cardId)
    if (row?.state === 'PENDING') await update(tx, at, { ...row, state: 'FAILED', reason })
  })

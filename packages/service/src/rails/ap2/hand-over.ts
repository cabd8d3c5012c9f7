import type { Tx } from '../../base/db/sql.ts'
import { revokeCardKeys } from './keys/store.ts'
import { revokeIssuedFor } from './mandates/open/store.ts'

/**
 * Ends what may sign for a locked card that changes hands: its keys, and with them the open mandates that they signed, and
 * the open mandates that the service issued for it. Closed mandates of the service name the owner that they were signed for.
 */
export async function endSigning(tx: Tx, at: Date, cardId: string): Promise<void> {
  await revokeCardKeys(tx, at, cardId)
  await revokeIssuedFor(tx, at, cardId)
}

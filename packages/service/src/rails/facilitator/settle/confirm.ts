import type { Uses } from '../../../api/http/services.ts'
import { confirmTransfer } from '../../../chain/transfers/follow.ts'
import { type Settlement, saveStanding } from '../store.ts'
import { sendRef } from './claim.ts'
import { transferOf } from './finish.ts'

/**
 * Looks once whether a settlement that was reported at its first confirmation is in a safe block. If a reorganization
 * took its block away, the relay submits it again. A settlement that the safe block shows as never paid is marked
 * `missing` for its seller to see, and logged. True once it is known.
 */
export async function confirmSettlement(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  settlement: Settlement,
): Promise<boolean> {
  const { db, log } = services
  const { id, payer, txHash, validBefore, finality } = settlement
  if (finality !== 'waiting') return true
  return confirmTransfer(services, {
    ref: sendRef(id),
    transfer: transferOf(services, settlement),
    validBefore,
    async onFinal(paid) {
      await db.write((tx) => saveStanding(tx, id, { finality: 'final', ...paid }))
    },
    async onMissing() {
      if ((await db.write((tx) => saveStanding(tx, id, { finality: 'missing' }))) > 0)
        log.error(
          { settlement: id, payer, txHash },
          'a payment that was reported as settled is not on the chain: a reorganization took it away',
        )
    },
  })
}

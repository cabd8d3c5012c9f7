import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { confirmTransfer } from '../../../../chain/transfers/follow.ts'
import {
  findConfirmation,
  saveMissing,
  settleRef,
} from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { findLinkById } from '../../../link/store.ts'
import { saveConfirmed } from '../../../link/store-logs.ts'
import { transferOf } from './life.ts'

/**
 * Looks once whether a settlement that was credited at its first confirmation is in a safe block. If a reorganization
 * took its block away, the relay submits it again. A settlement that the safe block shows as never paid is marked and
 * logged as an alarm; the credit is not taken back. True once it is known. If a missing one is paid after all, the
 * watcher hands it to `settleOnChain`, which counts it as this settlement.
 */
export async function confirmSettlement(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  settlement: LinkSettlement,
): Promise<boolean> {
  const { db, log } = services
  const { id, network, payer, txHash } = settlement
  const confirmation = await findConfirmation(db.reader, id)
  if (confirmation?.state !== 'waiting') return true
  const link = await findLinkById(db.reader, settlement.payLinkId)
  assert(link, 'the link of a settlement stays')
  return confirmTransfer(services, {
    ref: settleRef(id),
    transfer: transferOf(services, { link, settlement }),
    validBefore: confirmation.validBefore,
    onFinal: (paid) => db.write((tx) => saveConfirmed(tx, { id, network, log: paid })),
    async onMissing() {
      if (await db.write((tx) => saveMissing(tx, id)))
        log.error(
          { settlement: id, payer, txHash },
          'a payment that was credited is not on the chain: a reorganization took it away, and it was not made again',
        )
    },
  })
}

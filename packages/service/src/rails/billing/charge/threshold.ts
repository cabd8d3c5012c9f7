import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Agreement } from '../../../members/agreements/agreement.ts'
import { lockThresholdAgreement, saveAgreement } from '../../../members/agreements/store.ts'
import { meterAsset } from '../../../members/meter/terms.ts'
import { meterKey } from '../../../money/ledger/account-keys.ts'
import { readAvailable } from '../../../money/ledger/balance.ts'
import { decideCharges, opened, writeCharges } from './charge.ts'
import { duesOf } from './lane.ts'
import { satisfied } from './outcome.ts'

/**
 * Tops the wallet's fee meter up once its balance is below the floor of its threshold agreement. A charge disarms the
 * agreement, and a balance at the floor or above arms it again: so a top-up that does not reach the floor is not repeated.
 */
export async function checkThreshold(
  tx: Tx,
  at: Date,
  {
    services,
    walletAddress,
  }: { services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>; walletAddress: string },
): Promise<void> {
  const agreement = await lockThresholdAgreement(tx, walletAddress)
  if (!agreement || agreement.thresholdFloor === null) return
  const balance = await readAvailable(tx, meterKey(meterAsset(services.chain), walletAddress))
  const isBelow = balance < agreement.thresholdFloor
  if (!isBelow) return saveAgreement(tx, armed(at, agreement))
  // While PAST_DUE only a retry charges.
  if (!agreement.isArmed || agreement.status !== 'ACTIVE') return
  const { dues } = await duesOf(tx, at, [agreement])
  const funded = dues.map((due) => opened(due, services.sealKey))
  const { rows, decided } = await decideCharges(tx, at, { services, dues: funded })
  await writeCharges(tx, at, { services, rows, dues, decided })
}

/** At its floor or above, the meter owes no charge: also not one that has failed. A paused agreement keeps that until it is resumed. */
const armed = (at: Date, agreement: Agreement): Agreement =>
  agreement.status === 'PAUSED'
    ? { ...agreement, isArmed: true, updatedAt: at }
    : satisfied(at, agreement)

import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { findPull } from '../../../money/pulls/store.ts'
import { findAgreement, findCharge } from '../../agreements/store.ts'
import { enrolmentOf } from '../enrolment.ts'
import { type House, lockState, type State, saveState } from '../state/state.ts'
import { undoPayment } from '../store.ts'
import { chargeFailed, chargePaid, endUnpaid } from './charge.ts'
import { periodOfNumber } from './period.ts'

/**
 * Ends the charge of a pull as the pull ended. The pull's row decides, so a job that runs twice or late changes nothing.
 */
export async function finishCharge(
  tx: Tx,
  at: Date,
  { chargeId, house }: { chargeId: string; house: House },
): Promise<void> {
  const charge = await findCharge(tx, chargeId)
  const agreement = charge && (await findAgreement(tx, charge.agreementId))
  if (agreement?.purpose !== 'membership') return
  const state = await lockState(tx, agreement.payerWallet as Address)
  await saveState(tx, await finish(tx, at, { state, house, chargeId }))
}

async function finish(
  tx: Tx,
  at: Date,
  { state, house, chargeId }: { state: State; house: House; chargeId: string },
): Promise<State> {
  const { agreement, inFlight } = state
  const pull = await findPull(tx, chargeId)
  if (pull?.state === 'missing' && (await undoPayment(tx, at, chargeId)))
    return endUnpaid(tx, at, { state, house })
  if (!pull || !agreement || inFlight?.id !== chargeId) return state
  if (pull.state === 'confirmed') {
    const { billingPeriod } = enrolmentOf(agreement)
    const { periodNo } = inFlight
    const period = await periodOfNumber(tx, at, { state, agreement, billingPeriod, periodNo })
    const source = { kind: 'wallet' as const }
    return chargePaid(tx, at, { state, house, agreement, charge: inFlight, period, source })
  }
  if (pull.state !== 'failed' && pull.state !== 'missing') return state
  assert(pull.reason, 'a pull that failed says why')
  const failed = { state, house, agreement, charge: inFlight, error: pull.reason }
  const after = await chargeFailed(tx, at, failed)
  // The contract has spent the reference, and the money is gone: no retry of this period can pay.
  return pull.state === 'missing' && after.agreement
    ? endUnpaid(tx, at, { state: after, house })
    : after
}

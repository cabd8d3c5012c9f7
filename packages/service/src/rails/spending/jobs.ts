import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { forgetTask } from '../../base/jobs/kept.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { sweepTask } from '../../chain/transfers/tasks.ts'
import { lookLater, reconcilePaymentTask } from './offer/authorize.ts'
import { capturePayment, finalizePayment, releasePayment, undoPayment } from './outcome.ts'
import { keptPurchases } from './purchases.ts'
import { findPayment, findUnfinished, isOpen, type OutboundPayment } from './store.ts'
import { type PaymentStanding, readPaymentUse } from './use.ts'

/** A payment without an end after this many seconds has lost its job: an outage used up the job's attempts. */
const SWEEP_AFTER_SECONDS = 1800

export const paymentTasks: readonly Task<Services>[] = [
  handlerOf(reconcilePaymentTask, {
    handle: (services, { payment_id: id, looks = 0 }, at) =>
      reconcilePayment(services, at, { id, looks }),
  }),
  sweepTask({
    name: 'sweep_payments',
    cron: '*/30 * * * *',
    task: reconcilePaymentTask,
    seconds: SWEEP_AFTER_SECONDS,
    find: findUnfinished,
    payloadOf: (payment_id) => ({ payment_id }),
  }),
  forgetTask({ name: 'forget_purchases', cron: '23 3 * * *' }, [keptPurchases]),
]

/** Advances a payment by one step, as the chain shows it, and schedules itself again until the payment has ended. */
export async function reconcilePayment(
  services: Services,
  at: Date,
  look: { id: OutboundPayment['id']; looks: number },
): Promise<void> {
  const { db, chain } = services
  const payment = await findPayment(db.reader, look.id)
  if (!payment || !(isOpen(payment) || payment.state === 'captured')) return
  const outcome = await readPaymentUse(chain, payment)
  if (outcome.kind !== 'open') reach('payments.before_final')
  await db.write(async (tx) => {
    const isOver = await follow(tx, at, { payment, outcome, asset: assetOf(chain, payment) })
    if (!isOver) await lookLater(tx, { id: look.id, looks: look.looks + 1 })
  })
  if (outcome.kind !== 'open') reach('payments.after_final')
}

/** Returns true once nothing is left to do. */
async function follow(
  tx: Tx,
  at: Date,
  seen: {
    payment: OutboundPayment
    outcome: PaymentStanding
    asset: Asset
  },
): Promise<boolean> {
  const { outcome, asset } = seen
  const { id } = seen.payment
  if (outcome.kind === 'open') return false
  if (outcome.kind === 'never') {
    if (isOpen(seen.payment))
      return releasePayment(tx, at, { id, asset, reason: 'not_settled_in_time' })
    return undoPayment(tx, at, { id, asset })
  }
  const { use } = outcome
  await capturePayment(tx, at, { id, asset, use })
  return outcome.isSafe && finalizePayment(tx, at, { id, asset, use })
}

import type { Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { saveAgreement } from '../../agreements/store.ts'
import { type House, lockState, type State, saveState } from '../state/state.ts'
import { chargeDue } from './charge.ts'
import { expireMembership } from './end-agreement.ts'

/** Does what is due for the wallet: renews, retries or ends its membership. Safe to repeat, early, late or twice at once. */
export async function endPeriod(
  tx: Tx,
  at: Date,
  { walletAddress, house }: { walletAddress: Address; house: House },
): Promise<void> {
  await saveState(tx, await settleDue(tx, at, { state: await lockState(tx, walletAddress), house }))
}

/** The same on a locked state, which it answers as it is after. */
export async function settleDue(
  tx: Tx,
  at: Date,
  { state, house }: { state: State; house: House },
): Promise<State> {
  const { membership, agreement, inFlight } = state
  if (inFlight) return state
  const paidUntil = membership?.status === 'ACTIVE' ? membership.currentPeriodEnd : undefined
  const isRenewed = agreement && !membership?.cancelAtPeriodEnd
  if (paidUntil && paidUntil <= at && !isRenewed)
    return expireMembership(tx, at, { state, house, reason: 'payer' })
  const dueAt = agreement?.nextAttemptAt ?? null
  if (!agreement || dueAt === null || dueAt > at) return state
  // A membership that is paid until later owes nothing now, whatever made the charge due.
  if (paidUntil && paidUntil > at) return waitFor(tx, at, { state, agreement, paidUntil })
  return chargeDue(tx, at, { state, house, agreement })
}

async function waitFor(
  tx: Tx,
  at: Date,
  { state, agreement, paidUntil }: { state: State; agreement: Agreement; paidUntil: Date },
): Promise<State> {
  const waiting = { ...agreement, nextAttemptAt: paidUntil, updatedAt: at }
  await saveAgreement(tx, waiting)
  return { ...state, agreement: waiting }
}

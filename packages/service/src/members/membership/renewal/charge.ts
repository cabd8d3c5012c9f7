import { record } from '../../../api/events/record.ts'
import {
  membershipPastDue,
  membershipPaymentDue,
} from '../../../api/events/types/recurring/membership.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { plus } from '../../../base/kernel/money.ts'
import { lockCard } from '../../../money/cards/store.ts'
import { pullRefOf, requestPull } from '../../../money/pulls/pull.ts'
import { type Agreement, type Charge, newCharge, periodKeyOf } from '../../agreements/agreement.ts'
import { chargedEvents, chargeFailedEvents } from '../../agreements/agreement-events.ts'
import { nextRetry } from '../../agreements/schedule.ts'
import { statusAfter } from '../../agreements/states.ts'
import {
  findPeriodCharges,
  insertCharge,
  saveAgreement,
  saveCharge,
} from '../../agreements/store.ts'
import { type Enrolment, enrolmentOf } from '../enrolment.ts'
import { membershipEvent, paymentDueEvent } from '../state/membership-events.ts'
import type { House, State } from '../state/state.ts'
import { saveMembership } from '../store.ts'
import { expireMembership } from './end-agreement.ts'
import { lockTreasury, payPeriod, type Source } from './pay.ts'
import { numberOf, type Period, periodToPay } from './period.ts'

type Of = { state: State; house: House; agreement: Agreement }

/** Makes the charge that is due: pays the period, asks for a pull, or writes the failure down. */
export async function chargeDue(tx: Tx, at: Date, of: Of): Promise<State> {
  const { state, house, agreement } = of
  const terms = enrolmentOf(agreement)
  const period = await periodToPay(tx, at, { state, billingPeriod: terms.billingPeriod })
  const periodNo = numberOf(agreement, period)
  const charge = await claimCharge(tx, at, agreement, periodNo)
  if (terms.mode === 'wallet') return pull(tx, at, { ...of, charge })
  const source = await findSource(tx, { state, house, terms })
  if (!source) return chargeFailed(tx, at, { ...of, charge, error: 'insufficient_balance' })
  return chargePaid(tx, at, { ...of, charge, period, source })
}

/** Asks for the money on chain. `finishCharge` ends the charge. */
async function pull(tx: Tx, at: Date, of: Of & { charge: Charge }): Promise<State> {
  const { state, house, agreement } = of
  const { walletAddress } = state
  const periodKey = periodKeyOf(of.charge)
  const charge = { ...of.charge, pullRef: pullRefOf(agreement.id, periodKey) }
  await saveCharge(tx, charge)
  await requestPull(tx, at, {
    chargeId: charge.id,
    agreementId: agreement.id,
    periodKey,
    walletAddress,
    amount: charge.amount,
    asset: house.assetOf(agreement.asset),
  })
  return { ...state, inFlight: charge }
}

/** The charge of the period, PENDING: a new one, or the failed one once more. */
async function claimCharge(
  tx: Tx,
  at: Date,
  agreement: Agreement,
  periodNo: number,
): Promise<Charge> {
  const known = (await findPeriodCharges(tx, [{ agreementId: agreement.id, periodNo }])).get(
    agreement.id,
  )
  if (known) {
    assert(known.status === 'FAILED', `${periodKeyOf(known)} of ${agreement.id} is not paid yet`)
    const again: Charge = {
      ...known,
      status: 'PENDING',
      error: null,
      attempts: known.attempts + 1,
      updatedAt: at,
    }
    await saveCharge(tx, again)
    return again
  }
  const charge = newCharge(at, { agreement, periodNo })
  const isNew = await insertCharge(tx, charge)
  assert(isNew, 'the agreement is locked, so nobody else makes its charges')
  return charge
}

/** The reserve while it lasts, else the balance; undefined if neither covers the price. */
async function findSource(
  tx: Tx,
  { state, house, terms }: { state: State; house: House; terms: Enrolment },
): Promise<Source | undefined> {
  const card = terms.cardId === null ? undefined : await lockCard(tx, terms.cardId)
  if (card && card.available >= terms.price) return { kind: 'autopay', card }
  const { account, available } = await lockTreasury(tx, state, house.assetOf(terms.asset))
  return available >= terms.price ? { kind: 'treasury', account } : undefined
}

/** Writes a charge down as paid, and the period with it. */
export async function chargePaid(
  tx: Tx,
  at: Date,
  of: Of & { charge: Charge; period: Period; source: Source },
): Promise<State> {
  const { state, house, agreement, charge, period, source } = of
  const terms = enrolmentOf(agreement)
  const asset = house.assetOf(agreement.asset)
  const { price } = terms
  const charged: Agreement = {
    ...agreement,
    status: statusAfter(agreement, 'charge_succeeded'),
    firstFailedAt: null,
    failureCount: 0,
    chargesMade: agreement.chargesMade + 1,
    lastChargeAt: at,
    updatedAt: at,
    totalCharged: plus(agreement.totalCharged, price),
    nextChargeAt: period.end,
    nextAttemptAt: period.end,
  }
  await saveAgreement(tx, charged)
  const paid = await payPeriod(tx, at, {
    state: { ...state, agreement: charged, inFlight: undefined },
    house,
    payment: { ...terms, period, asset, source, chargeId: charge.id },
  })
  const settled: Charge = {
    ...charge,
    status: 'SUCCEEDED',
    settlementId: paid.paymentId,
    error: null,
    updatedAt: at,
  }
  await saveCharge(tx, settled)
  await record(tx, at, chargedEvents({ agreement: charged, asset, charge: settled }))
  return paid.state
}

/**
 * Writes a failed attempt down. The agreement is PAST_DUE until a retry succeeds or the last one has failed, which ends it
 * and the membership. One that lapsed has no retries.
 */
export async function chargeFailed(
  tx: Tx,
  at: Date,
  of: Of & { charge: Charge; error: string },
): Promise<State> {
  const { house, agreement, error } = of
  const asset = house.assetOf(agreement.asset)
  const charge: Charge = { ...of.charge, status: 'FAILED', error, updatedAt: at }
  await saveCharge(tx, charge)
  const firstFailedAt = agreement.firstFailedAt ?? at
  const { membership } = of.state
  const isLast = membership?.status === 'ACTIVE' && membership.lapsed
  const failed: Agreement = {
    ...agreement,
    status: statusAfter(agreement, 'charge_failed'),
    firstFailedAt,
    updatedAt: at,
    failureCount: agreement.failureCount + 1,
    nextAttemptAt: isLast ? null : (nextRetry(firstFailedAt, at) ?? null),
  }
  await saveAgreement(tx, failed)
  await record(tx, at, chargeFailedEvents({ agreement: failed, asset, charge }))
  const after = { ...of.state, agreement: failed, inFlight: undefined }
  const due = await markPastDue(tx, at, { state: after, house })
  if (failed.nextAttemptAt !== null) return due
  return endUnpaid(tx, at, { state: due, house })
}

/** Ends what nobody pays for any more. */
export const endUnpaid = (tx: Tx, at: Date, of: { state: State; house: House }): Promise<State> =>
  expireMembership(tx, at, { ...of, reason: 'payment_failed' })

async function markPastDue(
  tx: Tx,
  at: Date,
  { state, house }: { state: State; house: House },
): Promise<State> {
  const { membership, agreement } = state
  if (membership?.status !== 'ACTIVE' || !agreement) return state
  const pastDue = {
    ...state,
    membership: await saveMembership(tx, { ...membership, status: 'PAST_DUE', updatedAt: at }),
  }
  const { mode, price } = enrolmentOf(agreement)
  await record(tx, at, [
    membershipEvent(membershipPastDue, { state: pastDue, house }),
    ...(mode === 'soft'
      ? [paymentDueEvent(membershipPaymentDue, { state: pastDue, house, amount: price, at })]
      : []),
  ])
  return pastDue
}

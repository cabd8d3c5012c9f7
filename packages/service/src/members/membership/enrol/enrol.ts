import { record } from '../../../api/events/record.ts'
import { autoRenewEnabled } from '../../../api/events/types/recurring/membership.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, amount, ZERO } from '../../../base/kernel/money.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { createdEvents } from '../../agreements/agreement-events.ts'
import { nextRetry } from '../../agreements/schedule.ts'
import { insertAgreement } from '../../agreements/store.ts'
import { type Mode, planRefOf } from '../enrolment.ts'
import { type BillingPeriod, monthsOf, type Tier } from '../plan.ts'
import { endAgreement } from '../renewal/end-agreement.ts'
import { nextPeriod, type Period } from '../renewal/period.ts'
import { autoRenewEvent } from '../state/membership-events.ts'
import { type House, liveMembership, type State } from '../state/state.ts'
import { saveMembership } from '../store.ts'
import { reserve } from './reserve.ts'

/** The terms on which a membership is renewed from now on. */
export type Terms = {
  mode: Mode
  tier: Tier
  billingPeriod: BillingPeriod
  asset: Asset
  price: Amount
  /** Funded: the periods for which money is set aside now. */
  periods: number
  /** Wallet: the contract that the wallet has approved. */
  operator: string | null
}

/**
 * Records the agreement of auto-renew, and sets its reserve aside. Replaces a soft one. The lock on the state makes it the
 * only one; the database refuses a second.
 */
export async function enrol(
  tx: Tx,
  at: Date,
  { state, house, terms }: { state: State; house: House; terms: Terms },
): Promise<{ state: State; agreement: Agreement; reserved: Amount }> {
  const before = (await endAgreement(tx, at, { state, house, reason: 'replaced' })).state
  const reserved = terms.mode === 'funded' ? amount(terms.price * BigInt(terms.periods)) : ZERO
  const cardId =
    terms.mode === 'funded'
      ? await reserve(tx, at, { state: before, asset: terms.asset, value: reserved })
      : null
  const agreement = newAgreement(at, {
    state: before,
    house,
    terms,
    cardId,
    failed: state.agreement,
  })
  await insertAgreement(tx, agreement)
  const membership =
    before.membership &&
    (await saveMembership(tx, { ...before.membership, autoRenew: true, updatedAt: at }))
  const after = { ...before, agreement, membership }
  await record(tx, at, [
    ...createdEvents({ agreement, asset: terms.asset }),
    autoRenewEvent(autoRenewEnabled, { state: after, house, agreement, reserve: reserved }),
  ])
  return { state: after, agreement, reserved }
}

function newAgreement(
  at: Date,
  of: {
    state: State
    house: House
    terms: Terms
    cardId: string | null
    failed: Agreement | undefined
  },
): Agreement {
  const { state, house, terms, cardId } = of
  const live = liveMembership(state, at)
  const next = live && nextPeriod(live, terms.billingPeriod, at)
  const due = dueOf(at, { terms, next })
  return {
    id: newId('agr', at),
    purpose: 'membership',
    payerWallet: state.walletAddress,
    payerCardId: cardId,
    merchantWallet: house.address,
    payLinkCode: null,
    planRef: planRefOf(terms),
    description: null,
    amount: terms.price,
    network: terms.asset.network,
    asset: terms.asset.symbol,
    triggerType: 'interval',
    periodDays: null,
    periodMonths: monthsOf(terms.billingPeriod),
    thresholdMetric: null,
    thresholdFloor: null,
    isArmed: false,
    fundingSource: cardId === null ? 'WALLET' : 'CARD',
    fundingSpender: terms.operator,
    status: 'ACTIVE',
    statusReason: null,
    pausedBy: null,
    cancelAtPeriodEnd: false,
    anchor: null,
    firstMonth: next?.months ?? 0,
    nextChargeAt: due,
    nextAttemptAt: due,
    firstFailedAt: null,
    cancelledBy: null,
    endsAt: null,
    lastChargeAt: null,
    chargesMade: 0,
    totalCharged: ZERO,
    failureCount: 0,
    openId: null,
    sealedMandate: null,
    kid: null,
    sealedKey: null,
    createdAt: at,
    updatedAt: at,
    ...retriesOf(at, { terms, failed: of.failed }),
  }
}

/** When the first period is due: with it, at once if it has begun; an intent without a membership waits for one. */
function dueOf(at: Date, { terms, next }: { terms: Terms; next: Period | undefined }): Date | null {
  if (!next) return terms.mode === 'soft' ? null : at
  return next.start > at ? next.start : at
}

/**
 * Retries that have begun go on in the agreement that replaces theirs, counted from the same failure: asking again earns no
 * further days. Money that is there now pays at once.
 */
function retriesOf(
  at: Date,
  { terms, failed }: { terms: Terms; failed: Agreement | undefined },
): Partial<Agreement> {
  if (failed?.status !== 'PAST_DUE') return {}
  const { status, firstFailedAt, failureCount } = failed
  const retry = (firstFailedAt && nextRetry(firstFailedAt, at)) ?? at
  return {
    status,
    firstFailedAt,
    failureCount,
    nextAttemptAt: terms.mode === 'soft' ? retry : at,
  }
}

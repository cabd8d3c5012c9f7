import type { BuiltEvent } from '../../api/events/define.ts'
import {
  agreementCancelled,
  agreementCancelScheduled,
  agreementCharged,
  agreementChargeFailed,
  agreementCompleted,
  agreementCreated,
  agreementMerchantChanged,
  agreementPaused,
  agreementResumed,
  type CancelReason,
  type CompleteReason,
} from '../../api/events/types/agreements.ts'
import { isoOrNull } from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Agreement, type Charge, cadenceOf, type Party, periodKeyOf } from './agreement.ts'
import { nominalDays } from './periods.ts'

type Of = { agreement: Agreement; asset: Asset }
type Shared = ReturnType<typeof sharedOf>

const sharedOf = (agreement: Agreement, viewer: string) => {
  const cadence = cadenceOf(agreement)
  return {
    agreement_id: agreement.id,
    merchant_wallet: agreement.merchantWallet,
    payer_wallet: agreement.payerWallet,
    pay_link_code: agreement.payLinkCode,
    plan_ref: agreement.planRef,
    payer_card_id: viewer === agreement.payerWallet ? agreement.payerCardId : null,
    amount: agreement.amount as bigint,
    status: agreement.status,
    trigger_type: agreement.triggerType,
    period_days: cadence ? nominalDays(cadence) : null,
    next_charge_at: isoOrNull(agreement.nextChargeAt),
  }
}

/** One event for each party. The service itself, as the merchant of a membership or a meter, reads none. */
function toParties(
  { agreement, asset }: Of,
  make: (given: {
    walletAddress: string
    cardId?: string
    asset: Asset
    data: Shared
  }) => BuiltEvent,
): BuiltEvent[] {
  const { payerWallet, merchantWallet, payerCardId, purpose, triggerType } = agreement
  const isHouse = purpose === 'membership' || triggerType === 'threshold'
  const payer = make({
    walletAddress: payerWallet,
    ...(payerCardId !== null && { cardId: payerCardId }),
    asset,
    data: sharedOf(agreement, payerWallet),
  })
  if (isHouse) return [payer]
  const data = sharedOf(agreement, merchantWallet)
  return [payer, make({ walletAddress: merchantWallet, asset, data })]
}

export const createdEvents = (of: Of): BuiltEvent[] =>
  toParties(of, (to) =>
    agreementCreated.of({ ...to, data: { ...to.data, description: of.agreement.description } }),
  )

export const chargedEvents = (of: Of & { charge: Charge }): BuiltEvent[] =>
  toParties(of, (to) =>
    agreementCharged.of({
      ...to,
      data: {
        ...to.data,
        charge_id: of.charge.id,
        period_key: periodKeyOf(of.charge),
        settlement_id: of.charge.settlementId ?? '',
        charges_made: of.agreement.chargesMade,
        total_charged: of.agreement.totalCharged,
      },
    }),
  )

export const chargeFailedEvents = (of: Of & { charge: Charge }): BuiltEvent[] =>
  toParties(of, (to) =>
    agreementChargeFailed.of({
      ...to,
      data: {
        ...to.data,
        charge_id: of.charge.id,
        period_key: periodKeyOf(of.charge),
        error:
          to.walletAddress === of.agreement.payerWallet
            ? (of.charge.error ?? 'payment_failed')
            : 'payment_failed',
        failure_count: of.agreement.failureCount,
        next_attempt_at: isoOrNull(of.agreement.nextAttemptAt),
      },
    }),
  )

const ASKED = {
  paused: agreementPaused,
  resumed: agreementResumed,
  cancel_scheduled: agreementCancelScheduled,
}

export const askedEvents = (what: keyof typeof ASKED, of: Of & { by: Party }): BuiltEvent[] =>
  toParties(of, (to) => ASKED[what].of({ ...to, data: { ...to.data, by: of.by } }))

export const cancelledEvents = (of: Of & { reason: CancelReason }): BuiltEvent[] =>
  toParties(of, (to) => agreementCancelled.of({ ...to, data: { ...to.data, reason: of.reason } }))

export const completedEvents = (of: Of & { reason: CompleteReason }): BuiltEvent[] =>
  toParties(of, (to) => agreementCompleted.of({ ...to, data: { ...to.data, reason: of.reason } }))

/** The paid card was sold: for the payer, the merchant that was, and the one that is. */
export function merchantChangedEvents(of: Of & { previous: string }): BuiltEvent[] {
  const { agreement, asset, previous } = of
  const copyFor = (walletAddress: string, cardId?: string) =>
    agreementMerchantChanged.of({
      walletAddress,
      ...(cardId !== undefined && { cardId }),
      asset,
      data: { ...sharedOf(agreement, walletAddress), previous_merchant_wallet: previous },
    })
  return [
    copyFor(agreement.payerWallet, agreement.payerCardId ?? undefined),
    copyFor(previous),
    copyFor(agreement.merchantWallet),
  ]
}

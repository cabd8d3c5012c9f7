import { type Static, Type } from 'typebox'
import { AGREEMENT_STATUSES, TRIGGER_TYPES } from '../../api/events/types/agreements.ts'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  iso,
  isoOrNull,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { maskedCard } from '../../money/cards/token.ts'
import { type Agreement, type Charge, cadenceOf, periodKeyOf } from './agreement.ts'
import { nominalDays } from './periods.ts'

const NullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** The specification's billing agreement, with its additive fields. The open mandate is never shown. */
export const AgreementBody = Type.Object({
  id: Type.String({ description: 'Id of the agreement' }),
  merchant_wallet: Type.String({ description: 'Wallet that is paid' }),
  payer_wallet: Type.String({ description: 'Wallet that pays' }),
  payer_card_id: NullableString('For the merchant only its last four characters are shown'),
  pay_link_code: NullableString('Code of the pay link'),
  plan_ref: NullableString('Your own label for the plan; null without one'),
  description: NullableString('Description of the agreement, in words'),
  amount: AmountOut,
  amount_atomic: AtomicOut,
  asset: AssetField,
  network: NetworkField,
  trigger_type: OneOf(TRIGGER_TYPES, 'What makes a charge due: interval or threshold'),
  period_days: Type.Union([NullableInteger], {
    description: 'Of months 30 for each, of twelve 365; null for a threshold',
  }),
  period_months: Type.Union([NullableInteger], {
    description: 'Months between charges; null where days count or nothing does',
  }),
  threshold_metric: NullableString('The balance that is watched: svc_fee_balance, the fee meter'),
  threshold_floor: NullableNumber('A balance below it is topped up'),
  funding_source: OneOf(['CARD', 'WALLET'], 'Whose money pays: of the card, or of the wallet'),
  funding_spender: NullableString(
    'The contract that may take the money out of the wallet; null where none does',
  ),
  status: OneOf(AGREEMENT_STATUSES, 'State of the agreement'),
  status_reason: NullableString('Why it is in this state; null where there is nothing to say'),
  paused_by: NullableString(
    'The party that paused it, and alone can resume it; null where it is not paused',
  ),
  next_charge_at: NullableTimestamp('Start of the next period to be charged; null where none is'),
  next_attempt_at: NullableTimestamp('While PAST_DUE the time of the next retry'),
  last_charge_at: NullableTimestamp('When it was charged last; null before the first charge'),
  charges_made: Type.Integer({ description: 'How many charges were paid' }),
  total_charged: AmountOut,
  total_charged_atomic: AtomicOut,
  failure_count: Type.Integer({ description: 'Failures since the last success' }),
  cancel_at_period_end: Type.Boolean({ description: 'Whether it ends with its current period' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The specification's billing charge. */
export const ChargeBody = Type.Object({
  id: Type.String({ description: 'Id of the agreement' }),
  period_key: Type.String({ description: '`p` and the number of the period' }),
  amount: AmountOut,
  amount_atomic: AtomicOut,
  status: OneOf(['PENDING', 'SUCCEEDED', 'FAILED'], 'State of the agreement'),
  settlement_id: NullableString('Id of the settlement'),
  error: NullableString('The code of the refusal; the merchant sees payment_failed in its place'),
  created_at: Timestamp,
})

/** The agreement as this wallet sees it: a merchant is not shown the payer's card. */
export function showAgreement(
  agreement: Agreement,
  { viewer, asset }: { viewer: string; asset: Asset },
): Static<typeof AgreementBody> {
  const { amount, totalCharged, payerCardId } = agreement
  const cadence = cadenceOf(agreement)
  return {
    id: agreement.id,
    merchant_wallet: agreement.merchantWallet,
    payer_wallet: agreement.payerWallet,
    payer_card_id:
      viewer === agreement.payerWallet ? payerCardId : payerCardId && maskedCard(payerCardId),
    pay_link_code: agreement.payLinkCode,
    plan_ref: agreement.planRef,
    description: agreement.description,
    ...shownAmounts({ amount, total_charged: totalCharged }, asset.decimals),
    asset: agreement.asset,
    network: agreement.network,
    trigger_type: agreement.triggerType,
    period_days: cadence ? nominalDays(cadence) : null,
    period_months: agreement.periodMonths,
    threshold_metric: agreement.thresholdMetric,
    threshold_floor:
      agreement.thresholdFloor === null ? null : toNumber(agreement.thresholdFloor, asset.decimals),
    funding_source: agreement.fundingSource,
    funding_spender: agreement.fundingSpender,
    status: agreement.status,
    status_reason: agreement.statusReason,
    paused_by: agreement.pausedBy,
    next_charge_at: isoOrNull(agreement.nextChargeAt),
    next_attempt_at: isoOrNull(agreement.nextAttemptAt),
    last_charge_at: isoOrNull(agreement.lastChargeAt),
    charges_made: agreement.chargesMade,
    failure_count: agreement.failureCount,
    cancel_at_period_end: agreement.cancelAtPeriodEnd,
    created_at: iso(agreement.createdAt),
    updated_at: iso(agreement.updatedAt),
  }
}

export function showCharge(
  charge: Charge,
  { isPayer, asset }: { isPayer: boolean; asset: Asset },
): Static<typeof ChargeBody> {
  return {
    id: charge.id,
    period_key: periodKeyOf(charge),
    ...shownAmounts({ amount: charge.amount }, asset.decimals),
    status: charge.status,
    settlement_id: charge.settlementId,
    // The payer's balance and limits are not the merchant's business.
    error: charge.error === null || isPayer ? charge.error : 'payment_failed',
    created_at: iso(charge.createdAt),
  }
}

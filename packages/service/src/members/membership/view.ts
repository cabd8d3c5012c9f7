import { type Static, Type } from 'typebox'
import { AUTO_RENEW_MODES } from '../../api/events/types/recurring/membership.ts'
import {
  AmountOut,
  AtomicOut,
  iso,
  isoOrNull,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
} from '../../api/http/fields.ts'
import { type Amount, toNumber } from '../../base/kernel/money.ts'
import type { Agreement } from '../agreements/agreement.ts'
import { enrolmentOf } from './enrolment.ts'
import { counts, MEMBERSHIP_STATUSES, type Membership } from './membership.ts'
import { BILLING_PERIODS, PLAN, type Plan, TIERS } from './plan.ts'
import type { House } from './state/state.ts'

export const TierField = OneOf(TIERS, 'Tier of the plan')
export const BillingPeriodField = OneOf(BILLING_PERIODS, 'How long one payment lasts')

export const PlanBody = Type.Object({
  plan: Type.String({ description: 'native_token_rails' }),
  tier: TierField,
  billing_period: BillingPeriodField,
  price: AmountOut,
  price_atomic: AtomicOut,
  payment_asset: Type.String({ description: 'Symbol of the token that pays it' }),
  direct_quota: Type.Integer({ description: 'Free DIRECT settlements a month' }),
  overage_fee: Type.Number({ description: 'USDC for each DIRECT settlement above the quota' }),
})

export const showPlan = (plan: Plan, house: House): Static<typeof PlanBody> => ({
  plan: PLAN,
  tier: plan.tier,
  billing_period: plan.billingPeriod,
  ...shownAmounts({ price: plan.price }, house.assetOf(plan.asset).decimals),
  payment_asset: plan.asset,
  direct_quota: Number(plan.directQuota),
  overage_fee: toNumber(plan.overageFee, house.assetOf('USDC').decimals),
})

/** The specification's membership, with its additive fields. */
export const MembershipBody = Type.Object({
  wallet_address: Type.String({ description: 'Address of the wallet' }),
  plan: Type.String({ description: 'native_token_rails' }),
  tier: TierField,
  billing_period: BillingPeriodField,
  status: OneOf(MEMBERSHIP_STATUSES, 'State of the membership'),
  current_period_start: Timestamp,
  current_period_end: Timestamp,
  cancel_at_period_end: Type.Boolean({ description: 'Whether it ends with its current period' }),
  price: Type.Number({ description: 'Paid for the current period' }),
  price_atomic: AtomicOut,
  payment_asset: Type.String({ description: 'Symbol of the token that pays it' }),
  last_payment_id: Type.String({
    description: 'Id of the settlement that paid the current period',
  }),
  auto_renew: Type.Boolean({ description: 'Whether the membership is renewed' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** A membership whose rights have ended is shown as EXPIRED, also before a job has marked it. */
export const showMembership = (
  membership: Membership,
  { at, house }: { at: Date; house: House },
): Static<typeof MembershipBody> => ({
  wallet_address: membership.walletAddress,
  plan: PLAN,
  tier: membership.tier,
  billing_period: membership.billingPeriod,
  status: counts(membership, at) ? membership.status : 'EXPIRED',
  current_period_start: iso(membership.currentPeriodStart),
  current_period_end: iso(membership.currentPeriodEnd),
  cancel_at_period_end: membership.cancelAtPeriodEnd,
  ...shownAmounts({ price: membership.price }, house.assetOf(membership.asset).decimals),
  payment_asset: membership.asset,
  last_payment_id: membership.lastPaymentId,
  auto_renew: membership.autoRenew,
  created_at: iso(membership.createdAt),
  updated_at: iso(membership.updatedAt),
})

export const AutoRenewBody = Type.Object({
  mode: OneOf(AUTO_RENEW_MODES, 'How it is paid or renewed'),
  agreement_id: Type.String({
    description: 'Id of the agreement; null where none is concerned',
  }),
  card_id: NullableString('Id of the card'),
  reserve: Type.Number({ description: 'Money on the autopay card' }),
  reserve_atomic: AtomicOut,
  periods_funded: Type.Integer({ description: 'Periods that the reserve still pays' }),
  next_charge_at: NullableTimestamp('Start of the next period to be charged; null where none is'),
})

export function showAutoRenew(
  agreement: Agreement,
  { reserve, house }: { reserve: Amount; house: House },
): Static<typeof AutoRenewBody> {
  const { mode, cardId, asset, price } = enrolmentOf(agreement)
  return {
    mode,
    agreement_id: agreement.id,
    card_id: cardId,
    ...shownAmounts({ reserve }, house.assetOf(asset).decimals),
    periods_funded: Number(reserve / price),
    next_charge_at: isoOrNull(agreement.nextChargeAt),
  }
}

import type { AUTO_RENEW_MODES } from '../../api/events/types/recurring/membership.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Agreement } from '../agreements/agreement.ts'
import { BILLING_PERIODS, type BillingPeriod, monthsOf, PLAN, TIERS, type Tier } from './plan.ts'

/** Paid from a reserve on an autopay card, by the wallet's allowance, or by whatever the balance holds then. */
export type Mode = (typeof AUTO_RENEW_MODES)[number]

/** The terms of auto-renew, as its agreement records them. The price stays the one that was agreed on. */
export type Enrolment = {
  mode: Mode
  tier: Tier
  billingPeriod: BillingPeriod
  asset: string
  price: Amount
  cardId: string | null
}

/** The `plan_ref` of an agreement, such as `native_token_rails/growth/month`. */
export const planRefOf = (of: Pick<Enrolment, 'tier' | 'billingPeriod'>): string =>
  `${PLAN}/${of.tier}/${of.billingPeriod}`

export function enrolmentOf(agreement: Agreement): Enrolment {
  const { payerCardId, fundingSpender, planRef, periodMonths } = agreement
  const [, tierName, periodName] = planRef?.split('/') ?? []
  const tier = TIERS.find((name) => name === tierName)
  const billingPeriod = BILLING_PERIODS.find((name) => name === periodName)
  assert(tier && billingPeriod, `agreement ${agreement.id} names its plan`)
  assert(
    periodMonths === monthsOf(billingPeriod),
    `agreement ${agreement.id} has its plan's period`,
  )
  return {
    mode: payerCardId !== null ? 'funded' : fundingSpender !== null ? 'wallet' : 'soft',
    tier,
    billingPeriod,
    cardId: payerCardId,
    asset: agreement.asset,
    price: agreement.amount,
  }
}

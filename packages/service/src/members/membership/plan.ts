import type { Amount } from '../../base/kernel/money.ts'

/** The one plan; its tiers and billing periods are sold separately. */
export const PLAN = 'native_token_rails'
export const TIERS = ['starter', 'growth'] as const
export type Tier = (typeof TIERS)[number]
export const BILLING_PERIODS = ['month', 'year'] as const
export type BillingPeriod = (typeof BILLING_PERIODS)[number]

/** One way to buy a tier. `price` is in base units of `asset`, `overageFee` in those of USDC. */
export type Plan = {
  tier: Tier
  billingPeriod: BillingPeriod
  asset: string
  price: Amount
  directQuota: bigint
  overageFee: Amount
  isOffered: boolean
}
export type PlanName = Pick<Plan, 'tier' | 'billingPeriod' | 'asset'>

/** The months that a billing period has. */
export const monthsOf = (billingPeriod: BillingPeriod): number =>
  billingPeriod === 'year' ? 12 : 1

import type { Amount } from '../kernel/money.ts'
import type { BillingPeriod, Tier } from './plan.ts'

export const MEMBERSHIP_STATUSES = ['ACTIVE', 'PAST_DUE', 'EXPIRED'] as const
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number]

/** A wallet's membership. There is one for each wallet that ever paid. */
export type Membership = {
  walletAddress: string
  tier: Tier
  billingPeriod: BillingPeriod
  asset: string
  network: string
  /** The price that was paid for the current period. */
  price: Amount
  status: MembershipStatus
  /** The first moment of the first period. All later dates are whole months from it. */
  anchor: Date
  /** Whole months from the anchor to the start of the current period. */
  months: number
  currentPeriodStart: Date
  currentPeriodEnd: Date
  cancelAtPeriodEnd: boolean
  autoRenew: boolean
  lastPaymentId: string
  createdAt: Date
  updatedAt: Date
}

/** A paid period. The id is a settlement's. */
export type MembershipPayment = {
  id: string
  walletAddress: string
  tier: Tier
  billingPeriod: BillingPeriod
  periodStart: Date
  periodEnd: Date
  amount: Amount
  asset: string
  network: string
  source: 'treasury' | 'autopay' | 'wallet'
  cardId: string | null
  chargeId: string | null
  createdAt: Date
}

/** The rights that a wallet's membership gives it. `overageFee` is in base units of USDC. */
export type Standing = {
  tier: Tier
  billingPeriod: BillingPeriod
  status: MembershipStatus
  /**
   * It counts: ACTIVE or PAST_DUE by status and by date. One whose period is over and that is not renewed, or whose last
   * retry is over, is not live, although no job has said so yet.
   */
  isLive: boolean
  directQuota: number
  overageFee: Amount
  periodEnd: Date
}

/**
 * Whether the membership is paid, or about to be paid: its next payment continues it. What it gives in the meantime
 * ends earlier, by date (`readStandings`).
 */
export const isLive = (membership: Membership, at: Date): boolean =>
  membership.status === 'PAST_DUE' ||
  (membership.status === 'ACTIVE' &&
    (membership.currentPeriodEnd > at || (membership.autoRenew && !membership.cancelAtPeriodEnd)))

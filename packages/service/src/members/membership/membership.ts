import type { Caller } from '../../api/http/caller.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
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
  /**
   * When its rights end, whatever jobs do or leave undone: with the period that was paid, or with the days in which a renewal
   * is tried after it. The database derives it; null once EXPIRED.
   */
  countsUntil: Date | null
  cancelAtPeriodEnd: boolean
  autoRenew: boolean
  /** It ended in days that nobody paid for: a payment that fails ends it at once, until a renewal is paid. */
  lapsed: boolean
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
  /** The period: whole months from the anchor of the membership. */
  anchor: Date
  months: number
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
  /** It counts at this moment (`counts`), although no job may have said yet that it ended. */
  isLive: boolean
  directQuota: number
  overageFee: Amount
  periodEnd: Date
}

/** Whether the membership gives its rights at this moment. It is paid, or it is within the days in which that is tried. */
export const counts = ({ countsUntil }: Membership, at: Date): boolean =>
  countsUntil !== null && countsUntil > at

/** Whether its next payment continues it, on its old dates. What it gives in the meantime ends earlier (`counts`). */
export const isLive = (membership: Membership, at: Date): boolean =>
  membership.status === 'PAST_DUE' ||
  (membership.status === 'ACTIVE' &&
    (membership.currentPeriodEnd > at || (membership.autoRenew && !membership.cancelAtPeriodEnd)))

/** Refuses a key that is restricted to cards: a membership is paid by the whole wallet. */
export function checkWholeWallet(caller: Caller): void {
  if (caller.cardIds !== null)
    throw new Problem('forbidden_scope', 'A key restricted to cards cannot change a membership.')
}

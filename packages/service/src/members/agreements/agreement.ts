import type {
  AGREEMENT_STATUSES,
  CancelReason,
  CompleteReason,
  PARTIES,
  TRIGGER_TYPES,
} from '../../api/events/types/agreements.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Cadence } from './periods.ts'

export type AgreementStatus = (typeof AGREEMENT_STATUSES)[number]
export type Party = (typeof PARTIES)[number]

/** An agreement by which a card or a wallet pays again and again. Amounts are in base units of its asset. */
export type Agreement = {
  id: Id<'agr'>
  purpose: 'billing' | 'membership'
  payerWallet: string
  /** Null if the wallet itself pays. */
  payerCardId: string | null
  merchantWallet: string
  payLinkCode: string | null
  planRef: string | null
  description: string | null
  amount: Amount
  network: string
  asset: string
  triggerType: (typeof TRIGGER_TYPES)[number]
  /** Days or months; neither for a threshold. */
  periodDays: number | null
  periodMonths: number | null
  thresholdMetric: 'svc_fee_balance' | null
  thresholdFloor: Amount | null
  /** Whether the next balance below the floor is charged for. */
  isArmed: boolean
  fundingSource: 'CARD' | 'WALLET'
  fundingSpender: string | null
  status: AgreementStatus
  statusReason: CancelReason | CompleteReason | null
  pausedBy: Party | null
  cancelAtPeriodEnd: boolean
  /** The party that asked for its end. */
  cancelledBy: Party | null
  /** The end of the last period, once an end with it was asked for. */
  endsAt: Date | null
  /** The start of period 1 of a billing agreement. */
  anchor: Date | null
  /** Whole months from the anchor of a membership to the start of its agreement's period 1. */
  firstMonth: number | null
  /** The start of the next period to be charged; null if none is. */
  nextChargeAt: Date | null
  /** When a job looks at it again: at the next charge, a retry, or the end of the period. */
  nextAttemptAt: Date | null
  /** The first failure since the last success: the retries count from it, through any pause. */
  firstFailedAt: Date | null
  lastChargeAt: Date | null
  chargesMade: number
  totalCharged: Amount
  /** Failures since the last success. */
  failureCount: number
  /** The open mandate that funds a billing agreement, and the key that alone may close payments under it; sealed. */
  openId: string | null
  sealedMandate: Buffer | null
  kid: string | null
  sealedKey: Buffer | null
  createdAt: Date
  updatedAt: Date
}

/** One charge of an agreement: its period is paid at most once. */
export type Charge = {
  id: Id<'chg'>
  agreementId: Id<'agr'>
  periodNo: number
  amount: Amount
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  attempts: number
  /** The code of the last refusal, while FAILED. */
  error: string | null
  settlementId: Id<'stl'> | null
  pullRef: string | null
  createdAt: Date
  updatedAt: Date
}

/** The length of the periods of an agreement; undefined for a threshold. */
export function cadenceOf({
  periodDays,
  periodMonths,
}: Pick<Agreement, 'periodDays' | 'periodMonths'>): Cadence | undefined {
  if (periodDays !== null) return { days: periodDays }
  return periodMonths === null ? undefined : { months: periodMonths }
}

/**
 * The one count of a billing agreement's periods: their numbers and their dates come from it alone. Undefined for a threshold,
 * and for a membership, which counts its own (`members/membership/renewal/period.ts`).
 */
export function countOf(
  agreement: Pick<Agreement, 'anchor' | 'periodDays' | 'periodMonths'>,
): { anchor: Date; cadence: Cadence } | undefined {
  const { anchor } = agreement
  const cadence = cadenceOf(agreement)
  return anchor && cadence ? { anchor, cadence } : undefined
}

/** The first attempt to charge a period. */
export const newCharge = (
  at: Date,
  { agreement, periodNo }: { agreement: Agreement; periodNo: number },
): Charge => ({
  id: newId('chg', at),
  agreementId: agreement.id,
  periodNo,
  amount: agreement.amount,
  status: 'PENDING',
  attempts: 1,
  error: null,
  settlementId: null,
  pullRef: null,
  createdAt: at,
  updatedAt: at,
})

export const periodKeyOf = ({ periodNo }: Pick<Charge, 'periodNo'>): string => `p${periodNo}`

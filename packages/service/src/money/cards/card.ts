import { perLimit } from '../../base/kernel/card-limits.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { LimitCounters, Limits } from './windows.ts'

export const CARD_STATUSES = [
  'PENDING_FUNDING',
  'FUNDING_FAILED',
  'ACTIVE',
  'FROZEN',
  'USED',
  'EXPIRED',
  'CLOSED',
] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** An autopay card holds the reserve of a membership. It has no token, and pays renewals alone. */
export const CARD_KINDS = ['spending', 'autopay'] as const

/** Rules as JSON that keeps every amount, by their names in the API. */
export type KeptRules = Record<string, string | boolean | null | string[]>
/** A draft as its card's column keeps it. */
export type StoredDraft = {
  id: Id<'drf'>
  made_at: string
  rules: KeptRules
  /** A digest of each active rule as it was when the draft was made. */
  made_on: Record<string, string>
}

export type Card = Limits &
  LimitCounters & {
    id: Id<'card'>
    kind: (typeof CARD_KINDS)[number]
    walletAddress: string
    accountId: bigint
    network: string
    asset: string
    /** Null for an autopay card. */
    tokenHash: Buffer | null
    tokenHint: string
    purpose: string
    status: CardStatus
    statusReason: string | null
    singleUse: boolean
    mccLocks: string
    allowedMerchants: string[]
    settlementMode: 'CUSTODIAL' | 'DIRECT'
    metadata: Record<string, string>
    limitAmount: Amount
    spent: Amount
    held: Amount
    /** The cards above a child card, the root first. What it spends counts against each. */
    ancestors: string[]
    /** The sum that all cards below have spent or hold. */
    delegated: Amount
    received: Amount
    maxTransaction: Amount | null
    /** The most that may leave within thirty days, today included; null for no limit. */
    rollingLimit: Amount | null
    maxPaymentsPerMinute: number | null
    /** The card freezes itself before one more payment like these in ten minutes; null for never. */
    maxLikePayments: number | null
    /** The subjects of the caps that it is under. The database keeps them. */
    caps: string[]
    /** A payment above this amount waits for a person; null for none. */
    approvalAbove: Amount | null
    /** Whether the first payment to each payee waits for a person. */
    approvalFirstMerchant: boolean
    /** The latest end of a grant of the owner; null if there never was one. */
    grantsUntil: Date | null
    /** Rules that decide nothing: what they would have said is recorded with each decision. */
    draft: StoredDraft | null
    fundingTx: string | null
    expiresAt: Date | null
    createdAt: Date
    /** Changes with the card's AP2 keys. */
    keysVersion: number
    /** For sale on the market. */
    isListed: boolean
    /** Counts its changes of owner. */
    ownerNo: number
    /** The part of what it received that it has given back. */
    refunded: Amount
  }
/** A card with what is available on its account: posted less held. */
export type CardWithMoney = Card & { available: Amount }
/** As much of a card as a list of cards for sale shows. */
export type CardStanding = Pick<
  CardWithMoney,
  'id' | 'status' | 'held' | 'available' | 'expiresAt' | 'createdAt'
>

/**
 * The effect on a payment that was decided on an unlocked card if a column changes before the payment is written.
 * `compared`: the payment is decided again. `limited`: a counter; the database refuses a payment that the changed value
 * does not allow, and the payment is decided again. `fixed`: the database refuses any change. `ignored`: the column decides
 * nothing.
 */
type OnChange = 'compared' | 'limited' | 'fixed' | 'ignored'
export type CardField = keyof Card

/**
 * Every column of a card, named once. Cards are read, written and compared by this list. The account's money is
 * `limited` too.
 */
export const CARD_COLUMNS = {
  id: 'fixed',
  kind: 'fixed',
  walletAddress: 'compared',
  accountId: 'ignored',
  network: 'ignored',
  asset: 'ignored',
  tokenHash: 'compared',
  tokenHint: 'ignored',
  purpose: 'ignored',
  status: 'compared',
  statusReason: 'ignored',
  singleUse: 'compared',
  mccLocks: 'compared',
  allowedMerchants: 'compared',
  settlementMode: 'fixed',
  metadata: 'ignored',
  limitAmount: 'limited',
  spent: 'limited',
  held: 'limited',
  ancestors: 'fixed',
  delegated: 'limited',
  received: 'ignored',
  maxTransaction: 'compared',
  ...perLimit('field', () => 'compared' as const),
  ...perLimit('window', () => 'compared' as const),
  ...perLimit('used', () => 'limited' as const),
  ...perLimit('cap', () => 'compared' as const),
  countedTo: 'compared',
  rollingLimit: 'compared',
  maxPaymentsPerMinute: 'compared',
  maxLikePayments: 'compared',
  caps: 'compared',
  approvalAbove: 'compared',
  approvalFirstMerchant: 'compared',
  grantsUntil: 'compared',
  // It decides nothing, but a decision that was made before it came must not lack its verdict.
  draft: 'compared',
  fundingTx: 'ignored',
  expiresAt: 'compared',
  createdAt: 'ignored',
  keysVersion: 'compared',
  isListed: 'ignored',
  ownerNo: 'compared',
  refunded: 'ignored',
} as const satisfies Record<CardField, OnChange>
export const CARD_FIELDS = Object.keys(CARD_COLUMNS) as CardField[]

/** The fields with this answer to a change. */
export const fieldsThat = (are: OnChange): CardField[] =>
  CARD_FIELDS.filter((field) => CARD_COLUMNS[field] === are)

import { CARD_LIMITS } from '../../base/kernel/card-limits.ts'
import { type Amount, minusOrZero, plus } from '../../base/kernel/money.ts'
import type { Rail } from '../../base/protocols/rails.ts'
import type { CardWithMoney } from './card.ts'
import { countedAt } from './windows.ts'

/** A requested debit. `amount` is everything that leaves the card, including the fee, in base units. */
export type Spend = {
  amount: Amount
  /**
   * The service's own names for the payee, best first: the connected host, the pay link's code, the wallet or address,
   * the card. A merchant list may name any of them. A name that a caller supplies is never among them.
   */
  merchants: readonly string[]
  /** The merchant category that the operator assigned to the payee's wallet, if any. */
  mcc: string | null
  rail: Rail
}
/** The reasons for which a card may spend nothing at all in its current state. */
export const STANDING_REFUSALS = [
  'card_frozen',
  'card_expired',
  'card_closed',
  'card_used',
  'card_pending',
] as const
/** Every reason for which the policy refuses a spend. Each is the `code` of a response. */
export const DECLINES = [
  ...STANDING_REFUSALS,
  'mcc_blocked',
  'merchant_not_allowed',
  'max_transaction_exceeded',
  ...CARD_LIMITS.map(({ code }) => code),
  'limit_exceeded',
  'insufficient_funds',
] as const
type Standing = (typeof STANDING_REFUSALS)[number]
type Decline = (typeof DECLINES)[number]

export type Decision =
  | { allowed: true; rule: 'within_limits' }
  | { allowed: false; rule: Decline; message: string; passesAt: Date | null }

const BY_STATUS = {
  FROZEN: ['card_frozen', 'The card is frozen. Unfreeze it to spend.'],
  EXPIRED: ['card_expired', 'The card has expired. Claim what is left on it and issue a new one.'],
  USED: ['card_used', 'The card was for a single use and has been used.'],
  CLOSED: ['card_closed', 'The card is closed.'],
  PENDING_FUNDING: ['card_pending', 'The card waits for its funding transaction to be final.'],
  FUNDING_FAILED: ['card_pending', 'The funding of the card failed; see its status_reason.'],
} as const

/**
 * The one policy. Every debit of every rail passes it, on a card that the debit's own transaction has locked. Pure: the
 * same card, spend and time give the same decision.
 */
export function decide(card: CardWithMoney, spend: Spend, at: Date): Decision {
  const deny = (rule: Decline, message: string, passesAt: Date | null = null): Decision => ({
    allowed: false,
    rule,
    message,
    passesAt,
  })

  const standing = standingRefusal(card, at)
  if (standing) return deny(...standing)
  if (card.singleUse && (card.spent > 0n || card.held > 0n)) return deny(...BY_STATUS.USED)
  if (card.mccLocks !== '' && !(spend.mcc && card.mccLocks.split(',').includes(spend.mcc)))
    return deny(
      'mcc_blocked',
      `The card is locked to the merchant categories ${card.mccLocks}, and the operator of this service has assigned ${spend.mcc ?? 'none'} to the payee.`,
    )
  if (
    card.allowedMerchants.length > 0 &&
    !spend.merchants.some((name) => isAllowed(card.allowedMerchants, name))
  )
    return deny(
      'merchant_not_allowed',
      `${spend.merchants[0] ?? 'A payee that is not named'} is not among the card's allowed merchants.`,
    )
  if (card.maxTransaction !== null && spend.amount > card.maxTransaction)
    return deny(
      'max_transaction_exceeded',
      'The amount is above what one transaction of this card may be.',
    )
  const counted = countedAt(card, at)
  for (const { field, used, code, refusal, endOf } of CARD_LIMITS) {
    const limit = counted[field]
    if (limit !== null && spend.amount > minusOrZero(limit, counted[used]))
      return deny(code, refusal, endOf(at))
  }
  if (plus(plus(card.spent, card.held), spend.amount) > card.limitAmount)
    return deny(
      'limit_exceeded',
      'The amount is above what the card may still spend. Fund the card to raise its limit.',
    )
  if (spend.amount > card.available)
    return deny(
      'insufficient_funds',
      'The money on the card does not cover the amount. Fund the card.',
    )
  return { allowed: true, rule: 'within_limits' }
}

/** The reason why the card may spend nothing at all in its current state; undefined if it may spend. */
export function standingRefusal(
  card: Pick<CardWithMoney, 'status' | 'expiresAt'>,
  at: Date,
): readonly [rule: Standing, message: string] | undefined {
  if (card.status !== 'ACTIVE') return BY_STATUS[card.status]
  return isExpired(card, at) ? BY_STATUS.EXPIRED : undefined
}

/** The inputs of the decision, for the record: enough to repeat it. */
export function inputsOf(
  card: CardWithMoney,
  at: Date,
): Record<string, string | boolean | null | string[]> {
  const counted = countedAt(card, at)
  const text = (amount: Amount | null) => (amount === null ? null : String(amount))
  return {
    status: card.status,
    expires_at: card.expiresAt?.toISOString() ?? null,
    single_use: card.singleUse,
    limit_amount: String(card.limitAmount),
    spent: String(card.spent),
    held: String(card.held),
    available: String(card.available),
    max_transaction: text(card.maxTransaction),
    mcc_locks: card.mccLocks,
    allowed_merchants: card.allowedMerchants,
    // Limit by limit: what a settlement keeps of them is a list without names.
    ...Object.fromEntries(
      CARD_LIMITS.flatMap(({ field, name, window, used, usedName }) => [
        [name, text(card[field])],
        [window, counted[window]],
        [usedName, String(counted[used])],
      ]),
    ),
  }
}

export const isExpired = (card: { expiresAt: Date | null }, at: Date): boolean =>
  card.expiresAt !== null && card.expiresAt <= at

/** `api.example.com` names itself; `*.example.com` names every host below example.com. Case is ignored. */
function isAllowed(list: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase()
  return list.some((entry) => {
    const pattern = entry.toLowerCase()
    return pattern.startsWith('*.') ? wanted.endsWith(pattern.slice(1)) : wanted === pattern
  })
}

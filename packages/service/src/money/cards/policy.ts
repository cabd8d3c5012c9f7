import { CARD_LIMITS, perLimit } from '../../base/kernel/card-limits.ts'
import { type Amount, minusOrZero, plus } from '../../base/kernel/money.ts'
import { CAP_DECLINES, type Cap, capRefusal } from './caps/cap.ts'
import type { CardWithMoney } from './card.ts'
import {
  type Approval,
  type AskReason,
  askReason,
  type Consent,
  countLike,
  coversAbove,
  grantFor,
  NO_CONSENT,
  type Purchase,
  wordOn,
} from './consent.ts'
import { takenOf } from './family.ts'
import { countedAt } from './windows.ts'

/** A requested debit. `amount` is everything that leaves the card, including the fee, in base units. */
export type Spend = Purchase & {
  /** The merchant category that the operator assigned to the payee's wallet, if any. */
  mcc: string | null
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
  ...CAP_DECLINES,
  'like_payments_exceeded',
  'insufficient_funds',
  'approval_denied',
  'approvals_wait',
] as const
type Standing = (typeof STANDING_REFUSALS)[number]
type Decline = (typeof DECLINES)[number]
type Denial<R> = {
  allowed: false
  rule: R
  message: string
  passesAt: Date | null
  /** The card above that refuses what its child asks for. */
  parentId?: string
}

export type Decision =
  /** `grant` is set if the card's owner let this payment pass. The debit uses it up. */
  | { allowed: true; rule: 'within_limits' | 'approved'; grant?: Approval }
  | Denial<Decline>
  | (Denial<'approval_required'> & { reason: AskReason })

const BY_STATUS = {
  FROZEN: ['card_frozen', 'The card is frozen. Unfreeze it to spend.'],
  EXPIRED: ['card_expired', 'The card has expired. Claim what is left on it and issue a new one.'],
  USED: ['card_used', 'The card was for a single use and has been used.'],
  CLOSED: ['card_closed', 'The card is closed.'],
  PENDING_FUNDING: ['card_pending', 'The card waits for its funding transaction to be final.'],
  FUNDING_FAILED: ['card_pending', 'The funding of the card failed; see its status_reason.'],
} as const

const deny = (rule: Decline, message: string, passesAt: Date | null = null): Denial<Decline> => ({
  allowed: false,
  rule,
  message,
  passesAt,
})

/**
 * The one policy. Every debit of every rail passes it, on a card that the debit's own transaction has locked. Pure: the
 * same card, spend, time and word of the owner give the same decision.
 */
export function decide(
  card: CardWithMoney,
  spend: Spend,
  at: Date,
  { consent, parents = [], caps = [] }: Around = ALONE,
): Decision {
  const grant = grantFor(card, spend, { consent, at })
  const waiver = grant?.kind === 'allowed_once' ? grant : undefined
  const denied =
    refusalOf(card, spend, { at, waives: waiver !== undefined }) ??
    parentRefusal(parents, spend, { at, waiver }) ??
    likeRefusal([card, ...parents], spend, consent, at) ??
    overCap(caps, spend, at)
  if (denied) return denied
  if (spend.amount > card.available)
    return deny(
      'insufficient_funds',
      'The money on the card does not cover the amount. Fund the card.',
    )
  const asking = grant ? parents.filter(({ id }) => !coversAbove(grant, id)) : [card, ...parents]
  const asked = askRefusal(card, spend, { asking, consent, at })
  if (asked) return asked
  return grant
    ? { allowed: true, rule: 'approved', grant }
    : { allowed: true, rule: 'within_limits' }
}

/** The rest that a decision depends on: the word of its owner, the cards above it, the nearest first, and the caps of all. */
export type Around = {
  consent: Consent
  parents?: readonly CardWithMoney[]
  caps?: readonly Cap[]
}
const ALONE: Around = { consent: NO_CONSENT }

type Judging = { at: Date; waives: boolean }

/** The refusal by the card alone, whatever money is on it. `waives`: its owner lets the payment pass the controls. */
function refusalOf(
  card: CardWithMoney,
  spend: Spend,
  { at, waives }: Judging,
): Denial<Decline> | undefined {
  const standing = standingRefusal(card, at)
  if (standing) return deny(...standing)
  if (card.singleUse && (card.spent > 0n || card.held > 0n)) return deny(...BY_STATUS.USED)
  return (waives ? undefined : controlsRefusal(card, spend, at)) ?? limitRefusal(card, spend)
}

/** A child spends within each card above it: while that may spend, under its controls, and out of its limits. */
function parentRefusal(
  parents: readonly CardWithMoney[],
  spend: Spend,
  { at, waiver }: { at: Date; waiver: Approval | undefined },
): Denial<Decline> | undefined {
  for (const parent of parents) {
    const waives = waiver !== undefined && coversAbove(waiver, parent.id)
    const denied = refusalOf(parent, spend, { at, waives })
    if (denied) return byParent(parent, denied)
  }
  return undefined
}

const byParent = (parent: CardWithMoney, denied: Denial<Decline>): Denial<Decline> => ({
  ...denied,
  parentId: parent.id,
  message: `A card above this one refuses it. ${denied.message}`,
})

/** The refusal by a control that the owner may waive for one payment. */
function controlsRefusal(card: CardWithMoney, spend: Spend, at: Date): Denial<Decline> | undefined {
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
  return undefined
}

/** The refusal that only a higher limit of the whole card lifts. */
function limitRefusal(card: CardWithMoney, spend: Spend): Denial<Decline> | undefined {
  if (plus(takenOf(card), spend.amount) > card.limitAmount)
    return deny(
      'limit_exceeded',
      'The amount is above what the card may still spend. Fund the card to raise its limit.',
    )
  return undefined
}

function overCap(caps: readonly Cap[], spend: Spend, at: Date): Denial<Decline> | undefined {
  const refused = capRefusal(caps, spend.amount, at)
  return refused && { allowed: false, ...refused }
}

/**
 * The refusal of one payment too many like the last ones, of the card or of a card above it, with all that is below: whoever asks
 * may be in a loop. The debit freezes the card that counted them.
 */
function likeRefusal(
  family: readonly CardWithMoney[],
  spend: Spend,
  { made }: Consent,
  at: Date,
): Denial<Decline> | undefined {
  if (spend.isAgreed) return undefined
  for (const [i, { id, maxLikePayments: most }] of family.entries()) {
    if (most === null || countLike(id, spend, { made, at }) < most) continue
    const denied = deny(
      'like_payments_exceeded',
      `The card has made ${most} payments of this amount to this payee within ten minutes, as many as its max_like_payments. It is frozen now. Find out why the payment is repeated before it is unfrozen.`,
    )
    return i === 0 ? denied : byParent(family[i] as CardWithMoney, denied)
  }
  return undefined
}

/** The answer if a person must approve the payment, or has refused it. */
function askRefusal(
  card: CardWithMoney,
  spend: Spend,
  of: { asking: readonly CardWithMoney[]; consent: Consent; at: Date },
): Exclude<Decision, { allowed: true }> | undefined {
  const reasons = of.asking.map((one) => askReason(one, spend, of.consent))
  const reason = reasons.find((one) => one !== undefined)
  if (!reason) return undefined
  const refused = wordOn(card, spend, { ...of, status: 'DENIED' })
  if (refused)
    return deny(
      'approval_denied',
      'The owner of the card has refused this payment. Do not ask for it again.',
      refused.expiresAt,
    )
  const pending = wordOn(card, spend, { ...of, status: 'PENDING' })
  const waiting = of.consent.approvals.filter(
    ({ status, expiresAt }) => status === 'PENDING' && expiresAt > of.at,
  )
  if (!pending && waiting.length >= REQUESTS_MAX)
    return deny(
      'approvals_wait',
      `${REQUESTS_MAX} payments of this card wait for its owner already. Have them decided first.`,
    )
  return {
    allowed: false,
    rule: 'approval_required',
    message: ASKED[reason],
    passesAt: null,
    reason,
  }
}

/** The most payments of a card that wait for its owner at once: asking is free. */
const REQUESTS_MAX = 20
const REPEAT = 'Have the owner approve it, then repeat this request.'
const ASKED: Readonly<Record<AskReason, string>> = {
  above_amount: `The card pays this amount only if its owner approves the payment. ${REPEAT}`,
  first_merchant: `The card pays this payee for the first time, so its owner approves the payment. ${REPEAT}`,
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
export const inputsOf = (card: CardWithMoney, at: Date) => {
  const counted = countedAt(card, at)
  return {
    ...fixedInputsOf(card),
    ...perLimit('name', () => null),
    ...usedInputsOf(counted),
    ...limitInputsOf(counted),
  }
}

const textOf = (amount: Amount | null) => (amount === null ? null : String(amount))

/** The inputs but for the limits by window and their counters. What a settlement keeps of them is a list without names, in this order. */
export const fixedInputsOf = (card: CardWithMoney) => ({
  status: card.status,
  expires_at: card.expiresAt?.toISOString() ?? null,
  single_use: card.singleUse,
  limit_amount: String(card.limitAmount),
  spent: String(card.spent),
  held: String(card.held),
  available: String(card.available),
  max_transaction: textOf(card.maxTransaction),
  mcc_locks: card.mccLocks,
  allowed_merchants: card.allowedMerchants,
})

/** The sums of all windows, also those without a limit: another limit can be judged by it later. */
export const usedInputsOf = (counted: CardWithMoney) =>
  perLimit('usedName', ({ used }) => String(counted[used]))

/** The limits by window that the card has, with the windows that they counted. */
export function limitInputsOf(counted: CardWithMoney): Record<string, string> {
  return Object.fromEntries(
    CARD_LIMITS.flatMap(({ field, name, window }) => {
      const limit = counted[field]
      if (limit === null) return []
      return [
        [name, String(limit)],
        [window, counted[window]],
      ]
    }),
  )
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

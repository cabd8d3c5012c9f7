import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Rail } from '../../base/protocols/rails.ts'
import type { Card } from './card.ts'

/** A payment as its card's owner is asked about it, in the service's own words. */
export type Purchase = {
  /** Everything that leaves the card, fee included. */
  amount: Amount
  /**
   * The service's own names for the payee, best first: the connected host, the pay link's code, the wallet or address,
   * the card. A merchant list may name any of them. A name that a caller supplies is never among them.
   */
  merchants: readonly string[]
  rail: Rail
  /** Names what is bought: the digest of a request, the id of a mandate. Left out where the payee says it all. */
  request?: string
  /** The only grant that may be used, as the caller named it. */
  approvalId?: string | undefined
  /** A charge of an agreement that the card has paid before. */
  isAgreed?: true
}

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'USED', 'EXPIRED'] as const
export const APPROVAL_KINDS = ['asked', 'allowed_once'] as const
/** A question to a card's owner about one payment, with the answer. APPROVED, it is a grant. */
export type Approval = {
  id: Id<'apr'>
  cardId: string
  walletAddress: string
  ownerNo: number
  kind: (typeof APPROVAL_KINDS)[number]
  /** Why a person is asked; of a decline that was allowed, its rule. */
  reason: string
  rail: Rail
  amount: Amount
  merchants: string[]
  mcc: string | null
  request: string
  /** The cards above whose rules the grant waives too, since its giver may change them; null for all. */
  waives: readonly string[] | null
  /** The decline that its owner allowed once; null for a question. */
  decisionId: string | null
  status: (typeof APPROVAL_STATUSES)[number]
  createdAt: Date
  expiresAt: Date
  decidedAt: Date | null
  usedAt: Date | null
  usedBy: string | null
}
/** As much of a card as approvals depend on. */
type Asking = Pick<Card, 'id' | 'ownerNo' | 'approvalAbove' | 'approvalFirstMerchant'>

/** A payment that a card has made of late. */
export type Made = { amount: Amount; payee: string; at: Date }

/**
 * The word of a card's owner, as far as it has not run out. `payees` holds names of `payeeKey`. `made` is what each
 * card with `maxLikePayments` of the family has paid of late, with the cards below it.
 */
export type Consent = {
  approvals: readonly Approval[]
  payees: ReadonlySet<string>
  made: ReadonlyMap<string, readonly Made[]>
}
export const NO_CONSENT: Consent = { approvals: [], payees: new Set(), made: new Map() }

/** Whether a payment of the card depends on its owner's word, or on what the card has paid of late. */
export const asksPerson = (card: Card, at: Date): boolean =>
  card.approvalAbove !== null ||
  card.approvalFirstMerchant ||
  card.maxLikePayments !== null ||
  (card.grantsUntil !== null && card.grantsUntil > at)

/** Payments of one amount to one payee are alike within so long. */
const LIKE_MS = 600_000
/** The start of the time within which payments are alike. */
export const likeSince = (at: Date): Date => new Date(at.getTime() - LIKE_MS)

/** How many payments like this one the card and those below it have made of late. */
export function countLike(
  cardId: string,
  purchase: Purchase,
  of: { made: Consent['made']; at: Date },
): number {
  const [payee, since] = [payeeName(purchase), likeSince(of.at)]
  const made = of.made.get(cardId) ?? []
  return made.filter(
    (one) => one.payee === payee && one.amount === purchase.amount && one.at > since,
  ).length
}

/** The same with a payment more, on the cards that count. */
export const withMade = (consent: Consent, cardIds: readonly string[], one: Made): Consent => ({
  ...consent,
  made: new Map([
    ...consent.made,
    ...cardIds.map((id) => [id, [...(consent.made.get(id) ?? []), one]] as const),
  ]),
})

/** Whether the grant is a word on what this card above asks and limits, too. */
export const coversAbove = ({ waives }: Approval, parentId: string): boolean =>
  waives === null || waives.includes(parentId)

/** The name by which people know the payee: its host, wallet or address; a link or card by its wallet. */
export const payeeName = ({ merchants }: Pick<Purchase, 'merchants'>): string =>
  merchants.find((name) => !/^(PL|card)_/.test(name)) ?? merchants[0] ?? ''

export const payeeKey = (cardId: string, payee: string): string => `${cardId} ${payee}`

export type AskReason = 'above_amount' | 'first_merchant'

/** Why a person must approve the payment; undefined if nobody must. */
export function askReason(
  card: Asking,
  purchase: Purchase,
  consent: Consent,
): AskReason | undefined {
  if (purchase.isAgreed) return undefined
  if (card.approvalAbove !== null && purchase.amount > card.approvalAbove) return 'above_amount'
  const isKnown = () => consent.payees.has(payeeKey(card.id, payeeName(purchase)))
  return card.approvalFirstMerchant && !isKnown() ? 'first_merchant' : undefined
}

/** The owner's newest word on exactly this payment: same card, owner, payee, rail and request, and no larger amount. */
export function wordOn(
  card: Asking,
  purchase: Purchase,
  { consent, at, status }: { consent: Consent; at: Date; status: Approval['status'] },
): Approval | undefined {
  return consent.approvals.findLast(
    (one) =>
      one.status === status &&
      one.expiresAt > at &&
      one.cardId === card.id &&
      one.ownerNo === card.ownerNo &&
      one.rail === purchase.rail &&
      one.request === (purchase.request ?? '') &&
      purchase.amount <= one.amount &&
      isSamePayee(one.merchants, purchase.merchants),
  )
}

const isSamePayee = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i])

/** The grant that lets the payment pass, if its owner gave one and it is unused. */
export function grantFor(
  card: Asking,
  purchase: Purchase,
  of: { consent: Consent; at: Date },
): Approval | undefined {
  const grant = wordOn(card, purchase, { ...of, status: 'APPROVED' })
  const { approvalId } = purchase
  return approvalId === undefined || approvalId === grant?.id ? grant : undefined
}

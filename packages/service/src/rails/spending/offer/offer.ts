import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, amount, feeOf, minus, plus } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import {
  echoOf,
  type Challenge as MppChallenge,
} from '../../../base/protocols/mpp/headers/challenge.ts'
import type { Offer as MppOffer } from '../../../base/protocols/mpp/methods/match.ts'
import type {
  Mechanism,
  Challenge as X402Challenge,
  Offer as X402Offer,
} from '../../../base/protocols/x402/challenge.ts'
import { findSignedOffer } from '../../../base/protocols/x402/signed/read.ts'
import type { FeeRule } from '../../../money/settlements/fees.ts'
import type { PayProtocol, SellerProblem } from '../seller/claims.ts'
import { type OfferRefusal, REASONS } from './reasons.ts'

/** A usable way to pay, in its own protocol's form. */
export type Offer =
  | { method: 'x402'; challenge: X402Challenge; offer: X402Offer }
  | { method: 'evm'; offer: Extract<MppOffer, { method: 'evm' }> }
  | { method: 'agentcard'; offer: Extract<MppOffer, { method: 'agentcard' }> }
/** The amounts that an offer would take from the card, in base units. `debit` is merchant amount plus fee. */
type Price = {
  /** The most, for an upto offer. */
  merchantAmount: Amount
  fee: Amount
  debit: Amount
  tariff: { bps: bigint; flat: Amount }
}
export type PricedOffer = Offer & Price
/** An offer that is paid on chain, by an EIP-3009 authorization or by Permit2. */
export type ChainOffer = Exclude<PricedOffer, { method: 'agentcard' }>
export type CardOffer = Extract<PricedOffer, { method: 'agentcard' }>

export type RefusedOffer = { protocol: PayProtocol; reason: OfferRefusal; offer: unknown }

/**
 * Everything that a 402 answer asks for: the payable offers in the seller's order, and the others with their reasons.
 */
export type Demand = {
  /** The x402 version; null if the seller does not use x402. */
  version: 1 | 2 | null
  speaks: readonly PayProtocol[]
  offers: readonly Offer[]
  refused: readonly RefusedOffer[]
  /** One sentence on an x402 demand that cannot be read. */
  fault: string | undefined
  problem: SellerProblem | undefined
}
export type Terms = {
  asset: Asset
  /** Addresses that cannot be a seller's: the treasury and the token itself. */
  notPayees: readonly string[]
  /** The payer's fee for a seller outside. */
  tariff: FeeRule
  /** The fee that a seller here bears, unless it has another. */
  sellersTariff: FeeRule
  /** The most that may leave the card, the fee included. */
  maxAmount: Amount | undefined
  /** The only protocol that the caller wants paid. */
  protocol?: PayProtocol | undefined
}

/** Breaks a tie in price: a card of ours needs no chain, and x402 binds a payment to its own id. */
const PREFERENCE: readonly Offer['method'][] = ['agentcard', 'x402', 'evm']

/**
 * The offer that takes least from the card, among those that the terms allow. Equal offers are ordered by `PREFERENCE`,
 * then by the seller. Throws `no_payable_option` with every reason.
 */
export function chooseOffer(demand: Demand, terms: Terms): PricedOffer {
  const { offers, refused } = judgeOffers(demand, terms)
  const [best] = [...offers].sort((a, b) =>
    a.debit === b.debit ? rankOf(a) - rankOf(b) : a.debit < b.debit ? -1 : 1,
  )
  if (best) return best
  throw notPayable(demand, refused)
}

const rankOf = ({ method }: Offer): number => PREFERENCE.indexOf(method)

/** The offers that the terms allow, priced, in the seller's order, and all others with their reasons. */
export function judgeOffers(
  demand: Demand,
  terms: Terms,
): { offers: PricedOffer[]; refused: RefusedOffer[] } {
  const offers: PricedOffer[] = []
  const refused: RefusedOffer[] = [...demand.refused]
  for (const offer of demand.offers) {
    const priced = price(offer, terms)
    const reason = refusalOf(priced, terms)
    if (reason) refused.push({ protocol: protocolOf(offer), reason, offer: shownOffer(offer) })
    else offers.push(priced)
  }
  return { offers, refused }
}

const notPayable = (demand: Demand, refused: readonly RefusedOffer[]): Problem =>
  new Problem('no_payable_option', messageOf(demand, refused), {
    extra: {
      challenge: shownRefusals(demand.version, refused),
      ...(demand.problem && { problem: shownProblem(demand.problem) }),
    },
  })

/**
 * Each refused offer with its reason. The answer is stored for a retry, so it has at most 48 KiB of a seller's text.
 */
export function shownRefusals(version: 1 | 2 | null, refused: readonly RefusedOffer[]) {
  let left = SHOWN_MAX_CHARACTERS
  const offers = refused.map(({ protocol, reason, offer }) => {
    left -= lengthOf(offer)
    return { protocol, reason, detail: REASONS[reason], offer: left < 0 ? null : offer }
  })
  return { x402_version: version, offers }
}

const SHOWN_MAX_CHARACTERS = 48 * 1024
const OFFER_MAX_CHARACTERS = 16 * 1024
const lengthOf = (offer: unknown): number => JSON.stringify(offer ?? null).length

export const protocolOf = ({ method }: Pick<Offer, 'method'>): PayProtocol =>
  method === 'x402' ? 'x402' : 'mpp'

/** The way in which the money of an offer on chain moves. */
export const mechanismOf = (
  offer: Pick<ChainOffer, 'method'> & { offer: ChainOffer['offer'] },
): Mechanism => ('mechanism' in offer.offer ? offer.offer.mechanism : 'eip3009')

/** The payee of an offer: an address, or for a card payment the name by which the service knows the payee. */
export const payeeOf = (offer: Offer): string =>
  offer.method === 'x402' ? offer.offer.payTo : offer.offer.charge.recipient

/** The offer as the seller wrote it. */
export const shownOffer = (offer: Offer): unknown =>
  offer.method === 'x402' ? offer.offer.raw : shownChallenge(offer.offer.challenge)

/** An MPP challenge as sent on the wire, with its request decoded. */
export const shownChallenge = (challenge: MppChallenge): unknown => ({
  ...echoOf(challenge),
  request: challenge.terms,
})

export const shownProblem = (problem: SellerProblem) => ({
  type: problem.uri,
  title: problem.title ?? null,
  status: problem.status ?? null,
  detail: problem.detail ?? null,
  challenge_id: problem.challengeId ?? null,
})

/**
 * For a seller outside, our fee comes on top of its price. A seller here bears the fee, however its link is paid: the
 * card pays the price only.
 */
function price(offer: Offer, { tariff, sellersTariff }: Terms): PricedOffer {
  const asked = amount(offer.offer.amount)
  const rule = offer.method === 'agentcard' ? sellersTariff : tariff
  const fee = feeOf(asked, rule)
  return offer.method === 'agentcard'
    ? { ...offer, merchantAmount: minus(asked, fee), fee, debit: asked, tariff: rule }
    : { ...offer, merchantAmount: asked, fee, debit: plus(asked, fee), tariff: rule }
}

function refusalOf(priced: PricedOffer, terms: Terms): OfferRefusal | undefined {
  if (terms.protocol !== undefined && terms.protocol !== protocolOf(priced))
    return 'protocol_not_wanted'
  if (priced.method === 'x402' && priced.offer.network !== terms.asset.network)
    return 'other_network'
  if (priced.method === 'x402' && !isSame(priced.offer.asset, terms.asset.contract))
    return 'other_asset'
  if (terms.notPayees.some((address) => isSame(address, payeeOf(priced)))) return 'not_a_payee'
  if (priced.method === 'x402' && findSignedOffer(priced.challenge, priced.offer)?.isOther)
    return 'signed_otherwise'
  // The offer is stored with the payment.
  if (lengthOf(shownOffer(priced)) > OFFER_MAX_CHARACTERS) return 'too_large'
  if (terms.maxAmount !== undefined && priced.debit > terms.maxAmount) return 'above_max_amount'
  return undefined
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function messageOf({ speaks, fault }: Demand, refused: readonly RefusedOffer[]): string {
  if (speaks.length === 0)
    return fault === undefined
      ? 'The seller asks for a payment in a protocol that this service cannot pay.'
      : `The seller's demand cannot be read. ${fault} Only the seller can fix it.`
  const other = fault === undefined ? '' : ` ${fault}`
  if (refused.some(({ reason }) => reason === 'above_max_amount'))
    return 'The price with the platform fee is above max_amount. Raise max_amount, or leave it out.'
  const [reason, ...others] = new Set(refused.map((one) => one.reason))
  if (reason && others.length === 0)
    return `None of the ways to pay that the seller offers can be used. ${REASONS[reason]}${other}`
  return `None of the ways to pay that the seller offers can be used. See challenge for the reason of each.${other}`
}

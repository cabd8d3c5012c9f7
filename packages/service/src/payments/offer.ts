import type { Asset } from '../kernel/assets.ts'
import { type Amount, amount, feeOf, plus } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import type { Challenge, Offer, SkipReason } from '../protocols/x402/challenge.ts'

/** An offer with what it would take from the card, in base units. */
export type PricedOffer = { offer: Offer; merchantAmount: Amount; fee: Amount; debit: Amount }
export type Terms = {
  asset: Asset
  /** Addresses that are no seller's: the treasury and the token itself. */
  notPayees: readonly string[]
  tariff: { bps: bigint; flat: Amount }
  /** The most that may leave the card, the fee included. */
  maxAmount: Amount | undefined
}
export type OfferRefusal =
  | SkipReason
  | 'other_network'
  | 'other_asset'
  | 'not_a_payee'
  | 'above_max_amount'
export type RefusedOffer = { reason: OfferRefusal; offer: unknown }

/** The cheapest offer that the terms allow; of equal ones the first. Throws `no_payable_option` with every reason. */
export function chooseOffer(challenge: Challenge | undefined, terms: Terms): PricedOffer {
  const refused: RefusedOffer[] = (challenge?.skipped ?? []).map(({ reason, raw }) => ({
    reason,
    offer: raw,
  }))
  let best: PricedOffer | undefined
  for (const offer of challenge?.offers ?? []) {
    const priced = price(offer, terms)
    const reason = refusalOf(priced, terms)
    if (reason) refused.push({ reason, offer: offer.raw })
    else if (!best || priced.merchantAmount < best.merchantAmount) best = priced
  }
  if (best) return best
  throw new Problem('no_payable_option', messageOf(challenge, refused), {
    extra: { challenge: { x402_version: challenge?.version ?? null, offers: refused } },
  })
}

function price(offer: Offer, terms: Terms): PricedOffer {
  const merchantAmount = amount(offer.amount)
  const fee = feeOf(merchantAmount, terms.tariff)
  return { offer, merchantAmount, fee, debit: plus(merchantAmount, fee) }
}

function refusalOf({ offer, debit }: PricedOffer, terms: Terms): OfferRefusal | undefined {
  if (offer.network !== terms.asset.network) return 'other_network'
  if (!isSame(offer.asset, terms.asset.contract)) return 'other_asset'
  if (terms.notPayees.some((address) => isSame(address, offer.payTo))) return 'not_a_payee'
  if (terms.maxAmount !== undefined && debit > terms.maxAmount) return 'above_max_amount'
  return undefined
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function messageOf(challenge: Challenge | undefined, refused: RefusedOffer[]): string {
  if (!challenge) return 'The seller asks for a payment in a protocol that this service cannot pay.'
  if (refused.some(({ reason }) => reason === 'above_max_amount'))
    return 'What the seller asks for, with the platform fee, is above max_amount. Raise it, or leave it out.'
  return 'None of the ways to pay that the seller offers can be used. See challenge for the reason of each.'
}

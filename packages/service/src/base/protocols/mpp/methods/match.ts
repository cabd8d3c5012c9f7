import type { Asset } from '../../../kernel/assets.ts'
import { isDigestOf } from '../digest.ts'
import { type Challenge, expiryOf } from '../headers/challenge.ts'
import {
  AGENTCARD_CHARGE,
  type AgentcardCharge,
  type AgentcardSkipReason,
  readAgentcardTerms,
} from './agentcard.ts'
import { EVM_CHARGE, type EvmCharge, type EvmSkipReason, isIn, readEvmTerms } from './evm.ts'

const NOTHING = new Uint8Array()

type OfferOf<Method, Charge> = {
  readonly method: Method
  readonly challenge: Challenge
  readonly charge: Charge
  /** One of the payer's own assets: the signed data comes from its constants. */
  readonly asset: Asset
  /** Base units, above zero. */
  readonly amount: bigint
  readonly expires: Date | undefined
}

/** A challenge that the payer can pay. */
export type Offer = OfferOf<'evm', EvmCharge> | OfferOf<'agentcard', AgentcardCharge>
export type OfferMethod = Offer['method']

export type SkipReason =
  | EvmSkipReason
  | AgentcardSkipReason
  | 'unsupported_method'
  | 'unsupported_asset'
  | 'unsupported_issuer'
  | 'decimals_mismatch'
  | 'expired'
  | 'digest_mismatch'

export type SkippedOffer = { readonly reason: SkipReason; readonly challenge: Challenge }

export type Payer = {
  /** The tokens that the payer can sign for, each on its own chain. */
  readonly assets: readonly Asset[]
  /** The issuer of the payer's cards, with the asset that the cards hold. */
  readonly cards?: { readonly issuer: string; readonly asset: Asset }
  /** The body of the request to be paid for; empty if it has none. */
  readonly body?: Uint8Array
}

/** Sorts challenges into those that the payer can pay at `at`, in the seller's order, and those that it cannot. */
export function readOffers(
  at: Date,
  challenges: readonly Challenge[],
  payer: Payer,
): { offers: readonly Offer[]; skipped: readonly SkippedOffer[] } {
  const offers: Offer[] = []
  const skipped: SkippedOffer[] = []
  for (const challenge of challenges) {
    const offer = readOffer(at, challenge, payer)
    if (typeof offer === 'string') skipped.push({ reason: offer, challenge })
    else offers.push(offer)
  }
  return { offers, skipped }
}

/** The cheapest offer of at most `maxAmount` base units. Equal offers are ordered by `prefer`, then by the seller. */
export function chooseOffer(
  offers: readonly Offer[],
  wish: { asset: Asset; maxAmount: bigint; prefer?: readonly OfferMethod[] },
): Offer | undefined {
  const { asset, maxAmount, prefer = [] } = wish
  const rank = ({ method }: Offer): number =>
    prefer.includes(method) ? prefer.indexOf(method) : prefer.length
  const [best] = offers
    .filter((offer) => isSameAsset(offer.asset, asset) && offer.amount <= maxAmount)
    .sort((a, b) => (a.amount === b.amount ? rank(a) - rank(b) : a.amount < b.amount ? -1 : 1))
  return best
}

const isSameAsset = (a: Asset, b: Asset): boolean =>
  a.chainId === b.chainId && a.contract.toLowerCase() === b.contract.toLowerCase()

function readOffer(at: Date, challenge: Challenge, payer: Payer): Offer | SkipReason {
  const expires = expiryOf(challenge)
  if (expires && expires <= at) return 'expired'
  if (challenge.digest !== undefined && !isDigestOf(challenge.digest, payer.body ?? NOTHING))
    return 'digest_mismatch'
  const is = ({ method, intent }: { method: string; intent: string }): boolean =>
    challenge.method === method && challenge.intent === intent
  if (is(EVM_CHARGE)) return readEvmOffer(challenge, expires, payer)
  if (is(AGENTCARD_CHARGE)) return readAgentcardOffer(challenge, expires, payer)
  return 'unsupported_method'
}

function readEvmOffer(
  challenge: Challenge,
  expires: Date | undefined,
  { assets }: Payer,
): Offer | SkipReason {
  const charge = readEvmTerms(challenge.terms)
  if (typeof charge === 'string') return charge
  if (!assets.some(({ chainId }) => chainId === charge.chainId)) return 'unsupported_network'
  const asset = assets.find((candidate) => isIn(candidate, charge))
  if (!asset) return 'unsupported_asset'
  // A seller that counts in other decimals than the token means another price than it writes.
  if (charge.decimals !== undefined && charge.decimals !== asset.decimals)
    return 'decimals_mismatch'
  return { method: 'evm', challenge, charge, asset, amount: charge.amount, expires }
}

function readAgentcardOffer(
  challenge: Challenge,
  expires: Date | undefined,
  { cards }: Payer,
): Offer | SkipReason {
  const charge = readAgentcardTerms(challenge.terms)
  if (typeof charge === 'string') return charge
  if (charge.issuer !== cards?.issuer) return 'unsupported_issuer'
  const { asset } = cards
  if (charge.currency !== asset.symbol.toLowerCase()) return 'unsupported_asset'
  if (charge.decimals !== asset.decimals) return 'decimals_mismatch'
  return { method: 'agentcard', challenge, charge, asset, amount: charge.amount, expires }
}

import { isIP } from 'node:net'
import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { EgressResponse } from '../../../base/egress/egress.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import {
  type Challenge,
  PAYMENT_AUTHORIZATION_HEADER,
  readChallenges,
} from '../../../base/protocols/mpp/headers/challenge.ts'
import { challengeNonce } from '../../../base/protocols/mpp/methods/evm.ts'
import { readOffers } from '../../../base/protocols/mpp/methods/match.ts'
import {
  faultOfChallenge,
  readChallenge,
  type Challenge as X402Challenge,
} from '../../../base/protocols/x402/challenge.ts'
import { tierAt } from '../../../members/membership/store.ts'
import { findToken } from '../../../money/cards/tokens/store.ts'
import { findDefaultRule, findFeeRules } from '../../../money/settlements/fee-rules/store.ts'
import { feeRuleFor } from '../../../money/settlements/fees.ts'
import { spentAsset } from '../money.ts'
import { type PayProtocol, readSellerProblem } from '../seller/claims.ts'
import type { Outgoing } from '../seller/exchange.ts'
import { findKnownNonces } from '../store.ts'
import {
  chooseOffer,
  type Demand,
  type Offer,
  type PricedOffer,
  protocolOf,
  type RefusedOffer,
  shownChallenge,
  shownOffer,
  type Terms,
} from './offer.ts'
import type { OfferRefusal } from './reasons.ts'

/** A challenge must last at least this many seconds more: time to sign, to present and to settle. */
const CHALLENGE_MARGIN_SECONDS = 6

/** The 402 answer to a request, and the request. */
export type Asked = { at: Date; answer: EgressResponse; request: Outgoing }
export type PayerTerms = { maxAmount: Amount | undefined; protocol: PayProtocol | undefined }

/** The offer of a 402 answer that would be paid. Throws `no_payable_option`. */
export async function readPayable(
  services: Uses<'chain' | 'db' | 'settings'>,
  asked: Asked,
  order: PayerTerms & { walletAddress: string },
): Promise<PricedOffer> {
  const [demand, terms] = await Promise.all([
    readDemand(services, asked),
    readTerms(services, asked.at, order),
  ])
  return chooseOffer(demand, terms)
}

/** The terms on which a wallet's card pays: what its order asks, and what it costs it now. */
export async function readTerms(
  { chain, settings, db }: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { walletAddress, ...order }: PayerTerms & { walletAddress: string },
): Promise<Terms> {
  const [own, sellers] = await Promise.all([
    findFeeRules(db.reader, { wallets: [walletAddress], kind: 'payment', tierOf: tierAt(at) }),
    findDefaultRule(db.reader, 'settlement'),
  ])
  return {
    asset: spentAsset(chain),
    notPayees: [chain.treasury.address, spentAsset(chain).contract],
    tariff: feeRuleFor(own.get(walletAddress) ?? null, settings.fee),
    sellersTariff: feeRuleFor(sellers, settings.fee),
    ...order,
  }
}

/** Everything that the answer asks for, in both x402 and MPP. */
export async function readDemand(
  services: Uses<'chain' | 'db' | 'settings'>,
  asked: Asked,
): Promise<Demand> {
  const { answer } = asked
  const x402 = readX402Demand(answer)
  const mpp = readMpp(services, asked)
  const { fresh, used } = await splitUsed(services.db.reader, mpp.offers)
  return {
    version: x402.version,
    speaks: [...x402.speaks, ...(mpp.isSpoken ? (['mpp'] as const) : [])],
    offers: [...x402.offers, ...fresh],
    refused: [
      ...x402.refused,
      ...mpp.refused,
      ...used.map((offer) => refusal('challenge_used', offer)),
    ],
    fault: x402.fault,
    problem: readSellerProblem(answer.headers, answer.body),
  }
}

/** The x402 demand in an answer; empty if there is none, with its fault if there should be one. */
export function readX402Demand(answer: Parameters<typeof readChallenge>[0]): Demand {
  const challenge = readChallenge(answer)
  return { ...demandOfX402(challenge), fault: challenge ? undefined : faultOfChallenge(answer) }
}

const demandOfX402 = (challenge: X402Challenge | undefined): Demand => ({
  version: challenge?.version ?? null,
  speaks: challenge ? ['x402'] : [],
  offers: challenge?.offers.map((offer) => ({ method: 'x402', challenge, offer })) ?? [],
  refused:
    challenge?.skipped.map(({ reason, raw }) => ({ protocol: 'x402', reason, offer: raw })) ?? [],
  fault: undefined,
  problem: undefined,
})

const refusal = (reason: OfferRefusal, offer: Offer): RefusedOffer => ({
  protocol: protocolOf(offer),
  reason,
  offer: shownOffer(offer),
})

function readMpp(
  { chain, settings }: Uses<'chain' | 'settings'>,
  { at, answer, request }: Asked,
): { isSpoken: boolean; offers: Offer[]; refused: RefusedOffer[] } {
  const { challenges, skipped } = readChallenges(answer.authenticate)
  const refused: RefusedOffer[] = skipped.map(({ reason, id }) => ({
    protocol: 'mpp',
    reason,
    offer: id === undefined ? null : { id },
  }))
  const safe = challenges.filter((challenge) => {
    const reason = riskOf(challenge, new URL(answer.url), request)
    if (reason) refused.push({ protocol: 'mpp', reason, offer: shownChallenge(challenge) })
    return reason === undefined
  })
  const read = readOffers(addSeconds(at, CHALLENGE_MARGIN_SECONDS), safe, {
    assets: [spentAsset(chain)],
    cards: { issuer: settings.publicUrl, asset: spentAsset(chain) },
    body: Buffer.from(request.body ?? ''),
  })
  for (const { reason, challenge } of read.skipped)
    refused.push({ protocol: 'mpp', reason, offer: shownChallenge(challenge) })
  const offers = read.offers.map((offer) => ({ method: offer.method, offer }) as Offer)
  return { isSpoken: challenges.length + skipped.length > 0, offers, refused }
}

/** The reason why a credential for the challenge must not or cannot go to this seller. */
function riskOf(challenge: Challenge, url: URL, { headers }: Outgoing): OfferRefusal | undefined {
  if (!isRealmOf(challenge.realm, url)) return 'realm_mismatch'
  const isFree = challenge.header === PAYMENT_AUTHORIZATION_HEADER
  if (!isFree && headers.authorization !== undefined) return 'authorization_in_use'
  return undefined
}

/**
 * Whether the realm is the host that was asked, or a domain above it. Any other realm belongs to somebody else: the
 * seller would have us pay that demand in its place.
 */
export function isRealmOf(realm: string, url: URL): boolean {
  const name = realm.toLowerCase()
  if (name === url.hostname || name === url.host) return true
  const isName = isIP(url.hostname) === 0 && name.includes('.')
  return isName && url.hostname.endsWith(`.${name}`)
}

/**
 * Separates challenges that an earlier payment has used. The challenge fixes the nonce, so the token would take only
 * one of two authorizations, whoever asked for them.
 */
async function splitUsed(
  on: Reader,
  offers: readonly Offer[],
): Promise<{ fresh: Offer[]; used: Offer[] }> {
  const nonces = offers.flatMap(({ method, offer }) =>
    method === 'evm' ? [challengeNonce(offer.challenge)] : [],
  )
  const known = nonces.length > 0 ? await findKnownNonces(on, nonces) : new Set()
  const fresh: Offer[] = []
  const used: Offer[] = []
  for (const offer of offers) {
    const isUsed =
      (offer.method === 'evm' && known.has(challengeNonce(offer.offer.challenge))) ||
      (offer.method === 'agentcard' && (await findToken(on, offer.offer.challenge.id)))
    if (isUsed) used.push(offer)
    else fresh.push(offer)
  }
  return { fresh, used }
}

import { type Static, Type } from 'typebox'
import { type SignUses, signerAsAgent } from '../../../api/agents/sign.ts'
import { NullableNumber, NullableString } from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Place } from '../../../base/egress/guard/places.ts'
import { amount, toNumber } from '../../../base/kernel/money.ts'
import { isObject, type JsonObject, type JsonValue, member } from '../../../base/protocols/json.ts'
import { type Challenge, readChallenges } from '../../../base/protocols/mpp/headers/challenge.ts'
import {
  readChallenge,
  type Challenge as X402Challenge,
} from '../../../base/protocols/x402/challenge.ts'
import { spentAsset } from '../money.ts'
import { findAdvertised } from '../seller/advertised.ts'
import { askSeller, DEMAND_MAX_BYTES, readOutgoing } from '../seller/exchange.ts'
import { type Asked, readDemand, readTerms } from './demand.ts'
import { judgeOffers, type RefusedOffer } from './offer.ts'

export const DiscoveryBody = Type.Object({
  supports_x402: Type.Boolean({ description: 'Whether the URL asks for payment by x402' }),
  payment_address: NullableString('Address that is paid'),
  amount: NullableNumber('In whole units of the asset'),
  asset: NullableString('Symbol of the asset, e.g. USDC'),
  network: NullableString('CAIP-2 id of the chain, e.g. eip155:8453'),
  accepts: Type.Array(Type.Unknown(), { description: 'Every offer, as the seller wrote it' }),
})

const MppOfferBody = Type.Object({
  intent: Type.String({ description: 'Intent of MPP, e.g. charge' }),
  amount: Type.Union([Type.Number(), Type.Null()], {
    description: 'In whole units, where the seller says how many decimals there are',
  }),
  amount_atomic: NullableString('In base units of the asset, exact'),
  currency: NullableString('Currency of the amount, or the contract of its token'),
  network: NullableString('CAIP-2 id of the chain, e.g. eip155:8453'),
  recipient: NullableString('Address that is paid'),
  description: NullableString('Description of the payment, in words'),
  expires_at: NullableString('When it ends; null for never'),
  payable: Type.Boolean({ description: 'Whether a card of this service could pay it' }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it is not payable; `advertised_only` where only an OpenAPI document names it',
  }),
})
const CapabilityBody = Type.Object({
  intents: Type.Array(Type.String(), { description: 'Each once, e.g. `charge`' }),
  payable: Type.Boolean({
    description: 'Whether a card of this service could pay one of the offers',
  }),
  offers: Type.Array(MppOfferBody, { description: 'In the order of the seller' }),
})
export const MppDiscoveryBody = Type.Object({
  supports_mpp: Type.Boolean({ description: 'Whether the URL asks for payment by MPP' }),
  capabilities: Type.Record(Type.String(), CapabilityBody, {
    description: 'By method: `evm`, `agentcard` of this service, or another',
  }),
})
type MethodOffer = { method: string } & Static<typeof MppOfferBody>

/** The asking wallet, the time and the URL. */
type Inquiry = { at: Date; walletAddress: string; url: string }

/** Fetches the URL by GET, without paying, to read its demand. */
async function askFor(
  services: Uses<'egress'> & SignUses,
  at: Date,
  ask: { url: string; place: Place },
) {
  const { url, place } = ask
  const plain = readOutgoing(services.egress, {
    url,
    method: 'GET',
    signAs: signerAsAgent(services),
  })
  const request = { ...plain, place, maxBytes: DEMAND_MAX_BYTES }
  return { at, request, answer: await askSeller(services.egress, request) } satisfies Asked
}

/** The x402 demand of the URL: the cheapest offer that a card here could pay, and all offers. */
export async function discoverX402(
  services: Uses<'chain' | 'db' | 'egress' | 'settings'> & SignUses,
  { at, walletAddress, url }: Inquiry,
) {
  using place = services.egress.enter(walletAddress, 'discover')
  const asked = await askFor(services, at, { url, place })
  const challenge = readChallenge(asked.answer)
  const { offers } = judgeOffers(
    await readDemand(services, asked),
    await readTerms(services, at, { walletAddress, maxAmount: undefined, protocol: 'x402' }),
  )
  const [best] = offers.sort((a, b) => (a.debit < b.debit ? -1 : a.debit > b.debit ? 1 : 0))
  const asset = spentAsset(services.chain)
  return {
    supports_x402: challenge !== undefined,
    payment_address: best?.method === 'x402' ? best.offer.payTo : null,
    amount: best ? toNumber(best.merchantAmount, asset.decimals) : null,
    asset: best ? asset.symbol : null,
    network: best ? asset.network : null,
    accepts: challenge ? acceptsOf(challenge) : [],
  }
}

const acceptsOf = ({ paymentRequired }: X402Challenge): unknown[] =>
  Array.isArray(paymentRequired.accepts) ? paymentRequired.accepts : []

/**
 * The MPP demand of the URL: every challenge, and whether a card here could pay it. If there is no demand, the answer
 * shows the origin's OpenAPI document: the URL may ask for money only under another method than GET.
 */
export async function discoverMpp(
  services: Uses<'chain' | 'db' | 'egress' | 'settings'> & SignUses,
  { at, walletAddress, url }: Inquiry,
) {
  using place = services.egress.enter(walletAddress, 'discover')
  const asked = await askFor(services, at, { url, place })
  const demand = await readDemand(services, asked)
  const { refused } = judgeOffers(
    demand,
    await readTerms(services, at, { walletAddress, maxAmount: undefined, protocol: 'mpp' }),
  )
  const { challenges } = readChallenges(asked.answer.authenticate)
  if (!demand.speaks.includes('mpp')) {
    const advertised = await findAdvertised(services.egress, new URL(asked.answer.url), place)
    const offers = advertised.flatMap((offer) => advertisedOffer(offer) ?? [])
    return { supports_mpp: offers.length > 0, capabilities: byMethod(offers) }
  }
  const offers = challenges.map((challenge) => offerOf(challenge, refused))
  return { supports_mpp: true, capabilities: byMethod(offers) }
}

function byMethod(offers: readonly MethodOffer[]) {
  const methods = Map.groupBy(offers, ({ method }) => method)
  return Object.fromEntries(
    Array.from(methods, ([method, own]) => [
      method,
      {
        intents: [...new Set(own.map(({ intent }) => intent))],
        payable: own.some(({ payable }) => payable),
        offers: own.map(({ method: _name, ...offer }) => offer),
      },
    ]),
  )
}

function offerOf(challenge: Challenge, refused: readonly RefusedOffer[]): MethodOffer {
  const { method, intent, terms, description, expires } = challenge
  const details = member(terms, 'methodDetails')
  const shared = isObject(details) ? details : {}
  const asked = text(terms, 'amount')
  const decimals = member(shared, 'decimals')
  const chainId = member(shared, 'chainId')
  const reason = refused.find(({ offer }) => idOf(offer) === challenge.id)?.reason ?? null
  return {
    method,
    intent,
    amount: inUnits(asked, decimals),
    amount_atomic: asked,
    currency: text(terms, 'currency'),
    network: typeof chainId === 'number' ? `eip155:${chainId}` : null,
    recipient: text(terms, 'recipient'),
    description: description ?? null,
    expires_at: expires ?? null,
    payable: reason === null,
    reason,
  }
}

/** An advertised offer has no challenge yet, so it cannot be paid. */
function advertisedOffer(offer: { [name: string]: unknown }): MethodOffer | undefined {
  const { method, intent } = offer
  if (typeof method !== 'string' || typeof intent !== 'string') return undefined
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    method,
    intent,
    amount: null,
    amount_atomic: textOf(offer.amount),
    currency: textOf(offer.currency),
    network: null,
    recipient: null,
    description: textOf(offer.description),
    expires_at: null,
    payable: false,
    reason: 'advertised_only',
  }
}

const idOf = (offer: unknown): unknown =>
  typeof offer === 'object' && offer !== null && 'id' in offer ? offer.id : undefined

const text = (terms: JsonObject, name: string): string | null => {
  const value = member(terms, name)
  return typeof value === 'string' ? value : null
}

function inUnits(asked: string | null, decimals: JsonValue | undefined): number | null {
  if (asked === null || !/^\d{1,30}$/.test(asked)) return null
  if (typeof decimals !== 'number' || decimals < 0 || decimals > 36) return null
  return toNumber(amount(BigInt(asked)), decimals)
}

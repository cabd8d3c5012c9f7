import { Type } from 'typebox'
import { NullableNumber, NullableString } from '../http/fields.ts'
import type { Services } from '../http/services.ts'
import { toNumber } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { type Challenge, readChallenge } from '../protocols/x402/challenge.ts'
import { askSeller, readOutgoing } from './exchange.ts'
import type { PricedOffer } from './offer.ts'
import { readDemand } from './pay.ts'

export const DiscoveryBody = Type.Object({
  supports_x402: Type.Boolean(),
  payment_address: NullableString,
  amount: NullableNumber,
  asset: NullableString,
  network: NullableString,
  accepts: Type.Array(Type.Unknown(), { description: 'Every offer, as the seller wrote it' }),
})

/** Asks the URL, by GET and without paying, what it wants for an answer. */
export async function discoverX402(services: Services, url: string) {
  const request = readOutgoing(services.egress, { url, method: 'GET' })
  const asked = await askSeller(services.egress, request)
  const challenge = readChallenge(asked)
  const best = challenge && cheapest(services, asked)
  return {
    supports_x402: challenge !== undefined,
    payment_address: best?.offer.payTo ?? null,
    amount: best ? toNumber(best.merchantAmount, services.chain.asset.decimals) : null,
    asset: best ? services.chain.asset.symbol : null,
    network: best?.offer.network ?? null,
    accepts: challenge ? acceptsOf(challenge) : [],
  }
}

/** The offer that a card here would pay, if there is one. */
function cheapest(
  services: Services,
  asked: Parameters<typeof readDemand>[1],
): PricedOffer | undefined {
  try {
    return readDemand(services, asked, undefined).priced
  } catch (error) {
    if (error instanceof Problem && error.code === 'no_payable_option') return undefined
    throw error
  }
}

const acceptsOf = ({ paymentRequired }: Challenge): unknown[] =>
  Array.isArray(paymentRequired.accepts) ? paymentRequired.accepts : []

import { Type } from 'typebox'
import type { Uses } from '../../../../api/http/services.ts'
import { amount, formatAmount } from '../../../../base/kernel/money.ts'
import {
  encodePaymentRequired,
  PAYMENT_REQUIRED_HEADER,
  type PaymentRequired,
  type PaymentRequirements,
  paymentRequiredV1,
  paymentRequirements,
  permit2Requirements,
} from '../../../../base/protocols/x402/requirements.ts'
import { assetOfLink, isInOurs, linkUrl, summaryOf } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'
import type { Asked, Demand, DemandPart, Prepare } from '../method.ts'
import { isLinkWorthCarrying } from '../minimum.ts'
import { offerSignIn } from './sign-in.ts'
import { signOffers } from './signed.ts'

const MAX_TIMEOUT_SECONDS = 120

/** The x402 offer of a link: its amount, or the payer's, to its address. No offer below the minimum. */
export const offerOf = (
  services: Uses<'chain' | 'settings'>,
  link: PayLink,
  chosen: bigint | null,
): PaymentRequirements[] => {
  const value = link.amount ?? chosen
  if (value === null || !isLinkWorthCarrying(services, link, value)) return []
  const asset = assetOfLink(services.chain, link)
  const require = isInOurs(services.chain, link) ? paymentRequirements : permit2Requirements
  return [
    require({
      asset,
      amount: amount(value),
      payTo: link.payTo,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    }),
  ]
}

/** The URL that is paid for: that of the link, with the amount if the payer chose it. */
export function resourceOf(
  services: Uses<'chain' | 'settings'>,
  link: PayLink,
  chosen: bigint | null,
): string {
  const url = linkUrl(services, link)
  if (chosen === null) return url
  return `${url}?amount=${formatAmount(chosen, assetOfLink(services.chain, link).decimals)}`
}

export const x402Prepare: Prepare = {
  field: 'x402',
  schema: Type.Union(
    [
      Type.Object({
        url: Type.String({ description: 'URL of the pay link' }),
        accepts: Type.Array(Type.Any(), {
          description: 'Offers of x402, as its specification writes them',
        }),
      }),
      Type.Null(),
    ],
    { description: 'What a payer by x402 needs; null where the link does not take it' },
  ),
  read: async (services, _, link) => ({
    url: linkUrl(services, link),
    accepts: offerOf(services, link, null),
  }),
}

export const x402Demand: Demand = {
  headers: {
    [PAYMENT_REQUIRED_HEADER]: 'The x402 v2 demand, base64 JSON, if the link takes x402',
  },
  make: makeDemand,
}

/** The header of x402 v2, and a body that x402 v1 reads. */
async function makeDemand(
  services: Uses<'chain' | 'mppKeys' | 'settings' | 'signing'>,
  at: Date,
  asked: Asked,
): Promise<DemandPart> {
  const { link } = asked
  const required = requiredOf(services, asked)
  const body = paymentRequiredV1(required)
  if (required.accepts.length === 0) return { isOffered: false, headers: {}, body }
  const extensions = {
    ...(await signOffers(services, at, { link, required })),
    ...(link.payersReturn && offerSignIn(services, at, link)),
  }
  const header = encodePaymentRequired({ ...required, extensions })
  return { isOffered: true, headers: { [PAYMENT_REQUIRED_HEADER]: header }, body }
}

function requiredOf(
  services: Uses<'chain' | 'settings'>,
  { link, chosen, refused }: Asked,
): PaymentRequired {
  const isPriced = link.amount !== null || chosen !== null
  return {
    resource: {
      url: resourceOf(services, link, chosen),
      description: summaryOf(link),
      mimeType: 'application/json',
    },
    accepts: link.acceptedProtocols.includes('x402') ? offerOf(services, link, chosen) : [],
    error:
      refused?.reason ??
      (isPriced ? 'payment required' : 'name the amount: add ?amount= to the URL'),
  }
}

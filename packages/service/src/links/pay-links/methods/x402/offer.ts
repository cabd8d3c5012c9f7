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
function makeDemand(
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  at: Date,
  asked: Asked,
): DemandPart {
  const { link } = asked
  const required = {
    ...requiredOf(services, asked),
    ...(link.payersReturn && { extensions: offerSignIn(services, at, link) }),
  }
  const isOffered = required.accepts.length > 0
  return {
    isOffered,
    headers: isOffered ? { [PAYMENT_REQUIRED_HEADER]: encodePaymentRequired(required) } : {},
    body: paymentRequiredV1(required),
  }
}

function requiredOf(
  services: Uses<'chain' | 'settings'>,
  { link, chosen, refused }: Asked,
): PaymentRequired {
  const { decimals } = assetOfLink(services.chain, link)
  const url = linkUrl(services, link)
  const isPriced = link.amount !== null || chosen !== null
  return {
    resource: {
      url: chosen === null ? url : `${url}?amount=${formatAmount(chosen, decimals)}`,
      description: summaryOf(link),
      mimeType: 'application/json',
    },
    accepts: link.acceptedProtocols.includes('x402') ? offerOf(services, link, chosen) : [],
    error:
      refused?.reason ??
      (isPriced ? 'payment required' : 'name the amount: add ?amount= to the URL'),
  }
}

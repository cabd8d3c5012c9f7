import type { Address, Asset, Network } from '../../kernel/assets.ts'
import type { Amount } from '../../kernel/money.ts'
import { encodeHeader, type JsonObject, v1NameOf } from './wire.ts'

/**
 * One entry of `accepts` as this service offers it: scheme `exact`, settled before the resource is served. Our own asset is
 * paid by EIP-3009, any other token by Permit2.
 */
export type PaymentRequirements = {
  readonly scheme: 'exact'
  readonly network: Network
  /** Base units, in decimal. */
  readonly amount: string
  readonly asset: Address
  readonly payTo: Address
  readonly maxTimeoutSeconds: number
  readonly extra:
    | {
        readonly name: string
        readonly version: string
        readonly assetTransferMethod: 'eip3009'
        readonly paymentFlow: 'upfront'
      }
    | { readonly assetTransferMethod: 'permit2'; readonly paymentFlow: 'upfront' }
}

export type Resource = {
  readonly url: string
  readonly description?: string
  readonly mimeType?: string
  /** At most 32 printable ASCII characters. */
  readonly serviceName?: string
  readonly tags?: readonly string[]
  readonly iconUrl?: string
}

export type PaymentRequired = {
  readonly resource: Resource
  readonly accepts: readonly PaymentRequirements[]
  /** The reason why the last payment was refused, or that a payment is needed. */
  readonly error?: string
  readonly extensions?: JsonObject
}

export const PAYMENT_REQUIRED_HEADER = 'PAYMENT-REQUIRED'

/**
 * The offer to take `amount` of the asset at `payTo`. The payer's signature should be valid for `maxTimeoutSeconds`.
 */
export function paymentRequirements(offer: {
  asset: Asset
  amount: Amount
  payTo: Address
  maxTimeoutSeconds: number
}): PaymentRequirements {
  const { asset, amount, payTo, maxTimeoutSeconds } = offer
  return {
    scheme: 'exact',
    network: asset.network,
    amount: amount.toString(),
    asset: asset.contract,
    payTo,
    maxTimeoutSeconds,
    extra: {
      name: asset.eip712.name,
      version: asset.eip712.version,
      assetTransferMethod: 'eip3009',
      paymentFlow: 'upfront',
    },
  }
}

/** As `paymentRequirements`, for a token that is paid by Permit2. */
export const permit2Requirements = (
  offer: Parameters<typeof paymentRequirements>[0],
): PaymentRequirements => ({
  ...paymentRequirements(offer),
  extra: { assetTransferMethod: 'permit2', paymentFlow: 'upfront' },
})

/** The value of `PAYMENT-REQUIRED`. Keep it to four offers: many proxies stop at 8 KB of headers. */
export const encodePaymentRequired = (required: PaymentRequired): string =>
  encodeHeader({ x402Version: 2, ...required })

/** The 402 body for clients of v1. Leaves out offers by Permit2, and on networks for which v1 has no name. */
export function paymentRequiredV1({ resource, accepts, error }: PaymentRequired): JsonObject {
  return {
    x402Version: 1,
    error: error ?? 'X-PAYMENT header is required',
    accepts: accepts.flatMap((offer) => {
      const network = v1NameOf(offer.network)
      return network === undefined || offer.extra.assetTransferMethod === 'permit2'
        ? []
        : [requirementsV1(offer, network, resource, offer.extra)]
    }),
  }
}

const requirementsV1 = (
  offer: PaymentRequirements,
  network: string,
  resource: Resource,
  { name, version }: { name: string; version: string },
) => ({
  scheme: offer.scheme,
  network,
  maxAmountRequired: offer.amount,
  resource: resource.url,
  description: resource.description ?? '',
  mimeType: resource.mimeType ?? 'application/json',
  payTo: offer.payTo,
  maxTimeoutSeconds: offer.maxTimeoutSeconds,
  asset: offer.asset,
  extra: { name, version },
})

import type { Address, Hex, Network } from '../../kernel/assets.ts'
import { sha256 } from '../../kernel/secrets.ts'
import type { TransferAuthorization } from '../eip3009/authorization.ts'
import { type Offer, readOffer, type SkipReason } from './challenge.ts'
import { matchAccepted, type Terms } from './match.ts'
import {
  type PaymentPayload,
  parseFacilitatedPayload,
  parseFacilitatedPayloadV1,
} from './payload.ts'
import { isIdentifierMissing } from './payment-identifier.ts'
import { type Refused, refused } from './refusal.ts'
import { isObject, type JsonObject, v1NameOf } from './wire.ts'

/** What a seller asks a facilitator about a payment: well formed, and what is signed pays exactly what is required. */
export type FacilitatedPayment = {
  readonly payload: PaymentPayload
  readonly requirements: Offer
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  /** SHA-256 of payload and requirements: the same request again has the same. */
  readonly hash: Buffer
  /** What the client sent back of the seller's demand, as it came. */
  readonly resource: JsonObject
  readonly extensions: JsonObject
}
export type ReadPayment = { readonly ok: true; readonly payment: FacilitatedPayment } | Refused

/** The body of `/verify` and `/settle` (x402 v2, "Facilitator Interface"; v1 alike). */
export type FacilitatorBody = {
  x402Version?: number
  paymentPayload: JsonObject
  paymentRequirements: JsonObject
}

const BY_SKIP: Partial<Record<SkipReason, readonly [Refused['reason'], string]>> = {
  unsupported_scheme: ['unsupported_scheme', 'Only the scheme exact is settled here.'],
  unsupported_network: ['invalid_network', 'The required network is not an eip155 chain.'],
  unsupported_transfer_method: [
    'unsupported_scheme',
    'Only EIP-3009 transfers are settled here: assetTransferMethod must be eip3009.',
  ],
  unsupported_payment_flow: [
    'unsupported_scheme',
    'Only the payment flows authorization and upfront are settled here.',
  ],
}

/**
 * Reads what a seller sends to `/verify` or `/settle`. The client's `accepted` must be the requirements, member for
 * member, and its authorization must pay exactly them. Nothing is said of signature, time, network or asset yet.
 */
export function readFacilitated(body: FacilitatorBody): ReadPayment {
  const { paymentPayload, paymentRequirements } = body
  const version = body.x402Version ?? paymentPayload.x402Version
  if (version !== 1 && version !== 2)
    return refused('invalid_x402_version', 'x402Version must be 1 or 2.')
  const requirements = readOffer(paymentRequirements, version)
  if (typeof requirements === 'string') {
    const [reason, detail] = BY_SKIP[requirements] ?? [
      'invalid_payment_requirements' as const,
      `The payment requirements cannot be read: ${requirements.replaceAll('_', ' ')}.`,
    ]
    return refused(reason, detail)
  }
  const parsed =
    version === 1
      ? parseFacilitatedPayloadV1(paymentPayload)
      : parseFacilitatedPayload(paymentPayload)
  if (!parsed.ok) return parsed
  const { payload } = parsed
  const matched = matchAccepted(payload, [termsOf(requirements, version)])
  if (!matched.ok) return matched
  const extensions = isObject(paymentPayload.extensions) ? paymentPayload.extensions : {}
  const resource = isObject(paymentPayload.resource) ? paymentPayload.resource : {}
  if (isIdentifierMissing(extensions))
    return refused('invalid_payload', 'The seller requires a payment identifier.')
  const { authorization, signature } = payload
  const hash = sha256(JSON.stringify([paymentPayload, paymentRequirements]))
  return {
    ok: true,
    payment: { payload, requirements, authorization, signature, hash, resource, extensions },
  }
}

/** The requirements as they are compared: as sent in v2, by their meaning in v1, whose client accepts no offer by name. */
function termsOf({ raw, network, amount, payTo }: Offer, version: 1 | 2): Terms {
  // What was read into an offer has these members as text.
  return version === 2
    ? (raw as Terms & JsonObject)
    : { network, amount: amount.toString(), payTo, extra: raw.extra }
}

/** The answer of `/verify`: an outcome of the protocol, whatever it is. */
export type VerifyResponse =
  | { readonly isValid: true; readonly payer: Address }
  | {
      readonly isValid: false
      readonly invalidReason: string
      readonly invalidMessage: string
      readonly payer?: Address
    }

/** One way of paying that a facilitator settles. */
export type Kind = {
  readonly x402Version: 1 | 2
  readonly scheme: 'exact'
  /** By its v1 name where the version is 1. */
  readonly network: string
}

/** The ways in which payments on a network are settled: by v2, and by v1 where that has a name for the network. */
export function kindsOn(network: Network): Kind[] {
  const name = v1NameOf(network)
  const v2: Kind = { x402Version: 2, scheme: 'exact', network }
  return name === undefined ? [v2] : [v2, { x402Version: 1, scheme: 'exact', network: name }]
}

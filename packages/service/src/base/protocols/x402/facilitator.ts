import type { Address, Hex, Network } from '../../kernel/assets.ts'
import { sha256 } from '../../kernel/secrets.ts'
import type { TransferAuthorization } from '../evm/eip3009/authorization.ts'
import {
  type Mechanism,
  type Offer,
  readOffer,
  readPermit2Offer,
  readUptoOffer,
  type SkipReason,
  type TransferMethod,
} from './challenge.ts'
import { matchAccepted, type Terms } from './match.ts'
import { isIdentifierMissing } from './payment/identifier.ts'
import {
  type ParsedPayment,
  type PaymentPayload,
  parseFacilitatedPayload,
  parseFacilitatedPayloadV1,
} from './payment/payload.ts'
import { parseSponsoredPayload, parseUptoPayload } from './payment/permit2.ts'
import { type Refused, refused } from './refusal.ts'
import { isObject, type JsonObject, readUint, v1NameOf } from './wire.ts'

/** A payment that a seller submits to a facilitator: well formed, and the signed data pays exactly the requirements. */
export type FacilitatedPayment = {
  readonly payload: PaymentPayload
  /** As the client accepted them: for upto with the most that it pays. */
  readonly requirements: Offer
  /** For permit2 and upto, the authorization is a `Permit` of the required asset. */
  readonly method: Mechanism
  /** The amount to move. For upto what was used, not yet compared with the authorization's value. */
  readonly amount: bigint
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  /** SHA-256 of payload and requirements. A repeated request has the same hash. */
  readonly hash: Buffer
  /** The parts of the seller's demand that the client sent back, unchanged. */
  readonly resource: JsonObject
  readonly extensions: JsonObject
}
export type ReadPayment = { readonly ok: true; readonly payment: FacilitatedPayment } | Refused

/** The body of `/verify` and `/settle` (x402 v2, "Facilitator Interface"; the same in v1). */
export type FacilitatorBody = {
  x402Version?: number
  paymentPayload: JsonObject
  paymentRequirements: JsonObject
}

const BY_SKIP: Partial<Record<SkipReason, readonly [Refused['reason'], string]>> = {
  unsupported_scheme: [
    'unsupported_scheme',
    'Only the schemes exact, upto and auth-capture are settled here.',
  ],
  unsupported_network: ['invalid_network', 'The required network is not an eip155 chain.'],
  unsupported_transfer_method: [
    'unsupported_scheme',
    'assetTransferMethod must be eip3009, or permit2 by x402 version 2.',
  ],
  unsupported_payment_flow: [
    'unsupported_scheme',
    'Only the payment flows authorization and upfront are settled here.',
  ],
}

/**
 * Reads a seller's request to `/verify` or `/settle`. The client's `accepted` must equal the requirements member for
 * member, and its authorization must pay exactly them. For upto, the amount alone may differ: the client accepted the most.
 * Does not check signature, time, network or asset.
 */
export function readFacilitated(body: FacilitatorBody): ReadPayment {
  const { paymentPayload, paymentRequirements } = body
  const version = body.x402Version ?? paymentPayload.x402Version
  if (version !== 1 && version !== 2)
    return refused('invalid_x402_version', 'x402Version must be 1 or 2.')
  const method = methodOf(paymentRequirements, version)
  const requirements = readTerms(method, version, body)
  if (typeof requirements === 'string') {
    const [reason, detail] = BY_SKIP[requirements] ?? [
      'invalid_payment_requirements' as const,
      `The payment requirements cannot be read: ${requirements.replaceAll('_', ' ')}.`,
    ]
    return refused(reason, detail)
  }
  const parsed = parseAs(method, version, paymentPayload, requirements)
  if (!parsed.ok) return parsed
  const { payload } = parsed
  const matched = matchAccepted(payload, [termsOf(requirements, version)])
  if (!matched.ok) return matched
  const extensions = isObject(paymentPayload.extensions) ? paymentPayload.extensions : {}
  const resource = isObject(paymentPayload.resource) ? paymentPayload.resource : {}
  if (isIdentifierMissing(extensions))
    return refused('invalid_payload', 'The seller requires a payment identifier.')
  const { authorization, signature } = payload
  const amount = method === 'upto' ? readUint(paymentRequirements.amount) : authorization.value
  if (amount === undefined)
    return refused('invalid_payment_requirements', 'amount must be base units in decimal.')
  const hash = sha256(JSON.stringify([paymentPayload, paymentRequirements]))
  return {
    ok: true,
    payment: {
      payload,
      requirements,
      method,
      amount,
      authorization,
      signature,
      hash,
      resource,
      extensions,
    },
  }
}

function methodOf({ scheme, extra }: JsonObject, version: 1 | 2): Mechanism {
  if (version === 1) return 'eip3009'
  if (scheme === 'upto') return 'upto'
  return isObject(extra) && extra.assetTransferMethod === 'permit2' ? 'permit2' : 'eip3009'
}

function readTerms(
  method: Mechanism,
  version: 1 | 2,
  { paymentPayload, paymentRequirements }: FacilitatorBody,
): Offer | SkipReason {
  if (method === 'eip3009') return readOffer(paymentRequirements, version)
  if (method === 'permit2') return readPermit2Offer(paymentRequirements)
  const { accepted } = paymentPayload
  const amount = isObject(accepted) ? accepted.amount : undefined
  return readUptoOffer({ ...paymentRequirements, amount })
}

function parseAs(
  method: Mechanism,
  version: 1 | 2,
  payload: JsonObject,
  requirements: Offer,
): ParsedPayment {
  if (method === 'permit2') return parseSponsoredPayload(payload, requirements)
  if (method === 'upto') return parseUptoPayload(payload, requirements)
  return version === 1 ? parseFacilitatedPayloadV1(payload) : parseFacilitatedPayload(payload)
}

/**
 * The requirements for comparison: as sent in v2; by their meaning in v1, whose client does not name the offer it
 * accepts.
 */
function termsOf({ raw, network, amount, payTo }: Offer, version: 1 | 2): Terms {
  // An offer was read from `raw`, so these members are text.
  return version === 2
    ? (raw as Terms & JsonObject)
    : { network, amount: amount.toString(), payTo, extra: raw.extra }
}

/** The response of `/verify`: an outcome of the protocol in either case. */
export type VerifyResponse =
  | { readonly isValid: true; readonly payer: Address }
  | {
      readonly isValid: false
      readonly invalidReason: string
      readonly invalidMessage: string
      readonly payer?: Address
    }

/** A way of paying that a facilitator settles. */
export type Kind = {
  readonly x402Version: 1 | 2
  readonly scheme: 'exact' | 'upto' | 'auth-capture'
  /** By its v1 name if the version is 1. */
  readonly network: string
  readonly extra?: {
    readonly assetTransferMethods?: TransferMethod[]
    readonly facilitatorAddress?: Address
    readonly authCaptureEscrow?: Address
    readonly refundCollector?: Address
  }
}

/**
 * The ways to settle payments on a network: by v2, and by v1 if v1 has a name for the network. v1 has EIP-3009 only. With a
 * facilitator for upto, who settles a part of what was allowed.
 */
export function kindsOn(
  network: Network,
  assetTransferMethods: TransferMethod[],
  facilitatorAddress?: Address,
): Kind[] {
  const name = v1NameOf(network)
  const kinds: Kind[] = [
    { x402Version: 2, scheme: 'exact', network, extra: { assetTransferMethods } },
  ]
  if (facilitatorAddress)
    kinds.push({ x402Version: 2, scheme: 'upto', network, extra: { facilitatorAddress } })
  if (name !== undefined) kinds.push({ x402Version: 1, scheme: 'exact', network: name })
  return kinds
}

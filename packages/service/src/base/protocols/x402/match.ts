import type { Asset, Hex } from '../../kernel/assets.ts'
import {
  type TransferAuthorization,
  VALIDITY_MARGIN_SECONDS,
} from '../evm/eip3009/authorization.ts'
import { recoverAuthorizationSigner } from '../evm/eip3009/signature.ts'
import type { PaymentPayload } from './payment/payload.ts'
import { type Refused, refused } from './refusal.ts'
import { isObject, type JsonObject, sameJson } from './wire.ts'

/** The members of an offer that a payment is compared with. */
export type Terms = {
  readonly network: string
  /** Base units, in decimal. */
  readonly amount: string
  readonly payTo: string
  readonly extra?: unknown
}

/** Finds the offer of ours that the payment accepts, and checks that the signed data pays exactly that offer. */
export function matchAccepted<Offer extends Terms>(
  payload: PaymentPayload,
  offers: readonly Offer[],
): { ok: true; offer: Offer } | Refused {
  const onNetwork = offers.filter((offer) => offer.network === payload.network)
  const [first] = onNetwork
  if (!first)
    return refused(
      'invalid_exact_evm_network_mismatch',
      'No offer is on the network of the payment.',
    )
  const { accepted, authorization } = payload
  // A v1 client does not name its offer: take the one that its authorization pays.
  const offer = accepted
    ? onNetwork.find((candidate) => sameJson(candidate, accepted))
    : (onNetwork.find((candidate) => !mismatch(candidate, authorization)) ?? first)
  if (!offer) return difference(first, accepted ?? {})
  return mismatch(offer, authorization) ?? { ok: true, offer }
}

/** Checks the time and the payer's signature of a payment that matches an offer. Asks no chain. */
export function authorizationRefusal(payment: {
  asset: Asset
  authorization: TransferAuthorization
  signature: Hex
  nowSeconds: bigint
}): Refused | undefined {
  const { asset, authorization, signature, nowSeconds } = payment
  const untimely = timeRefusal(authorization, nowSeconds)
  if (untimely) return untimely
  if (recoverAuthorizationSigner(asset, authorization, signature) !== authorization.from)
    return refused('invalid_exact_evm_signature', 'The signature is not that of the payer.')
  return undefined
}

/** The reason why an authorization cannot be submitted at this time, in Unix seconds. */
export function timeRefusal(
  authorization: TransferAuthorization,
  nowSeconds: bigint,
): Refused | undefined {
  if (authorization.validBefore < nowSeconds + VALIDITY_MARGIN_SECONDS)
    return refused(
      'invalid_exact_evm_payload_authorization_valid_before',
      'The authorization has expired or is about to.',
    )
  if (authorization.validAfter >= nowSeconds)
    return refused(
      'invalid_exact_evm_payload_authorization_valid_after',
      'The authorization is not valid yet.',
    )
  return undefined
}

function mismatch(offer: Terms, { to, value }: TransferAuthorization): Refused | undefined {
  if (to.toLowerCase() !== offer.payTo.toLowerCase())
    return refused('invalid_exact_evm_recipient_mismatch', 'The authorization pays someone else.')
  if (value !== BigInt(offer.amount))
    return refused(
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'The authorization is not for the exact amount of the offer.',
    )
  return undefined
}

/** Names the first difference between `accepted` and the offer that was probably meant. */
function difference(offer: Terms, accepted: JsonObject): Refused {
  const extra = isObject(accepted.extra) ? accepted.extra : {}
  const offered = isObject(offer.extra) ? offer.extra : {}
  if (accepted.payTo !== offer.payTo)
    return refused('invalid_exact_evm_recipient_mismatch', 'The accepted payTo is not offered.')
  if (accepted.amount !== offer.amount)
    return refused(
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'The accepted amount is not offered.',
    )
  if (extra.name !== offered.name)
    return refused(
      'invalid_exact_evm_token_name_mismatch',
      'The accepted token name is not offered.',
    )
  if (extra.version !== offered.version)
    return refused(
      'invalid_exact_evm_token_version_mismatch',
      'The accepted token version is not offered.',
    )
  return refused(
    'invalid_payment_requirements',
    'The accepted offer differs from every one that was made. Send it back unchanged.',
  )
}

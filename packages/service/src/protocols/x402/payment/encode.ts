import type { Hex } from '../../../kernel/assets.ts'
import type { TransferAuthorization } from '../../evm/eip3009/authorization.ts'
import type { Challenge, Offer } from '../challenge.ts'
import { encodeHeader, isObject, type JsonObject } from '../wire.ts'
import { withPaymentIdentifier } from './identifier.ts'
import { PAYMENT_SIGNATURE_HEADER, X_PAYMENT_HEADER } from './payload.ts'

/**
 * The header that pays an offer of the challenge. The offer, the resource and the extensions go back unchanged, since
 * sellers compare them. `paymentIdentifier` is sent only to a seller that asks for one.
 */
export function encodePayment(payment: {
  challenge: Challenge
  offer: Offer
  authorization: TransferAuthorization
  signature: Hex
  paymentIdentifier?: string
}): { headerName: string; headerValue: string } {
  const { challenge, offer, authorization, signature, paymentIdentifier } = payment
  const payload = { signature, authorization: writeAuthorization(authorization) }
  if (challenge.version === 1) {
    const { scheme, network } = offer.raw
    const headerValue = encodeHeader({ x402Version: 1, scheme, network, payload })
    return { headerName: X_PAYMENT_HEADER, headerValue }
  }
  const { resource, extensions } = challenge.paymentRequired
  const headerValue = encodeHeader({
    x402Version: 2,
    ...(isObject(resource) && { resource }),
    accepted: offer.raw,
    payload,
    ...(isObject(extensions) && { extensions: echo(extensions, paymentIdentifier) }),
  })
  return { headerName: PAYMENT_SIGNATURE_HEADER, headerValue }
}

const echo = (extensions: JsonObject, paymentIdentifier: string | undefined): JsonObject =>
  paymentIdentifier === undefined
    ? extensions
    : withPaymentIdentifier(extensions, paymentIdentifier)

const writeAuthorization = (authorization: TransferAuthorization): JsonObject => ({
  from: authorization.from,
  to: authorization.to,
  value: authorization.value.toString(),
  validAfter: authorization.validAfter.toString(),
  validBefore: authorization.validBefore.toString(),
  nonce: authorization.nonce,
})

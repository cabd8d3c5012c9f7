import type { Hex } from '../../../kernel/assets.ts'
import type { TransferAuthorization } from '../../evm/eip3009/authorization.ts'
import { EXACT_PERMIT2_PROXY, UPTO_PERMIT2_PROXY } from '../../evm/permit2/abi.ts'
import type { Permit } from '../../evm/permit2/permit.ts'
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
  const { challenge, offer, authorization, signature } = payment
  const payload = { signature, authorization: writeAuthorization(authorization) }
  if (challenge.version === 1) {
    const { scheme, network } = offer.raw
    const headerValue = encodeHeader({ x402Version: 1, scheme, network, payload })
    return { headerName: X_PAYMENT_HEADER, headerValue }
  }
  return encodeV2({ ...payment, payload })
}

/** As `encodePayment`, for an offer that is paid by Permit2, with the permit that was signed for it. */
export function encodePermitPayment(payment: {
  challenge: Challenge
  offer: Offer
  permit: Permit
  signature: Hex
  paymentIdentifier?: string
}): { headerName: string; headerValue: string } {
  const { offer, permit, signature } = payment
  const { facilitator } = offer
  const permit2Authorization = {
    from: permit.from,
    permitted: { token: permit.token, amount: permit.value.toString() },
    spender: offer.mechanism === 'upto' ? UPTO_PERMIT2_PROXY : EXACT_PERMIT2_PROXY,
    nonce: BigInt(permit.nonce).toString(),
    deadline: permit.validBefore.toString(),
    witness: {
      to: permit.to,
      ...(facilitator ? { facilitator } : {}),
      validAfter: permit.validAfter.toString(),
    },
  }
  return encodeV2({ ...payment, payload: { signature, permit2Authorization } })
}

function encodeV2(payment: {
  challenge: Challenge
  offer: Offer
  payload: JsonObject
  paymentIdentifier?: string
}): { headerName: string; headerValue: string } {
  const { challenge, offer, payload, paymentIdentifier } = payment
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

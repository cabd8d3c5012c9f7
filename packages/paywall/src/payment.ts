import { isObject, objectIn } from './bytes.ts'
import type { HeaderReader, Quote, Visit } from './demand.ts'
import type { PaymentBody } from './service.ts'

/** A payment in the headers of a request. */
export type Presented = {
  protocol: 'x402' | 'mpp'
  version: 1 | 2
  /** The value of its header: a secret. */
  header: string
  /** The id of MPP's challenge, as the client sent it back. */
  challengeId?: string
}
/** Why no payment can be read, for an answer with 400. */
export type Unreadable = { fault: string }

const HEADER_MAX = 32_768

/** The one payment of a request; undefined if there is none. */
export function presentedIn(headers: HeaderReader): Presented | Unreadable | undefined {
  const v2 = headers.get('payment-signature')
  const v1 = headers.get('x-payment')
  const found: Presented[] = []
  if (v2 !== null) found.push({ protocol: 'x402', version: 2, header: v2 })
  if (v1 !== null && v2 === null) found.push({ protocol: 'x402', version: 1, header: v1 })
  for (const name of ['authorization', 'payment-authorization']) {
    const value = headers.get(name)
    if (value !== null && /^\s*payment(?=[\s,]|$)/i.test(value))
      found.push({ protocol: 'mpp', version: 1, header: value.trim() })
  }
  const [payment, another] = found
  if (!payment) return undefined
  if (another) return { fault: 'Send one payment, in one header.' }
  if (payment.header.length > HEADER_MAX) return { fault: 'The payment is longer than 32 KiB.' }
  if (payment.protocol === 'x402') return payment
  const credential = objectIn(payment.header.replace(/^payment\s+/i, ''))
  const challenge = credential?.challenge
  if (!isObject(challenge) || typeof challenge.id !== 'string')
    return { fault: 'The credential is not a JSON object in base64url with its challenge.' }
  return { ...payment, challengeId: challenge.id }
}

/** The payment as the service takes it: by x402 with our own offer, which the service compares with the accepted one. */
export function bodyOf(
  payment: Presented,
  { quote, visit }: { quote: Quote; visit: Visit },
): PaymentBody | Unreadable {
  if (payment.protocol === 'mpp') {
    const amount = String(quote.amount)
    const digest = visit.digest === undefined ? {} : { digest: visit.digest }
    return { mpp: { credential: payment.header, amount, ...digest } }
  }
  const payload = objectIn(payment.header)
  if (!payload) return { fault: 'The payment is not base64 of a JSON object.' }
  const { resource, accepted } = payload
  if (
    payment.version === 2 &&
    isObject(resource) &&
    ![undefined, visit.resource].includes(resource.url as string)
  )
    return { fault: 'The payment was made for another URL.' }
  const offers = payment.version === 2 ? quote.accepts : quote.acceptsV1
  const scheme = payment.version === 1 ? payload.scheme : isObject(accepted) && accepted.scheme
  const offer = offers.find((one) => 'scheme' in one && one.scheme === scheme)
  if (!offer) return { fault: 'The payment accepts none of the offers.' }
  const x402Version = payment.version
  return { x402: { x402Version, paymentPayload: payload, paymentRequirements: offer } }
}

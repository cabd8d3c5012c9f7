import type { KeyObject } from 'node:crypto'
import { isList, isObject, type JsonObject, member, memberOr } from '../../json.ts'
import { digestOf } from '../jose/digest.ts'
import { readJws, signJws } from '../jose/jws.ts'
import { checkSignature, type Signer } from '../jose/keys.ts'
import { isCurrency } from '../read/currency.ts'
import { type Merchant, readMerchant, readObject, readSeconds, readText } from '../read/fields.ts'
import { Ap2Refusal, refusedAs } from '../refusal.ts'
import { secondsOf, toInteger } from './terms.ts'

export type LineItem = { readonly title: string; readonly quantity: number }

/** A payee's offer: one for each link and currency. */
export type Checkout = {
  readonly issuer: string
  /** The link's id. */
  readonly id: string
  /** Random, so that two checkouts of one link never have the same hash, and nobody can guess a hash. */
  readonly jti: string
  readonly merchant: Merchant
  readonly currency: string
  /** In minor units; absent if the payer chooses. */
  readonly amount?: bigint
  readonly lineItems: readonly LineItem[]
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/** The `checkout_hash` of a checkout mandate, which is the `transaction_id` of its payment mandate. */
export const transactionIdOf = (checkoutJwt: string): string => digestOf(checkoutJwt)

/** Signs the checkout for the payee. A payment of it names its hash as `transaction_id`. */
export async function makeCheckout(
  checkout: Checkout,
  by: { readonly kid: string; readonly sign: Signer },
): Promise<{ readonly checkoutJwt: string; readonly transactionId: string }> {
  const checkoutJwt = await signJws({ typ: 'JWT', kid: by.kid }, wireOf(checkout), by.sign)
  return { checkoutJwt, transactionId: transactionIdOf(checkoutJwt) }
}

const wireOf = (checkout: Checkout): JsonObject => ({
  iss: checkout.issuer,
  id: checkout.id,
  jti: checkout.jti,
  merchant: checkout.merchant,
  line_items: checkout.lineItems,
  currency: checkout.currency,
  ...(checkout.amount !== undefined && {
    totals: [{ type: 'total', amount: toInteger(checkout.amount) }],
  }),
  iat: secondsOf(checkout.issuedAt),
  exp: secondsOf(checkout.expiresAt),
})

/** Reads a checkout, checking its issuer's signature and that it has not expired. Throws `checkout_invalid`. */
export const verifyCheckout = (jwt: string, key: KeyObject, at: Date): Checkout =>
  refusedAs('checkout_invalid', () => readCheckout(jwt, key, at))

function readCheckout(jwt: string, key: KeyObject, at: Date): Checkout {
  const { payload, signingInput, signature } = readJws(jwt)
  if (!checkSignature({ signingInput, signature, key: 'root' }, key))
    throw invalid('Its signature is not of this key')
  const [issued, expires] = [readSeconds(payload, 'iat'), readSeconds(payload, 'exp')]
  if (issued === undefined || expires === undefined) throw invalid('It lacks iat or exp')
  const expiresAt = new Date(expires * 1000)
  if (at >= expiresAt) throw invalid('It has expired')
  const currency = member(payload, 'currency')
  if (!isCurrency(currency)) throw invalid('Its currency is no upper case ISO 4217 code')
  const amount = totalOf(payload)
  return {
    issuer: readText(payload, 'iss'),
    id: readText(payload, 'id'),
    jti: readText(payload, 'jti'),
    merchant: readMerchant(readObject(payload, 'merchant')),
    currency,
    ...(amount !== undefined && { amount }),
    lineItems: lineItemsOf(payload),
    issuedAt: new Date(issued * 1000),
    expiresAt,
  }
}

function totalOf(payload: JsonObject): bigint | undefined {
  const totals = member(payload, 'totals')
  if (totals === undefined) return undefined
  const total = isList(totals)
    ? totals.find((one) => isObject(one) && member(one, 'type') === 'total')
    : undefined
  const amount = isObject(total) ? member(total, 'amount') : undefined
  if (typeof amount !== 'number' || amount < 0) throw invalid('Its total is no amount')
  return BigInt(amount)
}

function lineItemsOf(payload: JsonObject): readonly LineItem[] {
  const items = memberOr(payload, 'line_items', [])
  if (!isList(items)) throw invalid('Its line items are no list')
  return items.map((item) => {
    const quantity = isObject(item) ? member(item, 'quantity') : undefined
    if (!isObject(item) || typeof quantity !== 'number')
      throw invalid('A line item has no quantity')
    return { title: readText(item, 'title'), quantity }
  })
}

const invalid = (why: string): Ap2Refusal =>
  new Ap2Refusal('checkout_invalid', `The checkout cannot be used. ${why}`)

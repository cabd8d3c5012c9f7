import { decodeBase64 } from '../../base64.ts'
import type { Challenge, Offer } from '../challenge.ts'
import { isObject, type JsonObject, parseJsonObject } from '../wire.ts'
import { OFFER_RECEIPT, type OfferTerms, type ReceiptTerms } from './write.ts'

/** The longest signed offer or receipt that is kept, as JSON. Those of the official sellers have 0.7 KB. */
const KEPT_MAX_CHARACTERS = 8 * 1024
const OFFERS_MAX = 64

/** A signed offer or receipt taken apart; its signature is not judged yet. */
export type SignedText =
  | {
      readonly format: 'jws'
      readonly alg: unknown
      readonly kid: string | undefined
      readonly payload: JsonObject
      readonly signingInput: string
      readonly signature: Uint8Array
    }
  | { readonly format: 'eip712'; readonly payload: JsonObject; readonly signature: string }

/** Takes apart what a seller sent; undefined if it is in neither format. */
export function readSignedText(sent: JsonObject): SignedText | undefined {
  const { format, signature, payload } = sent
  if (typeof signature !== 'string') return undefined
  if (format === 'eip712') return isObject(payload) ? { format, payload, signature } : undefined
  if (format !== 'jws') return undefined
  const [first = '', second = '', third = '', ...more] = signature.split('.')
  const [header, body, bytes] = [jsonIn(first), jsonIn(second), decodeBase64(third)]
  // Members that change how a signature is made are not known here, so they are not read past.
  if (more.length > 0 || !header || !body || !bytes || 'crit' in header || 'b64' in header)
    return undefined
  return {
    format,
    alg: header.alg,
    kid: typeof header.kid === 'string' ? header.kid : undefined,
    payload: body,
    signingInput: `${first}.${second}`,
    signature: bytes,
  }
}

const jsonIn = (part: string): JsonObject | undefined => {
  const bytes = decodeBase64(part)
  return bytes && parseJsonObject(bytes)
}

/** The offer that was signed; undefined unless each member has its type. No `validUntil`, or 0, is no end. */
export function readOfferTerms(payload: JsonObject): OfferTerms | undefined {
  const { resourceUrl, scheme, network, asset, payTo, amount, validUntil = 0, version } = payload
  const texts = { resourceUrl, scheme, network, asset, payTo, amount }
  if (!areTexts(texts) || !isTime(validUntil) || version !== 1) return undefined
  return { ...texts, validUntil }
}

/** The receipt that was signed; undefined unless each member has its type. */
export function readReceiptTerms(payload: JsonObject): ReceiptTerms | undefined {
  const { resourceUrl, network, payer, issuedAt, transaction = '', version } = payload
  const texts = { resourceUrl, network, payer, transaction }
  if (!areTexts(texts) || !isTime(issuedAt) || version !== 1) return undefined
  return { ...texts, issuedAt }
}

const areTexts = <K extends string>(members: Record<K, unknown>): members is Record<K, string> =>
  Object.values(members).every((value) => typeof value === 'string')
const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** The seller's signature on one of its offers, as it came. */
export type SignedOffer = {
  readonly sent: JsonObject
  /** It is meant for this offer, by its index, and says other terms. */
  readonly isOther: boolean
}

/**
 * The signed offer that belongs to an entry of `accepts`: by its index, else by its terms. Undefined if there is none that
 * could be kept.
 */
export function findSignedOffer(
  { version, paymentRequired }: Challenge,
  { raw }: Offer,
): SignedOffer | undefined {
  if (version === 1) return undefined
  const { accepts } = paymentRequired
  const index = Array.isArray(accepts) ? accepts.indexOf(raw) : -1
  const offers = signedIn(paymentRequired.extensions, 'offers')
  const signed = (Array.isArray(offers) ? offers.slice(0, OFFERS_MAX) : []).filter(isKept)
  const meant = signed.find(({ acceptIndex }) => acceptIndex === index)
  if (meant) return { sent: meant, isOther: fits(meant, raw) === false }
  const like = signed.find((one) => one.acceptIndex === undefined && fits(one, raw))
  return like && { sent: like, isOther: false }
}

/** The signed receipt in a settlement response, as it came. */
export function findSignedReceipt({ extensions }: JsonObject): JsonObject | undefined {
  const receipt = signedIn(extensions, 'receipt')
  return isKept(receipt) ? receipt : undefined
}

function signedIn(extensions: unknown, member: 'offers' | 'receipt'): unknown {
  const extension = isObject(extensions) ? extensions[OFFER_RECEIPT] : undefined
  const info = isObject(extension) ? extension.info : undefined
  return isObject(info) ? info[member] : undefined
}

const isKept = (value: unknown): value is JsonObject =>
  isObject(value) && JSON.stringify(value).length <= KEPT_MAX_CHARACTERS

/** Whether the terms are those of the entry; undefined for terms that cannot be read. */
function fits(sent: JsonObject, raw: JsonObject): boolean | undefined {
  const text = readSignedText(sent)
  const terms = text && readOfferTerms(text.payload)
  return terms && TERMS.every((name) => isSameTerm(terms[name], raw[name]))
}

const TERMS = ['scheme', 'network', 'asset', 'payTo', 'amount'] as const

/** Addresses are the same in any letter case. */
export const isSameTerm = (a: string, b: unknown): boolean =>
  a === b || (/^0x/i.test(a) && a.toLowerCase() === String(b).toLowerCase())

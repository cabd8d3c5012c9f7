import { createPublicKey, verify } from 'node:crypto'
import { hashTypedData } from 'viem'
import { decodeBase64 } from '../../base64.ts'
import { recoverSigner } from '../../evm/eip3009/signature.ts'
import { isObject, type JsonObject, parseJsonObject } from '../wire.ts'
import {
  isSameTerm,
  readOfferTerms,
  readReceiptTerms,
  readSignedText,
  type SignedText,
} from './read.ts'
import { type OfferTerms, type ReceiptTerms, toSign } from './write.ts'

/** The payment that a signed offer or receipt should be of. Times in Unix seconds. */
export type PaidFacts = {
  readonly url: string
  readonly network: string
  readonly scheme: string
  readonly asset: string
  readonly payTo: string
  readonly amount: string
  readonly payer: string
  readonly txHash: string | null
  readonly at: number
}

/** Public keys as JWKs, by the `kid` under which the seller's own host publishes them. */
export type PublishedKeys = Readonly<Record<string, JsonObject>>

export type SignedFault =
  | 'unreadable'
  | 'other_resource'
  | 'other_scheme'
  | 'other_network'
  | 'other_asset'
  | 'other_payee'
  | 'other_amount'
  | 'expired'
  | 'other_payer'
  | 'other_transaction'
  | 'older_than_payment'

export type JudgedSignature = {
  /** `no_key`: the key that it names is not known, so nothing is known of the signature. */
  readonly signature: 'valid' | 'invalid' | 'no_key'
  /** The `kid` of the key, or the address that signed. */
  readonly signedBy: string | null
  /** `host`: the seller's host publishes the key. `payee`: the address that is paid signed. Null: only the message names the key. */
  readonly vouchedBy: 'host' | 'payee' | null
  /** The key by which a JWS was checked. */
  readonly key: JsonObject | null
  /** Each way in which what was signed differs from what was paid. */
  readonly faults: readonly SignedFault[]
}

/** Compares a signed offer with the payment that was made for it. */
export function judgeOffer(
  sent: JsonObject,
  paid: PaidFacts,
  keys: PublishedKeys,
): JudgedSignature {
  const text = readSignedText(sent)
  const terms = text && readOfferTerms(text.payload)
  if (!terms) return UNREADABLE
  return {
    ...judgeSignature(text, { typed: { primaryType: 'Offer', terms }, paid, keys }),
    faults: faultsOf({
      other_resource: isSameUrl(terms.resourceUrl, paid.url),
      other_scheme: terms.scheme === paid.scheme,
      other_network: terms.network === paid.network,
      other_asset: isSameTerm(terms.asset, paid.asset),
      other_payee: isSameTerm(terms.payTo, paid.payTo),
      other_amount: terms.amount === paid.amount,
      expired: terms.validUntil === 0 || terms.validUntil >= paid.at,
    }),
  }
}

/** Clocks differ by so much, and a receipt of an earlier payment is older. */
const CLOCK_SECONDS = 300

/** Compares a signed receipt with the payment that it came for. */
export function judgeReceipt(
  sent: JsonObject,
  paid: PaidFacts,
  keys: PublishedKeys,
): JudgedSignature {
  const text = readSignedText(sent)
  const terms = text && readReceiptTerms(text.payload)
  if (!terms) return UNREADABLE
  const { transaction = '' } = terms
  return {
    ...judgeSignature(text, { typed: { primaryType: 'Receipt', terms }, paid, keys }),
    faults: faultsOf({
      other_resource: isSameUrl(terms.resourceUrl, paid.url),
      other_network: terms.network === paid.network,
      other_payer: isSameTerm(terms.payer, paid.payer),
      other_transaction:
        transaction === '' || paid.txHash === null || isSameTerm(transaction, paid.txHash),
      older_than_payment: terms.issuedAt >= paid.at - CLOCK_SECONDS,
    }),
  }
}

const UNREADABLE: JudgedSignature = {
  signature: 'invalid',
  signedBy: null,
  vouchedBy: null,
  key: null,
  faults: ['unreadable'],
}

const faultsOf = (fits: Partial<Record<SignedFault, boolean>>): SignedFault[] =>
  (Object.keys(fits) as SignedFault[]).filter((name) => !fits[name])

const isSameUrl = (a: string, b: string): boolean => URL.parse(a)?.href === URL.parse(b)?.href

type Typed =
  | { primaryType: 'Offer'; terms: OfferTerms }
  | { primaryType: 'Receipt'; terms: ReceiptTerms }

function judgeSignature(
  text: SignedText,
  { typed, paid, keys }: { typed: Typed; paid: PaidFacts; keys: PublishedKeys },
): Omit<JudgedSignature, 'faults'> {
  if (text.format === 'eip712') {
    const signer = recoverSigner(digestOf(typed), text.signature)
    if (!signer) return { signature: 'invalid', signedBy: null, vouchedBy: null, key: null }
    const vouchedBy = isSameTerm(signer, paid.payTo) ? 'payee' : null
    return { signature: 'valid', signedBy: signer, vouchedBy, key: null }
  }
  const { kid = null } = text
  const published = kid !== null && Object.hasOwn(keys, kid) ? keys[kid] : undefined
  const key = published ?? keyInKid(kid)
  if (!key) return { signature: 'no_key', signedBy: kid, vouchedBy: null, key: null }
  const isGood = isSignedBy(text, key)
  return {
    signature: isGood ? 'valid' : 'invalid',
    signedBy: kid,
    vouchedBy: isGood && published ? 'host' : null,
    key,
  }
}

const UINT = { type: 'uint256' }
const TEXT = { type: 'string' }
const TYPES = {
  Offer: [
    { name: 'version', ...UINT },
    { name: 'resourceUrl', ...TEXT },
    { name: 'scheme', ...TEXT },
    { name: 'network', ...TEXT },
    { name: 'asset', ...TEXT },
    { name: 'payTo', ...TEXT },
    { name: 'amount', ...TEXT },
    { name: 'validUntil', ...UINT },
  ],
  Receipt: [
    { name: 'version', ...UINT },
    { name: 'network', ...TEXT },
    { name: 'resourceUrl', ...TEXT },
    { name: 'payer', ...TEXT },
    { name: 'issuedAt', ...UINT },
    { name: 'transaction', ...TEXT },
  ],
}

/** The digest that was signed. The chain id is 1 on every network. */
const digestOf = ({ primaryType, terms }: Typed) =>
  hashTypedData({
    domain: { name: `x402 ${primaryType.toLowerCase()}`, version: '1', chainId: 1 },
    types: TYPES,
    primaryType,
    message: toSign(terms),
  })

/** The key that a name by the DID method `jwk` holds. */
function keyInKid(kid: string | null): JsonObject | undefined {
  const [, written] = /^did:jwk:([\w-]+)(?:#|$)/.exec(kid ?? '') ?? []
  const bytes = written === undefined ? undefined : decodeBase64(written)
  const key = bytes && parseJsonObject(bytes)
  return key && publicPartOf(key)
}

/** The members of a public key; undefined for keys of other kinds than the three that sign here. */
export function publicPartOf(jwk: unknown): JsonObject | undefined {
  if (!isObject(jwk)) return undefined
  const { kty, crv, x, y } = jwk
  const isPoint = kty === 'EC' && typeof y === 'string'
  if (typeof crv !== 'string' || typeof x !== 'string' || !(isPoint || kty === 'OKP'))
    return undefined
  return isPoint ? { kty, crv, x, y } : { kty, crv, x }
}

/** The algorithm of a JWS for each curve, with the digest that it signs; EdDSA takes the text itself. */
const ALGORITHMS: Readonly<Record<string, { crv: string; digest: string | null }>> = {
  ES256: { crv: 'P-256', digest: 'sha256' },
  ES256K: { crv: 'secp256k1', digest: 'sha256' },
  EdDSA: { crv: 'Ed25519', digest: null },
}

function isSignedBy(text: Extract<SignedText, { format: 'jws' }>, jwk: JsonObject): boolean {
  const algorithm = ALGORITHMS[String(text.alg)]
  if (!algorithm || algorithm.crv !== jwk.crv) return false
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const input = Buffer.from(text.signingInput, 'latin1')
    const how = { key, dsaEncoding: 'ieee-p1363' } as const
    return verify(algorithm.digest, input, how, text.signature)
  } catch {
    // A point off its curve, or a signature of another length, has signed nothing.
    return false
  }
}

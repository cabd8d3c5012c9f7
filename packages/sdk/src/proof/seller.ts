import { fromBase64url } from './bytes.ts'
import { isJwk, isSigned, type ProofKey } from './statement.ts'

/** A seller's own signature in an evidence pack (x402 `offer-receipt`), and what became of checking it. */
export type SellerSignature = {
  /** `no_key`: the key that it names is not known. */
  signature: 'valid' | 'invalid' | 'no_key'
  /** Whether that was found here. Else it is the service's word: signatures by EIP-712 and ES256K are left to it. */
  is_checked_here: boolean
  /** The name of the key, or the address that signed. */
  signed_by: string | null
  /** `host`: the seller's host published the key, as the service saw. `payee`: the address that was paid signed. Else anybody may have. */
  vouched_by: 'host' | 'payee' | null
  /** Each way in which what was signed differs from what was paid: `other_amount`, `expired` and the like. */
  faults: string[]
}

type Part = Record<string, unknown>
export type SellerParts = {
  payment: unknown
  offer: unknown
  settlement: unknown
  receipt: unknown
}

/** Checks what the seller signed, out of the parts alone. Answers a sentence for each word of the service that is not so. */
export async function checkSeller(parts: SellerParts): Promise<{
  seller: { offer: SellerSignature | null; receipt: SellerSignature | null }
  faults: string[]
}> {
  const facts = factsOf(parts)
  const faults: string[] = []
  const judge = async (name: 'offer' | 'receipt') => {
    const said = partOf(partOf(parts[name]).signed)
    if (!('sent' in said)) return null
    const found = await judgeSigned(said, facts[name])
    const claimed = JSON.stringify([said.signature, said.faults])
    if (claimed !== JSON.stringify([found.signature, found.faults]))
      faults.push(`The seller's signed ${name} is not as the service says: ${wordsOf(found)}.`)
    return found
  }
  return { seller: { offer: await judge('offer'), receipt: await judge('receipt') }, faults }
}

const wordsOf = ({ signature, faults }: SellerSignature): string =>
  [`its signature is ${signature}`, ...faults].join(', ')

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null ? (value as Part) : {}

type Fits = (terms: Part) => Record<string, boolean>

/** The comparisons of an offer and of a receipt with the payment, by the names of their faults. */
function factsOf({ payment, offer, settlement }: SellerParts): Record<'offer' | 'receipt', Fits> {
  const { network, created_at } = partOf(payment)
  const { url, offer: asked } = partOf(offer)
  const { scheme, asset } = partOf(asked)
  const { authorization, tx_hash } = partOf(settlement)
  const { pay_to, max_amount_atomic, payer } = partOf(authorization)
  const at = Math.floor(Date.parse(String(created_at)) / 1000)
  return {
    offer: (terms) => ({
      other_resource: isSameUrl(terms.resourceUrl, url),
      other_scheme: terms.scheme === scheme,
      other_network: terms.network === network,
      other_asset: isSame(terms.asset, asset),
      other_payee: isSame(terms.payTo, pay_to),
      other_amount: terms.amount === max_amount_atomic,
      expired: !terms.validUntil || Number(terms.validUntil) >= at,
    }),
    receipt: (terms) => ({
      other_resource: isSameUrl(terms.resourceUrl, url),
      other_network: terms.network === network,
      other_payer: isSame(terms.payer, payer),
      other_transaction:
        !terms.transaction || tx_hash === null || isSame(terms.transaction, tx_hash),
      older_than_payment: Number(terms.issuedAt) >= at - CLOCK_SECONDS,
    }),
  }
}

const CLOCK_SECONDS = 300
const lower = (value: unknown): string => String(value).toLowerCase()
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (lower(a).startsWith('0x') && lower(a) === lower(b))
const hrefOf = (value: unknown): string | undefined => {
  try {
    return new URL(String(value)).href
  } catch {
    return undefined
  }
}
const isSameUrl = (a: unknown, b: unknown): boolean => hrefOf(a) === hrefOf(b)

async function judgeSigned(said: Part, fits: Fits): Promise<SellerSignature> {
  const { format, signature, payload } = partOf(said.sent)
  const claimed = {
    signature: said.signature as SellerSignature['signature'],
    is_checked_here: false,
    signed_by: said.signed_by as string | null,
    vouched_by: said.vouched_by as SellerSignature['vouched_by'],
  }
  const isUnreadable = String(said.faults) === 'unreadable'
  if (isUnreadable) return { ...claimed, faults: ['unreadable'] }
  const words = String(signature).split('.')
  const terms = format === 'eip712' ? partOf(payload) : jsonIn(words[1])
  const faults = Object.entries(fits(terms)).flatMap(([name, isSo]) => (isSo ? [] : [name]))
  const found = format === 'jws' ? await checkJws(words, partOf(said.key)) : undefined
  return found === undefined
    ? { ...claimed, faults }
    : { ...claimed, signature: found ? 'valid' : 'invalid', is_checked_here: true, faults }
}

const jsonIn = (text = ''): Part => {
  try {
    return partOf(JSON.parse(new TextDecoder().decode(fromBase64url(text))))
  } catch {
    return {}
  }
}

/** Whether the key made the signature; undefined for an algorithm that WebCrypto does not have everywhere, or without a key. */
async function checkJws(
  [header = '', body = '', proof = '']: string[],
  { kty, crv, x, y }: Part,
): Promise<boolean | undefined> {
  const { alg } = jsonIn(header)
  const key = { kty, crv, x, y }
  if (alg !== 'ES256' || crv !== 'P-256' || !isJwk(key)) return undefined
  const signed = { signingInput: `${header}.${body}`, signature: fromBase64url(proof) }
  return isSigned(signed, key as ProofKey)
}

import { base64url, canonical, hmac, randomText, utf8 } from './bytes.ts'
import type { Terms } from './service.ts'

/** Permit2's address on every chain, which the draft requires in the terms. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** How long a challenge can be paid, if its handler takes no longer. */
const CHALLENGE_SECONDS = 300

/** A challenge of the scheme `Payment`. `terms` is the decoded request. */
export type Challenge = {
  id: string
  realm: string
  method: string
  intent: string
  request: string
  description?: string
  digest?: string
  expires: string
  header?: string
  opaque: string
  terms: object
}
type Offer = { method: string; request: object }

export type Asked = {
  amount: bigint
  resource: string
  realm: string
  describe: string
  /** The digest of the body, if there is one. */
  digest: string | undefined
  /** `Accept-Payment` of the request. */
  accept: string | null
  /** Another credential is in `Authorization`. */
  isAuthorizationTaken: boolean
  /** How long a payment must be good. */
  leastSeconds: number
}

/** A challenge for each way to pay by MPP, each unique and bound to the resource, the amount and the body. */
export function challenges(terms: Terms, asked: Asked): Promise<Challenge[]> {
  const offers = preferred(offersOf(terms, asked), asked.accept)
  return Promise.all(offers.map((offer) => makeChallenge(terms, offer, asked)))
}

function offersOf(terms: Terms, { amount }: Asked): Offer[] {
  const { asset, chainId, payTo, isOnChain, minOnChain, cardLink, issuer } = terms
  const offers: Offer[] = []
  if (isOnChain && amount >= minOnChain)
    offers.push({
      method: 'evm',
      request: {
        ...{ amount: String(amount), currency: asset.contract, recipient: payTo },
        methodDetails: {
          ...{ chainId, decimals: asset.decimals, permit2Address: PERMIT2 },
          credentialTypes: ['authorization'],
        },
      },
    })
  if (cardLink !== null)
    offers.push({
      method: 'agentcard',
      request: {
        ...{ amount: String(amount), currency: asset.symbol.toLowerCase(), recipient: cardLink },
        methodDetails: { issuer, decimals: asset.decimals },
      },
    })
  return offers
}

async function makeChallenge(terms: Terms, offer: Offer, asked: Asked): Promise<Challenge> {
  const { resource, describe, digest, isAuthorizationTaken } = asked
  const seconds = Math.max(CHALLENGE_SECONDS, asked.leastSeconds)
  const encode = (value: object) => base64url(utf8(canonical(value)))
  const challenge = {
    realm: asked.realm,
    method: offer.method,
    intent: 'charge',
    request: encode(offer.request),
    ...(describe && { description: describe }),
    ...(digest !== undefined && { digest }),
    expires: new Date(Date.now() + seconds * 1000).toISOString(),
    ...(isAuthorizationTaken && { header: 'Payment-Authorization' }),
    opaque: encode({ resource, salt: randomText(), scope: terms.payTo }),
  }
  const { realm, method, intent, request, expires, opaque } = challenge
  const slots = [realm, method, intent, request, expires, digest ?? '', opaque]
  if (isAuthorizationTaken) slots.push('Payment-Authorization')
  const mac = await hmac(terms.key, utf8(slots.join('|')))
  return { id: base64url(mac), ...challenge, terms: offer.request }
}

const ORDER = [
  ...(['id', 'realm', 'method', 'intent', 'request'] as const),
  ...(['description', 'digest', 'expires', 'header', 'opaque'] as const),
]

/** The challenge as a value of `WWW-Authenticate`. */
export const written = (challenge: Challenge): string =>
  `Payment ${ORDER.flatMap((name) => {
    const value = challenge[name]
    return value === undefined ? [] : [`${name}="${quoted(value)}"`]
  }).join(', ')}`

const quoted = (text: string): string =>
  text
    .replace(/[\\"]/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The challenge with its request decoded, as `POST /api/mpp/agentcard` takes it. */
export const shown = ({ terms, ...challenge }: Challenge): object => ({
  ...challenge,
  request: terms,
})

const RANGE = /^\s*(\*|[a-z0-9-]+)\s*\/\s*(\*|[a-z0-9-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/** The offers in the client's order, without those that it rules out. A header that rules out all, or is malformed, is ignored. */
function preferred(offers: Offer[], accept: string | null): Offer[] {
  if (accept === null) return offers
  const ranges = accept
    .slice(0, 2_048)
    .split(',')
    .map((text) => RANGE.exec(text))
  if (ranges.includes(null)) return offers
  const weightOf = ({ method }: Offer): number => {
    const fits = (name: string) =>
      ranges.find((range) => range?.[1] === name && ['*', 'charge'].includes(range[2] ?? ''))
    const range = fits(method) ?? fits('*')
    return range ? Number(range[3] ?? 1) : 0
  }
  const weighed = offers
    .map((offer) => ({ offer, weight: weightOf(offer) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return weighed.length > 0 ? weighed.map(({ offer }) => offer) : offers
}

/** The receipt of a paid answer, for `Payment-Receipt`. */
export const receiptHeader = (receipt: object): string =>
  base64url(utf8(canonical({ status: 'success', ...receipt })))

/** The body's digest, as a challenge names it. */
export const digestHeader = (hash: Uint8Array): string =>
  `sha-256=:${btoa(String.fromCharCode(...hash))}:`

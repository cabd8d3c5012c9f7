import { type Challenge, readChallenge } from '../../../base/protocols/x402/challenge.ts'
import type { FacilitatedPayment } from '../../../base/protocols/x402/facilitator.ts'
import {
  hasExactNumbers,
  isObject,
  type JsonObject,
  readAddress,
} from '../../../base/protocols/x402/wire.ts'

/** The URL of a resource, by the word of its payer. Nothing else that the payer says is used. */
export type ListingAsked = { url: string; method: 'GET' | 'POST' }

/** A resource as the catalogue shows it. */
export type Listing = {
  /** The URL, or the template of URLs. */
  resource: string
  type: 'http' | 'mcp'
  accepts: unknown[]
  shown: Record<string, unknown>
}

const BAZAAR = 'bazaar'
/** The largest listing, in characters of JSON. */
const LISTING_MAX = 16_000
const URL_MAX = 2_048
const TEXT_MAX = 500
/** Printable ASCII, as the bazaar extension requires for `serviceName` and `tags`. */
const NAME = /^[\x20-\x7e]{1,32}$/
const TAGS_MAX = 5
/** A path with `:names` in place of the parts that vary. Nobody decodes it. */
const TEMPLATE = /^\/[A-Za-z0-9_/:.~-]+$/

/** Whether the client sent the seller's `bazaar` extension back: the seller wants to be listed. */
export const wantsListing = ({ extensions }: Pick<FacilitatedPayment, 'extensions'>): boolean =>
  Object.hasOwn(extensions, BAZAAR)

/** The resource that was paid for. Undefined if the seller does not ask to be listed. */
export function listingAsked(payment: FacilitatedPayment): ListingAsked | undefined {
  const url = wantsListing(payment) ? webUrl(payment.resource.url) : undefined
  if (!url) return undefined
  const bazaar = payment.extensions[BAZAAR]
  const info = isObject(bazaar) && isObject(bazaar.info) ? bazaar.info : {}
  const input = isObject(info.input) ? info.input : {}
  const isRead = input.type !== 'mcp' && !['POST', 'PUT', 'PATCH'].includes(String(input.method))
  return { url: url.origin + url.pathname, method: isRead ? 'GET' : 'POST' }
}

/**
 * Reads the listing from the resource's answer: a 402 of x402 version 2 with the `bazaar` extension, whose demand pays
 * `payTo`, the payee of a settlement. Undefined for any other answer.
 */
export function listingOf(
  answer: Parameters<typeof readChallenge>[0],
  { url, payTo }: { url: string; payTo: string },
): Listing | undefined {
  const challenge = readChallenge(answer)
  if (challenge?.version !== 2 || !isPaying(challenge, payTo)) return undefined
  const { accepts, extensions, resource } = challenge.paymentRequired
  const bazaar = isObject(extensions) ? extensions[BAZAAR] : undefined
  if (!isObject(bazaar) || !isObject(bazaar.info) || !isObject(bazaar.info.input)) return undefined
  const { type } = bazaar.info.input
  if (type !== 'http' && type !== 'mcp') return undefined
  const listing: Listing = {
    resource: templateOf(url, bazaar.routeTemplate),
    type,
    accepts: accepts as unknown[],
    shown: {
      ...describe(isObject(resource) ? resource : {}),
      extensions: {
        [BAZAAR]: {
          info: bazaar.info,
          ...(isObject(bazaar.schema) ? { schema: bazaar.schema } : {}),
        },
      },
    },
  }
  const isShown = JSON.stringify(listing).length <= LISTING_MAX && hasExactNumbers(listing)
  return isShown ? listing : undefined
}

const isPaying = ({ paymentRequired: { accepts } }: Challenge, payTo: string): boolean =>
  Array.isArray(accepts) &&
  accepts.some((offer) => isObject(offer) && readAddress(offer.payTo) === payTo)

function webUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' && value.length <= URL_MAX ? URL.parse(value) : null
  return url && !url.username && /^https?:$/.test(url.protocol) ? url : undefined
}

function templateOf(url: string, template: unknown): string {
  const isTemplate =
    typeof template === 'string' && TEMPLATE.test(template) && !template.includes('..')
  return isTemplate ? (new URL(url).origin + template).slice(0, URL_MAX) : url
}

function describe({ description, mimeType, serviceName, tags, iconUrl }: JsonObject): JsonObject {
  const names = Array.isArray(tags) ? tags.filter((tag) => NAME.test(String(tag))) : []
  return {
    ...(typeof description === 'string' ? { description: plain(description) } : {}),
    ...(typeof mimeType === 'string' && NAME.test(mimeType) ? { mimeType } : {}),
    ...(typeof serviceName === 'string' && NAME.test(serviceName) ? { serviceName } : {}),
    ...(names.length > 0 ? { tags: names.slice(0, TAGS_MAX).map(String) } : {}),
    ...(webUrl(iconUrl) ? { iconUrl } : {}),
  }
}

/** Removes control and formatting characters, such as those that change the direction of writing. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, TEXT_MAX)

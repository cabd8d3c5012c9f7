import type { FacilitatedPayment } from '../protocols/x402/facilitator.ts'
import { hasExactNumbers, isObject, type JsonObject } from '../protocols/x402/wire.ts'
import type { Listing } from './store.ts'

const BAZAAR = 'bazaar'
/** What a listing may weigh, in characters of JSON. */
const LISTING_MAX = 16_000
const URL_MAX = 2_048
const TEXT_MAX = 500
/** Printable ASCII: `serviceName` and `tags` are so by the bazaar extension. */
const NAME = /^[\x20-\x7e]{1,32}$/
const TAGS_MAX = 5
/** A path with `:names` in the place of what varies; nothing in it is decoded by anybody. */
const TEMPLATE = /^\/[A-Za-z0-9_/:.~-]+$/

/** Whether the client sent the seller's `bazaar` extension back: the seller wants to be listed. */
export const wantsListing = ({ extensions }: Pick<FacilitatedPayment, 'extensions'>): boolean =>
  Object.hasOwn(extensions, BAZAAR)

/**
 * How the resource that is paid for will be listed (x402 extension `bazaar`); undefined where the seller does not ask
 * for it, or describes it in a form or size that is not shown. All of it passed through the payer's hands, and is only
 * ever shown beside the wallet whose key settled it.
 */
export function listingOf(payment: FacilitatedPayment): Listing | undefined {
  const { extensions, requirements, resource } = payment
  const bazaar = wantsListing(payment) ? extensions[BAZAAR] : undefined
  if (!isObject(bazaar) || !isObject(bazaar.info) || !isObject(bazaar.info.input)) return undefined
  const { type } = bazaar.info.input
  if (type !== 'http' && type !== 'mcp') return undefined
  const url = readUrl(resource.url, bazaar.routeTemplate)
  if (url === undefined) return undefined
  const listing: Listing = {
    resource: url,
    type,
    accepts: [requirements.raw],
    shown: {
      ...describe(resource),
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

function webUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' && value.length <= URL_MAX ? URL.parse(value) : null
  return url && !url.username && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Scheme, host and path: what was asked with each call is left out. */
function readUrl(value: unknown, template: unknown): string | undefined {
  const url = webUrl(value)
  if (!url) return undefined
  const isTemplate =
    typeof template === 'string' && TEMPLATE.test(template) && !template.includes('..')
  return (url.origin + (isTemplate ? template : url.pathname)).slice(0, URL_MAX)
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

const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, TEXT_MAX)

import type { Egress } from '../../../base/egress/egress.ts'
import { EgressError } from '../../../base/egress/errors.ts'
import type { Place } from '../../../base/egress/guard/places.ts'
import { isObject, type JsonObject, parseJsonObject } from '../../../base/protocols/x402/wire.ts'

const DOCUMENT_MAX_BYTES = 1024 * 1024
const OFFERS_MAX = 32

/**
 * The ways to pay for a URL in the OpenAPI document of its origin, under any method (draft-payment-discovery
 * `x-payment-info`). They are claims that a demand may contradict. Empty if there is no document.
 */
export async function findAdvertised(
  egress: Egress,
  url: URL,
  place: Place,
): Promise<JsonObject[]> {
  const document = await readDocument(egress, new URL('/openapi.json', url).href, place)
  const paths = document && isObject(document.paths) ? Object.entries(document.paths) : []
  return paths
    .filter(([template]) => isPathOf(template, url.pathname))
    .flatMap(([, item]) => (isObject(item) ? Object.values(item) : []))
    .flatMap((operation) => (isObject(operation) ? offersOf(operation['x-payment-info']) : []))
    .slice(0, OFFERS_MAX)
}

async function readDocument(
  egress: Egress,
  url: string,
  place: Place,
): Promise<JsonObject | undefined> {
  try {
    const answer = await egress.fetch({
      url,
      method: 'GET',
      maxBytes: DOCUMENT_MAX_BYTES,
      place,
    })
    return answer.status === 200 && !answer.truncated ? parseJsonObject(answer.body) : undefined
  } catch (error) {
    if (error instanceof EgressError) return undefined
    throw error
  }
}

/** Whether the URL's path matches an OpenAPI path with `{name}` segments. */
function isPathOf(template: string, pathname: string): boolean {
  const [wanted, asked] = [template.split('/'), pathname.split('/')]
  return (
    wanted.length === asked.length &&
    wanted.every((part, i) => part === asked[i] || (/^\{[^{}]*\}$/.test(part) && asked[i] !== ''))
  )
}

const offersOf = (info: unknown): JsonObject[] =>
  isObject(info) && Array.isArray(info.offers) ? info.offers.filter(isObject) : []

import { ask, PAGE_BYTES, readJson } from './ask.ts'
import { type Finding, finding, isObject, type Json } from './faults.ts'

const PAGE = 100
/** A larger catalogue is not read to its end. */
const PAGES_MAX = 20

/** Asks a facilitator what it settles and what it lists: two free questions. */
export async function checkFacilitator(
  facilitator: URL,
  { url, demand }: { url: URL; demand: Json },
): Promise<Finding[]> {
  const supported = await get(facilitator, 'supported')
  const kinds = typeof supported === 'string' ? undefined : supported.kinds
  if (!Array.isArray(kinds))
    return [
      finding(
        'facilitator_silent',
        typeof supported === 'string' ? supported : 'no kinds',
        'supported',
      ),
    ]
  const isListed = await findResource(facilitator, url)
  return [
    ...checkPairs(kinds, demand),
    ...(isListed === true ? [] : [isListed === false ? finding('not_in_catalogue') : isListed]),
  ]
}

function checkPairs(kinds: unknown[], { accepts, x402Version }: Json): Finding[] {
  if (!Array.isArray(accepts)) return []
  const settles = (offer: Json) =>
    kinds.some(
      (kind) =>
        isObject(kind) &&
        kind.scheme === offer.scheme &&
        kind.network === offer.network &&
        kind.x402Version === x402Version,
    )
  const isPaid = accepts.some((offer) => isObject(offer) && settles(offer))
  return accepts.flatMap((offer, i) => {
    if (!isObject(offer) || settles(offer)) return []
    const found = finding(
      'pair_not_supported',
      `${offer.scheme} on ${offer.network} for version ${x402Version}`,
      `accepts[${i}]`,
    )
    return [{ ...found, is_advice: isPaid }]
  })
}

async function findResource(facilitator: URL, url: URL): Promise<boolean | Finding> {
  const plain = url.origin + url.pathname
  for (let page = 0; page < PAGES_MAX; page++) {
    const path = `discovery/resources?limit=${PAGE}&offset=${page * PAGE}`
    const answer = await get(facilitator, path)
    const items = typeof answer === 'string' ? undefined : answer.items
    if (!Array.isArray(items))
      return finding('facilitator_silent', String(answer), 'discovery/resources')
    if (items.some((item) => isObject(item) && fits(String(item.resource), plain))) return true
    if (items.length < PAGE) return false
  }
  return false
}

/** Whether a listed URL, or template of URLs, is that of the resource. */
function fits(listed: string, plain: string): boolean {
  const names = listed.split('/')
  const parts = plain.split('/')
  return (
    names.length === parts.length &&
    names.every((name, i) => name === parts[i] || (i > 2 && name.startsWith(':')))
  )
}

/** A sentence for what is no JSON object with status 200. */
async function get(facilitator: URL, path: string): Promise<Json | string> {
  const base = facilitator.href.replace(/\/?$/, '/')
  const answer = await ask(new URL(path, base), 'GET', PAGE_BYTES)
  if ('id' in answer) return answer.reason
  if (answer.status !== 200) return `${path} answers ${answer.status}`
  return readJson(answer.body) ?? `${path} is no JSON object`
}

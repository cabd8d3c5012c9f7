import { isIP } from 'node:net'
import { type Finding, finding, isObject, type Json, shown } from './faults.ts'

/** The request that was answered with a 402. */
export type Asked = { url: URL; method: string; version: 1 | 2 }

const LONGEST_DESCRIPTION = 500
const WITH_BODY = /^(POST|PUT|PATCH)$/

/** Finds what keeps a catalogue from listing the resource, and what a facilitator refuses in its description. */
export function checkListing(demand: Json, asked: Asked): Finding[] {
  return [
    checkResource(demand, asked),
    checkDescription(demand, asked),
    ...checkBazaar(demand, asked),
  ].filter((found) => found !== undefined)
}

const firstOffer = ({ accepts }: Json): Json =>
  Array.isArray(accepts) && isObject(accepts[0]) ? accepts[0] : {}

function checkResource(demand: Json, { url, version }: Asked): Finding | undefined {
  const resource =
    version === 1
      ? firstOffer(demand).resource
      : isObject(demand.resource)
        ? demand.resource.url
        : demand.resource
  const at = version === 1 ? 'accepts[0].resource' : 'resource.url'
  if (resource === undefined) return finding('no_resource', '', at)
  const named = typeof resource === 'string' ? URL.parse(resource) : null
  if (!named || !/^https?:$/.test(named.protocol))
    return finding('resource_not_absolute', shown(resource), at)
  const isSamePlace = named.host === url.host && named.pathname === url.pathname
  if (!isSamePlace) return finding('resource_elsewhere', shown(resource), at)
  if (named.protocol === 'http:' && url.protocol === 'https:')
    return finding('resource_insecure', '', at)
  return isPrivate(url.hostname) ? finding('not_public', url.hostname) : undefined
}

function isPrivate(host: string): boolean {
  if (host === 'localhost' || /\.(localhost|local|internal)$/.test(host)) return true
  if (isIP(host) === 4) return /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  return host.startsWith('[') && /^\[(::1\]|f[cd]|fe80)/i.test(host)
}

function checkDescription(demand: Json, { version }: Asked): Finding | undefined {
  const holder = version === 1 ? firstOffer(demand) : demand.resource
  const text = isObject(holder) ? holder.description : undefined
  return typeof text === 'string' && text.length > LONGEST_DESCRIPTION
    ? finding('description_too_long', String(text.length), 'description')
    : undefined
}

function checkBazaar(demand: Json, asked: Asked): Finding[] {
  if (asked.version === 1) return [finding('only_version_1')]
  const bazaar = isObject(demand.extensions) ? demand.extensions.bazaar : undefined
  if (!isObject(bazaar)) return [finding('not_described', '', 'extensions.bazaar')]
  const info = isObject(bazaar.info) ? bazaar.info : {}
  const faults = [
    checkInput(info.input, asked),
    isObject(info.output) && typeof info.output.type !== 'string'
      ? finding('no_output_type', '', 'extensions.bazaar.info.output')
      : undefined,
    checkReferences(bazaar),
    checkTemplate(bazaar.routeTemplate, asked.url),
  ]
  return faults.filter((found) => found !== undefined)
}

function checkInput(input: unknown, { method }: Asked): Finding | undefined {
  const at = 'extensions.bazaar.info.input'
  if (!isObject(input)) return finding('no_input', '', at)
  if (input.type === 'mcp') return undefined
  if (input.type !== 'http') return finding('unknown_input_type', shown(input.type), `${at}.type`)
  if (input.method === undefined) return finding('no_input_method', '', `${at}.method`)
  if (input.method !== method)
    return finding('wrong_input_method', shown(input.method), `${at}.method`)
  const isKnown = /^(json|form-data|text)$/.test(String(input.bodyType))
  return WITH_BODY.test(method) && !isKnown
    ? finding('no_body_type', shown(input.bodyType), `${at}.bodyType`)
    : undefined
}

/** Finds a `$ref` or `$id` that leaves its own schema. */
function checkReferences(bazaar: Json): Finding | undefined {
  const waiting: unknown[] = [bazaar.schema, bazaar.info]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) waiting.push(...value)
    if (!isObject(value)) continue
    for (const name of ['$ref', '$id']) {
      const target = value[name]
      if (typeof target === 'string' && !target.startsWith('#'))
        return finding('foreign_reference', shown(target), 'extensions.bazaar')
    }
    waiting.push(...Object.values(value))
  }
  return undefined
}

function checkTemplate(template: unknown, url: URL): Finding | undefined {
  if (template === undefined) return undefined
  const at = 'extensions.bazaar.routeTemplate'
  const parts = typeof template === 'string' ? template.split('/') : []
  if (parts.includes('*')) return finding('bare_wildcard', shown(template), at)
  const asked = url.pathname.split('/')
  const fits =
    parts.length === asked.length &&
    parts.every((part, i) => (part.startsWith(':') ? asked[i] !== '' : part === asked[i]))
  return fits ? undefined : finding('template_elsewhere', shown(template), at)
}

import { isList, isObject, type JsonObject, type JsonValue, member, memberOr } from '../../json.ts'
import { digestOf, type HashAlgorithm, readBase64urlJson } from '../jose/digest.ts'
import { Ap2Refusal } from '../refusal.ts'

type Disclosure = { readonly name: string | undefined; readonly value: JsonValue }

type Resolution = {
  readonly disclosures: ReadonlyMap<string, Disclosure>
  readonly taken: Set<string>
  /** The current depth. Disclosures within disclosures nest deeper than any one of them. */
  depth: number
}

const DEPTH_MAX = 64

/**
 * The place in the content that the walk has reached. Only in `allowed`, a list within a constraint of an open mandate,
 * may digests stay undisclosed. Anywhere else a withheld claim may be the limit that the signer relied on.
 */
type Place = 'elsewhere' | 'openContent' | 'constraints' | 'constraint' | 'allowed'

const RESERVED_NAMES = new Set(['_sd', '...', '_sd_alg', '__proto__'])

const invalid = (detail: string): Ap2Refusal => new Ap2Refusal('mandate_disclosure_invalid', detail)

/**
 * Puts the disclosures in place (RFC 9901 section 7.1) and takes the one disclosed content out of `delegate_payload`.
 * Refuses a digest that occurs twice, a disclosure that no digest refers to, and a claim withheld outside `allowed`.
 */
export function resolveDisclosures(
  payload: JsonObject,
  encoded: readonly string[],
  algorithm: HashAlgorithm,
): { readonly envelope: JsonObject; readonly content: JsonObject } {
  const resolution: Resolution = {
    disclosures: readDisclosures(encoded, algorithm),
    taken: new Set(),
    depth: 0,
  }
  const { delegate_payload: delegated, _sd_alg: _, ...rest } = payload
  const envelope = resolveObject(resolution, rest, 'elsewhere')
  if (Object.hasOwn(envelope, 'delegate_payload'))
    throw invalid('delegate_payload must stand in the payload itself')
  const content = takeContent(resolution, delegated)
  const open = isObject(content) && member(content, 'vct') === 'mandate.payment.open.1'
  const resolved = resolveValue(resolution, content, open ? 'openContent' : 'elsewhere')
  if (!isObject(resolved)) throw invalid('The content of a mandate must be a JSON object')
  for (const digest of resolution.disclosures.keys())
    if (!resolution.taken.has(digest)) throw invalid('A disclosure belongs to no digest')
  return { envelope, content: resolved }
}

function readDisclosures(
  encoded: readonly string[],
  algorithm: HashAlgorithm,
): ReadonlyMap<string, Disclosure> {
  const disclosures = new Map<string, Disclosure>()
  for (const text of encoded) {
    const disclosure = readDisclosure(readBase64urlJson(text))
    const digest = digestOf(text, algorithm)
    if (disclosures.has(digest)) throw invalid('A disclosure stands twice')
    disclosures.set(digest, disclosure)
  }
  return disclosures
}

function readDisclosure(value: JsonValue): Disclosure {
  if (!isList(value) || value.length < 2 || value.length > 3 || typeof value[0] !== 'string')
    throw invalid('A disclosure must be a list of salt, name where there is one, and value')
  const [, second = null, third = null] = value
  if (value.length === 2) return { name: undefined, value: second }
  if (typeof second !== 'string' || RESERVED_NAMES.has(second))
    throw invalid('A disclosure has no usable name')
  return { name: second, value: third }
}

function takeContent(resolution: Resolution, delegated: JsonValue | undefined): JsonValue {
  const [only] = isList(delegated) ? delegated : []
  if (!isList(delegated) || delegated.length !== 1 || !isObject(only) || !isReference(only))
    throw invalid('delegate_payload must refer to exactly one disclosure')
  const content = takeElement(resolution, only)
  if (content === undefined) throw invalid('No disclosure has the digest of the content')
  return content
}

function resolveValue(resolution: Resolution, value: JsonValue, place: Place): JsonValue {
  if (resolution.depth > DEPTH_MAX) throw invalid('Disclosures nest too deep')
  resolution.depth += 1
  const resolved = isList(value)
    ? resolveList(resolution, value, place)
    : isObject(value)
      ? resolveObject(resolution, value, place)
      : value
  resolution.depth -= 1
  return resolved
}

function resolveList(
  resolution: Resolution,
  list: readonly JsonValue[],
  place: Place,
): readonly JsonValue[] {
  const within: Place = place === 'constraints' ? 'constraint' : 'elsewhere'
  const resolved: JsonValue[] = []
  for (const item of list) {
    const value = isObject(item) && isReference(item) ? takeElement(resolution, item) : item
    if (value !== undefined) resolved.push(resolveValue(resolution, value, within))
    else if (place !== 'allowed') throw withheld()
  }
  return resolved
}

function resolveObject(resolution: Resolution, object: JsonObject, place: Place): JsonObject {
  const resolved: { [name: string]: JsonValue } = {}
  for (const name of Object.keys(object)) {
    if (name === '...' || name === '_sd_alg') throw invalid('A digest stands where none may')
    const value = object[name]
    if (name !== '_sd' && value !== undefined)
      resolved[name] = resolveValue(resolution, value, placeOf(place, name))
  }
  const digests = memberOr(object, '_sd', [])
  if (!isList(digests)) throw invalid('_sd must be a list of digests')
  for (const digest of digests) {
    const { name, value } = take(resolution, digest) ?? {}
    if (value === undefined) throw withheld()
    if (name === undefined) throw invalid('A member of an object is disclosed without its name')
    if (Object.hasOwn(resolved, name)) throw invalid('A disclosed claim stands twice')
    resolved[name] = resolveValue(resolution, value, placeOf(place, name))
  }
  return resolved
}

function placeOf(place: Place, name: string): Place {
  if (place === 'openContent' && name === 'constraints') return 'constraints'
  return place === 'constraint' && name === 'allowed' ? 'allowed' : 'elsewhere'
}

const withheld = (): Ap2Refusal =>
  new Ap2Refusal(
    'mandate_disclosure_withheld',
    'A claim is withheld; only elements of allowed lists may be',
  )

/** Whether the item is `{"...": digest}`, which replaces an element of a list. */
function isReference(item: JsonObject): boolean {
  if (!Object.hasOwn(item, '...')) return false
  if (Object.keys(item).length !== 1) throw invalid('A digest stands beside other members')
  return true
}

function takeElement(resolution: Resolution, item: JsonObject): JsonValue | undefined {
  const disclosure = take(resolution, member(item, '...'))
  if (disclosure?.name !== undefined) throw invalid('An element of a list is disclosed with a name')
  return disclosure?.value
}

function take(resolution: Resolution, digest: JsonValue | undefined): Disclosure | undefined {
  if (typeof digest !== 'string') throw invalid('A digest must be a string')
  if (resolution.taken.has(digest)) throw invalid('A digest stands twice')
  resolution.taken.add(digest)
  return resolution.disclosures.get(digest)
}

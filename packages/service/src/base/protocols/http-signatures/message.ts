import {
  type InnerList,
  isInnerList,
  type Parameters,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'

/** A request as RFC 9421 sees it. */
export type SignedRequest = {
  method: string
  /** The URL as the sender meant it. Never made of a `Host` header: the caller knows its own authority. */
  url: URL
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
}

/** A component that a signature covers, with its parameters as they stand in `Signature-Input`. */
export type Component = { readonly name: string; readonly parameters: Parameters }

/** One label of `Signature-Input` and `Signature` (RFC 9421, 4). Nothing is verified yet. */
export type ReadSignature = {
  readonly label: string
  readonly components: readonly Component[]
  readonly parameters: Parameters
  readonly signature: Uint8Array
  /** The inner list as it goes into the signature base. */
  readonly input: string
}

const HEADER_MAX_CHARACTERS = 8_192
const COMPONENTS_MAX = 20

/**
 * The signatures of a message, in the order of `Signature-Input`. Undefined if the two fields are no dictionaries of the
 * same labels. An absent pair gives an empty list.
 */
export function readSignatures(
  headers: SignedRequest['headers'],
): readonly ReadSignature[] | undefined {
  const { 'signature-input': input, signature } = headers
  if (input === undefined && signature === undefined) return []
  const inputs = readDictionary(input)
  const signatures = readDictionary(signature)
  if (!inputs || !signatures || inputs.size !== signatures.size) return undefined
  const read = [...inputs].map(([label, list]) => signatureOf(label, list, signatures.get(label)))
  return read.every((one) => one !== undefined) ? read : undefined
}

/** A dictionary of structured fields (RFC 9651); undefined for a text that is none. */
export function readDictionary(text: string | undefined) {
  if (text === undefined || text.length > HEADER_MAX_CHARACTERS) return undefined
  try {
    return parseDictionary(text)
  } catch {
    return undefined
  }
}

type Member = ReturnType<typeof parseDictionary> extends Map<string, infer M> ? M : never

function signatureOf(
  label: string,
  list: Member,
  value: Member | undefined,
): ReadSignature | undefined {
  if (!isInnerList(list) || value === undefined || isInnerList(value)) return undefined
  const [items, parameters] = list
  const [bytes] = value
  if (!(bytes instanceof ArrayBuffer) || items.length > COMPONENTS_MAX) return undefined
  const components = items.flatMap(([name, of]) =>
    typeof name === 'string' ? [{ name, parameters: of }] : [],
  )
  const names = new Set(components.map((one) => serializeComponent(one)))
  // RFC 9421, 2: each component occurs once.
  if (components.length !== items.length || names.size !== items.length) return undefined
  return {
    label,
    components,
    parameters,
    signature: new Uint8Array(bytes),
    input: serializeInnerList(list),
  }
}

const serializeComponent = ({ name, parameters }: Component): string =>
  serializeItem([name, parameters])

/**
 * The signature base (RFC 9421, 2.5), in ASCII. Undefined if a component is not in the message, or is of a kind that this
 * service does not read: a signature over what we cannot see proves nothing to us.
 */
export function signatureBase(
  of: { components: readonly Component[]; input: string },
  request: SignedRequest,
): string | undefined {
  const lines: string[] = []
  for (const component of of.components) {
    const value = componentValue(component, request)
    if (value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined
    lines.push(`${serializeComponent(component)}: ${value}`)
  }
  return [...lines, `"@signature-params": ${of.input}`].join('\n')
}

function componentValue(
  { name, parameters }: Component,
  request: SignedRequest,
): string | undefined {
  if (name.startsWith('@')) return derivedOf(name, parameters, request)
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return undefined
  const text = request.headers[name]
  if (text === undefined) return undefined
  if (parameters.size === 0) return text.trim().replace(/[ \t]*\r?\n[ \t]*/g, ' ')
  const key = parameters.get('key')
  if (parameters.size !== 1 || typeof key !== 'string') return undefined
  const member = readDictionary(text)?.get(key)
  if (member === undefined) return undefined
  return isInnerList(member) ? serializeInnerList(member as InnerList) : serializeItem(member)
}

/** The derived components of a request (RFC 9421, 2.2). */
function derivedOf(
  name: string,
  parameters: Parameters,
  { method, url }: SignedRequest,
): string | undefined {
  if (name === '@query-param') return queryParamOf(parameters, url)
  if (parameters.size > 0) return undefined
  switch (name) {
    case '@method':
      return method
    case '@target-uri':
      return url.href
    case '@authority':
      return url.host
    case '@scheme':
      return url.protocol.slice(0, -1)
    case '@request-target':
      return url.pathname + url.search
    case '@path':
      return url.pathname
    case '@query':
      return url.search === '' ? '?' : url.search
    default:
      return undefined
  }
}

/** One query parameter by its name, encoded as RFC 9421, 2.2.8 says. A name that occurs twice is ambiguous. */
function queryParamOf(parameters: Parameters, url: URL): string | undefined {
  const name = parameters.get('name')
  if (parameters.size !== 1 || typeof name !== 'string') return undefined
  const found = [...url.searchParams].filter(([one]) => encodeParam(one) === name)
  const [only] = found
  return found.length === 1 && only ? encodeParam(only[1]) : undefined
}

const encodeParam = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

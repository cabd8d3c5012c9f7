import { isInnerList, parseItem } from 'structured-headers'
import { unixSeconds } from '../../kernel/clock.ts'
import { isDigestOf } from '../mpp/digest.ts'
import { ProtocolRefusal } from '../refusal.ts'
import { type AgentKey, isSignedBy } from './keys.ts'
import {
  type ReadSignature,
  readDictionary,
  readSignatures,
  type SignedRequest,
  signatureBase,
} from './message.ts'

/**
 * The purposes of an agent's signature: Web Bot Auth (draft-meunier-web-bot-auth-architecture), or one of the two of
 * Visa's Trusted Agent Protocol.
 */
export const AGENT_TAGS = ['web-bot-auth', 'agent-browser-auth', 'agent-payer-auth'] as const
export type AgentTag = (typeof AGENT_TAGS)[number]

/** Drafts of Web Bot Auth advise a day at most, TAP demands eight minutes. */
const LIFETIME_SECONDS: Record<AgentTag, number> = {
  'web-bot-auth': 24 * 3_600,
  'agent-browser-auth': 480,
  'agent-payer-auth': 480,
}
/** The components that each must cover at least. `signature-agent` is asked for apart. */
const COVERED: Record<AgentTag, readonly string[]> = {
  'web-bot-auth': ['@authority'],
  'agent-browser-auth': ['@authority', '@path'],
  'agent-payer-auth': ['@authority', '@path'],
}
/** How far the sender's clock may be ahead. */
const SKEW_SECONDS = 30
const NONCE_CHARACTERS = { least: 16, most: 200 }

export type AgentCode = 'agent_signature_required' | 'agent_signature_invalid'

/** Why a request does not prove who sent it. */
export class AgentRefusal extends ProtocolRefusal<AgentCode> {
  override readonly name = 'AgentRefusal'
}

/** A request's own word about its sender. Only `isClaimOf` with a key of `agent` makes it true. */
export type AgentClaim = {
  readonly tag: AgentTag
  /** The origin of the key directory that the signature covers; null if it names none (TAP only). */
  readonly agent: string | null
  readonly keyId: string
  readonly nonce: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The names of the components that are covered. */
  readonly covers: readonly string[]
  readonly algorithm: string | null
  readonly signature: Uint8Array
  readonly base: string
}

/**
 * The first signature of a request that carries a tag of an agent, checked in all but its key: what it covers is this
 * request, now. Throws `AgentRefusal`.
 */
export function readClaim(
  request: SignedRequest,
  at: Date,
  { lifetimeSeconds }: { lifetimeSeconds?: number } = {},
): AgentClaim {
  const signatures = readSignatures(request.headers)
  if (!signatures)
    throw invalid(
      'Signature-Input and Signature must be dictionaries of one label each (RFC 9421).',
    )
  const signed = signatures.find(({ parameters }) => isAgentTag(parameters.get('tag')))
  if (!signed)
    throw new AgentRefusal(
      'agent_signature_required',
      `Sign the request by RFC 9421, with one of the tags ${AGENT_TAGS.join(', ')}.`,
    )
  const tag = signed.parameters.get('tag') as AgentTag
  const times = readTimes(signed, at, { tag, most: lifetimeSeconds ?? LIFETIME_SECONDS[tag] })
  const covers = signed.components.map(({ name }) => name)
  const missing = COVERED[tag].filter((name) => !covers.includes(name))
  if (missing.length > 0) throw invalid(`The signature must cover ${missing.join(' and ')}.`)
  const agent = readAgent(signed, request, tag)
  checkDigest(covers, request)
  const base = signatureBase(signed, request)
  if (base === undefined)
    throw invalid(
      'The signature covers a component that the request lacks, or that is not read here.',
    )
  const algorithm = signed.parameters.get('alg')
  return {
    tag,
    agent,
    ...times,
    keyId: textOf(signed, 'keyid'),
    nonce: nonceOf(signed),
    covers,
    algorithm: typeof algorithm === 'string' ? algorithm : null,
    signature: signed.signature,
    base,
  }
}

/** Whether one of the keys made the claim's signature. A Web Bot Auth key is known by its thumbprint, a TAP key by its `kid` too. */
export function isClaimOf(claim: AgentClaim, keys: readonly AgentKey[]): boolean {
  const at = unixSeconds(claim.createdAt)
  return keys.some(
    (key) =>
      isNamed(claim, key) &&
      (claim.algorithm === null || claim.algorithm === key.algorithm) &&
      (key.notBefore === null || key.notBefore <= at) &&
      (key.notAfter === null || key.notAfter > at) &&
      isSignedBy(key, claim.base, claim.signature),
  )
}

const isNamed = ({ tag, keyId }: AgentClaim, { thumbprint, kid }: AgentKey): boolean =>
  keyId === thumbprint || (tag !== 'web-bot-auth' && keyId === kid)

const isAgentTag = (value: unknown): value is AgentTag =>
  (AGENT_TAGS as readonly unknown[]).includes(value)

export const invalid = (detail: string): AgentRefusal =>
  new AgentRefusal('agent_signature_invalid', detail)

function readTimes(
  { parameters }: ReadSignature,
  at: Date,
  { tag, most }: { tag: AgentTag; most: number },
) {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  if (!Number.isSafeInteger(created) || !Number.isSafeInteger(expires))
    throw invalid('The signature must have created and expires, in Unix seconds.')
  const [from, until, now] = [Number(created), Number(expires), unixSeconds(at)]
  if (from > now + SKEW_SECONDS) throw invalid('The signature was created in the future.')
  if (until <= now) throw invalid('The signature has expired. Sign the request anew.')
  if (until <= from || until - from > most)
    throw invalid(`A signature with the tag ${tag} may live ${most} seconds.`)
  return { createdAt: new Date(from * 1000), expiresAt: new Date(until * 1000) }
}

function textOf({ parameters }: ReadSignature, name: string): string {
  const value = parameters.get(name)
  if (typeof value !== 'string' || value === '' || value.length > 255)
    throw invalid(`The signature must have ${name}, a string.`)
  return value
}

function nonceOf(signed: ReadSignature): string {
  const nonce = textOf(signed, 'nonce')
  if (nonce.length < NONCE_CHARACTERS.least || nonce.length > NONCE_CHARACTERS.most)
    throw invalid(
      `nonce must have ${NONCE_CHARACTERS.least} to ${NONCE_CHARACTERS.most} characters.`,
    )
  return nonce
}

/**
 * The origin in `Signature-Agent`, which the signature must cover: as a member of a dictionary, or as the one string of
 * earlier drafts. A `data:` URL would let the message bring its own key, so only http and https count.
 */
function readAgent(signed: ReadSignature, request: SignedRequest, tag: AgentTag): string | null {
  const text = request.headers['signature-agent']
  const component = signed.components.find(({ name }) => name === 'signature-agent')
  if (text === undefined && tag !== 'web-bot-auth') return null
  if (text === undefined || !component)
    throw invalid(
      'Send Signature-Agent with the origin of your key directory, and cover it by the signature.',
    )
  const key = component.parameters.get('key')
  const url = typeof key === 'string' ? memberOf(text, key) : itemOf(text)
  const origin = url === undefined ? undefined : originOf(url)
  if (origin === undefined)
    throw invalid('Signature-Agent must name an https origin, as "https://agent.example".')
  return origin
}

function memberOf(text: string, key: string): string | undefined {
  const member = readDictionary(text)?.get(key)
  if (member === undefined || isInnerList(member)) return undefined
  const [value, parameters] = member
  const type = parameters.get('type')
  // Other discovery types name other documents than a key directory.
  if (type !== undefined && String(type) !== 'directory') return undefined
  return typeof value === 'string' ? value : undefined
}

function itemOf(text: string): string | undefined {
  try {
    const [value] = parseItem(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The origin of an http(s) URL that is nothing but an origin. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  return isBare ? url.origin : undefined
}

/** A covered `content-digest` is that of the body; a body that it does not cover is nobody's word. */
function checkDigest(covers: readonly string[], { headers, body }: SignedRequest): void {
  const digest = headers['content-digest']
  if (!covers.includes('content-digest')) return
  if (digest === undefined || !isDigestOf(digest, body))
    throw invalid('Content-Digest is not the digest of the body.')
}

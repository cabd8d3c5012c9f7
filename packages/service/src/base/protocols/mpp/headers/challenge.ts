import { type JsonObject, member } from '../../json.ts'
import { MppRefusal } from '../refusal.ts'
import { quoteText, readAuthList } from './auth-list.ts'
import { decodeJson, HEADER_MAX_CHARACTERS, readInstant } from './wire.ts'

export const CHALLENGE_HEADER = 'WWW-Authenticate'
/** The header for a credential whose challenge asks for it, so that `Authorization` stays free for an API key. */
export const PAYMENT_AUTHORIZATION_HEADER = 'Payment-Authorization'

/** A demand for payment as sent on the wire (draft-httpauth-payment "Challenge"). */
export type Challenge = {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  /** Base64 as received. The id is bound to this text, and the client echoes it. */
  readonly request: string
  /** RFC 3339. */
  readonly expires?: string
  /** The Content-Digest of the body of the request to be paid for. */
  readonly digest?: string
  /** For display only; not covered by the id. */
  readonly description?: string
  readonly header?: typeof PAYMENT_AUTHORIZATION_HEADER
  /** Base64url that its maker wants returned unchanged. */
  readonly opaque?: string
  /** The decoded `request`. */
  readonly terms: JsonObject
}

export type SkippedChallenge = {
  readonly reason: 'malformed' | 'unsupported_header'
  readonly id: string | undefined
}

/** The sizes that a server should not exceed (draft-httpauth-payment "Size Considerations"). */
const CHALLENGE_MAX_CHARACTERS = 8 * 1024
const REQUEST_MAX_CHARACTERS = 12 * 1024
const DESCRIPTION_MAX_CHARACTERS = 256
/** The method names that mppx reads; the draft allows letters only. */
const METHOD = /^[a-z][a-z0-9:_-]{0,63}$/
const INTENT = /^[A-Za-z0-9-]{1,64}$/
const VISIBLE = /^[\x21-\x7e]{1,512}$/
const REALM = /^[\x20-\x7e]{0,512}$/
const DIGEST = /^[a-z0-9*=:+/, -]{1,512}$/i
const OPAQUE = /^[A-Za-z0-9+/_-]{1,8192}={0,2}$/
/** The most challenges that one answer is read for, however many fields it has. */
const CHALLENGES_MAX = 32

/**
 * Reads every Payment challenge in a response's `WWW-Authenticate` and ignores other schemes. An unusable challenge is
 * listed with its reason and never hides another one.
 */
export function readChallenges(fields: string | readonly string[] | undefined): {
  challenges: readonly Challenge[]
  skipped: readonly SkippedChallenge[]
} {
  const challenges: Challenge[] = []
  const skipped: SkippedChallenge[] = []
  for (const field of typeof fields === 'string' ? [fields] : (fields ?? [])) {
    if (field.length > HEADER_MAX_CHARACTERS) {
      skipped.push({ reason: 'malformed', id: undefined })
      continue
    }
    const { items, broken } = readAuthList(field)
    for (const scheme of broken)
      if (scheme === 'payment') skipped.push({ reason: 'malformed', id: undefined })
    for (const { scheme, params } of items) {
      if (scheme !== 'payment') continue
      const challenge = readChallenge((name) => params.get(name))
      if (typeof challenge !== 'string') challenges.push(challenge)
      else skipped.push({ reason: challenge, id: VISIBLE.exec(params.get('id') ?? '')?.[0] })
    }
  }
  return {
    challenges: challenges.slice(0, CHALLENGES_MAX),
    skipped: skipped.slice(0, CHALLENGES_MAX),
  }
}

/** Reads a challenge as a credential echoes it. Throws `credential_malformed`. */
export function readEcho(echo: JsonObject): Challenge {
  for (const [name, value] of Object.entries(echo))
    if (NAMES.has(name) && typeof value !== 'string') throw badEcho()
  const challenge = readChallenge((name) => {
    const value = member(echo, name)
    return typeof value === 'string' ? value : undefined
  })
  if (typeof challenge === 'string') throw badEcho()
  return challenge
}

const NAMES: ReadonlySet<string> = new Set([
  'id',
  'realm',
  'method',
  'intent',
  'request',
  'expires',
  'digest',
  'description',
  'header',
  'opaque',
])

const badEcho = (): MppRefusal =>
  new MppRefusal(
    'credential_malformed',
    'The challenge of the credential is not one that a server could have sent. Send it back unchanged.',
  )

function readChallenge(
  field: (name: string) => string | undefined,
): Challenge | SkippedChallenge['reason'] {
  const [id, realm, method, intent] = [
    field('id'),
    field('realm'),
    field('method'),
    field('intent'),
  ]
  const request = field('request')
  if (id === undefined || !VISIBLE.test(id)) return 'malformed'
  if (realm === undefined || !REALM.test(realm)) return 'malformed'
  if (method === undefined || !METHOD.test(method)) return 'malformed'
  if (intent === undefined || !INTENT.test(intent)) return 'malformed'
  if (request === undefined) return 'malformed'
  const terms = decodeJson(request, REQUEST_MAX_CHARACTERS)
  const options = readOptions(field)
  if (!terms || typeof options === 'string')
    return options === 'unsupported_header' ? options : 'malformed'
  return { id, realm, method, intent, request, ...options, terms }
}

type Options = Pick<Challenge, 'expires' | 'digest' | 'description' | 'header' | 'opaque'>

function readOptions(
  field: (name: string) => string | undefined,
): Options | SkippedChallenge['reason'] {
  const [expires, digest, opaque] = [field('expires'), field('digest'), field('opaque')]
  const [description, header] = [field('description'), field('header')]
  if (expires !== undefined && !readInstant(expires)) return 'malformed'
  if (digest !== undefined && !DIGEST.test(digest)) return 'malformed'
  if (opaque !== undefined && !OPAQUE.test(opaque)) return 'malformed'
  // Any other header would let a seller make us send a credential where it does not belong.
  if (header !== undefined && header !== PAYMENT_AUTHORIZATION_HEADER) return 'unsupported_header'
  return {
    ...(expires !== undefined && { expires }),
    ...(digest !== undefined && { digest }),
    ...(description !== undefined && { description: describe(description) }),
    ...(header !== undefined && { header }),
    ...(opaque !== undefined && { opaque }),
  }
}

const describe = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, DESCRIPTION_MAX_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')

/** The value of one `WWW-Authenticate` field. Several challenges go into several fields, or into one joined by `, `. */
export function writeChallenge(challenge: Challenge): string {
  const { terms: _terms, ...fields } = challenge
  const checked = readChallenge((name) => (fields as Record<string, string | undefined>)[name])
  if (typeof checked === 'string')
    throw new MppRefusal('challenge_malformed', 'A field of the challenge has no form on the wire')
  const params = ORDER.flatMap((name) => {
    const value = checked[name]
    return value === undefined ? [] : [`${name}=${quoteText(value)}`]
  })
  const value = `Payment ${params.join(', ')}`
  if (value.length > CHALLENGE_MAX_CHARACTERS)
    throw new MppRefusal('challenge_malformed', 'The challenge is longer than 8 KB')
  return value
}

const ORDER = [
  'id',
  'realm',
  'method',
  'intent',
  'request',
  'description',
  'digest',
  'expires',
  'header',
  'opaque',
] as const

/** The fields of a challenge that a credential echoes, as received. */
export function echoOf(challenge: Challenge): JsonObject {
  return Object.fromEntries(
    ORDER.flatMap((name) => {
      const value = challenge[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The end of the challenge; `undefined` if it does not say. */
export const expiryOf = (challenge: Challenge): Date | undefined => readInstant(challenge.expires)

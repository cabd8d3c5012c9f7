import { createHmac } from 'node:crypto'
import { assert } from '../../kernel/assert.ts'
import { equalBytes } from '../../kernel/secrets.ts'
import type { JsonObject } from '../json.ts'
import { member } from '../json.ts'
import { contentDigest } from './digest.ts'
import { type Challenge, expiryOf } from './headers/challenge.ts'
import { decodeJson, encodeJson } from './headers/wire.ts'
import { MppRefusal } from './refusal.ts'

/** The key that binds challenges, and those before it for as long as challenges made with them may live. */
export type BindingKeys = readonly [current: Uint8Array, ...previous: Uint8Array[]]

const KEY_MIN_BYTES = 32

type Bound = Pick<
  Challenge,
  'realm' | 'method' | 'intent' | 'request' | 'expires' | 'digest' | 'header' | 'opaque'
>

/**
 * The id that binds a challenge to all that is paid for (draft-httpauth-payment "Recommended: HMAC-SHA256 Binding"; a
 * header is put before the opaque value, as mppx does). No field that was read holds a `|`, so none can run into the next.
 */
export function challengeId(key: Uint8Array, challenge: Bound): string {
  assert(key.length >= KEY_MIN_BYTES, 'a key that binds challenges has at least 32 bytes')
  const {
    realm,
    method,
    intent,
    request,
    expires = '',
    digest = '',
    header,
    opaque = '',
  } = challenge
  const slots = [realm, method, intent, request, expires, digest]
  if (header !== undefined) slots.push(header)
  return createHmac('sha256', key)
    .update([...slots, opaque].join('|'))
    .digest('base64url')
}

/** A challenge of ours. Two of the same moment differ by `salt`, random text, so each can be paid once. */
export function makeChallenge(
  key: Uint8Array,
  demand: {
    /** One fixed name of this service, whatever host a request came by. */
    realm: string
    method: string
    intent: string
    terms: JsonObject
    /** What is paid for, e.g. the code of a pay link: a credential for one scope is none for another. */
    scope: string
    salt: string
    expires: Date
    /** The body of the request, where it has one. */
    body?: Uint8Array
    /** For display; control characters become spaces, and 256 characters are kept. */
    description?: string
    header?: Challenge['header']
  },
): Challenge {
  const { realm, method, intent, terms, body, description, header } = demand
  assert(!realm.includes('|'), 'a realm holds no |')
  const bound = {
    realm,
    method,
    intent,
    request: encodeJson(terms),
    expires: demand.expires.toISOString(),
    ...(body && body.length > 0 && { digest: contentDigest(body) }),
    ...(header !== undefined && { header }),
    opaque: encodeJson({ salt: demand.salt, scope: demand.scope }),
  }
  return {
    id: challengeId(key, bound),
    ...bound,
    ...(description !== undefined && { description }),
    terms,
  }
}

/**
 * Refuses an echoed challenge that this service did not make (`challenge_unknown`), made for something else
 * (`challenge_scope_mismatch`), or whose time is over at `at` (`challenge_expired`). All fields but the description are
 * ours after it.
 */
export function checkBinding(
  challenge: Challenge,
  { at, ...expected }: { keys: BindingKeys; realm: string; scope: string; at: Date },
): void {
  checkOrigin(challenge, expected)
  checkExpiry(challenge, at)
}

/** As `checkBinding`, whenever it was made: a payment that was taken in time may be asked for again after it. */
export function checkOrigin(
  challenge: Challenge,
  { keys, realm, scope }: { keys: BindingKeys; realm: string; scope: string },
): void {
  const claimed = Buffer.from(challenge.id)
  // Every key is tried, so that the time tells nothing about which one fitted.
  const fits = keys.filter((key) => equalBytes(Buffer.from(challengeId(key, challenge)), claimed))
  if (fits.length === 0 || challenge.realm !== realm)
    throw new MppRefusal(
      'challenge_unknown',
      'The challenge was not made by this service, or was changed. Pay a fresh one.',
    )
  if (scopeOf(challenge) !== scope)
    throw new MppRefusal(
      'challenge_scope_mismatch',
      'The challenge was made for something else. Pay the one of this URL.',
    )
}

/** Refuses a challenge whose time is over at `at`. */
export function checkExpiry(challenge: Challenge, at: Date): void {
  const expiry = expiryOf(challenge)
  if (!expiry || expiry <= at)
    throw new MppRefusal('challenge_expired', 'The challenge has expired. Pay a fresh one.')
}

function scopeOf(challenge: Challenge): string | undefined {
  const map = challenge.opaque === undefined ? undefined : decodeJson(challenge.opaque)
  const scope = map && member(map, 'scope')
  return typeof scope === 'string' ? scope : undefined
}

/** Refuses a challenge of ours that asks for other terms than we would ask for now. */
export function checkTerms(challenge: Challenge, terms: JsonObject): void {
  if (challenge.request !== encodeJson(terms))
    throw new MppRefusal(
      'challenge_terms_mismatch',
      'The terms have changed since the challenge was made. Pay a fresh one.',
    )
}

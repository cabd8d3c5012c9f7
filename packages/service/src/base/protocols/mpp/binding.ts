import { createHmac } from 'node:crypto'
import { assert } from '../../kernel/assert.ts'
import { equalBytes } from '../../kernel/secrets.ts'
import type { JsonObject } from '../json.ts'
import { member } from '../json.ts'
import { contentDigest } from './digest.ts'
import { type Challenge, expiryOf } from './headers/challenge.ts'
import { decodeJson, encodeJson } from './headers/wire.ts'
import { MppRefusal } from './refusal.ts'

/** The key that binds challenges, then its predecessors for as long as their challenges may live. */
export type BindingKeys = readonly [current: Uint8Array, ...previous: Uint8Array[]]

const KEY_MIN_BYTES = 32

/** The keys by which a seller's own paywall binds its challenges: derived from ours, so that both sides can check them. */
export const keysOfSeller = (
  [current, ...previous]: BindingKeys,
  walletAddress: string,
): BindingKeys => {
  const derive = (key: Uint8Array) =>
    createHmac('sha256', key).update(`seller ${walletAddress}`).digest()
  return [derive(current), ...previous.map(derive)]
}

type Bound = Pick<
  Challenge,
  'realm' | 'method' | 'intent' | 'request' | 'expires' | 'digest' | 'header' | 'opaque'
>

/**
 * The id that binds a challenge to its terms (draft-httpauth-payment-02 "Recommended: HMAC-SHA256 Binding"): seven slots,
 * and an eighth for a header. No field that we read contains `|`, so two fields cannot run together.
 */
export const challengeId = (key: Uint8Array, challenge: Bound): string =>
  macOf(key, [...slotsOf(challenge), challenge.opaque ?? '', ...headerOf(challenge)])

/** As before draft 02, and as mppx 0.11 still has it: a header goes before the opaque value. */
export const olderChallengeId = (key: Uint8Array, challenge: Bound): string =>
  macOf(key, [...slotsOf(challenge), ...headerOf(challenge), challenge.opaque ?? ''])

const slotsOf = ({ realm, method, intent, request, expires = '', digest = '' }: Bound) => [
  realm,
  method,
  intent,
  request,
  expires,
  digest,
]

const headerOf = ({ header }: Bound): string[] => (header === undefined ? [] : [header])

function macOf(key: Uint8Array, slots: string[]): string {
  assert(key.length >= KEY_MIN_BYTES, 'a key that binds challenges has at least 32 bytes')
  return createHmac('sha256', key).update(slots.join('|')).digest('base64url')
}

/** Makes a challenge. `salt` is random, so two challenges of the same moment differ and each can be paid once. */
export function makeChallenge(
  key: Uint8Array,
  demand: {
    /** One fixed name of this service, for requests to any of its hosts. */
    realm: string
    method: string
    intent: string
    terms: JsonObject
    /** The thing that is paid for, e.g. the code of a pay link. A credential is good for its own scope only. */
    scope: string
    salt: string
    expires: Date
    /** The body of the request, if it has one. */
    body?: Uint8Array
    /** For display. Control characters become spaces, and 256 characters are kept. */
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
 * Refuses an echoed challenge that this service did not make (`challenge_unknown`), that it made for something else
 * (`challenge_scope_mismatch`), or that has expired at `at` (`challenge_expired`). Afterwards all fields but the
 * description are known to be ours.
 */
export function checkBinding(
  challenge: Challenge,
  { at, ...expected }: { keys: BindingKeys; realm: string; scope: string; at: Date },
): void {
  checkOrigin(challenge, expected)
  checkExpiry(challenge, at)
}

/** As `checkBinding`, without the expiry: a payment that was accepted in time may be presented again later. */
export function checkOrigin(
  challenge: Challenge,
  { keys, realm, scope }: { keys: BindingKeys; realm: string; scope: string },
): void {
  const claimed = Buffer.from(challenge.id)
  // Every key and order is tried, so that the time taken does not reveal which one matched. A header has one possible
  // value, so no challenge of one order reads as another challenge of the other.
  const fits = keys.filter((key) => {
    const ids = [challengeId(key, challenge), olderChallengeId(key, challenge)]
    return ids.filter((id) => equalBytes(Buffer.from(id), claimed)).length > 0
  })
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

/** Refuses a challenge that has expired at `at`. */
export function checkExpiry(challenge: Challenge, at: Date): void {
  const expiry = expiryOf(challenge)
  if (!expiry || expiry <= at)
    throw new MppRefusal('challenge_expired', 'The challenge has expired. Pay a fresh one.')
}

/** The thing that a challenge was made for, by its own word. */
export function scopeOf(challenge: Challenge): string | undefined {
  const map = challenge.opaque === undefined ? undefined : decodeJson(challenge.opaque)
  const scope = map && member(map, 'scope')
  return typeof scope === 'string' ? scope : undefined
}

/** Refuses one of our challenges whose terms differ from those we would ask for now. */
export function checkTerms(challenge: Challenge, terms: JsonObject): void {
  if (challenge.request !== encodeJson(terms))
    throw new MppRefusal(
      'challenge_terms_mismatch',
      'The terms have changed since the challenge was made. Pay a fresh one.',
    )
}

import { isObject, type JsonObject, member } from '../../json.ts'
import { MppRefusal } from '../refusal.ts'
import { readAuthList } from './auth-list.ts'
import { type Challenge, echoOf, PAYMENT_AUTHORIZATION_HEADER, readEcho } from './challenge.ts'
import { decodeJson, encodeJson, HEADER_MAX_CHARACTERS, readText } from './wire.ts'

export const CREDENTIAL_HEADER = 'Authorization'

/** A proof of payment as a client presents it: well formed, but not verified. */
export type Credential = {
  /** The challenge as the client echoes it. `checkBinding` says whether it is ours. */
  readonly challenge: Challenge
  /** The payer by the client's own account, e.g. `did:pkh:eip155:8453:0x…`. */
  readonly source?: string
  readonly payload: JsonObject
}

/**
 * Reads the Payment credential of a request; `undefined` if it has none. Header names are in lower case. Throws
 * `credential_ambiguous` for several credentials, and `credential_misplaced` for one in another header than its
 * challenge asked for.
 */
export function readCredential(headers: {
  readonly authorization?: string | undefined
  readonly 'payment-authorization'?: string | undefined
}): Credential | undefined {
  const usual = findTokens(headers.authorization)
  const special = findTokens(headers['payment-authorization'])
  const [token, second] = [...usual, ...special]
  if (token === undefined) return undefined
  if (second !== undefined)
    throw new MppRefusal('credential_ambiguous', 'Send one Payment credential in a request.')
  const credential = parseCredential(token)
  const isSpecial = special.length > 0
  if ((credential.challenge.header !== undefined) !== isSpecial)
    throw new MppRefusal(
      'credential_misplaced',
      'The credential is not in the header field that its challenge names.',
    )
  return credential
}

/** The base64url tokens of the Payment scheme in a field. Other schemes are not ours to read. */
function findTokens(field: string | undefined): string[] {
  if (field === undefined) return []
  const claims = /(?:^|,)[ \t]*payment(?=[ \t,]|$)/i.test(field)
  if (!claims) return []
  if (field.length > HEADER_MAX_CHARACTERS)
    throw new MppRefusal('credential_too_large', 'The Payment credential is longer than 16 KB.')
  const { items, broken } = readAuthList(field)
  if (broken.includes('payment')) throw malformed()
  return items.flatMap(({ scheme, token68 }) => (scheme === 'payment' ? [token68 ?? ''] : []))
}

const malformed = (): MppRefusal =>
  new MppRefusal(
    'credential_malformed',
    'The Payment credential is not a JSON object in base64url with challenge and payload.',
  )

function parseCredential(token: string): Credential {
  const json = decodeJson(token)
  if (!json) throw malformed()
  const [challenge, payload] = [member(json, 'challenge'), member(json, 'payload')]
  if (!isObject(challenge) || !isObject(payload)) throw malformed()
  const source = member(json, 'source')
  if (source !== undefined && readText(source) === undefined) throw malformed()
  return {
    challenge: readEcho(challenge),
    ...(typeof source === 'string' && { source }),
    payload,
  }
}

/** The header that carries a credential. Its value authorizes a payment: never log it. */
export function writeCredential(credential: Credential): {
  headerName: string
  headerValue: string
} {
  const { challenge, source, payload } = credential
  const token = encodeJson({
    challenge: echoOf(challenge),
    ...(source !== undefined && { source }),
    payload,
  })
  return {
    headerName: challenge.header === undefined ? CREDENTIAL_HEADER : PAYMENT_AUTHORIZATION_HEADER,
    headerValue: `Payment ${token}`,
  }
}

import { randomToken } from '../../../kernel/secrets.ts'
import { isList, isObject, type JsonObject, type JsonValue, member } from '../../json.ts'
import { digestOf, toBase64url } from '../jose/digest.ts'
import { signJws } from '../jose/jws.ts'
import type { Signer } from '../jose/keys.ts'
import { readClosedContent, readOpenContent } from '../read/content.ts'
import { readHop } from '../read/hop.ts'
import { secondsOf } from './terms.ts'

/** The signer of a root: a key that verifiers find by its `kid`. */
export type RootSigner = {
  readonly kid: string
  readonly sign: Signer
  /** The `iss` by which verifiers know us, if they use one. */
  readonly issuer?: string
}

/** An agent's way to close a mandate: bound to this presentation of the open mandate, for one audience. */
export type Closing = {
  /** The open mandate as it will be presented, with all the disclosures that are shown. */
  readonly openMandate: string
  readonly audience: string
  readonly nonce: string
  readonly issuedAt: Date
  /** Signs with the key that the open mandate names in `cnf`. */
  readonly sign: Signer
}

const ROOT_TYP = 'dc+sd-jwt'
const TERMINAL_TYP = 'kb+sd-jwt'

/**
 * Signs an open mandate. Only elements of `allowed` lists are selectively disclosable: a limit that can be withheld is
 * no limit. Throws `Ap2Refusal` for content that this codec would not read.
 */
export async function makeOpenMandate(content: JsonObject, root: RootSigner): Promise<string> {
  readOpenContent(content)
  const disclosures: string[] = []
  const constraints = member(content, 'constraints')
  const hidden = {
    ...content,
    constraints: (isList(constraints) ? constraints : []).map((one) =>
      hideAllowed(one, disclosures),
    ),
  }
  return signRoot(hidden, disclosures, root)
}

/** Signs a closed mandate by the payer's own key, without an open mandate. */
export async function makeDirectMandate(content: JsonObject, root: RootSigner): Promise<string> {
  readClosedContent(content)
  return signRoot(content, [], root)
}

/** Signs a closed mandate by the agent's key, bound to its open mandate by `sd_hash`. */
export async function makeTerminalMandate(content: JsonObject, closing: Closing): Promise<string> {
  readClosedContent(content)
  const { openMandate } = closing
  const open = readHop(openMandate.endsWith('~') ? openMandate : `${openMandate}~`)
  const disclosures: string[] = []
  const payload: JsonObject = {
    delegate_payload: [disclose(content, disclosures)],
    iat: secondsOf(closing.issuedAt),
    aud: closing.audience,
    nonce: closing.nonce,
    sd_hash: digestOf(open.serialized, open.algorithm),
    _sd_alg: 'sha-256',
  }
  const jwt = await signJws({ typ: TERMINAL_TYP }, payload, closing.sign)
  return serialize(jwt, disclosures)
}

/** Joins an open mandate and the closed one that is bound to it into one string. */
export const joinChain = (openMandate: string, closedMandate: string): string =>
  `${openMandate.endsWith('~') ? openMandate.slice(0, -1) : openMandate}~~${closedMandate}`

async function signRoot(
  content: JsonObject,
  disclosures: string[],
  { kid, sign, issuer }: RootSigner,
): Promise<string> {
  const payload: JsonObject = {
    ...(issuer !== undefined && { iss: issuer }),
    delegate_payload: [disclose(content, disclosures)],
    _sd_alg: 'sha-256',
  }
  return serialize(await signJws({ typ: ROOT_TYP, kid }, payload, sign), disclosures)
}

const serialize = (jwt: string, disclosures: readonly string[]): string =>
  [jwt, ...disclosures, ''].join('~')

function hideAllowed(constraint: JsonValue, disclosures: string[]): JsonValue {
  const allowed = isObject(constraint) ? member(constraint, 'allowed') : undefined
  if (!isObject(constraint) || !isList(allowed)) return constraint
  return { ...constraint, allowed: allowed.map((item) => disclose(item, disclosures)) }
}

/** Adds the disclosure to the list and returns its digest, which takes its place. */
function disclose(value: JsonValue, disclosures: string[]): JsonObject {
  // 22 characters of base64url hold the 128 random bits that RFC 9901 section 9.3 requires.
  const salt = randomToken().slice(0, 22)
  const disclosure = toBase64url(JSON.stringify([salt, value]))
  disclosures.push(disclosure)
  return { '...': digestOf(disclosure) }
}

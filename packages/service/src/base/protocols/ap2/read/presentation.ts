import { type JsonObject, member } from '../../json.ts'
import { digestOf } from '../jose/digest.ts'
import type { SignatureCheck } from '../jose/keys.ts'
import { Ap2Refusal } from '../refusal.ts'
import { type Chain, type Presented, readChain } from './chain.ts'
import {
  type ClosedPaymentMandate,
  type OpenPaymentMandate,
  readClosedContent,
  readOpenContent,
} from './content.ts'
import { invalidField, isText, readJti, readSeconds } from './fields.ts'
import { type Hop, readHop } from './hop.ts'

/** A mandate as presented, fully read. Trust nothing in it until all `signatures` are checked. */
export type Presentation = {
  /** `direct`: the payer signed this payment. `autonomous`: an agent signed it, within an open mandate. */
  readonly shape: 'direct' | 'autonomous'
  readonly closed: ClosedPaymentMandate
  readonly open?: OpenPaymentMandate
  /** The `jti`, or a hash that does not cover the malleable signature. Unique only per payer card. */
  readonly mandateId: string
  /** The open mandate's id, which does not depend on the disclosures. Usage and revocation are recorded under it. */
  readonly openId?: string
  /** The `kid` in the root's header. Our own trust sources find the signer's key by it. */
  readonly rootKid?: string
  /** The root's `iss`, if it has one. */
  readonly rootIssuer?: string
  /** The root's signature comes first. */
  readonly signatures: readonly SignatureCheck[]
  readonly audience: readonly string[]
  readonly nonce?: string
  /** The earliest `exp` of all hops. */
  readonly expiresAt?: Date
  /** The latest `iat` or `nbf` of all hops. */
  readonly validFrom?: Date
  /** The hash of the closed JWT. Peers that use the reference SDK look a receipt up by it. */
  readonly reference: string
  /** The hash of the closed SD-JWT with its disclosures: the specification's form of `reference`. */
  readonly mandateSdHash: string
}

const FALLBACK_PREFIX = 'sha256:'

/**
 * Reads a direct closed mandate, or an open and a closed one (AP2 v0.2): structure, disclosures, binding, field types.
 * `evaluate` judges times, audience and limits; `checkSignature` judges signatures. Throws only `Ap2Refusal`.
 */
export function readPresentation(presented: Presented): Presentation {
  const chain = readChain(presented)
  const { root, terminal } = chain
  const closedHop = terminal ?? root
  const open = terminal && readOpenContent(root.content)
  const closed = readClosedContent(closedHop.content)
  const nonce = terminal ? readAgentClaims(terminal.envelope) : readEither(root, 'nonce')
  const rootIssuer = readEither(root, 'iss')
  if (terminal) readEither(terminal, 'iss')
  return {
    shape: terminal ? 'autonomous' : 'direct',
    closed,
    ...(open && { open, openId: FALLBACK_PREFIX + digestOf(root.signingInput) }),
    mandateId: mandateIdOf(closedHop),
    ...(root.header.kid !== undefined && { rootKid: root.header.kid }),
    ...(rootIssuer !== undefined && { rootIssuer }),
    signatures: signaturesOf(chain, open),
    audience: audiencesOf(chain),
    ...(nonce !== undefined && { nonce }),
    ...timesOf(chain),
    ...hashesOf(closedHop),
  }
}

/** Reads a mandate that has paid as it is kept: its closed token, alone or behind the open one. */
export function readPaid(
  token: string,
): Pick<Presentation, 'closed' | 'reference' | 'mandateSdHash'> {
  const hop = readHop(token.split('~~').at(-1) ?? '')
  return { closed: readClosedContent(hop.content), ...hashesOf(hop) }
}

const hashesOf = ({ jwt, serialized, algorithm }: Hop) => ({
  reference: digestOf(jwt, algorithm),
  mandateSdHash: digestOf(serialized, algorithm),
})

function signaturesOf(
  { root, terminal }: Chain,
  open: OpenPaymentMandate | undefined,
): readonly SignatureCheck[] {
  const { signingInput, signature } = root
  const first: SignatureCheck = { signingInput, signature, key: 'root' }
  if (!terminal || !open) return [first]
  return [
    first,
    {
      signingInput: terminal.signingInput,
      signature: terminal.signature,
      key: open.agentKey,
    },
  ]
}

/** Checks that `iat`, `aud` and `nonce` are present, as they must be if an agent signs. Returns the nonce. */
function readAgentClaims(envelope: JsonObject): string {
  if (member(envelope, 'iat') === undefined) throw invalidField('iat', 'present in the envelope')
  if (member(envelope, 'aud') === undefined) throw invalidField('aud', 'present in the envelope')
  const nonce = member(envelope, 'nonce')
  if (!isText(nonce)) throw invalidField('nonce', 'a string of 1 to 512 characters')
  return nonce
}

/** A text of the envelope, or of the content where the envelope has none. Null is no text, and hides none. */
function readEither({ envelope, content }: Hop, name: 'iss' | 'nonce'): string | undefined {
  const [outer, inner] = [envelope, content].map((claims) => {
    const value = member(claims, name)
    if (value !== undefined && !isText(value))
      throw invalidField(name, 'a string of 1 to 512 characters')
    return value
  })
  return outer ?? inner
}

/** The claims of every hop. Each hop may narrow the others. */
const claimsOf = ({ root, terminal }: Chain): readonly JsonObject[] =>
  (terminal ? [root, terminal] : [root]).flatMap(({ envelope, content }) => [envelope, content])

function audiencesOf(chain: Chain): readonly string[] {
  return claimsOf(chain).flatMap((claims) => {
    const audience = member(claims, 'aud')
    if (audience === undefined) return []
    if (!isText(audience)) throw invalidField('aud', 'one string of 1 to 512 characters')
    return [audience]
  })
}

function timesOf(chain: Chain): Pick<Presentation, 'expiresAt' | 'validFrom'> {
  let [end, start] = [Number.POSITIVE_INFINITY, 0]
  for (const claims of claimsOf(chain)) {
    end = Math.min(end, readSeconds(claims, 'exp') ?? end)
    start = Math.max(start, readSeconds(claims, 'iat') ?? 0, readSeconds(claims, 'nbf') ?? 0)
  }
  return {
    ...(Number.isFinite(end) && { expiresAt: new Date(end * 1000) }),
    ...(start > 0 && { validFrom: new Date(start * 1000) }),
  }
}

/** Anybody can change an ECDSA signature so that it stays valid. So no id may depend on it. */
function mandateIdOf({ content, envelope, signingInput }: Hop): string {
  const [inner, outer] = [jtiOf(content), jtiOf(envelope)]
  if (inner !== undefined && outer !== undefined && inner !== outer)
    throw new Ap2Refusal('mandate_id_conflict', 'The mandate has two different jti')
  return inner ?? outer ?? FALLBACK_PREFIX + digestOf(signingInput)
}

function jtiOf(claims: JsonObject): string | undefined {
  const jti = readJti(claims)
  // Otherwise an attacker could take the id of another mandate that has no jti.
  if (jti?.startsWith(FALLBACK_PREFIX))
    throw new Ap2Refusal('mandate_id_conflict', 'A jti must not begin with sha256:')
  return jti
}

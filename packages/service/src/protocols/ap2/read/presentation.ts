import { type JsonObject, member, optional } from '../../json.ts'
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
import type { Hop } from './hop.ts'

/** A mandate as presented, read whole. Nothing in it may be believed before every one of `signatures` is checked. */
export type Presentation = {
  /** `direct`: the payer signed this payment. `autonomous`: an agent did, within an open mandate. */
  readonly shape: 'direct' | 'autonomous'
  readonly closed: ClosedPaymentMandate
  readonly open?: OpenPaymentMandate
  /** The `jti`, or a hash that does not cover the malleable signature. Unique per payer card, not beyond. */
  readonly mandateId: string
  /** Of the open mandate, the same whatever is disclosed of it: what usage and revocation are kept under. */
  readonly openId?: string
  /** The header of the root: with this the signer's key is found in our own trust sources. */
  readonly rootKid?: string
  /** `iss` of the root, where it has one. */
  readonly rootIssuer?: string
  /** Root first. */
  readonly signatures: readonly SignatureCheck[]
  readonly audience: readonly string[]
  readonly nonce?: string
  /** The earliest `exp` of all. */
  readonly expiresAt?: Date
  /** The latest `iat` or `nbf` of all. */
  readonly validFrom?: Date
  /** Hash of the closed JWT: the form of `reference` that counterparts of the reference SDK look up. */
  readonly reference: string
  /** Hash of the closed SD-JWT with its disclosures: the form that the specification has for `reference`. */
  readonly mandateSdHash: string
}

const FALLBACK_PREFIX = 'sha256:'

/**
 * Reads a direct closed mandate, or an open and a closed one (AP2 v0.2): structure, disclosures, binding, field types.
 * Times, audience and limits are judged by `evaluate`, signatures by `checkSignature`. Throws `Ap2Refusal` only.
 */
export function readPresentation(presented: Presented): Presentation {
  const chain = readChain(presented)
  const { root, terminal } = chain
  const closedHop = terminal ?? root
  const open = terminal && readOpenContent(root.content)
  const closed = readClosedContent(closedHop.content)
  const nonce = terminal ? readAgentClaims(terminal.envelope) : readNonce(root)
  const rootIssuer = member(root.envelope, 'iss') ?? member(root.content, 'iss')
  return {
    shape: terminal ? 'autonomous' : 'direct',
    closed,
    ...(open && { open, openId: FALLBACK_PREFIX + digestOf(root.signingInput) }),
    mandateId: mandateIdOf(closedHop),
    ...(root.header.kid !== undefined && { rootKid: root.header.kid }),
    ...(typeof rootIssuer === 'string' && { rootIssuer }),
    signatures: signaturesOf(chain, open),
    audience: audiencesOf(chain),
    ...(nonce !== undefined && { nonce }),
    ...timesOf(chain),
    reference: digestOf(closedHop.jwt, closedHop.algorithm),
    mandateSdHash: digestOf(closedHop.serialized, closedHop.algorithm),
  }
}

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

/** `iat`, `aud` and `nonce` are required where an agent signs; gives the nonce. */
function readAgentClaims(envelope: JsonObject): string {
  if (optional(envelope, 'iat') === undefined) throw invalidField('iat', 'present in the envelope')
  if (optional(envelope, 'aud') === undefined) throw invalidField('aud', 'present in the envelope')
  const nonce = member(envelope, 'nonce')
  if (!isText(nonce)) throw invalidField('nonce', 'a string of 1 to 512 characters')
  return nonce
}

function readNonce({ envelope, content }: Hop): string | undefined {
  const nonce = optional(envelope, 'nonce') ?? optional(content, 'nonce')
  if (nonce !== undefined && !isText(nonce))
    throw invalidField('nonce', 'a string of 1 to 512 characters')
  return nonce
}

/** The claims of every hop: each may narrow what the others say. */
const claimsOf = ({ root, terminal }: Chain): readonly JsonObject[] =>
  (terminal ? [root, terminal] : [root]).flatMap(({ envelope, content }) => [envelope, content])

function audiencesOf(chain: Chain): readonly string[] {
  return claimsOf(chain).flatMap((claims) => {
    const audience = optional(claims, 'aud')
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

/** An ECDSA signature can be changed by anybody and stay valid, so no id may depend on it. */
function mandateIdOf({ content, envelope, signingInput }: Hop): string {
  const [inner, outer] = [jtiOf(content), jtiOf(envelope)]
  if (inner !== undefined && outer !== undefined && inner !== outer)
    throw new Ap2Refusal('mandate_id_conflict', 'The mandate has two different jti')
  return inner ?? outer ?? FALLBACK_PREFIX + digestOf(signingInput)
}

function jtiOf(claims: JsonObject): string | undefined {
  const jti = readJti(claims)
  // So that nobody can take the id that another mandate, without jti, will have.
  if (jti?.startsWith(FALLBACK_PREFIX))
    throw new Ap2Refusal('mandate_id_conflict', 'A jti must not begin with sha256:')
  return jti
}

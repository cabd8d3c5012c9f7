import type { Tx } from '../../base/db/sql.ts'
import { Problem } from '../../base/kernel/problem.ts'
import {
  type AgentClaim,
  AgentRefusal,
  isClaimOf,
  originOf,
  readClaim,
} from '../../base/protocols/http-signatures/agent.ts'
import type { SignedRequest } from '../../base/protocols/http-signatures/message.ts'
import { ACCEPT_SIGNATURE } from '../../base/protocols/http-signatures/sign.ts'
import type { Uses } from '../http/services.ts'
import { readDirectory } from './directory.ts'
import { insertNonce } from './store.ts'

/** The sender of a request, as its signature proves it. */
export type Agent = AgentClaim & {
  /** The entry of the list that it is: an origin, or the URL of a JWKS. */
  readonly name: string
}

/**
 * The sender of the request, who is one of `allowed`. Only their directories are asked, so no message leads us to a
 * stranger's. Its nonce is not used yet. Throws `agent_signature_required`, `agent_signature_invalid`, `agent_not_allowed`
 * or `agent_directory_unavailable`.
 */
export async function verifyAgent(
  services: Uses<'egress'>,
  at: Date,
  { request, allowed }: { request: SignedRequest; allowed: readonly string[] },
): Promise<Agent> {
  const claim = readClaimOr401(request, at)
  const names =
    claim.agent === null
      ? allowed.filter((name) => originOf(name) === undefined)
      : allowed.filter((name) => name === claim.agent)
  if (names.length === 0)
    throw new Problem(
      'agent_not_allowed',
      claim.agent === null
        ? 'The signature names no agent by Signature-Agent, and no list of keys is known for it.'
        : `${claim.agent} is not one of the agents that may do this.`,
    )
  for (const name of names) {
    const lacks = (keys: Parameters<typeof isClaimOf>[1]) => !isClaimOf(claim, keys)
    const keys = await readDirectory(services, at, { agent: name, lacks })
    if (isClaimOf(claim, keys)) return { ...claim, name }
  }
  throw signatureProblem(
    'agent_signature_invalid',
    `No key of ${names.join(' or ')} made the signature. Sign with a key of the directory, by its thumbprint as keyid.`,
  )
}

function readClaimOr401(request: SignedRequest, at: Date): AgentClaim {
  try {
    return readClaim(request, at)
  } catch (error) {
    if (!(error instanceof AgentRefusal)) throw error
    throw signatureProblem(error.code, error.detail)
  }
}

/** A refusal that says by `Accept-Signature` how to sign (RFC 9421, 5). */
const signatureProblem = (code: AgentRefusal['code'], sentence: string): Problem =>
  new Problem(code, sentence, { headers: { 'accept-signature': ACCEPT_SIGNATURE } })

/** Uses the nonce of a verified request, once within its scope. Throws `agent_nonce_used`. */
export async function useNonce(tx: Tx, scope: string, { keyId, nonce, expiresAt }: Agent) {
  if (!(await insertNonce(tx, { scope, keyId, nonce, expiresAt })))
    throw new Problem(
      'agent_nonce_used',
      'The nonce of the signature was used before. Sign the request anew.',
      {
        headers: { 'accept-signature': ACCEPT_SIGNATURE },
      },
    )
}

import { useNonce, verifyAgent } from '../../../api/agents/verify.ts'
import type { Uses } from '../../../api/http/services.ts'
import { Problem, type ProblemCode } from '../../../base/kernel/problem.ts'
import type { PayLink } from '../../link/store.ts'
import type { PayRequest } from '../methods/method.ts'

export const AGENT_ERRORS: readonly ProblemCode[] = [
  'agent_signature_required',
  'agent_signature_invalid',
  'agent_nonce_used',
  'agent_not_allowed',
  'agent_directory_unavailable',
]

/**
 * Refuses a request for a link that names its agents, unless one of them signed it. Agents alone are shown the price, so
 * nobody signs a payment in vain. A request that pays uses the nonce of its signature. Throws the `agent_…` problems.
 */
export async function checkAgent(
  services: Uses<'db' | 'egress' | 'settings'>,
  at: Date,
  of: {
    link: PayLink
    request: PayRequest
    sent: { method: string; target: string }
    isPaying: boolean
  },
): Promise<void> {
  const { link, request, sent, isPaying } = of
  const agent = await verifyAgent(services, at, {
    request: {
      method: sent.method,
      // Our own authority: a Host header is the sender's word.
      url: new URL(services.settings.publicUrl.replace(/\/+$/, '') + sent.target),
      headers: request.headers,
      body: Buffer.from(request.rawBody),
    },
    allowed: link.allowedAgents ?? [],
  })
  if (!isPaying) return
  // TAP signs apart that an agent looks, and that it pays.
  if (agent.tag === 'agent-browser-auth')
    throw new Problem(
      'agent_signature_invalid',
      'The tag agent-browser-auth is for looking. Sign a payment with agent-payer-auth.',
    )
  await services.db.write((tx) => useNonce(tx, link.id, agent))
}

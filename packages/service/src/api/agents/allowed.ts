import { Type } from 'typebox'
import { Problem } from '../../base/kernel/problem.ts'
import type { Uses } from '../http/services.ts'

const AGENTS_MAX = 20

/** The agents that a seller knows. */
export const AgentsField = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  minItems: 1,
  maxItems: AGENTS_MAX,
  uniqueItems: true,
  description:
    'Agents by the origin of their key directory, as `https://agent.example`; or the URL of a JWKS, for signatures of Visa TAP that name no origin',
})

/** The list as it is compared: origins without a path, JWKS by their whole URL. Throws `url_not_allowed`. */
export function readAgents(services: Uses<'egress'>, given: readonly string[]): string[] {
  const agents = given.map((text) => {
    const url = services.egress.check(text)
    if (url.hash !== '' || url.search !== '')
      throw new Problem(
        'invalid_url',
        'An agent is an origin, as https://agent.example, or the URL of a JWKS, without a query.',
        { param: 'allowed_agents' },
      )
    return url.pathname === '/' ? url.origin : url.href
  })
  return [...new Set(agents)]
}

import { HTTPFacilitatorClient } from '@x402/core/http'
import type { FacilitatorClient } from '@x402/core/server'
import type { User } from '../../packages/service/test/world.ts'

/** Our facilitator as a seller outside uses it: the protocol's own client, over HTTP, with the seller's API key. */
export function purserFacilitator(baseUrl: string, seller: Pick<User, 'key'>): FacilitatorClient {
  const headers = { authorization: `Bearer ${seller.key}` }
  return new HTTPFacilitatorClient({
    url: `${baseUrl}/api/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
}

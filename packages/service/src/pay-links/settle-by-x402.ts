import { nowSecondsOf, readLatest } from '../chain/read-latest.ts'
import type { Services } from '../http/services.ts'
import { amount } from '../kernel/money.ts'
import { authorizationRefusal, matchAccepted } from '../protocols/x402/match.ts'
import type { PaymentPayload } from '../protocols/x402/payload.ts'
import { type PaymentRequirements, paymentRequirements } from '../protocols/x402/requirements.ts'
import { closedProblem } from './link.ts'
import { belowMinimum, isWorthCarrying } from './minimum.ts'
import {
  type AuthorizedOutcome,
  findClaimed,
  resumeSettlement,
  settleByAuthorization,
} from './settle-authorization.ts'
import type { PayLink } from './store.ts'

const MAX_TIMEOUT_SECONDS = 120

/** The offer of a link: its amount, or what the payer chose, at the link's own address. None below the minimum. */
export const offerOf = (
  services: Pick<Services, 'chain' | 'settings'>,
  link: PayLink,
  chosen: bigint | null,
): PaymentRequirements[] => {
  const value = link.amount ?? chosen
  if (value === null || !isWorthCarrying(services, value)) return []
  return [
    paymentRequirements({
      asset: services.chain.asset,
      amount: amount(value),
      payTo: link.depositAddress,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    }),
  ]
}

/**
 * Settles a link by an x402 `exact` payment, once it pays exactly our offer (`settleByAuthorization`). The same
 * authorization again answers the same settlement.
 */
export async function settleByX402(
  services: Services,
  at: Date,
  payment: { link: PayLink; payload: PaymentPayload },
): Promise<AuthorizedOutcome> {
  const { link, payload } = payment
  const { chain } = services
  const { authorization, signature } = payload
  const known = await findClaimed(services, link, authorization)
  if (known) return resumeSettlement(services, at, { link, settlement: known })
  const closed = closedProblem(link, at)
  if (closed) throw closed
  if (!isWorthCarrying(services, authorization.value)) return belowMinimum(services)
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  if (!matched.ok) return { kind: 'refused', reason: matched.reason, detail: matched.detail }
  const latest = await readLatest(chain)
  const refusal = authorizationRefusal({
    asset: chain.asset,
    authorization,
    signature,
    nowSeconds: nowSecondsOf(latest, at),
  })
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  const head = latest.number
  return settleByAuthorization(services, at, {
    ...{ link, authorization, signature, head },
    protocol: 'x402',
  })
}

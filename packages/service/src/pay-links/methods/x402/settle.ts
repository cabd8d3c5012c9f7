import { nowSecondsOf, readLatest } from '../../../chain/read-latest.ts'
import type { Services } from '../../../http/services.ts'
import { amount } from '../../../kernel/money.ts'
import { matchAccepted, timeRefusal } from '../../../protocols/x402/match.ts'
import type { PaymentPayload } from '../../../protocols/x402/payload.ts'
import {
  type PaymentRequirements,
  paymentRequirements,
} from '../../../protocols/x402/requirements.ts'
import { closedProblem } from '../../link.ts'
import { belowMinimum, isWorthCarrying } from '../../minimum.ts'
import type { PayLink } from '../../store.ts'
import { judgePayer, refusedSignature } from '../authorization/payer.ts'
import {
  type AuthorizedOutcome,
  findClaimed,
  resumeSettlement,
  settleByAuthorization,
} from '../authorization/settle.ts'

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
 * Settles a link by an x402 `exact` payment that pays exactly our offer (`settleByAuthorization`). The payer's signature
 * is judged first, so that nobody learns of a settlement by naming a payer and a nonce. The same authorization again
 * answers the same settlement.
 */
export async function settleByX402(
  services: Services,
  at: Date,
  payment: { link: PayLink; payload: PaymentPayload },
): Promise<AuthorizedOutcome> {
  const { link, payload } = payment
  const { chain } = services
  const { authorization } = payload
  // An authorization that pays another address is not looked up: the offer refuses it below.
  const signed =
    authorization.to === link.depositAddress
      ? await judgePayer(services, link, payload)
      : refusedSignature('not_signed')
  const known = signed.ok && (await findClaimed(services, link, authorization))
  if (known) return resumeSettlement(services, at, { link, settlement: known, authorization })
  const closed = closedProblem(link, at)
  if (closed) throw closed
  if (!isWorthCarrying(services, link.amount ?? authorization.value)) return belowMinimum(services)
  const latest = await readLatest(chain)
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  const refusal = matched.ok ? timeRefusal(authorization, nowSecondsOf(latest, at)) : matched
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  if (!signed.ok) return { kind: 'refused', reason: signed.reason, detail: signed.detail }
  const { signature } = payload
  const head = latest.number
  return settleByAuthorization(services, at, {
    ...{ link, authorization, signature, signed, head },
    protocol: 'x402',
  })
}

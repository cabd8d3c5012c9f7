import { nowSecondsOf, readLatest } from '../../../chain/read-latest.ts'
import type { Services } from '../../../http/services.ts'
import { matchAccepted, timeRefusal } from '../../../protocols/x402/match.ts'
import type { PaymentPayload } from '../../../protocols/x402/payment/payload.ts'
import { closedProblem } from '../../link.ts'
import type { PayLink } from '../../store.ts'
import { judgePayer, refusedSignature } from '../authorization/payer.ts'
import type { AuthorizedOutcome } from '../authorization/payment.ts'
import { findClaimed, resumeSettlement, settleByAuthorization } from '../authorization/settle.ts'
import { belowMinimum, isWorthCarrying } from '../minimum.ts'
import { offerOf } from './offer.ts'

/**
 * Settles a link by an x402 `exact` payment that pays exactly our offer (`settleByAuthorization`). Checks the payer's
 * signature first, so that naming a payer and a nonce reveals no settlement. The same authorization again answers the
 * same settlement.
 */
export async function settleByX402(
  services: Services,
  at: Date,
  payment: { link: PayLink; payload: PaymentPayload },
): Promise<AuthorizedOutcome> {
  const { link, payload } = payment
  const { chain } = services
  const { authorization } = payload
  // The offer below refuses an authorization that pays another address, so its signature need not be checked.
  const signed =
    authorization.to === link.payTo
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

import type { Uses } from '../../../../api/http/services.ts'
import type { TransferAuthorization } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { matchAccepted, timeRefusal } from '../../../../base/protocols/x402/match.ts'
import type { PaymentPayload } from '../../../../base/protocols/x402/payment/payload.ts'
import { permitTimeRefusal } from '../../../../base/protocols/x402/payment/permit2.ts'
import type { Refused } from '../../../../base/protocols/x402/refusal.ts'
import { nowSecondsOf, readLatest } from '../../../../chain/client/read-latest.ts'
import { findDirectClaimed, resumeDirect, settleDirect } from '../../../direct/settle/settle.ts'
import { closedProblem } from '../../../link/link.ts'
import type { AuthorizedOutcome } from '../../../link/signed-payment.ts'
import type { PayLink } from '../../../link/store.ts'
import {
  isPaidByPermit,
  judgePayer,
  judgePayerOf,
  refusedSignature,
} from '../authorization/payer.ts'
import { findClaimed, resumeSettlement, settleByAuthorization } from '../authorization/settle.ts'
import { belowMinimum } from '../minimum.ts'
import { offerOf } from './offer.ts'

type X402Payment = { link: PayLink; payload: PaymentPayload }

/** As `settleByX402`, for a DIRECT link: USDC by EIP-3009, any other token by Permit2. */
export async function settleDirectByX402(
  services: Uses<'chain' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { link, payload }: X402Payment,
): Promise<AuthorizedOutcome> {
  const { chain } = services
  const { authorization, signature } = payload
  const isOurs = !isPaidByPermit(services, link)
  const signed = await judgePayerOf(services, link, payload)
  const known = signed.ok && (await findDirectClaimed(services, link, authorization))
  if (known)
    return resumeDirect(services, at, { link, settlement: known, value: authorization.value })
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const small = belowMinimum(services, link, link.amount ?? authorization.value)
  if (small) return small
  const latest = await readLatest(chain)
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  const now = nowSecondsOf(latest, at)
  const refusal = matched.ok ? timeRefusalOf(services, link, { authorization, now }) : matched
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  if (!signed.ok) return { kind: 'refused', reason: signed.reason, detail: signed.detail }
  return settleDirect(services, at, {
    link,
    authorization,
    signature,
    signed,
    head: latest.number,
    protocol: 'x402',
    method: isOurs ? 'eip3009' : 'permit2',
  })
}

/** The reason why the payment cannot be submitted at this time, in Unix seconds. */
export const timeRefusalOf = (
  services: Uses<'chain'>,
  link: PayLink,
  { authorization, now }: { authorization: TransferAuthorization; now: bigint },
): Refused | undefined =>
  isPaidByPermit(services, link)
    ? permitTimeRefusal(authorization, now)
    : timeRefusal(authorization, now)

/**
 * Settles a link by an x402 `exact` payment that pays exactly our offer (`settleByAuthorization`). Checks the payer's
 * signature first, so that naming a payer and a nonce reveals no settlement. The same authorization again answers the
 * same settlement.
 */
export async function settleByX402(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'relay' | 'settings'>,
  at: Date,
  payment: X402Payment,
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
  const small = belowMinimum(services, link, link.amount ?? authorization.value)
  if (small) return small
  const latest = await readLatest(chain)
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  const refusal = matched.ok ? timeRefusal(authorization, nowSecondsOf(latest, at)) : matched
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  if (!signed.ok) return { kind: 'refused', reason: signed.reason, detail: signed.detail }
  const { signature } = payload
  const head = latest.number
  return settleByAuthorization(services, at, {
    link,
    authorization,
    signature,
    signed,
    head,
    protocol: 'x402',
  })
}

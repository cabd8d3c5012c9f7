import type { Uses } from '../../../api/http/services.ts'
import { Problem, refusedAs } from '../../../base/kernel/problem.ts'
import { makeReceipt } from '../../../base/protocols/ap2/issue/receipt.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { type Ap2Error, Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'

/** The contract's status for every refused mandate and every rejected settlement. */
const REJECTED = 422

/** The 422 for a refusal of the codec, with AP2's error code. */
export const rejection = (refusal: Ap2Refusal): Problem =>
  new Problem(refusal.code, `${refusal.detail}.`, {
    status: REJECTED,
    extra: {
      ap2_error: refusal.ap2Error,
      ...(refusal.violations.length > 0 && { violations: refusal.violations }),
    },
  })

/** A refusal by the card, the link or the policy: its own code, and 422 unless the contract has another status. */
export function settlementRejected(problem: Problem): Problem {
  if (['not_found', 'protocol_not_accepted', 'invalid_card_token'].includes(problem.code))
    return problem
  return refusedAs(problem, {
    status: REJECTED,
    extra: { ap2_error: 'invalid_mandate' satisfies Ap2Error },
  })
}

/**
 * The error to throw for an error of a settle. A refusal of the mandate becomes 422 with a signed error receipt (AP2: a
 * verifier MUST return one on rejection). Other errors are unchanged.
 */
export async function withReceipt(
  services: Uses<'settings' | 'signing'>,
  at: Date,
  refused: { error: unknown; presentation: Presentation | undefined },
): Promise<unknown> {
  const { presentation } = refused
  const error = refused.error instanceof Ap2Refusal ? rejection(refused.error) : refused.error
  if (!(error instanceof Problem) || error.status !== REJECTED || !presentation) return error
  const receipt = await makeReceipt(
    {
      status: 'Error',
      issuer: services.settings.publicUrl,
      issuedAt: at,
      paymentId: presentation.mandateId,
      reference: presentation.reference,
      mandateSdHash: presentation.mandateSdHash,
      error: String(error.extra.ap2_error),
      errorDescription: error.message,
    },
    await services.signing.current(at),
  )
  return refusedAs(error, { extra: { receipt } })
}

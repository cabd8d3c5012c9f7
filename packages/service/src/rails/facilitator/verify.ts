import type { Uses } from '../../api/http/services.ts'
import {
  type FacilitatorBody,
  readFacilitated,
  type VerifyResponse,
} from '../../base/protocols/x402/facilitator.ts'
import { type Refused, refused } from '../../base/protocols/x402/refusal.ts'
import { lookAt, unlessSilent } from './settle/payment.ts'
import { findStandingOf, rationRefusal } from './settle/ration.ts'

/**
 * Returns whether the payment would be settled now. Reserves nothing: the payer can still move its money or cancel, and
 * another seller can present the same payment. Only a settlement is a reason to give anything away.
 */
export async function verify(
  services: Uses<'chain' | 'clock' | 'db' | 'log' | 'settings'>,
  at: Date,
  body: FacilitatorBody,
): Promise<VerifyResponse> {
  const read = readFacilitated(body)
  if (!read.ok) return invalid(read)
  const payer = read.payment.authorization.from
  const { amount, authorization } = read.payment
  if (amount !== authorization.value) return { ...invalid(NOT_THE_MOST), payer }
  const answer = await unlessSilent(services, async () => {
    const [looked, standing] = await Promise.all([
      lookAt(services, at, { payment: read.payment }),
      findStandingOf(services, read.payment),
    ])
    if (!looked.ok) return { refusal: looked }
    return { refusal: looked.refusal ?? rationRefusal(services, at, { looked, standing }) }
  })
  const refusal = answer ? answer.refusal : CHAIN_SILENT
  return refusal ? { ...invalid(refusal), payer } : { isValid: true, payer }
}

const NOT_THE_MOST = refused(
  'permit2_amount_mismatch',
  'The permit is not for the amount of the requirements: before it is used, that is the most.',
)
const CHAIN_SILENT = refused(
  'unexpected_verify_error',
  'The chain did not answer. Try again in a moment.',
)

const invalid = ({ reason, detail }: Refused) =>
  ({ isValid: false, invalidReason: reason, invalidMessage: detail }) as const

import type { Uses } from '../../../api/http/services.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import {
  encodePaymentResponse,
  PAYMENT_RESPONSE_HEADER,
} from '../../../base/protocols/x402/response.ts'
import { SIGN_IN_WITH_X } from '../../../base/protocols/x402/sign-in.ts'
import type { PayLink } from '../../link/store.ts'
import type { PayRequest, PresentOutcome, Refused } from '../methods/method.ts'
import { findReturning } from '../methods/x402/sign-in.ts'

type Back = Extract<PresentOutcome, { kind: 'settled' }> | { kind: 'refused'; refused: Refused }

/**
 * The receipt of a wallet that has paid before, by its header SIGN-IN-WITH-X, or why it gets none; undefined without one.
 * A refusal is answered with the usual 402, so that a client may pay.
 */
export async function comeBack(
  services: Uses<'chain' | 'db' | 'mppKeys' | 'settings'>,
  at: Date,
  { link, request }: { link: PayLink; request: PayRequest },
): Promise<Back | undefined> {
  const header = request.headers[SIGN_IN_WITH_X]
  if (!link.payersReturn || header === undefined) return undefined
  const found = await findReturning(services, at, { link, header })
  if ('ok' in found) {
    const { reason, detail } = found
    return { kind: 'refused', refused: { problem: 'payment-required', reason, detail } }
  }
  const response = encodePaymentResponse({
    success: true,
    transaction: (found.txHash ?? '') as Hex,
    network: services.chain.network,
    payer: found.payer as Address,
  })
  return {
    kind: 'settled',
    settled: { settlement: found, link },
    headers: { [PAYMENT_RESPONSE_HEADER]: response },
  }
}

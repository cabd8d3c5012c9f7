import type { Static } from 'typebox'
import type { Uses } from '../../../api/http/services.ts'
import { readEscrow } from '../../../base/protocols/x402/escrow.ts'
import type { FacilitatorBody, VerifyResponse } from '../../../base/protocols/x402/facilitator.ts'
import type { SettleBody } from '../view.ts'
import { lookAtOrder } from './look.ts'
import type { OrderOutcome } from './order.ts'

/** Whether an order for a payment in escrow would be carried out now. Reserves nothing. */
export async function verifyOrder(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  body: FacilitatorBody,
): Promise<VerifyResponse> {
  const read = readEscrow(body, services.chain.chainId)
  const looked = read.ok ? await lookAtOrder(services, at, read.request) : read
  const payer = read.ok ? { payer: read.request.info.payer } : {}
  if (looked.ok && read.ok) return { isValid: true, payer: read.request.info.payer }
  if (looked.ok) throw new Error('an order that was looked at was read')
  return {
    isValid: false,
    invalidReason: looked.reason,
    invalidMessage: looked.detail,
    ...payer,
  }
}

/** An outcome as x402 writes it. */
export function orderBody(
  { chain }: Uses<'chain'>,
  outcome: Exclude<OrderOutcome, { kind: 'rationed' }>,
): Static<typeof SettleBody> {
  const { network } = chain
  if (outcome.kind === 'refused') {
    const { refused, payer } = outcome
    const errors = { errorReason: refused.reason, errorMessage: refused.detail }
    return { success: false, ...errors, transaction: '', network, ...(payer ? { payer } : {}) }
  }
  const { order } = outcome
  const common = { network, payer: order.payer, transaction: order.txHash ?? '' }
  if (outcome.kind === 'pending')
    return {
      success: false,
      errorReason: 'settlement_pending',
      errorMessage: 'The order is on its way to the chain. Ask again with this same request.',
      ...common,
    }
  if (order.state === 'failed')
    return {
      success: false,
      errorReason: 'invalid_transaction_state',
      errorMessage:
        'The escrow refused the transaction: the payment changed in the same moment, or its deadline passed.',
      ...common,
    }
  return { success: true, amount: String(order.amount), ...common }
}

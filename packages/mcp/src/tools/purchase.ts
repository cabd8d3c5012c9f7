import { type PayOrder, type PayOutcome, PurserError } from '@purser/sdk'
import { reasonOf } from '../result.ts'
import { cardOf } from '../wallet.ts'
import type { Named } from './intent.ts'
import type { ToolCall } from './tool.ts'

/**
 * One purchase: the request to the seller, what tells it from others, and the name that it goes under. `answerIn`: where the agent
 * wants to read the seller's answer.
 */
export type Purchase = {
  order: PayOrder
  digest: string
  name: Named
  answerIn?: 'text' | 'data' | undefined
}

export type Seller = PayOutcome['response']
/** How a purchase stands after a call of the service. `isRepeated`: the service had done it before. */
export type Paid =
  | {
      outcome: 'paid' | 'free' | 'seller_failed' | 'unknown'
      isRepeated: boolean
      transactionId: string | null
      amount: number
      merchantAmount: number
      fee: number
      asset: string
      network: string
      protocol: string | null
      settlement: { status: string; tx_hash: string | null } | null
      response: Seller
    }
  | { outcome: 'not_charged'; transactionId: string | null; response: Seller }
  | { outcome: 'refused'; code: string; message: string; decisionId?: string }
  | { outcome: 'lost'; message: string }
  | { outcome: 'approval_required'; approval: { id: string; url: string; expires_at: string } }

/** Asks the seller and pays it, under the purchase's name, however often it is called. */
export async function payUrl(call: ToolCall, { order, name }: Purchase): Promise<Paid> {
  let isRepeated = false
  const purser = call.wallet.calls(call.trace, (answer) => {
    isRepeated = answer.headers.get('idempotency-hit') === 'true'
  })
  try {
    const said = await purser.pay(cardOf(call.wallet), order, { idempotencyKey: name.id })
    return paidOf(said, isRepeated)
  } catch (error) {
    return refusedBy(error)
  }
}

function paidOf(said: PayOutcome, isRepeated: boolean): Paid {
  if (said.outcome === 'approval_required') return askedOf(said)
  if (said.outcome === 'not_charged')
    return {
      outcome: 'not_charged',
      transactionId: said.transaction_id,
      response: said.response,
    }
  return {
    outcome: said.outcome,
    isRepeated,
    transactionId: said.transaction_id,
    amount: said.amount_debited,
    merchantAmount: said.merchant_amount,
    fee: said.platform_fee,
    asset: said.token,
    network: said.network,
    protocol: said.protocol,
    settlement: said.settlement,
    response: said.response,
  }
}

const askedOf = (said: Record<string, unknown>): Paid => ({
  outcome: 'approval_required',
  approval: {
    id: String(said.approval_id),
    url: String(said.approve_url),
    expires_at: String(said.expires_at),
  },
})

/** The standing of a purchase after an error of the service. Anything else is thrown on. */
export function refusedBy(error: unknown): Paid {
  if (!(error instanceof PurserError)) throw error
  const { body, code } = error
  if (code === 'approval_required') return askedOf(body)
  if (error.mayHaveHappened) return { outcome: 'lost', message: reasonOf(error).message }
  const decision = body.decision_id
  return {
    outcome: 'refused',
    ...reasonOf(error),
    ...(typeof decision === 'string' && { decisionId: decision }),
  }
}

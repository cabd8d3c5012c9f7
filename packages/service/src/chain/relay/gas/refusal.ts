import { Problem } from '../../../base/kernel/problem.ts'
import type { RationCode, Rationed } from './reserve.ts'

const SENTENCES: Record<RationCode, string> = {
  funds_in_flight:
    "The payer's other payments are still on their way to the chain and leave too little of its balance for this one.",
  authorization_in_flight:
    'Another payment with the same authorization nonce is on its way to the chain.',
  payer_waits: 'Earlier payments of this payer failed on chain.',
  token_waits: 'Earlier payments in this token failed on chain.',
  seller_waits: 'Earlier payments to this seller failed on chain.',
  gas_budget_spent: "The gas that this seller's payments may use in a day is used up.",
}

export const RATION_CODES = Object.keys(SENTENCES) as RationCode[]

/** A refusal in the API's words. Nothing was sent, so the same payment may be presented again. */
export type RationRefusal = { code: RationCode; detail: string; headers: { 'retry-after': string } }

export function refusalOfRation({ code, retrySeconds }: Rationed): RationRefusal {
  const named = code === 'stale' ? 'funds_in_flight' : code
  return {
    code: named,
    detail: `${SENTENCES[named]} Nothing was sent. Try the same payment again in ${retrySeconds} s.`,
    headers: { 'retry-after': String(retrySeconds) },
  }
}

export function rationProblem(rationed: Rationed, extra: Record<string, unknown> = {}): Problem {
  const { code, detail, headers } = refusalOfRation(rationed)
  return new Problem(code, detail, { headers, extra })
}

import type { EgressResponse } from '../../../base/egress/egress.ts'
import { sha256Hex } from '../../../base/kernel/secrets.ts'
import { readReceipt } from '../../../base/protocols/mpp/headers/receipt.ts'
import {
  PROBLEM_CONTENT_TYPE,
  type ProblemClaim,
  readProblem,
} from '../../../base/protocols/mpp/problem.ts'
import { readPaymentResponse, type SettlementClaim } from '../../../base/protocols/x402/response.ts'
import type { Presented } from './exchange.ts'
import { isSuccess } from './status.ts'

/**
 * A seller's report of a settlement, from `PAYMENT-RESPONSE` or `Payment-Receipt`. It is only a claim: the chain
 * decides.
 */
export type SellerReceipt = SettlementClaim & {
  method?: string | undefined
  challengeId?: string | undefined
  externalId?: string | undefined
}
/** A seller's report of an error, from a problem document (RFC 9457). Also only a claim. */
export type SellerProblem = Omit<ProblemClaim, 'type'>
/** The protocols by which sellers ask to be paid. */
export type PayProtocol = 'x402' | 'mpp'
/** The bytes of an answer, by their digest. `truncated`: whether there were more than those that were read. */
export type Served = { sha256: string; size: number; truncated: boolean }
export type SellerAnswer = {
  status: number | null
  receipt: SellerReceipt | undefined
  problem: SellerProblem | undefined
  served: Served | undefined
}

/**
 * The claims in a seller's answer to a payment, or in the part of it that arrived. A success whose body broke off gave nothing, so it
 * has no status.
 */
export function readAnswer(
  protocol: PayProtocol,
  presented: Exclude<Presented, { kind: 'unsent' }>,
): SellerAnswer {
  const isWhole = presented.kind === 'answered'
  const head = isWhole ? presented.response : presented.error.head
  if (!head) return { status: null, receipt: undefined, problem: undefined, served: undefined }
  const { headers } = head
  const status = isWhole || !isSuccess(head) ? head.status : null
  const receipt =
    protocol === 'x402'
      ? readPaymentResponse(headers)
      : readPaymentReceipt(headers['payment-receipt'])
  const problem = isWhole ? readSellerProblem(headers, presented.response.body) : undefined
  return { status, receipt, problem, served: isWhole ? servedOf(presented.response) : undefined }
}

const servedOf = ({ body, truncated }: EgressResponse): Served => ({
  sha256: sha256Hex(body),
  size: body.length,
  truncated,
})

function readPaymentReceipt(value: string | undefined): SellerReceipt | undefined {
  const claim = readReceipt(value)
  if (!claim) return undefined
  const { method, reference, challengeId, chainId, externalId } = claim
  return {
    // MPP sends receipts only for successes.
    success: true,
    transaction: reference,
    network: chainId === undefined ? undefined : `eip155:${chainId}`,
    payer: undefined,
    errorReason: undefined,
    method,
    challengeId,
    externalId,
  }
}

/** The problem document of an answer, if its content type says that it is one. */
export function readSellerProblem(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): SellerProblem | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const claim = type === PROBLEM_CONTENT_TYPE ? readProblem(body) : undefined
  if (!claim) return undefined
  const { type: _known, ...said } = claim
  return said
}

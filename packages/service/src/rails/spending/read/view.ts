import { type Static, Type } from 'typebox'
import { AmountOut, AssetField, NetworkField, NullableString } from '../../../api/http/fields.ts'
import { type Answer, answer, isAnswer, keeping, passing } from '../../../api/http/route.ts'
import type { EgressResponse } from '../../../base/egress/egress.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { MadePayment, PayResult } from '../offer/ask.ts'
import { shownProblem } from '../offer/offer.ts'
import type { SellerProblem, SellerReceipt } from '../seller/claims.ts'
import { KEPT_MAX_BYTES, type ShownResponse, showKept, showResponse } from '../seller/exchange.ts'
import { isSuccess, mayServeLater } from '../seller/status.ts'
import { debitOf, isOpen, isServed } from '../store.ts'

const ResponseBody = Type.Object({
  status: Type.Integer({ description: 'HTTP status of the seller' }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'HTTP headers, by their names',
  }),
  body: Type.Unknown({ description: 'Body of the request or answer, as text' }),
  body_encoding: Type.String({
    description:
      '`json`, `text` or `base64`; with a header `content-encoding` the body is as it came, because it could not be decoded',
  }),
  truncated: Type.Boolean({
    description:
      'Whether `body` is only the beginning: 5 MiB, or 64 KiB where the answer is repeated for its Idempotency-Key',
  }),
  sha256: Type.String({ description: 'Digest of all bytes read of the body, hex' }),
  size: Type.Integer({ description: 'How many bytes those were' }),
})
const OUTCOMES = ['paid', 'free', 'not_charged', 'seller_failed', 'unknown'] as const
type Outcome = (typeof OUTCOMES)[number]
const SettlementBody = Type.Object({
  status: Type.String({ description: '`SETTLED` or `PENDING`, as the chain has it' }),
  tx_hash: Type.Union([Type.String(), Type.Null()], {
    description: 'While PENDING: what the seller says, if it says anything',
  }),
})
const ReceiptBody = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the seller says that it was paid' }),
    transaction: NullableString('Hash of the transaction'),
    network: NullableString('CAIP-2 id of the chain, e.g. eip155:8453'),
    payer: NullableString('Address that pays'),
    error_reason: NullableString('Why it failed; null where it did not'),
    method: NullableString('Method of MPP'),
    challenge_id: NullableString('Id of the MPP challenge'),
    external_id: NullableString('Id that the other side gave'),
  },
  {
    description:
      "The seller's own word on the settlement (PAYMENT-RESPONSE, Payment-Receipt). A claim, no proof",
  },
)
const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'The problem type (RFC 9457)' }),
    title: NullableString('Kind of problem, in words'),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'State of the payment' }),
    detail: NullableString('The problem, in words'),
    challenge_id: NullableString('Id of the MPP challenge'),
  },
  { description: "The seller's own word on what went wrong (RFC 9457). A claim, no proof" },
)

export const PayBody = Type.Object({
  success: Type.Boolean({
    description:
      'Whether the request was made, and paid for where it asked for that. What came of it: `outcome`',
  }),
  outcome: Type.Unsafe<Outcome>({
    type: 'string',
    enum: [...OUTCOMES],
    description:
      '`paid`: the money was taken and the seller served. `free`: it served and asked for nothing. `not_charged`: it did not serve, and nothing was taken. `seller_failed`: the money was taken and the seller did not serve; a retry with the same Idempotency-Key shows it the same payment again, and takes nothing more. `unknown`: the money is held and not taken yet; `response` tells whether the seller served; the same, and never a new key',
  }),
  transaction_id: NullableString('Id of the transaction'),
  amount_debited: Type.Number({ description: 'All that left the card: merchant amount and fee' }),
  merchant_amount: AmountOut,
  platform_fee: AmountOut,
  token: AssetField,
  network: NetworkField,
  protocol: NullableString('Protocol by which it is paid'),
  settlement: Type.Union([SettlementBody, Type.Null()], { description: 'How it was settled' }),
  response: Type.Union([ResponseBody, Type.Null()], {
    description: "The seller's answer; null where it was lost, or the request is a retry",
  }),
  receipt: Type.Union([ReceiptBody, Type.Null()], { description: 'The receipt that came back' }),
  problem: Type.Union([ProblemBody, Type.Null()], {
    description: 'The problem document of the seller (RFC 9457)',
  }),
})
export type PaidBody = Static<typeof PayBody>

/** The state of a payment of either kind, as far as the answer shows it. */
type Standing = {
  id: string
  /** `back`: all of the money is on the card again. */
  state: 'open' | 'settled' | 'back'
  served: boolean
  protocol: 'x402' | 'mpp'
  /** Base units: all that leaves the card, and the part that does not go to the seller. */
  debit: bigint
  fee: bigint
  txHash: string | null
  receipt: SellerReceipt | null
  problem: SellerProblem | null
}

/** 200 if the money has moved or the seller served; 202 if neither is known; a refusal if the money came back. */
export function payAnswer(result: PayResult, asset: Asset): PaidBody | Answer {
  const { response } = result
  if (result.kind === 'free') {
    const free = freeBody(asset, showKept(result.response))
    // Not stored under the request's key: the seller may ask for money, or serve, when it is asked again.
    return mayServeLater(result.response.status)
      ? passing({ ...free, response: showResponse(result.response) })
      : withWhole(free, response)
  }
  const kept = madeAnswer(result, asset, response ? showKept(response) : null)
  return withWhole(kept, response)
}

/** Shows a long response whole, of which the Idempotency-Key keeps the beginning. */
function withWhole(
  kept: PaidBody | Answer,
  response: EgressResponse | undefined,
): PaidBody | Answer {
  if (!response || response.body.length <= KEPT_MAX_BYTES) return kept
  const made = isAnswer(kept) ? kept : answer(200, kept)
  const body = made.body as PaidBody
  return keeping({ ...made, body: { ...body, response: showResponse(response) } }, body)
}

/**
 * The answer of a payment as the money stands now, with the seller's `response`. Throws the refusal of a payment that came
 * back.
 */
export function madeAnswer(
  made: MadePayment,
  asset: Asset,
  response: ShownResponse | null,
): PaidBody | Answer {
  const standing = standingOf(made, response)
  const { id, state, served, problem } = standing
  if (state === 'back')
    throw new Problem('payment_rejected', served ? SERVED_UNPAID : NOT_TAKEN, {
      // Its key is free for another payment, as the next request under it makes.
      ...(made.kind === 'paid_by_card' && !served && { isPassing: true }),
      extra: {
        outcome: 'not_charged' satisfies Outcome,
        transaction_id: id,
        response,
        ...(problem && { problem: shownProblem(problem) }),
      },
    })
  const body = paidBody(standing, asset, response)
  // Not stored under the request's key: a retry presents the same payment again, and hears what became of it.
  if (state === 'settled' && !served) return passing(body)
  if (served) return body
  const unknown = {
    ...body,
    success: false,
    code: 'outcome_unknown',
    error: `The payment was handed to the seller and its outcome is not known yet. The money stays held until ${made.kind === 'paid' ? 'the chain tells' : 'its challenge ends'}. The same request under the same Idempotency-Key shows the seller the same payment again; do not pay under another. GET /api/settlement/status/${id} tells how it stands.`,
  }
  return passing(unknown, 202)
}

const NOT_TAKEN =
  'The seller did not take the payment, and the money is back on the card. Use a new Idempotency-Key to try again.'
const SERVED_UNPAID =
  'The seller served, and the payment was never taken: the money is back on the card. There is nothing to pay again.'

function standingOf(made: MadePayment, response: ShownResponse | null): Standing {
  const { id, fee, receipt, problem } = made.payment
  const claims = {
    id,
    fee,
    receipt,
    problem,
    served: response ? isSuccess(response) : isServed(made.payment),
  }
  if (made.kind === 'paid') {
    const { payment } = made
    const isBack = payment.state === 'released' || payment.state === 'undone'
    return {
      ...claims,
      state: isBack ? 'back' : isOpen(payment) ? 'open' : 'settled',
      protocol: payment.protocol,
      debit: debitOf(payment),
      txHash: payment.txHash ?? claimedHash(receipt),
    }
  }
  const { token } = made
  return {
    ...claims,
    state: STATE_OF_TOKEN[token.state],
    protocol: 'mpp',
    debit: token.amount,
    txHash: null,
  }
}

const STATE_OF_TOKEN = { held: 'open', redeemed: 'settled', released: 'back' } as const

const freeBody = (asset: Asset, response: ShownResponse | null): PaidBody => ({
  success: true,
  outcome: response !== null && isSuccess(response) ? 'free' : 'not_charged',
  transaction_id: null,
  amount_debited: 0,
  merchant_amount: 0,
  platform_fee: 0,
  token: asset.symbol,
  network: asset.network,
  protocol: null,
  settlement: null,
  response,
  receipt: null,
  problem: null,
})

function paidBody(standing: Standing, asset: Asset, response: ShownResponse | null): PaidBody {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const { id, state, served, protocol, debit, fee, txHash, receipt, problem } = standing
  return {
    success: true,
    outcome: state === 'open' ? 'unknown' : served ? 'paid' : 'seller_failed',
    transaction_id: id,
    amount_debited: out(debit),
    merchant_amount: out(debit - fee),
    platform_fee: out(fee),
    token: asset.symbol,
    network: asset.network,
    protocol,
    settlement: { status: state === 'settled' ? 'SETTLED' : 'PENDING', tx_hash: txHash },
    response,
    receipt: receipt && shownReceipt(receipt),
    problem: problem && shownProblem(problem),
  }
}

function claimedHash(receipt: SellerReceipt | null): string | null {
  const claimed = receipt?.transaction ?? ''
  return /^0x[0-9a-fA-F]{64}$/.test(claimed) ? claimed.toLowerCase() : null
}

export const shownReceipt = (receipt: SellerReceipt) => ({
  success: receipt.success,
  transaction: receipt.transaction ?? null,
  network: receipt.network ?? null,
  payer: receipt.payer ?? null,
  error_reason: receipt.errorReason ?? null,
  method: receipt.method ?? null,
  challenge_id: receipt.challengeId ?? null,
  external_id: receipt.externalId ?? null,
})

import { type Static, Type } from 'typebox'
import { signerAsAgent } from '../../api/agents/sign.ts'
import { type Caller, checkKeyAmount } from '../../api/http/caller.ts'
import {
  AmountIn,
  AmountOut,
  APPROVAL_ANSWER,
  ApprovalIdIn,
  CardTokenIn,
  IgnoredBody,
  Success,
} from '../../api/http/fields.ts'
import type { Claim } from '../../api/http/idempotency.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { parsePositiveAmount, toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { refundPayment } from '../../money/settlements/refund.ts'
import { spentAsset } from './money.ts'
import type { PayAsk } from './offer/ask.ts'
import { authorizeRoutes } from './offer/authorize-routes.ts'
import { DiscoveryBody, discoverMpp, discoverX402, MppDiscoveryBody } from './offer/discover.ts'
import { SimulationBody, simulatePayment } from './offer/simulate.ts'
import { findMade, pay } from './pay.ts'
import { purchaseRoutes } from './purchase-routes.ts'
import { PaymentName, receivedId } from './read/reference.ts'
import { paymentReadRoutes } from './read/routes.ts'
import { madeAnswer, type PaidBody, PayBody, payAnswer } from './read/view.ts'
import { ASK_ERRORS, CARD_ERRORS, LINK_ERRORS, SELLER_ERRORS } from './refusals.ts'
import type { PayProtocol } from './seller/claims.ts'
import { METHODS, type PayMethod, readOutgoing, type ShownResponse } from './seller/exchange.ts'

const URL_MAX_CHARACTERS = 4096
const HEADERS_MAX = 32
const UrlField = Type.String({
  minLength: 1,
  maxLength: URL_MAX_CHARACTERS,
  description: 'The URL to pay for',
})

const PayAskBody = Type.Object(
  {
    card_id: Type.String({
      maxLength: 64,
      description: 'Id of the card',
    }),
    card_token: CardTokenIn,
    url: UrlField,
    method: Type.Optional(
      Type.Unsafe<PayMethod>({
        type: 'string',
        enum: [...METHODS],
        description: 'POST without it',
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'A string is sent as it is, everything else as JSON. Without a header Content-Type a string that is JSON goes out as application/json, any other as text/plain',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 4096 }), {
        maxProperties: HEADERS_MAX,
        description: 'HTTP headers, by their names',
      }),
    ),
    max_amount: Type.Optional(
      Type.Unsafe<number | string>({
        ...AmountIn,
        description: 'The most that may leave the card, the platform fee included',
      }),
    ),
    protocol: Type.Optional(
      Type.Unsafe<PayProtocol>({
        type: 'string',
        enum: ['x402', 'mpp'],
        description: 'The only protocol to pay by; without it, whichever takes least from the card',
      }),
    ),
    approval_id: ApprovalIdIn,
  },
  { title: 'PayOrder', additionalProperties: false },
)

type AskContext = {
  body: Static<typeof PayAskBody>
  caller: Caller
  at: Date
  claim: Claim | undefined
  services: Services
}

function readAsk({ body, caller, at, claim, services }: AskContext): PayAsk {
  const { decimals } = spentAsset(services.chain)
  return {
    caller,
    at,
    claim,
    cardId: body.card_id,
    cardToken: body.card_token,
    request: readOutgoing(services.egress, { ...body, signAs: signerAsAgent(services) }),
    protocol: body.protocol,
    approvalId: body.approval_id,
    maxAmount:
      body.max_amount === undefined
        ? undefined
        : parsePositiveAmount(body.max_amount, decimals, 'max_amount'),
  }
}

const payUrl = keyRoute({
  method: 'POST',
  path: '/api/pay',
  tag: 'Payments',
  summary: 'Fetch a URL, and pay for it with a card if it asks for money',
  description:
    'The URL is fetched; if it answers 402, the demand is read as x402 and as MPP, the offer in USDC on this network that takes least from the card is paid, and the request made once more with the payment. Between equal offers a card payment of this service comes first, then x402, then MPP on chain. A URL that needs no payment returns its answer, with amount_debited 0. The result is read from the chain, or for a link of this service from its books; never from the seller. Send an Idempotency-Key: a retry with it never pays twice, and shows the first 64 KiB of the answer with the size and digest of the whole, and the outcome as it is known by then.',
  scope: 'payments:write',
  body: PayAskBody,
  response: PayBody,
  attack: 'open',
  costs: { statements: 2_000, rows: 200, rpc: 200, dns: 200, requests: 100 },
  errors: [
    ...ASK_ERRORS,
    ...SELLER_ERRORS,
    ...CARD_ERRORS,
    ...LINK_ERRORS,
    'payment_rejected',
    'payouts_held',
  ],
  waits: true,
  alsoAnswers: {
    202: `outcome_unknown: the seller has the payment and its answer was lost or a refusal. The money stays held until the chain tells; transaction_id names the payment. A retry with the same Idempotency-Key shows the seller the same payment again, and answers what became of it. Or ${APPROVAL_ANSWER}`,
  },
  handle: async (context) => {
    const { services } = context
    return payAnswer(await pay(services, readAsk(context)), spentAsset(services.chain))
  },
  // A seller may serve while the end of its payment is not known: a repetition shows the goods with that end.
  renewKept: async (kept, { db, chain }) => {
    const { transaction_id: id, response } = kept as PaidBody
    const made = id === null ? undefined : await findMade(db.reader, id)
    return made && madeAnswer(made, spentAsset(chain), response as ShownResponse | null)
  },
})

const simulate = keyRoute({
  method: 'POST',
  path: '/api/pay/simulate',
  tag: 'Payments',
  summary: 'Simulate a payment: its cost, and whether the card would pay it',
  description:
    'The request is made, without a payment, to read the price: at a URL that asks for none it has its effect. No money moves.',
  scope: 'payments:write',
  body: PayAskBody,
  response: SimulationBody,
  attack: 'outgoing',
  costs: { statements: 900, rpc: 200, dns: 200, requests: 100 },
  errors: [
    ...ASK_ERRORS,
    ...SELLER_ERRORS,
    ...LINK_ERRORS,
    'forbidden_scope',
    'chain_unavailable',
    'payouts_held',
  ],
  handle: async (context) => simulatePayment(context.services, readAsk(context)),
})

const discover = keyRoute({
  method: 'GET',
  path: '/api/x402/discover',
  tag: 'Payments',
  summary: 'Whether a URL asks for an x402 payment, and what for',
  description: 'Asks the URL and reads its 402. Nothing is paid.',
  scope: 'payments:read',
  query: Type.Object({ url: UrlField }, { additionalProperties: false }),
  response: DiscoveryBody,
  attack: 'outgoing',
  costs: { statements: 400, dns: 200, requests: 100 },
  errors: SELLER_ERRORS,
  handle: async ({ query, services, at, caller }) =>
    discoverX402(services, { at, walletAddress: caller.walletAddress, url: query.url }),
})

const discoverByMpp = keyRoute({
  method: 'GET',
  path: '/api/mpp/discover',
  tag: 'Payments',
  summary: 'Whether a URL asks for an MPP payment, by which methods, and what for',
  description: 'Asks the URL and reads its 402. Nothing is paid.',
  scope: 'payments:read',
  query: Type.Object({ url: UrlField }, { additionalProperties: false }),
  response: MppDiscoveryBody,
  attack: 'outgoing',
  costs: { statements: 400, dns: 400, requests: 200 },
  errors: SELLER_ERRORS,
  handle: async ({ query, services, at, caller }) =>
    discoverMpp(services, { at, walletAddress: caller.walletAddress, url: query.url }),
})

const gone = (path: string): Route =>
  keyRoute({
    method: 'POST',
    path,
    tag: 'Payments',
    summary: 'Gone: use POST /api/pay',
    description: 'Always 410. `POST /api/pay` speaks every protocol.',
    scope: 'payments:write',
    body: IgnoredBody,
    response: Type.Object({}),
    attack: 'none',
    costs: { statements: 100 },
    errors: ['gone'],
    handle: async () => {
      throw new Problem(
        'gone',
        'This operation has been removed. Use POST /api/pay for every protocol.',
        {
          extra: { migrate_to: '/api/pay' },
        },
      )
    },
  })

const refund = keyRoute({
  method: 'POST',
  path: '/api/payments/{id}/refund',
  tag: 'Payments',
  summary: 'Give a received payment, or a part of it, back to the card that paid; its fee is kept',
  description:
    'By the receiver: all that is left, or `amount` of it. The money goes back to the card that paid. The fee of the payment is not given back, so at most what the receiver got after the fee. Each refund is an entry of its own in the lists of both sides.',
  scope: 'payments:write',
  params: Type.Object({ id: PaymentName }),
  // A request without a body refunds the whole amount.
  body: Type.Union([
    Type.Object({ amount: Type.Optional(AmountIn) }, { additionalProperties: false }),
    Type.Null(),
  ]),
  response: Type.Object({
    success: Success,
    transaction_id: Type.String({ description: 'Id of the transaction' }),
    amount: AmountOut,
    refunded: Type.Number({ description: 'All that was refunded of the payment so far' }),
    refund_id: Type.String({ description: "Id of the refund's own entry" }),
    fee_kept: Type.Number({ description: 'The fee of the payment, which the service keeps' }),
    status: Type.String({ description: '`REFUNDED` once all of it was, else `SETTLED`' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [
    'not_found',
    'invalid_amount',
    'invalid_state',
    'already_refunded',
    'payment_archived',
    'insufficient_funds',
    'card_frozen',
    'payment_rejected',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const asset = spentAsset(services.chain)
    const asked = body?.amount
    const amount = asked === undefined ? undefined : parsePositiveAmount(asked, asset.decimals)
    const transactionId = await receivedId(services.db.reader, caller, params.id)
    return write(async (tx) => {
      const { walletAddress, cardIds } = caller
      const ask = { walletAddress, cardIds, transactionId, amount, asset }
      const { transaction, entry } = await refundPayment(tx, at, ask)
      checkKeyAmount(caller, entry.amount)
      return {
        success: true,
        transaction_id: transaction.id,
        amount: toNumber(entry.amount, asset.decimals),
        refunded: toNumber(entry.refunded, asset.decimals),
        refund_id: entry.id,
        fee_kept: toNumber(entry.feeKept, asset.decimals),
        status: entry.refunded === transaction.amount ? 'REFUNDED' : 'SETTLED',
      }
    })
  },
})

export const paymentRoutes: Route[] = [
  payUrl,
  ...purchaseRoutes,
  ...authorizeRoutes,
  simulate,
  ...paymentReadRoutes,
  refund,
  gone('/api/x402/pay'),
  gone('/api/mpp/pay'),
  discover,
  discoverByMpp,
]

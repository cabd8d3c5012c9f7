import { Type } from 'typebox'
import {
  AddressField,
  AmountIn,
  AmountOut,
  ApprovalIdIn,
  AssetField,
  CardTokenIn,
  iso,
  NetworkField,
  Success,
  Timestamp,
  TxHashOut,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { parsePositiveAmount, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { decodeHeader } from '../../../base/protocols/x402/wire.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { spentAsset } from '../money.ts'
import { ASK_ERRORS, CARD_ERRORS } from '../refusals.ts'
import { debitOf, isOpen, type OutboundPayment } from '../store.ts'
import { authorizeOffer } from './authorize-offer.ts'

const RESOURCE_MAX_CHARACTERS = 4096

const AuthorizationAsk = Type.Object(
  {
    card_id: Type.String({
      maxLength: 64,
      description: 'Id of the card',
    }),
    card_token: CardTokenIn,
    resource: Type.String({
      minLength: 1,
      maxLength: RESOURCE_MAX_CHARACTERS,
      description: 'URL of what is bought, e.g. `mcp://tool/forecast`. Shown; it decides nothing',
    }),
    challenge: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The x402 `PaymentRequired` as it was received: an MCP result’s `structuredContent`, an A2A message’s `x402.payment.required`, or the decoded PAYMENT-REQUIRED header',
      },
    ),
    max_amount: Type.Optional(
      Type.Unsafe<number | string>({
        ...AmountIn,
        description: 'The most that may leave the card, the platform fee included',
      }),
    ),
    approval_id: ApprovalIdIn,
  },
  { additionalProperties: false },
)

const AuthorizationBody = Type.Object({
  success: Success,
  transaction_id: Type.String({ description: 'Id of the transaction' }),
  amount_held: Type.Number({
    description: 'The amount that leaves the card once the payment is used',
  }),
  merchant_amount: AmountOut,
  platform_fee: AmountOut,
  token: AssetField,
  network: NetworkField,
  pay_to: AddressField,
  expires_at: Type.String({ ...Timestamp, description: 'Unused by then, the money is free again' }),
  settlement: Type.Object(
    {
      status: Type.String({ description: '`SETTLED` or `PENDING`, as the chain has it' }),
      tx_hash: TxHashOut,
    },
    { description: 'How it was settled' },
  ),
  payment: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description:
      'The signed x402 `PaymentPayload`: for `_meta["x402/payment"]` of an MCP call or `x402.payment.payload` of an A2A message. Null once it has been used',
  }),
})

const authorize = keyRoute({
  method: 'POST',
  path: '/api/pay/authorize',
  tag: 'Payments',
  summary: 'Sign one payment for a demand that did not come over HTTP',
  description:
    'For transports that the agent speaks and this service does not, such as MCP and A2A: hand in the x402 demand, get the signed payment back, and present it yourself. The money is held on the card; the chain decides whether it is spent or comes back after expires_at. A list of allowed merchants is held against the address that is paid, as nothing else is signed. Send an Idempotency-Key: a retry with it is given the same payment.',
  scope: 'payments:write',
  body: AuthorizationAsk,
  response: AuthorizationBody,
  waits: true,
  attack: 'open',
  costs: { statements: 1_700, rows: 200, rpc: 200 },
  errors: [...ASK_ERRORS, ...CARD_ERRORS, 'invalid_field', 'payment_rejected', 'payouts_held'],
  handle: async ({ body, caller, at, claim, services }) => {
    const { chain } = services
    const { max_amount: maxAmount } = body
    const payment = await authorizeOffer(services, {
      caller,
      at,
      claim,
      cardId: body.card_id,
      cardToken: body.card_token,
      resource: readResource(body.resource),
      challenge: body.challenge,
      approvalId: body.approval_id,
      maxAmount:
        maxAmount === undefined
          ? undefined
          : parsePositiveAmount(maxAmount, spentAsset(chain).decimals, 'max_amount'),
    })
    return authorizationBody(payment, assetOf(chain, payment))
  },
})

function readResource(text: string): string {
  const url = URL.parse(text)
  if (url) return url.href
  throw new Problem(
    'invalid_field',
    'resource must be an absolute URL, e.g. mcp://tool/forecast.',
    {
      param: 'resource',
    },
  )
}

function authorizationBody(payment: OutboundPayment, asset: Asset) {
  const { id, headerValue } = payment
  if (payment.state === 'released' || payment.state === 'undone')
    throw new Problem(
      'payment_rejected',
      'The payment was not used in time, and the money is back on the card. Use a new Idempotency-Key to try again.',
      { extra: { transaction_id: id } },
    )
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    success: true,
    transaction_id: id,
    amount_held: out(debitOf(payment)),
    merchant_amount: out(payment.merchantAmount),
    platform_fee: out(payment.fee),
    token: payment.asset,
    network: payment.network,
    pay_to: payment.payTo,
    expires_at: iso(new Date(Number(payment.validBefore) * 1000)),
    settlement: { status: isOpen(payment) ? 'PENDING' : 'SETTLED', tx_hash: payment.txHash },
    payment: (isOpen(payment) && headerValue && decodeHeader(headerValue)) || null,
  }
}

export const authorizeRoutes: Route[] = [authorize]

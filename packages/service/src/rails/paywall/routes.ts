import { type Static, Type } from 'typebox'
import {
  AddressField,
  idParam,
  iso,
  NetworkField,
  NullableString,
  NullableTimestamp,
  Success,
} from '../../api/http/fields.ts'
import { keyRoute, passing, type Route } from '../../api/http/route.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { keysOfSeller } from '../../base/protocols/mpp/binding.ts'
import { type JsonObject, v1NameOf } from '../../base/protocols/x402/wire.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { RATION_CODES } from '../../chain/relay/gas/relayer-gas.ts'
import { readSupported } from '../facilitator/supported.ts'
import { type ClaimOutcome, claimPayment } from './claim.ts'
import { releasePayment } from './release.ts'
import { type SettleOutcome, settlePayment } from './settle.ts'
import { findPaymentById, type PaywallPayment } from './store.ts'
import { paywallLink } from './terms.ts'

const TAG = 'Paywall'
const strict = { additionalProperties: false }
const AnyObject = Type.Unsafe<JsonObject>({ type: 'object' })

const terms = keyRoute({
  method: 'POST',
  path: '/api/paywall',
  tag: TAG,
  summary: 'What a paywall needs to ask for payments in the name of your wallet',
  description:
    'For `@purser/paywall`, and for sellers in any language, who write each 402 by themselves as the guide at `/docs/paywall-api` says: offers of x402 and challenges of MPP are made of these terms. Cards of this service pay by a link on one of your cards, which the first call opens; later calls find it. Ask again each minute.',
  scope: 'facilitator:write',
  body: Type.Object(
    {
      card_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'The card that receives what cards of this service pay; by default your newest that can',
        }),
      ),
    },
    strict,
  ),
  response: Type.Object({
    wallet_address: AddressField,
    issuer: Type.String({ description: 'URL of this service, whose cards can pay' }),
    network: NetworkField,
    network_v1: NullableString('Its name in x402 v1'),
    chain_id: Type.Integer({ description: 'Id of the chain' }),
    asset: Type.Object(
      {
        symbol: Type.String({ description: 'Symbol of the token' }),
        contract: Type.String({ description: 'Contract of the token' }),
        decimals: Type.Integer({ description: 'Digits after the point' }),
        name: Type.String({ description: 'Name in its EIP-712 domain' }),
        version: Type.String({ description: 'Version in its EIP-712 domain' }),
      },
      { description: 'The token that prices are in' },
    ),
    is_on_chain: Type.Boolean({ description: 'Whether payments on chain are settled now' }),
    min_on_chain: Type.String({ description: 'The least payment on chain, in base units' }),
    upto_facilitator: NullableString(
      'For prices by use (x402 `upto`): the account that payers let settle; null where it is not spoken',
    ),
    card_link: NullableString(
      'Code of the link that cards pay; null if none of your cards can receive',
    ),
    challenge_key: Type.String({
      description:
        'The key that binds the challenges of your paywall, base64url: the id of a challenge is HMAC-SHA-256 with it over realm, method, intent, request, expires, digest and opaque, joined by |. Keep it secret',
    }),
  }),
  attack: { capped: 'one link a card' },
  costs: { statements: 400, rows: 10, rpc: 200 },
  errors: ['not_found', 'invalid_state', 'chain_unavailable'],
  handle: async ({ body, caller, at, services }) => {
    const { settings, chain, mppKeys } = services
    const asset = defaultAsset(chain)
    const [link, supported] = await Promise.all([
      paywallLink(services, at, { caller, cardId: body.card_id }),
      readSupported(services),
    ])
    const [key] = keysOfSeller(mppKeys.challenges, caller.walletAddress)
    const upto = supported.kinds.find(({ scheme }) => scheme === 'upto')
    return passing({
      wallet_address: caller.walletAddress,
      issuer: settings.publicUrl,
      network: chain.network,
      network_v1: v1NameOf(chain.network) ?? null,
      chain_id: chain.chainId,
      asset: {
        ...{ symbol: asset.symbol, contract: asset.contract, decimals: asset.decimals },
        ...asset.eip712,
      },
      is_on_chain: supported.kinds.length > 0,
      min_on_chain: String(settings.gas.minimum),
      upto_facilitator: upto?.extra?.facilitatorAddress ?? null,
      card_link: link?.code ?? null,
      challenge_key: Buffer.from(key).toString('base64url'),
    })
  },
})

const PaymentIn = {
  x402: Type.Optional(
    Type.Object(
      {
        x402Version: Type.Optional(Type.Integer({ description: '2, or 1' })),
        paymentPayload: { ...AnyObject, description: 'The signed payment, as x402 writes it' },
        paymentRequirements: {
          ...AnyObject,
          description: 'The offer of your 402 that it accepts, as x402 writes it',
        },
      },
      { description: 'A payment by x402' },
    ),
  ),
  mpp: Type.Optional(
    Type.Object(
      {
        credential: Type.String({
          maxLength: 32_768,
          description: 'The value of the header: Payment and the credential',
        }),
        amount: Type.String({ maxLength: 80, description: 'The price, in base units' }),
        digest: Type.Optional(
          Type.String({ maxLength: 512, description: "The Content-Digest of the request's body" }),
        ),
      },
      { ...strict, description: 'A payment by MPP, for a challenge of your paywall' },
    ),
  ),
}
const Attempt = Type.String({
  pattern: '^[A-Za-z0-9_-]{16,100}$',
  description: 'Random, one for each attempt to serve: a repeated call of one attempt is safe',
})
const Answer = NullableString('The answer that was kept, as your paywall sealed it, base64')

const Receipt = Type.Union(
  [
    Type.Object({
      settlement_id: NullableString('Id of the settlement'),
      transaction: NullableString('Hash of the transaction; null for a payment by card'),
      payer: Type.String({ description: 'Address, or id of the card' }),
      amount: Type.String({ description: 'What was taken, in base units' }),
      settled_at: NullableTimestamp('When it was settled'),
    }),
    Type.Null(),
  ],
  { description: 'What was taken; null if nothing was yet' },
)

const receiptOf = (payment: PaywallPayment): Static<typeof Receipt> =>
  payment.state === 'settled'
    ? {
        settlement_id: payment.settlementId,
        transaction: payment.txHash,
        payer: payment.payer,
        amount: String(payment.charged),
        settled_at: payment.settledAt && iso(payment.settledAt),
      }
    : null

const CLAIMS = ['claimed', 'paid', 'settling', 'busy', 'used', 'refused'] as const
const ClaimBody = Type.Object({
  status: Type.Unsafe<(typeof CLAIMS)[number]>({
    type: 'string',
    enum: [...CLAIMS],
    description:
      'claimed: serve, then settle; paid: serve, the money was taken before; settling: do not serve, settle again; busy: another attempt serves; used: its goods are given; refused',
  }),
  id: NullableString('Id of the payment here; null if refused'),
  payer: NullableString('Address, or id of the card; null if refused'),
  reason: NullableString("Why it is refused, by its protocol's own name"),
  detail: NullableString('The same in words'),
  retry_seconds: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Of a busy one: when to ask again',
  }),
  receipt: Receipt,
  is_answer_kept: Type.Boolean({
    description: 'Of a settling one: whether its settlement will answer with what was kept',
  }),
  answer: Answer,
})

const claim = keyRoute({
  method: 'POST',
  path: '/api/paywall/payments',
  tag: TAG,
  summary: 'Claim a payment for one attempt to serve the request that it came with',
  description:
    'Answers 200 whatever the outcome. Nothing is taken yet. Of all who present a payment at once, on any machine, one is to serve; a claim ends with its lease if its process dies. The payment is good for one request: the one whose name came with its first claim.',
  scope: 'facilitator:write',
  body: Type.Object(
    {
      attempt: Attempt,
      resource: Type.String({ maxLength: 2_048, description: 'URL of what is sold' }),
      request: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A name of the request: a digest of method, URL and body',
      }),
      lease_seconds: Type.Optional(
        Type.Integer({
          minimum: 5,
          maximum: 3_600,
          description: 'How long the attempt may take; 120 by default',
        }),
      ),
      ...PaymentIn,
    },
    strict,
  ),
  response: ClaimBody,
  attack: 'chain',
  costs: { statements: 400, rpc: 200 },
  errors: ['invalid_payment', 'chain_unavailable'],
  handle: async ({ body, caller, at, services }) => {
    const outcome = await claimPayment(services, at, {
      walletAddress: caller.walletAddress,
      attempt: body.attempt,
      resource: body.resource,
      requestHash: body.request,
      leaseSeconds: body.lease_seconds ?? LEASE_SECONDS,
      payment: body,
    })
    return passing(claimBody(outcome))
  },
})

const LEASE_SECONDS = 120

function claimBody(outcome: ClaimOutcome): Static<typeof ClaimBody> {
  const nothing = {
    ...{ reason: null, detail: null, retry_seconds: null },
    ...{ is_answer_kept: false, answer: null },
  }
  if (outcome.kind === 'refused') {
    const { reason, detail } = outcome
    return { ...nothing, status: 'refused', id: null, payer: null, receipt: null, reason, detail }
  }
  const { payment } = outcome
  return {
    ...nothing,
    status: outcome.kind,
    id: payment.id,
    payer: payment.payer,
    receipt: receiptOf(payment),
    is_answer_kept: payment.answer !== null,
    ...(outcome.kind === 'busy' && { retry_seconds: outcome.retrySeconds }),
    ...(outcome.kind === 'used' && outcome.isSame && { answer: answerOf(payment) }),
  }
}

const answerOf = ({ answer }: PaywallPayment): string | null => answer?.toString('base64') ?? null

const SETTLES = ['settled', 'pending', 'refused'] as const
const SettledBody = Type.Object({
  status: Type.Unsafe<(typeof SETTLES)[number]>({
    type: 'string',
    enum: [...SETTLES],
    description:
      'pending: the chain does not show it yet; ask again with the same payment, never for another',
  }),
  is_first: Type.Boolean({ description: 'Only then give the goods' }),
  reason: NullableString("Why it is refused, by its protocol's own name"),
  detail: NullableString('The same in words'),
  transaction: NullableString('Of a pending one: the transaction, if it is sent'),
  receipt: Receipt,
  answer: Answer,
})

const settle = keyRoute({
  method: 'POST',
  path: '/api/paywall/payments/{id}/settle',
  tag: TAG,
  summary: 'Take the money of a payment that you claimed',
  description:
    'Answers 200 whatever the outcome, but 429 if gas is rationed: then nothing was sent, and you keep the claim: call again, or release it. `is_first` is true for one attempt of all, however often it calls. A refused payment is free to be presented again. By the scheme upto, `used` is what was used. With `serve_after` the money is taken first: call again without it once the goods are given.',
  scope: 'facilitator:write',
  params: idParam('payment'),
  body: Type.Object(
    {
      attempt: Attempt,
      used: Type.Optional(
        Type.String({ maxLength: 80, description: 'By upto: base units, at most what was signed' }),
      ),
      serve_after: Type.Optional(
        Type.Boolean({ description: 'The handler runs after the money; false by default' }),
      ),
      answer: Type.Optional(
        Type.String({
          maxLength: 200_000,
          contentEncoding: 'base64',
          description: 'The answer, sealed by you, base64: a repetition gets it again for two days',
        }),
      ),
      ...PaymentIn,
    },
    strict,
  ),
  response: SettledBody,
  attack: 'gas',
  costs: { statements: 1_300, jobs: 2, rpc: 300 },
  errors: ['invalid_payment', 'invalid_amount', 'not_found', 'invalid_state', ...RATION_CODES],
  handle: async ({ params, body, caller, at, services }) => {
    const outcome = await settlePayment(services, at, {
      walletAddress: caller.walletAddress,
      id: params.id,
      attempt: body.attempt,
      payment: body,
      used: body.used,
      answer: body.answer === undefined ? null : Buffer.from(body.answer, 'base64'),
      isDelivered: body.serve_after !== true,
    })
    if (outcome.kind === 'rationed') {
      const { code, detail, headers } = outcome.refusal
      throw new Problem(code, detail, { headers })
    }
    return passing(settledBody(outcome))
  },
})

function settledBody(
  outcome: Exclude<SettleOutcome, { kind: 'rationed' }>,
): Static<typeof SettledBody> {
  const nothing = { is_first: false, reason: null, detail: null, transaction: null }
  const none = { ...nothing, receipt: null, answer: null }
  if (outcome.kind === 'refused')
    return { ...none, status: 'refused', reason: outcome.reason, detail: outcome.detail }
  if (outcome.kind === 'pending')
    return { ...none, status: 'pending', transaction: outcome.txHash || null }
  const { payment, isFirst, isPrivate } = outcome
  return {
    ...none,
    status: 'settled',
    is_first: isFirst,
    receipt: receiptOf(payment),
    answer: isFirst || isPrivate ? answerOf(payment) : null,
  }
}

const release = keyRoute({
  method: 'POST',
  path: '/api/paywall/payments/{id}/release',
  tag: TAG,
  summary: 'Give a claimed payment back: its handler failed, or its client is gone',
  description:
    'Nothing is taken, and the same payment may be presented again. A card of this service has its money back at once, and pays anew. If the money is taken, first or by a call whose answer was lost, the same payment may ask for its goods again.',
  scope: 'facilitator:write',
  params: idParam('payment'),
  body: Type.Object({ attempt: Attempt }, strict),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 500 },
  errors: ['not_found'],
  handle: async ({ params, body, caller, at, services }) => {
    const payment = await findPaymentById(services.db.reader, params.id)
    if (payment?.walletAddress !== caller.walletAddress) throw notFound('payment')
    await services.db.write((tx) =>
      releasePayment(tx, services, at, { payment, attempt: body.attempt }),
    )
    return passing({ success: true })
  },
})

export const paywallRoutes: Route[] = [terms, claim, settle, release]

import { type Answer, answer } from '../http/route.ts'
import type { Services } from '../http/services.ts'
import { formatAmount, toNumber } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { preferred } from '../protocols/mpp/headers/accept.ts'
import {
  CHALLENGE_HEADER,
  type Challenge,
  echoOf,
  writeChallenge,
} from '../protocols/mpp/headers/challenge.ts'
import {
  PROBLEM_CONTENT_TYPE,
  type ProblemType,
  problemDocument,
} from '../protocols/mpp/problem.ts'
import {
  encodePaymentRequired,
  PAYMENT_REQUIRED_HEADER,
  type PaymentRequired,
  paymentRequiredV1,
} from '../protocols/x402/requirements.ts'
import { mppChallenges, summaryOf } from './methods/mpp/offer.ts'
import { offerOf } from './methods/x402/settle.ts'
import type { PayLink, Settlement } from './store.ts'
import { linkUrl } from './view.ts'

/** What a request for a link's URL carries that an answer depends on. Header names in lower case. */
export type PayRequest = {
  headers: Record<string, string | undefined>
  /** The body as it was sent; empty where there is none. */
  rawBody: string
}

/** Why a payment was not taken, in the words of its protocol. */
export type Refused = {
  problem: ProblemType
  /** A stable name: that of x402 for its payments, our own for those of MPP. */
  reason: string
  detail: string
  /** The challenge that was answered. */
  challengeId?: string
}

/** The headers that keep caches out. */
export const SHARED_HEADERS = {
  'cache-control': 'no-store',
  vary: 'accept, accept-payment, authorization, payment-authorization, payment-signature, x-payment',
}

/** The headers of an answer to who has paid. */
export const PAID_HEADERS = { ...SHARED_HEADERS, 'cache-control': 'private, no-store' }

/** The problem type of MPP for what x402 calls a refusal of the token or of an authorization. */
export const problemOf = (reason: string): ProblemType =>
  reason.endsWith('_insufficient_balance')
    ? 'payment-insufficient'
    : reason.endsWith('_valid_before')
      ? 'payment-expired'
      : 'verification-failed'

/** 503 while a payment is on its way: with a challenge, a client would sign a second one. */
export const pending = (
  services: Services,
  settlement: Settlement | null,
  link: PayLink,
): Problem =>
  new Problem(
    'settlement_pending',
    'The payment is on its way to the chain. Repeat this same request for the receipt; do not sign again.',
    {
      headers: { 'retry-after': '3' },
      extra: {
        status_url: `${services.settings.publicUrl}/api/paylinks/${link.code}/status`,
        ...(settlement && { settlement_id: settlement.id }),
      },
    },
  )

/**
 * 402 with every way to pay at once: the header of x402 v2, a fresh MPP challenge for each method, and a body that is
 * x402 v1's demand, a problem document (RFC 9457) and our own list in one. `chosen` is the payer's amount, in base units.
 */
export function demand(
  services: Services,
  at: Date,
  of: { link: PayLink; chosen: bigint | null; request: PayRequest; refused?: Refused },
): Answer {
  const { link, chosen, request, refused } = of
  const x402 = x402Demand(services, of)
  const challenges = challengesFor(services, at, { link, chosen, request })
  const isPriced = x402.accepts.length + challenges.length > 0
  const detail =
    refused?.detail ??
    (isPriced
      ? 'Pay by one of the ways that this answer lists, and repeat the request with the payment.'
      : 'The payer chooses the amount of this link: add ?amount= to the URL.')
  const { problem = 'payment-required', challengeId } = refused ?? {}
  const body = {
    ...problemDocument(problem, detail, challengeId),
    ...paymentRequiredV1(x402),
    code: 'payment_required',
    ...listOfWays(services, link, challenges),
  }
  return answer(402, body, {
    ...SHARED_HEADERS,
    ...(x402.accepts.length > 0 && { [PAYMENT_REQUIRED_HEADER]: encodePaymentRequired(x402) }),
    ...(challenges.length > 0 && {
      [CHALLENGE_HEADER]: challenges.map(writeChallenge),
      'content-type': PROBLEM_CONTENT_TYPE,
    }),
  })
}

function x402Demand(
  services: Services,
  { link, chosen, refused }: { link: PayLink; chosen: bigint | null; refused?: Refused },
): PaymentRequired {
  const { decimals } = services.chain.asset
  const url = linkUrl(services, link)
  const accepts = link.acceptedProtocols.includes('x402') ? offerOf(services, link, chosen) : []
  const isPriced = link.amount !== null || chosen !== null
  return {
    resource: {
      url: chosen === null ? url : `${url}?amount=${formatAmount(chosen, decimals)}`,
      description: summaryOf(link),
      mimeType: 'application/json',
    },
    accepts,
    error:
      refused?.reason ??
      (isPriced ? 'payment required' : 'name the amount: add ?amount= to the URL'),
  }
}

/** Those that the client can pay come first (`Accept-Payment`), those that it rules out not at all. */
function challengesFor(
  services: Services,
  at: Date,
  of: { link: PayLink; chosen: bigint | null; request: PayRequest },
): readonly Challenge[] {
  const { headers, rawBody } = of.request
  const challenges = mppChallenges(services, at, {
    ...of,
    body: Buffer.from(rawBody),
    // Whoever sends a key of something else there needs another field for the credential.
    isAuthorizationTaken: /^(?!payment\b)\S/i.test(headers.authorization ?? ''),
  })
  return preferred(challenges, headers['accept-payment'])
}

function listOfWays(services: Services, link: PayLink, challenges: readonly Challenge[]) {
  const { chain, settings } = services
  return {
    pay_link: {
      code: link.code,
      url: linkUrl(services, link),
      amount: link.amount === null ? null : toNumber(link.amount, chain.asset.decimals),
      memo: link.memo,
    },
    accepted_protocols: link.acceptedProtocols,
    // As `POST /api/mpp/agentcard` takes them.
    mpp: challenges.map((challenge) => ({ ...echoOf(challenge), request: challenge.terms })),
    prepare: `${settings.publicUrl}/api/pay/${link.code}/prepare`,
    settle: `${settings.publicUrl}/api/pay/${link.code}/settle`,
  }
}

import { Amount } from './amount.ts'
import { type ClosedMandate, type CloseOrder, closeMandate, type LinkTerms } from './ap2/close.ts'
import { type InspectedMandate, inspectMandate } from './ap2/inspect.ts'
import {
  createAgentKey,
  loadAgentKey,
  type MandateKey,
  type PrivateJwk,
  type PublicJwk,
} from './ap2/key.ts'
import { type OpenMandate, type OpenOrder, openMandate } from './ap2/open.ts'
import { type Jwks, type MandateReceipt, verifyReceipt } from './ap2/receipt.ts'
import { type Client, type ClientOptions, createPurserClient } from './client.ts'
import { randomUuid } from './crypto/uuid.ts'
import {
  AuthError,
  ConflictError,
  ConnectionError,
  DeclineError,
  InvalidRequestError,
  NotFoundError,
  PurserError,
  RateLimitError,
  ServiceError,
} from './error.ts'
import type { EventData } from './events/data.ts'
import type { EventType, PurserEvent } from './events/event.ts'
import { type FollowOptions, followEvents } from './events/follow.ts'
import { type FetchOrder, fetchPaying } from './fetch.ts'
import { CARD_LIMITS, type components, type operations } from './openapi.ts'
import type { RequestSeen, ResponseSeen } from './options/hooks.ts'
import { checkNames, type NamesOf, unknownName } from './options/names.ts'
import {
  type ApprovalRequired,
  type CardCredential,
  type NotCharged,
  outcomeBy,
  type Payment,
  type PayOrder,
  type PayOutcome,
} from './outcome.ts'
import {
  EVIDENCE_PARTS,
  type EvidencePart,
  type EvidenceVerdict,
  type KnownEvidence,
  verifyEvidence,
} from './proof/evidence.ts'
import type { SellerSignature } from './proof/seller.ts'
import { ProofError } from './proof/shape.ts'
import type { ProofKey, ProofStatement, ProvenFigures } from './proof/statement.ts'
import { type KnownIssuer, type ProofVerdict, verifyProof } from './proof/verify.ts'
import {
  type Answer,
  type Body,
  type CallOptions,
  callOf,
  type Pages,
  type Resources,
  resourcesOf,
} from './resources.ts'
import { type Settlement, waitForSettlement } from './settlement.ts'
import { signWebhook } from './webhooks/sign.ts'
import {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookFault,
  type WebhookHeaders,
} from './webhooks/verify.ts'

export type {
  ApprovalRequired,
  CallOptions,
  CardCredential,
  Client,
  ClientOptions,
  ClosedMandate,
  CloseOrder,
  EventData,
  EventType,
  EvidencePart,
  EvidenceVerdict,
  FetchOrder,
  FollowOptions,
  InspectedMandate,
  Jwks,
  KnownEvidence,
  KnownIssuer,
  LinkTerms,
  MandateKey,
  MandateReceipt,
  NotCharged,
  OpenMandate,
  OpenOrder,
  Pages,
  Payment,
  PayOrder,
  PayOutcome,
  PrivateJwk,
  ProofKey,
  ProofStatement,
  ProofVerdict,
  ProvenFigures,
  PublicJwk,
  PurserEvent,
  RequestSeen,
  Resources,
  ResponseSeen,
  SellerSignature,
  Settlement,
  VerifyOptions,
  WebhookFault,
  WebhookHeaders,
}
export {
  Amount,
  AuthError,
  CARD_LIMITS,
  ConflictError,
  ConnectionError,
  closeMandate,
  createAgentKey,
  DeclineError,
  EVIDENCE_PARTS,
  InvalidRequestError,
  inspectMandate,
  loadAgentKey,
  NotFoundError,
  openMandate,
  ProofError,
  PurserError,
  RateLimitError,
  ServiceError,
  signWebhook,
  unknownName,
  verifyEvidence,
  verifyProof,
  verifyReceipt,
  verifyWebhook,
  WebhookError,
}
export type Card = components['schemas']['Card']
export type Transaction = components['schemas']['Transaction']
export type CardStatus = NonNullable<
  NonNullable<operations['getCards']['parameters']['query']>['status']
>

export type CardOrder = Body<'postIssue'>
export type PayLinkOrder = Body<'postPaylinks'>
export type PayLink = Answer<'postPaylinks'>['pay_link']
/** An x402 demand to sign for: the `PaymentRequired` as received, and what is bought. */
export type AuthorizeOrder = Omit<
  Body<'postPayAuthorize'>,
  'card_id' | 'card_token' | 'challenge'
> & { challenge: object }
export type AuthorizedPayment = Answer<'postPayAuthorize'>
/** A link that was paid by a mandate: `SETTLED`, or `ALREADY_SETTLED` if the same mandate had paid it before. */
export type MandateSettlement = Omit<Answer<'postAp2Settle'>, 'status'> & {
  status: 'SETTLED' | 'ALREADY_SETTLED'
}

/** An account that can sign, as viem's accounts do. */
export type SigningWallet = {
  address: string
  signMessage(options: { message: string }): Promise<string>
}

type Stoppable = {
  /** Ends the call, with all its retries. */
  signal?: AbortSignal
}

export type Purser = Client &
  Resources & {
    /** Issues a card from the treasury balance, with the token that spends it. */
    issueCard(order: CardOrder, options?: CallOptions): Promise<Card>
    /**
     * Fetches `order.url`, and pays for it with the card if the seller asks for money. Throws if the service refuses, for
     * example because the card may not pay. A seller that fails is an outcome, not an error.
     */
    pay(card: CardCredential, order: PayOrder, options?: CallOptions): Promise<PayOutcome>
    /** `fetch` that pays: fetches from here, and buys through the service if the seller answers 402. See `fetchPaying`. */
    fetch(url: string | URL, order: FetchOrder): Promise<Response>
    /**
     * Signs one payment for an x402 demand that did not come over HTTP, such as a paid MCP tool's. You present `payment`;
     * the chain decides whether the money is spent or comes back, and `settlement` tells.
     */
    authorize(
      card: CardCredential,
      order: AuthorizeOrder,
      options?: CallOptions,
    ): Promise<AuthorizedPayment>
    /** Waits until a payment is SETTLED or FAILED, asking every second; throws after `timeoutMs` (60,000). */
    settlement(
      transactionId: string,
      options?: { timeoutMs?: number } & Stoppable,
    ): Promise<Settlement>
    /** Makes a link that pays into the card. */
    createPayLink(order: PayLinkOrder, options?: CallOptions): Promise<PayLink>
    /**
     * Pays a link by an AP2 mandate that `closeMandate` made. Safe to repeat: a mandate pays once, and each further call is
     * answered `ALREADY_SETTLED`.
     */
    settleMandate(
      card: CardCredential,
      payLinkCode: string,
      mandate: Pick<ClosedMandate, 'closedMandate' | 'openMandate'>,
      options?: CallOptions,
    ): Promise<MandateSettlement>
    /**
     * Pays a link by an AP2 mandate in one call: reads the link's terms, signs with `key` (under `openMandate` if given)
     * and settles. Give `amount` in minor units if the payer chooses the amount. Each call signs a new mandate. To be able
     * to retry a payment whose outcome you do not know, use `closeMandate` and `settleMandate` instead.
     */
    payByMandate(
      card: CardCredential,
      payLinkCode: string,
      by: Pick<CloseOrder, 'key' | 'openMandate' | 'amount'>,
      options?: Stoppable,
    ): Promise<MandateSettlement>
    /** Every card of the wallet, newest first. Pages are fetched as you iterate. */
    listCards(filter?: { status?: CardStatus } & Stoppable): AsyncGenerator<Card, void, undefined>
    /** Everything that a card sent and received, newest first. Pages are fetched as you iterate. */
    listTransactions(
      cardId: string,
      options?: Stoppable,
    ): AsyncGenerator<Transaction, void, undefined>
    /**
     * The wallet's events up to now, oldest first. Continue later with the id of your last event as `after`, and you miss
     * none.
     */
    listEvents(
      filter?: { after?: string; types?: readonly EventType[] } & Stoppable,
    ): AsyncGenerator<PurserEvent, void, undefined>
    /** Events as they happen, from `after` on, or from now on. Continues by itself when the connection is lost. */
    followEvents(options?: FollowOptions): AsyncGenerator<PurserEvent, void, undefined>
  }

/** The service at `baseUrl`, called with `apiKey`. */
export function createPurser(options: ClientOptions): Purser {
  const client = createPurserClient(options)
  const resources = resourcesOf(client)
  const pay: Purser['pay'] = async (card, order, call) => {
    // Named here, so that the outcome can say what it is repeated under.
    const { idempotencyKey = randomUuid(), ...rest } = callOf(call)
    return outcomeBy(card, order, {
      idempotencyKey,
      ask: (body) => client.POST('/api/pay', { body, ...init({ ...rest, idempotencyKey }) }),
    })
  }
  return {
    ...client,
    ...resources,
    issueCard: async (order, call) =>
      (await client.POST('/api/issue', { body: order, ...init(call) })).card,
    pay,
    fetch: (url, order) => fetchPaying(pay, url, order),
    authorize: async (card, { challenge, ...order }, call) => {
      const body = {
        ...order,
        challenge: { ...challenge },
        card_id: card.id,
        card_token: card.token,
      }
      return client.POST('/api/pay/authorize', { body, ...init(call) })
    },
    async settlement(transactionId, options = {}) {
      checkNames(options, WAIT_NAMES, 'settlement')
      const { timeoutMs = 60_000, signal } = options
      return waitForSettlement(client, transactionId, { timeoutMs, signal })
    },
    createPayLink: async (order, call) =>
      (await client.POST('/api/paylinks', { body: order, ...init(call) })).pay_link,
    settleMandate: async (card, code, mandate, call) =>
      settleMandate(client, { card, code, mandate, call }),
    async payByMandate(card, code, by, stop) {
      checkNames(by, BY_NAMES, 'payByMandate')
      checkNames(stop, STOP_NAMES, 'payByMandate')
      const mandate = await closeMandate({
        ...by,
        link: await readTerms(client, code, stop),
        cardId: card.id,
      })
      return settleMandate(client, { card, code, mandate, call: stop })
    },
    listCards: ({ signal, ...filter } = {}) =>
      rowsOf(resources.cards.list(filter, signal && { signal })),
    listTransactions: (id, stop) => rowsOf(resources.cards.transactions(id, {}, stop)),
    listEvents(filter = {}) {
      checkNames(filter, EVENTS_NAMES, 'listEvents')
      const { after, types, signal } = filter
      const query = { ...(after !== undefined && { after }), ...(types && { type: [...types] }) }
      return rowsOf(resources.events.list(query, signal && { signal })) as AsyncGenerator<
        PurserEvent,
        void,
        undefined
      >
    },
    followEvents(follow = {}) {
      checkNames(follow, EVENTS_NAMES, 'followEvents')
      return followEvents(options, follow)
    },
  }
}

const STOP_NAMES: NamesOf<Stoppable> = { signal: true }
const WAIT_NAMES = { timeoutMs: true, signal: true } as const
const EVENTS_NAMES: NamesOf<FollowOptions> = { after: true, types: true, signal: true }
const BY_NAMES: NamesOf<Pick<CloseOrder, 'key' | 'openMandate' | 'amount'>> = {
  key: true,
  openMandate: true,
  amount: true,
}
const MANDATE_NAMES: NamesOf<ClosedMandate> = {
  closedMandate: true,
  openMandate: true,
  mandateId: true,
  expiresAt: true,
}

/** Signs in with a wallet and returns a full API key for it. The signed message costs nothing. */
export async function createApiKey(
  options: Omit<ClientOptions, 'apiKey'>,
  wallet: SigningWallet,
  stop?: Stoppable,
): Promise<string> {
  const stranger = createPurserClient(options)
  const { message } = await stranger.POST('/api/auth/challenge', {
    ...stop,
    body: { wallet_address: wallet.address },
  })
  const signature = await wallet.signMessage({ message })
  const { token } = await stranger.POST('/api/auth/verify', {
    ...stop,
    body: { message, signature },
  })
  const owner = createPurserClient({ ...options, apiKey: token })
  return (await owner.POST('/api/keys/generate', { ...stop })).api_key
}

const init = (call: CallOptions | undefined) => {
  const { idempotencyKey, signal } = callOf(call)
  return {
    params: idempotencyKey ? { header: { 'Idempotency-Key': idempotencyKey } } : {},
    ...(signal && { signal }),
  }
}

async function readTerms(
  client: Client,
  code: string,
  stop: Stoppable | undefined,
): Promise<LinkTerms> {
  const { ap2, accepted_protocols } = await client.GET('/api/pay/{code}/prepare', {
    ...stop,
    params: { path: { code } },
  })
  if (ap2) return ap2
  throw new PurserError(0, {
    error: `This link takes ${accepted_protocols.join(', ')}, not AP2 mandates.`,
    code: 'protocol_not_accepted',
  })
}

async function settleMandate(
  client: Client,
  of: {
    card: CardCredential
    code: string
    mandate: Pick<ClosedMandate, 'closedMandate' | 'openMandate'>
    call: CallOptions | undefined
  },
): Promise<MandateSettlement> {
  checkNames(of.mandate, MANDATE_NAMES, 'a mandate')
  const { closedMandate, openMandate } = of.mandate
  return client.POST('/api/ap2/settle', {
    body: {
      pay_link_code: of.code,
      closed_mandate: closedMandate,
      ...(openMandate !== undefined && { open_mandate: openMandate }),
      card_token: of.card.token,
    },
    ...init(of.call),
  })
}

const rowsOf = <Row, Page>(list: Pages<Row, Page>): AsyncGenerator<Row, void, undefined> =>
  list[Symbol.asyncIterator]()

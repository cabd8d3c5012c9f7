import { Type } from 'typebox'
import type { Caller } from '../../api/http/caller.ts'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  PAGE_DEFAULT,
  pageOf,
} from '../../api/http/fields.ts'
import { answer, keyRoute, passing, publicRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { isAuthCapture } from '../../base/protocols/x402/escrow.ts'
import { type FacilitatorBody, readFacilitated } from '../../base/protocols/x402/facilitator.ts'
import { encodeHeader, type JsonObject } from '../../base/protocols/x402/wire.ts'
import { RATION_CODES } from '../../chain/relay/gas/relayer-gas.ts'
import { listingAsked, wantsListing } from './discovery/listing.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import { orderEscrow } from './escrow/order.ts'
import { orderBody, verifyOrder } from './escrow/view.ts'
import { receiveRoutes } from './receive/routes.ts'
import { settle } from './settle/settle.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { findSettlement, listSettlements } from './store.ts'
import { readSupported } from './supported.ts'
import { verify } from './verify.ts'
import { rationedProblem, SettleBody, SettlementBody, settleBody, viewSettlement } from './view.ts'

const TAG = 'Facilitator'
const AnyObject = Type.Unsafe<JsonObject>({ type: 'object' })
const AskBody = Type.Object(
  {
    x402Version: Type.Optional(Type.Integer({ description: '2, or 1' })),
    paymentPayload: { ...AnyObject, description: 'The signed payment, as x402 writes it' },
    paymentRequirements: {
      ...AnyObject,
      description: 'The terms of the seller, as x402 writes them',
    },
  },
  {
    title: 'X402Payment',
    description: 'As the x402 facilitator interface has it; other members are not looked at',
  },
)

const PATH = '/api/x402'
const AddressOut = (description: string) => Type.String({ description })

/** The address that sellers configure. The official packages append to it; people open it. */
const index = publicRoute({
  method: 'GET',
  path: PATH,
  isOpenToSites: true,
  tag: TAG,
  summary: 'x402 facilitator: its addresses',
  description: 'Configure the URL of this operation as the facilitator of an x402 server.',
  response: Type.Object({
    name: Type.String({ description: 'purser' }),
    supported: AddressOut('GET: schemes, networks and signers'),
    verify: AddressOut('POST: would this payment be settled now?'),
    settle: AddressOut('POST: settle a payment; with an API key'),
    settlements: AddressOut('GET: your settlements; with an API key'),
    discovery: AddressOut('GET: resources that may be bought'),
    docs: AddressOut('The reference'),
  }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async ({ services }) => {
    const base = services.settings.publicUrl
    return {
      name: 'purser',
      supported: `${base}${PATH}/supported`,
      verify: `${base}${PATH}/verify`,
      settle: `${base}${PATH}/settle`,
      settlements: `${base}${PATH}/settlements`,
      discovery: `${base}${PATH}/discovery/resources`,
      docs: `${base}/docs`,
    }
  },
})

const supported = publicRoute({
  method: 'GET',
  path: '/api/x402/supported',
  isOpenToSites: true,
  tag: TAG,
  summary: 'x402 facilitator: what is settled here',
  description:
    'Point the official server packages at `<public URL>/api/x402`. While the relayers are about to run out of gas, nothing is offered.',
  response: Type.Object({
    kinds: Type.Array(
      Type.Object({
        x402Version: Type.Integer({ description: 'Version of x402' }),
        scheme: Type.String({ description: 'Scheme of x402, e.g. exact' }),
        network: Type.String({ description: 'CAIP-2 id of the chain, e.g. eip155:8453' }),
        extra: Type.Optional(
          Type.Object(
            {
              assetTransferMethods: Type.Optional(
                Type.Array(Type.String(), {
                  description:
                    'eip3009 for USDC; permit2 for tokens that the seller has registered',
                }),
              ),
              facilitatorAddress: Type.Optional(
                Type.String({
                  description:
                    'For upto: the account that payers let settle; for auth-capture: the captureAuthorizer',
                }),
              ),
              authCaptureEscrow: Type.Optional(
                Type.String({
                  description: 'For auth-capture: the escrow that holds the payments',
                }),
              ),
              refundCollector: Type.Optional(
                Type.String({
                  description:
                    'For auth-capture: the contract that takes a refund from the receiver; left out where it is not deployed',
                }),
              ),
            },
            { description: 'Additions of the x402 scheme, such as name and version of the token' },
          ),
        ),
      }),
      { description: 'Schemes and networks that are settled' },
    ),
    extensions: Type.Array(Type.String(), {
      description: 'Extensions of the protocol, as its specification writes them',
    }),
    signers: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Addresses that carry payments to the chain, by network',
    }),
  }),
  attack: 'chain',
  costs: { statements: 0, rpc: 200 },
  errors: ['chain_unavailable'],
  handle: ({ services }) => readSupported(services),
})

const verifyRoute = publicRoute({
  method: 'POST',
  path: '/api/x402/verify',
  isOpenToSites: true,
  tag: TAG,
  summary: 'x402 facilitator: would this payment be settled now?',
  description:
    'Answers 200 whatever the outcome. Nothing is reserved: the payer may still move its money, or present the payment elsewhere. Give nothing away before it is settled.',
  body: AskBody,
  response: Type.Object({
    isValid: Type.Boolean({ description: 'Whether the payment would settle now' }),
    invalidReason: Type.Optional(
      Type.String({ description: 'Why the payment is not valid, as a word of x402' }),
    ),
    invalidMessage: Type.Optional(
      Type.String({ description: 'Why the payment is not valid, in words' }),
    ),
    payer: Type.Optional(Type.String({ description: 'Address that pays' })),
  }),
  attack: 'chain',
  costs: { statements: 100, rpc: 300 },
  errors: [],
  handle: ({ body, at, services }) =>
    isAuthCapture(body) ? verifyOrder(services, at, body) : verify(services, at, body),
})

const settleRoute = keyRoute({
  method: 'POST',
  path: '/api/x402/settle',
  tag: TAG,
  summary: 'x402 facilitator: settle a payment on chain',
  description:
    'Carries the payment to the chain, by EIP-3009 in USDC and by Permit2 in a token that your wallet has registered; the service pays the gas. By the scheme upto, in either, `amount` of the requirements is what was used of the most that the client accepted; for zero nothing is sent, and `payTo` must be the wallet of the key. Answers 200 whatever the outcome. Each payment is a success for one caller, once: another caller that presents it gets `duplicate_settlement`, unless the same key repeats the same request by its payment identifier or Idempotency-Key, or comes back after `settlement_pending`. A payment that someone else submits to the chain meanwhile is settled too. 429, with `Retry-After`, if nothing was sent because gas is rationed: `errorReason` says who has to wait.',
  scope: 'facilitator:write',
  body: AskBody,
  response: SettleBody,
  attack: 'gas',
  costs: { statements: 1_100, jobs: 2, rpc: 300 },
  errors: RATION_CODES,
  handle: async ({ body, caller, at, services, claim }) => {
    if (isAuthCapture(body)) return settleOrder(services, at, { caller, body })
    const outcome = await settle(services, at, {
      walletAddress: caller.walletAddress,
      idempotencyKey: claim?.key ?? null,
      body,
    })
    const version = body.x402Version ?? body.paymentPayload.x402Version
    if (outcome.kind === 'rationed') throw rationedProblem(services, outcome, version)
    const shown = settleBody(services, outcome, version)
    const mayChange =
      outcome.kind === 'pending' ||
      (outcome.kind === 'refused' && outcome.reason === 'unexpected_settle_error')
    if (mayChange) return passing(shown)
    const listed = outcome.kind === 'settled' ? listedHeader(services, body) : undefined
    return listed === undefined ? shown : answer(200, shown, { 'extension-responses': listed })
  },
})

/** An order of the scheme auth-capture. */
async function settleOrder(
  services: Services,
  at: Date,
  { caller, body }: { caller: Caller; body: FacilitatorBody },
) {
  const { walletAddress } = caller
  const outcome = await orderEscrow(services, at, { walletAddress, body })
  if (outcome.kind === 'rationed') throw rationedProblem(services, outcome, 2)
  const shown = orderBody(services, outcome)
  return outcome.kind === 'pending' ? passing(shown) : shown
}

/** `EXTENSION-RESPONSES`: only the seller learns whether its resource will be looked at. */
function listedHeader(
  { egress }: Services,
  body: Parameters<typeof readFacilitated>[0],
): string | undefined {
  const read = readFacilitated(body)
  if (!read.ok || !wantsListing(read.payment)) return undefined
  const asked = listingAsked(read.payment)
  const isReached = asked && isAllowed(egress, asked.url)
  return encodeHeader({
    bazaar: isReached
      ? { status: 'processing' }
      : { status: 'rejected', rejectedReason: 'the resource has no public https URL' },
  })
}

function isAllowed(egress: Services['egress'], url: string): boolean {
  try {
    return Boolean(egress.check(url))
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const settlement = keyRoute({
  method: 'GET',
  path: '/api/x402/settlements/{id}',
  tag: TAG,
  summary: 'How a payment that your key settled stands',
  description: 'Only for the wallet whose key settled it.',
  scope: 'facilitator:read',
  params: idParam('settlement'),
  response: Type.Object({ settlement: SettlementBody }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => {
    const found = await findSettlement(services.db.reader, params.id)
    if (found?.walletAddress !== caller.walletAddress) throw notFound('settlement')
    return { settlement: viewSettlement(found) }
  },
})

const settlements = keyRoute({
  method: 'GET',
  path: '/api/x402/settlements',
  tag: TAG,
  summary: 'Payments that your keys settled, newest first',
  description: 'With their transactions and how final each is.',
  scope: 'facilitator:read',
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    settlements: Type.Array(SettlementBody, { description: 'The settlements, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, services }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    const page = { after: query.after, limit }
    await checkAfter(query.after, async (id) => {
      const last = await findSettlement(services.db.reader, id)
      return last?.walletAddress === caller.walletAddress
    })
    const found = await listSettlements(services.db.reader, caller.walletAddress, page)
    const { rows, hasMore } = pageOf(found, limit)
    return { settlements: rows.map(viewSettlement), has_more: hasMore }
  },
})

export const facilitatorRoutes: Route[] = [
  index,
  supported,
  verifyRoute,
  settleRoute,
  settlement,
  settlements,
  ...discoveryRoutes,
  ...receiveRoutes,
  ...signInRoutes,
]

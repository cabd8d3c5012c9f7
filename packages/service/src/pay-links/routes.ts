import { Type } from 'typebox'
import { findCard } from '../cards/store.ts'
import { isTokenOf } from '../cards/token.ts'
import { normalHash, personAddress } from '../chain/reads.ts'
import { gather } from '../db/gather.ts'
import { mayUseCard } from '../http/caller.ts'
import {
  AmountIn,
  CodeParam,
  expiryOf,
  HoursField,
  isoOrNull,
  MetadataField,
  NullableTimestamp,
  pageOf,
  WHOLE_DEFAULT,
  WholeQuery,
} from '../http/fields.ts'
import { keyRoute, publicRoute, type Route } from '../http/route.ts'
import { perServices, type Services } from '../http/services.ts'
import { parsePositiveAmount } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { agentcardRoute } from './agentcard-route.ts'
import { Ap2Block, ap2Block } from './ap2-block.ts'
import { checkoutRoutes } from './checkout-routes.ts'
import { createLink } from './create.ts'
import { exceptionRoutes } from './exception-routes.ts'
import { exceptionProblem } from './exceptions.ts'
import { cancelLink, endedProblem, statusAt } from './link.ts'
import { payRoutes } from './pay-routes.ts'
import { CARD_RAILS, type CardRail } from './settle.ts'
import { cardPaymentLane } from './settle-by-card.ts'
import { settleOnChain } from './settle-on-chain.ts'
import { type LinkProtocol, listLinks, normalCode, type PayLink, readLinks } from './store.ts'
import {
  ownerBody,
  ownerFields,
  PayLinkBody,
  PrepareBody,
  payLinkBody,
  pendingBody,
  prepareBody,
  ResolveBody,
  resolveBody,
  SettledBody,
  settledBody,
} from './view.ts'

const PROTOCOLS: LinkProtocol[] = ['x402', 'ap2', 'mpp', 'card', 'onchain']

/** Links are looked at far more often than paid: callers of a moment share a read. */
const linkOf = perServices(({ db }) => gather((codes) => readLinks(db.reader, codes)))

async function mustFindLink(services: Services, code: string): Promise<PayLink> {
  const link = await linkOf(services)(normalCode(code))
  if (!link) throw notFound('pay link')
  return link
}

const OwnLinkBody = Type.Object({ ...PayLinkBody.properties, ...ownerFields })

const create = keyRoute({
  method: 'POST',
  path: '/api/paylinks',
  tag: 'Pay links',
  summary: 'Open a pay link on a card',
  scope: 'paylinks:write',
  body: Type.Object(
    {
      card_id: Type.String({ maxLength: 64 }),
      amount: Type.Optional(Type.Union([AmountIn, Type.Null()])),
      memo: Type.Optional(Type.String({ maxLength: 500 })),
      accepted_protocols: Type.Optional(
        Type.Array(Type.Unsafe<LinkProtocol>({ type: 'string', enum: PROTOCOLS }), {
          minItems: 1,
          uniqueItems: true,
        }),
      ),
      type: Type.Optional(Type.Union([Type.Literal('SINGLE'), Type.Literal('RECURRING')])),
      max_uses: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
      expires_in: Type.Optional(HoursField),
      mcc: Type.Optional(
        Type.String({
          pattern: '^\\d{4}$',
          description:
            'A label. For `mcc_locks` of cards only the category counts that the operator assigned to your wallet',
        }),
      ),
      require_checkout: Type.Optional(
        Type.Boolean({
          description:
            'Take only AP2 mandates of the checkout that this service signs for the link',
        }),
      ),
      metadata: Type.Optional(MetadataField),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Type.Boolean(),
    pay_link: OwnLinkBody,
    ...OwnLinkBody.properties,
  }),
  errors: ['invalid_amount', 'not_found', 'invalid_state'],
  handle: async ({ body, caller, at, services, write }) => {
    const { chain, settings, signing } = services
    if (!mayUseCard(caller, body.card_id)) throw notFound('card')
    const linkType = body.type ?? 'SINGLE'
    const order = {
      walletAddress: caller.walletAddress,
      cardId: body.card_id,
      amount:
        body.amount === undefined || body.amount === null
          ? null
          : parsePositiveAmount(body.amount, chain.asset.decimals),
      memo: body.memo ?? '',
      mcc: body.mcc ?? null,
      linkType,
      maxUses: body.max_uses ?? (linkType === 'SINGLE' ? 1 : 0),
      acceptedProtocols: body.accepted_protocols ?? PROTOCOLS,
      expiresAt: expiryOf(at, body.expires_in),
      metadata: body.metadata ?? {},
      requiresCheckout: body.require_checkout ?? false,
    }
    const signer = await signing.current(at)
    const { publicUrl } = settings
    return write(async (tx) => {
      const link = await createLink(tx, at, { ...order, chain, signer, publicUrl })
      const shown = { ...(await payLinkBody(services, at, link)), ...ownerBody(link) }
      return { success: true, pay_link: shown, ...shown }
    })
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/paylinks',
  tag: 'Pay links',
  summary: 'Your pay links, newest first',
  scope: 'paylinks:read',
  query: Type.Object(WholeQuery, { additionalProperties: false }),
  response: Type.Object({ links: Type.Array(OwnLinkBody), has_more: Type.Boolean() }),
  errors: [],
  handle: async ({ query, caller, at, services }) => {
    const limit = query.limit ?? WHOLE_DEFAULT
    const found = await listLinks(services.db.reader, caller.walletAddress, {
      after: query.after,
      limit,
      cardIds: caller.cardIds,
    })
    const { rows, hasMore } = pageOf(found, limit)
    const links = rows.map(async (link) => ({
      ...(await payLinkBody(services, at, link)),
      ...ownerBody(link),
    }))
    return { links: await Promise.all(links), has_more: hasMore }
  },
})

const get = publicRoute({
  method: 'GET',
  path: '/api/paylinks/{code}',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Public details of a pay link',
  params: CodeParam,
  response: Type.Object({ ...PayLinkBody.properties, ap2: Ap2Block }),
  errors: ['not_found'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    const [shown, ap2] = await Promise.all([
      payLinkBody(services, at, link),
      ap2Block(services, at, link),
    ])
    return { ...shown, ap2 }
  },
})

const cancel = keyRoute({
  method: 'DELETE',
  path: '/api/paylinks/{code}',
  tag: 'Pay links',
  summary: 'Cancel a pay link',
  scope: 'paylinks:write',
  params: CodeParam,
  response: Type.Object({ success: Type.Boolean() }),
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, caller, at, services, write }) => {
    const link = await mustFindLink(services, params.code)
    if (!mayUseCard(caller, link.cardId)) throw notFound('pay link')
    return write(async (tx) => {
      await cancelLink(tx, at, { walletAddress: caller.walletAddress, code: params.code })
      return { success: true }
    })
  },
})

const status = publicRoute({
  method: 'GET',
  path: '/api/paylinks/{code}/status',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Whether a pay link has been paid',
  params: CodeParam,
  response: Type.Object({ status: Type.String(), confirmed_at: NullableTimestamp }),
  errors: ['not_found', 'pay_link_completed'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    const shown = { status: statusAt(link, at), confirmed_at: isoOrNull(link.confirmedAt) }
    if (shown.status === 'COMPLETED')
      throw new Problem(
        'pay_link_completed',
        'The pay link has been paid and takes no more payments.',
        { extra: shown },
      )
    return shown
  },
})

const resolve = publicRoute({
  method: 'GET',
  path: '/api/pay/{code}/resolve',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Resolve a pay link for payment processing',
  params: CodeParam,
  response: ResolveBody,
  errors: ['not_found', 'pay_link_expired'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    if (statusAt(link, at) === 'EXPIRED')
      throw new Problem(
        'pay_link_expired',
        'The pay link has expired. Ask the seller for a new one.',
        {
          extra: { type: 'receive', status: 'EXPIRED' },
        },
      )
    return resolveBody(services, at, link)
  },
})

const prepare = publicRoute({
  method: 'GET',
  path: '/api/pay/{code}/prepare',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Everything needed to pay a link, by each way it takes',
  params: CodeParam,
  response: PrepareBody,
  errors: ['not_found', 'pay_link_expired', 'pay_link_cancelled', 'pay_link_completed'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    // Nobody is told an address that takes no payment any more.
    const ended = endedProblem(link, at)
    if (ended) throw ended
    return { ...prepareBody(services, link), ap2: await ap2Block(services, at, link) }
  },
})

const SettleBody = Type.Object(
  {
    protocol: Type.Optional(
      Type.String({
        maxLength: 32,
        description:
          'By card: card, ap2, x402 or mpp, if the link accepts it; the record names it. Without it: card, or what the link accepts',
      }),
    ),
    payer_card_id: Type.Optional(Type.String({ maxLength: 64 })),
    payer_card_token: Type.Optional(Type.String({ maxLength: 100 })),
    tx_hash: Type.Optional(Type.String()),
    from_address: Type.Optional(Type.String()),
    amount: Type.Optional(AmountIn),
  },
  { additionalProperties: false },
)
type Settle = Type.Static<typeof SettleBody>

const settle = publicRoute({
  method: 'POST',
  path: '/api/pay/{code}/settle',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Settle a pay link, by a card of this service or by a transaction on chain',
  description:
    'By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it. By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the same call tells it.',
  params: CodeParam,
  body: SettleBody,
  response: SettledBody,
  errors: [
    'missing_field',
    'invalid_amount',
    'invalid_transaction',
    'invalid_payment',
    'protocol_not_accepted',
    'invalid_card_token',
    'limit_exceeded',
    'insufficient_funds',
    'card_frozen',
    'not_found',
    'pay_link_expired',
    'pay_link_cancelled',
    'pay_link_completed',
    'already_settled',
    'pay_link_busy',
    'payment_exception',
    'chain_unavailable',
  ],
  // Only who has the card's token may take a key of the card, or learn whether it was taken.
  keyOwner: async (body, { db }) => {
    const { payer_card_id: id, payer_card_token: token } = body
    const card = id && token ? await findCard(db.reader, id) : undefined
    return card && token && isTokenOf(card, token) ? card.id : undefined
  },
  handle: async ({ params, body, at, services, submit }) => {
    if (body.tx_hash !== undefined) {
      const link = await mustFindLink(services, params.code)
      return settleByTransaction(services, at, { link, body, txHash: body.tx_hash })
    }
    const { asset } = services.chain
    const payment = {
      // The lane finds the link under its lock: a read of its own here cost half of all the time, measured.
      code: params.code,
      cardId: required(body, 'payer_card_id'),
      token: required(body, 'payer_card_token'),
      amount: body.amount === undefined ? null : parsePositiveAmount(body.amount, asset.decimals),
      protocol: railNamed(body.protocol),
      asset,
      fee: services.settings.fee,
    }
    return submit(cardPaymentLane, payment, (outcome) => {
      if (!outcome.ok) throw outcome.problem
      return settledBody(services, outcome.settled)
    })
  },
})

function railNamed(protocol: string | undefined): CardRail | null {
  if (protocol === undefined) return null
  const named = CARD_RAILS.find((rail) => rail === protocol)
  if (named) return named
  throw new Problem(
    'protocol_not_accepted',
    `protocol must be one of ${CARD_RAILS.join(', ')}; a payment on chain is named by its tx_hash.`,
    { param: 'protocol' },
  )
}

function required(body: Settle, name: 'payer_card_id' | 'payer_card_token'): string {
  const value = body[name]
  if (!value)
    throw new Problem('missing_field', `${name} is required, or tx_hash for a payment on chain.`, {
      param: name,
    })
  return value
}

async function settleByTransaction(
  services: Services,
  at: Date,
  asked: { link: PayLink; body: Settle; txHash: string },
) {
  const { link, body } = asked
  if (!link.acceptedProtocols.includes('onchain') && !link.acceptedProtocols.includes('x402'))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not payments on chain.`,
    )
  const from =
    body.from_address === undefined ? null : personAddress(body.from_address, 'from_address')
  const outcome = await settleOnChain(services, at, {
    link,
    txHash: normalHash(asked.txHash),
    from,
  })
  if (outcome.kind === 'exception')
    throw exceptionProblem(outcome.exception, services.chain.asset.decimals)
  if (outcome.kind === 'settled') return settledBody(services, outcome)
  return pendingBody(services, link, asked.txHash.toLowerCase())
}

export const payLinkRoutes: Route[] = [
  create,
  list,
  get,
  cancel,
  status,
  resolve,
  prepare,
  settle,
  ...payRoutes,
  agentcardRoute,
  ...checkoutRoutes,
  ...exceptionRoutes,
]

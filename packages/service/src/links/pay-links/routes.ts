import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { AgentsField, readAgents } from '../../api/agents/allowed.ts'
import { mayUseCard } from '../../api/http/caller.ts'
import {
  AmountIn,
  CodeParam,
  checkAfter,
  expiryOf,
  HasMore,
  HoursField,
  MccField,
  MetadataIn,
  OneOf,
  pageOf,
  Success,
  TextField,
  WHOLE_DEFAULT,
  WholeQuery,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { parsePositiveAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { LINK_RAILS } from '../../base/protocols/rails.ts'
import { protocolsOf, readTerms } from '../direct/terms.ts'
import { exceptionRoutes } from '../link/arrivals/routes.ts'
import { cancelLink, lockOwnLink } from '../link/link.ts'
import { findLinkById, LINK_STATUSES, type LinkProtocol, listLinks } from '../link/store.ts'
import { ownerBody, ownerFields, PayLinkBody, payLinkBody } from '../link/view.ts'
import { createLink } from './create.ts'
import { METHODS } from './methods/methods.ts'
import { receiptRoutes } from './page/receipt-route.ts'
import { checkoutRoutes } from './page/routes.ts'
import { payRoutes } from './pay/routes.ts'
import { RETURN_URL_MAX, readReturnUrl } from './pieces/return-urls.ts'
import { publicLinkRoutes } from './public-routes.ts'

/** How many QR codes are drawn before other requests get their turn. */
const DRAWN_AT_ONCE = 10

const OwnLinkBody = Type.Object({ ...PayLinkBody.properties, ...ownerFields })

const create = keyRoute({
  method: 'POST',
  path: '/api/paylinks',
  tag: 'Pay links',
  summary: 'Open a pay link on a card',
  description:
    'Payments at its page or its address go to the card. Leave `amount` out to let the payer choose. Payers of a DIRECT card pay your own wallet on chain, by x402, MPP or a transfer.',
  scope: 'paylinks:write',
  body: Type.Object(
    {
      card_id: Type.String({
        maxLength: 64,
        description: 'Id of the card',
      }),
      amount: Type.Optional(
        Type.Union([AmountIn, Type.Null()], { description: 'In whole units of the asset' }),
      ),
      min_amount: Type.Optional(
        Type.Union([AmountIn, Type.Null()], {
          description: 'The least that the payer may choose, for a link without an amount',
        }),
      ),
      asset: Type.Optional(
        TextField({
          maxLength: 64,
          description:
            'USDC; for a DIRECT card also the id or the address of a token that you registered',
        }),
      ),
      memo: Type.Optional(
        TextField({ maxLength: 500, description: 'The purpose of the payment, in words' }),
      ),
      accepted_protocols: Type.Optional(
        Type.Array(Type.Unsafe<LinkProtocol>({ type: 'string', enum: [...LINK_RAILS] }), {
          minItems: 1,
          uniqueItems: true,
          description: 'Ways in which the link may be paid',
        }),
      ),
      type: Type.Optional(
        OneOf(['SINGLE', 'RECURRING'], 'SINGLE for one payment, RECURRING for several'),
      ),
      link_type: Type.Optional(
        OneOf(['SINGLE', 'RECURRING'], 'SINGLE for one payment, RECURRING for several'),
      ),
      max_uses: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_000_000_000,
          description: 'How often the link may be paid; 0 for any number',
        }),
      ),
      expires_in: Type.Optional(HoursField),
      mcc: Type.Optional(
        MccField(
          'A label. For `mcc_locks` of cards only the category counts that the operator assigned to your wallet',
        ),
      ),
      require_checkout: Type.Optional(
        Type.Boolean({
          description:
            'Take only AP2 mandates of the checkout that this service signs for the link',
        }),
      ),
      success_url: Type.Optional(
        Type.String({
          maxLength: RETURN_URL_MAX,
          description:
            "Where the checkout page leads a payer who has paid: an https address. `{PAYMENT_ID}` in its path or query becomes the payment's id, the `settlement_id` of its events",
        }),
      ),
      cancel_url: Type.Optional(
        Type.String({
          maxLength: RETURN_URL_MAX,
          description: 'Where the checkout page lets a payer go back to: an https address',
        }),
      ),
      metadata: Type.Optional(MetadataIn),
      allowed_agents: Type.Optional(AgentsField),
      returning_payers: Type.Optional(
        Type.Boolean({
          description:
            'A wallet that has paid on chain gets its receipt again, by `sign-in-with-x` of x402, instead of paying again. Not for a DIRECT card',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Success,
    pay_link: OwnLinkBody,
    ...OwnLinkBody.properties,
  }),
  attack: 'open',
  costs: { statements: 1_400, rows: 400 },
  errors: [
    'invalid_amount',
    'invalid_asset',
    'invalid_url',
    'url_not_allowed',
    'not_found',
    'invalid_state',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const { chain, settings, signing } = services
    const { direct: terms, decimals } = await readTerms(services.db.reader, {
      caller,
      chain,
      cardId: body.card_id,
      asset: body.asset,
    })
    const linkType = linkTypeOf(body)
    const order = {
      walletAddress: caller.walletAddress,
      cardId: body.card_id,
      ...amountsOf(body, decimals),
      memo: body.memo ?? '',
      mcc: body.mcc ?? null,
      linkType,
      maxUses: body.max_uses ?? (linkType === 'SINGLE' ? 1 : 0),
      acceptedProtocols: forAgents(
        body,
        terms
          ? protocolsOf(terms, body.accepted_protocols, chain)
          : (body.accepted_protocols ?? [...LINK_RAILS]),
      ),
      payersReturn: body.returning_payers ?? false,
      successUrl: readReturnUrl(services, body.success_url, 'success_url'),
      cancelUrl: readReturnUrl(services, body.cancel_url, 'cancel_url'),
      allowedAgents: body.allowed_agents ? readAgents(services, body.allowed_agents) : null,
      terms,
      expiresAt: expiryOf(at, body.expires_in),
      metadata: body.metadata ?? {},
      requiresCheckout: body.require_checkout ?? false,
    }
    if (order.payersReturn && (terms || !order.acceptedProtocols.includes('x402')))
      throw new Problem(
        'invalid_field',
        'returning_payers is for a link of a CUSTODIAL card that takes x402.',
        { param: 'returning_payers' },
      )
    const signer = await signing.current(at)
    const { publicUrl } = settings
    return write(async (tx) => {
      const link = await createLink(tx, at, { ...order, chain, signer, publicUrl })
      const shown = { ...(await payLinkBody(services, at, link)), ...ownerBody(link) }
      return { success: true, pay_link: shown, ...shown }
    })
  },
})

/** Ways to pay that are requests for the link's URL, so that an agent can sign them. */
const SIGNABLE: readonly LinkProtocol[] = ['x402', 'mpp']

/** The ways to pay a link: for one that names its agents, those that an agent can sign. */
function forAgents(
  asked: { allowed_agents?: unknown; accepted_protocols?: readonly LinkProtocol[] },
  protocols: LinkProtocol[],
): LinkProtocol[] {
  if (asked.allowed_agents === undefined) return protocols
  const signable = protocols.filter((one) => SIGNABLE.includes(one))
  if (signable.length === 0 || (asked.accepted_protocols && signable.length < protocols.length))
    throw new Problem(
      'invalid_field',
      `accepted_protocols of a link with allowed_agents must be of ${SIGNABLE.join(', ')}: no other request can be signed.`,
      { param: 'accepted_protocols' },
    )
  return signable
}

type AmountsIn = {
  amount?: string | number | null | undefined
  min_amount?: string | number | null | undefined
}

/** The price of the link, or the least that its payer may choose. */
function amountsOf({ amount = null, min_amount: least = null }: AmountsIn, decimals: number) {
  if (amount !== null && least !== null)
    throw new Problem(
      'invalid_field',
      'min_amount is for a link whose payer chooses the amount. Leave one of the two out.',
      { param: 'min_amount' },
    )
  return {
    amount: amount === null ? null : parsePositiveAmount(amount, decimals),
    minAmount: least === null ? null : parsePositiveAmount(least, decimals, 'min_amount'),
  }
}

const list = keyRoute({
  method: 'GET',
  path: '/api/paylinks',
  tag: 'Pay links',
  summary: 'Your pay links, newest first',
  description:
    'With their addresses and QR codes, closed ones too. All, or those of a card, in a state, or of one code.',
  scope: 'paylinks:read',
  query: Type.Object(
    {
      ...WholeQuery,
      code: Type.Optional(Type.String({ maxLength: 20, description: 'Code of one pay link' })),
      card_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the card' })),
      status: Type.Optional(OneOf(LINK_STATUSES, 'State of the pay link')),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    links: Type.Array(OwnLinkBody, { description: 'The pay links, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, at, services }) => {
    await checkAfter(query.after, async (id) => {
      const last = await findLinkById(services.db.reader, id)
      return last?.walletAddress === caller.walletAddress && mayUseCard(caller, last.cardId)
    })
    const limit = query.limit ?? WHOLE_DEFAULT
    const found = await listLinks(services.db.reader, at, {
      walletAddress: caller.walletAddress,
      cardIds: caller.cardIds,
      code: query.code,
      cardId: query.card_id,
      status: query.status,
      after: query.after,
      limit,
    })
    const { rows, hasMore } = pageOf(found, limit)
    const links = []
    for (const [i, link] of rows.entries()) {
      links.push({ ...(await payLinkBody(services, at, link)), ...ownerBody(link) })
      // Drawing never waits for anything, so a long list would block every other request.
      if (i % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) await setImmediate()
    }
    return { links, has_more: hasMore }
  },
})

const cancel = keyRoute({
  method: 'DELETE',
  path: '/api/paylinks/{code}',
  tag: 'Pay links',
  summary: 'Cancel a pay link',
  description: 'It takes no more payments. Money that still arrives becomes an exception.',
  scope: 'paylinks:write',
  params: CodeParam,
  response: Type.Object({ success: Success }),
  attack: { capped: 'once a link' },
  costs: { statements: 800, rows: 2 },
  errors: ['not_found', 'invalid_state'],
  handle: ({ params, caller, at, services: { chain }, write }) =>
    write(async (tx) => {
      const link = await lockOwnLink(tx, at, { caller, code: params.code })
      await cancelLink(tx, at, { link, chain })
      return { success: true }
    }),
})

export const payLinkRoutes: Route[] = [
  create,
  list,
  cancel,
  ...publicLinkRoutes,
  ...payRoutes,
  ...METHODS.flatMap(({ routes }) => routes ?? []),
  ...checkoutRoutes,
  ...receiptRoutes,
  ...exceptionRoutes,
]

/** Answers name it `link_type`, so a request may too. */
function linkTypeOf<T extends string>(body: { type?: T; link_type?: T }): T | 'SINGLE' {
  const { type, link_type: linkType } = body
  if (type !== undefined && linkType !== undefined && type !== linkType)
    throw new Problem('invalid_request', 'type and link_type are one field: send one of them.', {
      param: 'link_type',
    })
  return type ?? linkType ?? 'SINGLE'
}

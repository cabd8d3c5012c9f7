import { Type } from 'typebox'
import { checkScope } from '../../../api/http/caller.ts'
import {
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  NullableNumber,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  Success,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { APPROVAL_STATUSES, type Approval } from '../consent.ts'
import { readCards } from '../store.ts'
import { CardBody, cardBody } from '../view.ts'
import { type Allowing, allowOnce, allowPayee, lockDecline, raiseLimit } from './allow.ts'
import { approve, deny, ownApproval } from './answer.ts'
import { approvalPage } from './page.ts'
import { RAISED_LIMITS } from './remedies.ts'
import { findApproval, listApprovals } from './store.ts'
import { ApprovalBody, approvalBody } from './view.ts'

type Shown = { at: Date; services: Uses<'chain' | 'db' | 'settings'> }

/** The approvals as the API shows them, each in the asset of its card. */
async function shownApprovals(rows: readonly Approval[], { at, services }: Shown) {
  const { chain, db, settings } = services
  const cards = await readCards(
    db.reader,
    rows.map(({ cardId }) => cardId),
  )
  const { publicUrl } = settings
  return rows.flatMap((row) => {
    const card = cards.get(row.cardId)
    return card ? [approvalBody(row, { at, asset: assetOf(chain, card), publicUrl })] : []
  })
}

const list = keyRoute({
  method: 'GET',
  path: '/api/approvals',
  tag: 'Approvals',
  summary: 'Payments that wait for you, and what you said, newest first',
  description: 'Those of the cards that you have now and had at the time.',
  scope: 'approvals:read',
  query: Type.Object(
    {
      ...CursorQuery,
      status: Type.Optional(OneOf(APPROVAL_STATUSES, 'State of the approval')),
      card_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this card' })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    approvals: Type.Array(ApprovalBody, { description: 'The approvals, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: [],
  handle: async ({ query, caller, at, services }) => {
    const { reader } = services.db
    const { walletAddress, cardIds: ids } = caller
    await checkAfter(
      query.after,
      async (id) => (await findApproval(reader, id))?.walletAddress === walletAddress,
    )
    const limit = query.limit ?? PAGE_DEFAULT
    const { status, after, card_id: cardId } = query
    const filter = { ids, cardId, status, after, limit }
    const { rows, hasMore } = pageOf(await listApprovals(reader, at, walletAddress, filter), limit)
    return { approvals: await shownApprovals(rows, { at, services }), has_more: hasMore }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/approvals/{id}',
  tag: 'Approvals',
  summary: 'One approval',
  description: 'An agent may ask here whether its payment has been approved.',
  scope: 'approvals:read',
  params: idParam('approval'),
  response: Type.Object({ approval: ApprovalBody }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, caller, at, services }) => {
    const row = await ownApproval(services.db.reader, caller, params.id)
    const [approval] = await shownApprovals([row], { at, services })
    return { approval: approval as NonNullable<typeof approval> }
  },
})

const answerRoute = (
  said: { verb: 'approve' | 'deny'; summary: string; description: string },
  answer: typeof approve,
): Route =>
  keyRoute({
    method: 'POST',
    path: `/api/approvals/{id}/${said.verb}`,
    tag: 'Approvals',
    summary: said.summary,
    description: said.description,
    scope: 'approvals:write',
    params: idParam('approval'),
    response: Type.Object({ success: Success, approval: ApprovalBody }),
    attack: 'none',
    costs: { statements: 800 },
    errors: ['not_found', 'invalid_state', 'forbidden_scope'],
    handle: ({ params, caller, at, services, write }) =>
      write(async (tx) => {
        const { chain, settings } = services
        const row = await answer(tx, at, { caller, id: params.id, chain })
        const asset = assetOf(chain, await cardOf(tx, row))
        const approval = approvalBody(row, { at, asset, publicUrl: settings.publicUrl })
        return { success: true, approval }
      }),
  })

const cardOf = async (tx: Parameters<typeof readCards>[0], { cardId }: Approval) => {
  const card = (await readCards(tx, [cardId])).get(cardId)
  if (!card) throw new Error(`card ${cardId} exists`)
  return card
}

const approveOne = answerRoute(
  {
    verb: 'approve',
    summary: 'Let exactly this payment pass, once',
    description:
      'For ten minutes, and for this card, payee, protocol, request and no larger amount. Nothing is paid until the agent repeats its request. A restricted key needs `approvals:write`.',
  },
  approve,
)
const denyOne = answerRoute(
  {
    verb: 'deny',
    summary: 'Refuse a payment, or take an unused approval back',
    description: 'The same payment is refused with `approval_denied` until the request ends.',
  },
  deny,
)

const ALLOWED = ['once', 'payee', 'limit'] as const
const allow = keyRoute({
  method: 'POST',
  path: '/api/decisions/{id}/allow',
  tag: 'Approvals',
  summary: 'Turn a decline into a rule: allow it once, allow its payee, or raise its limit',
  description:
    'As the `remedies` of the decision say. `once` lets exactly this payment pass once within 24 hours, past every control of the card, and of the cards above that the key may use. `payee` and `limit` change the controls of the card for good, so a restricted key needs `controls:write` too. Allowing a decline once again gives the same approval.',
  scope: 'approvals:write',
  params: idParam('decision'),
  body: Type.Object(
    {
      once: Type.Optional(Type.Boolean({ description: 'Let this payment pass once' })),
      payee: Type.Optional(Type.Boolean({ description: 'Let the card pay this payee' })),
      limit: Type.Optional(
        Type.Boolean({ description: 'Raise the limit that refused it, so that it passes' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Success,
    card: CardBody,
    approval: Type.Union([ApprovalBody, Type.Null()], {
      description: 'The grant of `once`; null otherwise',
    }),
    raised: Type.Union(
      [
        Type.Object({
          limit: OneOf(RAISED_LIMITS, 'The limit that was raised'),
          to: NullableNumber('The limit now'),
        }),
        Type.Null(),
      ],
      { description: 'The limit that was raised; null if none was' },
    ),
  }),
  attack: 'none',
  costs: { statements: 1_000 },
  errors: [
    'missing_field',
    'invalid_field',
    'not_found',
    'invalid_state',
    'limit_reached',
    'forbidden_scope',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { chain, settings } = services
    return write(async (tx) => {
      const asked: Allowing = { caller, decisionId: params.id, chain }
      await lockDecline(tx, at, asked)
      const way = wayOf(body)
      if (way !== 'once') checkScope(caller, 'controls:write')
      const { card, approval, raised } = await WAYS[way](tx, at, asked)
      const asset = assetOf(chain, card)
      const { publicUrl } = settings
      return {
        success: true,
        card: cardBody(card, asset),
        approval: approval ? approvalBody(approval, { at, asset, publicUrl }) : null,
        raised: raised ? { limit: raised.limit, to: toNumber(raised.to, asset.decimals) } : null,
      }
    })
  },
})

const WAYS = { once: allowOnce, payee: allowPayee, limit: raiseLimit }

function wayOf(body: {
  once?: boolean
  payee?: boolean
  limit?: boolean
}): (typeof ALLOWED)[number] {
  const [way, another] = ALLOWED.filter((name) => body[name])
  if (!way || another)
    throw new Problem('missing_field', `Send one of ${ALLOWED.join(', ')}, as true.`, {
      param: 'once',
    })
  return way
}

export const approvalRoutes: Route[] = [list, get, approveOne, denyOne, allow, approvalPage]

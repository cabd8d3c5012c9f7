import { Type } from 'typebox'
import { type Caller, checkKeyAmount, mayUseCard } from '../../api/http/caller.ts'
import {
  AmountIn,
  AmountOut,
  ApprovalIdIn,
  CardTokenIn,
  CursorQuery,
  checkAfter,
  HasMore,
  idParam,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  TextField,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { lockOwned, type Owned } from '../../base/db/owned.ts'
import type { Reader, Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { parsePositiveAmount, toNumber } from '../../base/kernel/money.ts'
import { notFound } from '../../base/kernel/problem.ts'
import { assetOf, shownAsset } from '../../chain/client/rails.ts'
import { checkNotOnSale } from '../../money/cards/controls/own-card.ts'
import { declined } from '../../money/cards/debit.ts'
import { DECLINES, STANDING_REFUSALS } from '../../money/cards/policy.ts'
import { endStream, lockWhole, type WholeStream } from './close.ts'
import { openSession, openStream } from './open.ts'
import { findStream, listStreams, remainingOf, type ShownStream, STREAM_STATUSES } from './store.ts'
import { tickLane } from './tick.ts'
import { StreamBody, streamBody } from './view.ts'

const DEFAULT_HOURS = 24
const HOURS_MAX = 720

const CardFields = {
  card_id: Type.String({ maxLength: 64, description: 'Id of the card' }),
  card_token: CardTokenIn,
}
const StreamId = Type.String({ maxLength: 64, description: 'Id of the stream' })

const session = keyRoute({
  method: 'POST',
  path: '/api/mpp/session',
  tag: 'Streams',
  summary: 'Label the merchant that a card will pay by streams',
  description:
    'The label is shown with the streams of the session and in the memo of their payments. It decides nothing: `allowed_merchants` and `mcc_locks` are held against the receiver card of a stream and its wallet.',
  scope: 'payments:write',
  body: Type.Object(
    {
      ...CardFields,
      merchant: TextField({ minLength: 1, maxLength: 256, description: 'A label for people' }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ session_id: Type.String({ description: 'Id of the session' }) }),
  attack: 'open',
  costs: { statements: 800, rows: 100 },
  errors: ['not_found', 'invalid_card_token', 'invalid_state'],
  handle: async ({ body, caller, at, write }) =>
    write(async (tx) => {
      const { card_id: cardId, card_token: cardToken, merchant } = body
      const { id } = await openSession(tx, at, { caller, cardId, cardToken, merchant })
      return { session_id: id }
    }),
})

const open = keyRoute({
  method: 'POST',
  path: '/api/mpp/stream/open',
  tag: 'Streams',
  summary: 'Set a budget aside on a card, to be spent tick by tick',
  description:
    'The policy of the card decides on the whole budget. Ticks cost nothing more; closing the stream pays what was ticked to the receiver card and frees the rest. A stream that nobody closes does so by itself when its time is over.',
  scope: 'payments:write',
  body: Type.Object(
    {
      ...CardFields,
      budget: AmountIn,
      tick_amount: AmountIn,
      receiver_card_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'The card that earns the ticks. Without one, closing gives all back',
        }),
      ),
      session_id: Type.Optional({ ...StreamId, description: 'Id of the session' }),
      expires_in: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: HOURS_MAX,
          description: `Hours; ${DEFAULT_HOURS} without it`,
        }),
      ),
      approval_id: ApprovalIdIn,
    },
    { additionalProperties: false },
  ),
  response: StreamBody,
  waits: true,
  attack: 'open',
  costs: { statements: 900, rows: 200 },
  errors: [
    'not_found',
    'invalid_card_token',
    'invalid_amount',
    'invalid_state',
    ...DECLINES,
    'forbidden_scope',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const { chain } = services
    const amountsOf = (asset: Asset) => {
      const budget = parsePositiveAmount(body.budget, asset.decimals, 'budget')
      checkKeyAmount(caller, budget, asset)
      const tickAmount = parsePositiveAmount(body.tick_amount, asset.decimals, 'tick_amount')
      return { budget, tickAmount }
    }
    return write(async (tx) => {
      const made = await openStream(tx, at, {
        chain,
        amountsOf,
        caller,
        cardId: body.card_id,
        cardToken: body.card_token,
        tariff: services.settings.fee,
        receiverCardId: body.receiver_card_id,
        sessionId: body.session_id,
        expiresIn: body.expires_in ?? DEFAULT_HOURS,
        approvalId: body.approval_id,
      })
      return made.kind === 'declined'
        ? declined(made.denied)
        : streamBody(made.stream, {
            viewer: caller.walletAddress,
            asset: assetOf(chain, made.stream),
          })
    })
  },
})

const tick = keyRoute({
  method: 'POST',
  path: '/api/mpp/stream/tick',
  tag: 'Streams',
  summary: 'Spend one tick of a stream',
  description:
    'Send an Idempotency-Key if a tick must not count twice after a lost answer. Concurrent ticks succeed only while the budget has room.',
  scope: 'payments:write',
  body: Type.Object({ stream_id: StreamId, ...CardFields }, { additionalProperties: false }),
  response: Type.Object({ total_ticked: AmountOut, remaining: AmountOut }),
  attack: 'none',
  costs: { statements: 200 },
  errors: [
    'not_found',
    'invalid_card_token',
    'stream_budget_exceeded',
    'stream_closed',
    'stream_expired',
    ...STANDING_REFUSALS,
    'forbidden_scope',
  ],
  handle: async ({ body, caller, services, submit }) => {
    const { chain } = services
    const { stream_id: streamId, card_id: cardId, card_token: cardToken } = body
    return submit(tickLane, { caller, streamId, cardId, cardToken, chain }, (outcome) => {
      if (outcome.kind === 'refused') throw outcome.problem
      const { decimals } = outcome.asset
      return {
        total_ticked: toNumber(outcome.totalTicked, decimals),
        remaining: toNumber(remainingOf(outcome), decimals),
      }
    })
  },
})

/** A stream that one of the caller's cards pays or earns from. Any other stream does not exist. */
async function findOwnStream(on: Reader, caller: Caller, id: string): Promise<ShownStream> {
  const stream = await findStream(on, id)
  if (!stream || !isParty(caller, stream)) throw notFound('stream')
  return stream
}

type Parties = Pick<ShownStream, 'walletAddress' | 'cardId' | 'receiverWallet' | 'receiverCardId'>
const isPayer = (caller: Caller, of: Pick<Parties, 'walletAddress' | 'cardId'>): boolean =>
  of.walletAddress === caller.walletAddress && mayUseCard(caller, of.cardId)
const isParty = (caller: Caller, of: Parties): boolean =>
  isPayer(caller, of) ||
  (of.receiverWallet === caller.walletAddress && mayUseCard(caller, of.receiverCardId ?? ''))

/** Locks the caller's stream. Its receiver ends none while the card is being sold on chain: the buyer has paid for it too. */
async function lockOwnStream(tx: Tx, caller: Caller, id: string): Promise<Owned<WholeStream>> {
  const isMine = ({ stream, receiver }: WholeStream) =>
    isParty(caller, { ...stream, receiverWallet: receiver?.walletAddress ?? null })
  const whole = await lockOwned(lockWhole(tx, id), isMine, 'stream')
  const { stream, receiver } = whole
  if (receiver && stream.status === 'OPEN' && !isPayer(caller, stream)) checkNotOnSale(receiver)
  return whole
}

const close = keyRoute({
  method: 'POST',
  path: '/api/mpp/stream/close',
  tag: 'Streams',
  summary: 'End a stream: what was ticked is paid, the rest is free again',
  description:
    'The wallet of the card that pays may close it, and that of the receiver card. Closing again answers the same.',
  scope: 'payments:write',
  body: Type.Object({ stream_id: StreamId }, { additionalProperties: false }),
  response: Type.Object({
    final_amount: Type.Number({
      description:
        'The amount that left the card: the sum of the ticks, or 0 without a receiver card',
    }),
    status: Type.String({ description: '`CLOSED`, or `EXPIRED` where its time was over first' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ body, caller, at, services, write }) => {
    const { id } = await findOwnStream(services.db.reader, caller, body.stream_id)
    reach('streams.before_close')
    const closed = await write(async (tx) => {
      const whole = await lockOwnStream(tx, caller, id)
      const asset = assetOf(services.chain, whole.stream)
      const ended = await endStream(tx, at, { ...whole, asset })
      return {
        final_amount: toNumber(ended.finalAmount ?? 0n, asset.decimals),
        status: ended.status,
      }
    })
    reach('streams.after_close')
    return closed
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/mpp/stream/{id}',
  tag: 'Streams',
  summary: 'One stream, for the wallet that pays it and the one that earns it',
  description: 'For the wallet of the card that pays, and of the card that is paid.',
  scope: 'payments:read',
  params: idParam('stream'),
  response: StreamBody,
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => {
    const stream = await findOwnStream(services.db.reader, caller, params.id)
    const asset = shownAsset(services.chain, stream)
    return streamBody(stream, { viewer: caller.walletAddress, asset })
  },
})

const list = keyRoute({
  method: 'GET',
  path: '/api/mpp/streams',
  tag: 'Streams',
  summary: 'The streams that your cards pay, newest first',
  description: 'Those that your cards are paid by are found by their ids.',
  scope: 'payments:read',
  query: Type.Object(
    {
      ...CursorQuery,
      card_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the card' })),
      status: Type.Optional(OneOf(STREAM_STATUSES, 'State of the stream')),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    streams: Type.Array(StreamBody, { description: 'The streams, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, services }) => {
    await checkAfter(query.after, async (id) => {
      const last = await findStream(services.db.reader, id)
      return last?.walletAddress === caller.walletAddress && mayUseCard(caller, last.cardId)
    })
    const limit = query.limit ?? PAGE_DEFAULT
    const { rows, hasMore } = pageOf(
      await listStreams(services.db.reader, {
        walletAddress: caller.walletAddress,
        cardIds: caller.cardIds,
        cardId: query.card_id,
        status: query.status,
        after: query.after,
        limit,
      }),
      limit,
    )
    return {
      streams: rows.map((stream) =>
        streamBody(stream, {
          viewer: caller.walletAddress,
          asset: shownAsset(services.chain, stream),
        }),
      ),
      has_more: hasMore,
    }
  },
})

export const streamRoutes: Route[] = [session, open, tick, close, get, list]

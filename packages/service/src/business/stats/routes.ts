import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  CardIdField,
  NetworkField,
  NullableTimestamp,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { inSnapshot } from '../../base/db/snapshot.ts'
import { minus, plus, toNumber, ZERO } from '../../base/kernel/money.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { ownCard } from '../../money/cards/controls/own-card.ts'
import { DaysQuery, daysUntil } from './days.ts'
import { readProgress } from './store-progress.ts'
import { readSpenders, readSpentDays, type Spending } from './store-spending.ts'

/** The cards that are named; the rest is one sum. */
const CARDS_SHOWN = 10

const Sums = {
  payments: Type.Integer({ description: 'How many payments' }),
  spent: { ...AmountOut, description: 'What left cards for payments, fees included' },
  returned: { ...AmountOut, description: 'What came back to cards, on the day it came' },
}
const day = (description: string) =>
  Type.String({ description: `${description}, YYYY-MM-DD in UTC` })
const SpendingBody = Type.Object(
  {
    network: NetworkField,
    asset: AssetField,
    from: day('The first day'),
    to: day('The last day, today'),
    total: Type.Object(Sums, { description: 'Of all cards and days' }),
    days: Type.Array(Type.Object({ day: day('The day'), ...Sums }), {
      description: 'Each day from the first to the last, the oldest first',
    }),
    cards: Type.Array(
      Type.Object({
        card_id: CardIdField,
        purpose: Type.String({ description: 'What the card is for' }),
        ...Sums,
      }),
      { description: `The ${CARDS_SHOWN} cards that spent most` },
    ),
    others: Type.Object(
      { cards: Type.Integer({ description: 'How many more cards spent something' }), ...Sums },
      { description: 'All other cards together' },
    ),
    as_of: NullableTimestamp('All payments until then are counted; null: none yet'),
  },
  { title: 'Spending' },
)

const spending = keyRoute({
  method: 'GET',
  path: '/api/spending',
  tag: 'Cards',
  summary: 'What your cards spent, by day and by card',
  description:
    'The settled payments of all cards that were yours then, by UTC day. It follows the books within seconds. A key that is restricted to cards counts those alone.',
  scope: 'cards:read',
  query: Type.Object(
    {
      ...DaysQuery,
      card_id: Type.Optional(CardIdField),
    },
    { additionalProperties: false },
  ),
  response: SpendingBody,
  attack: 'none',
  costs: { statements: 700 },
  errors: ['not_found'],
  handle: async ({ query, caller, at, services: { db, chain } }) => {
    if (query.card_id !== undefined) await ownCard(db.reader, caller, query.card_id)
    const asset = defaultAsset(chain)
    const days = daysUntil(at, query.days)
    const of = {
      walletAddress: caller.walletAddress,
      asset,
      days,
      cardIds: query.card_id === undefined ? caller.cardIds : [query.card_id],
    }
    const [spent, spenders, progress] = await db.together((on) =>
      inSnapshot(
        on,
        async () =>
          [
            await readSpentDays(on, of),
            await readSpenders(on, { ...of, limit: CARDS_SHOWN }),
            await readProgress(on),
          ] as const,
      ),
    )
    const shown = (sums: Spending) => ({
      payments: Number(sums.payments),
      spent: toNumber(sums.spent, asset.decimals),
      returned: toNumber(sums.returned, asset.decimals),
    })
    const total = sumOf(spent)
    const named = sumOf(spenders)
    const byDay = new Map(spent.map((one) => [one.day, one]))
    return {
      network: asset.network,
      asset: asset.symbol,
      from: days.at(0) ?? '',
      to: days.at(-1) ?? '',
      total: shown(total),
      days: days.map((day) => ({ day, ...shown(byDay.get(day) ?? NOTHING) })),
      cards: spenders.map((one) => ({
        card_id: one.cardId,
        purpose: one.purpose,
        ...shown(one),
      })),
      others: {
        cards: Number(spenders[0]?.cards ?? 0n) - spenders.length,
        ...shown({
          payments: total.payments - named.payments,
          spent: minus(total.spent, named.spent),
          returned: minus(total.returned, named.returned),
        }),
      },
      as_of: progress.at?.toISOString() ?? null,
    }
  },
})

const NOTHING: Spending = { payments: 0n, spent: ZERO, returned: ZERO }
const sumOf = (rows: readonly Spending[]): Spending =>
  rows.reduce(
    (sum, { payments, spent, returned }) => ({
      payments: sum.payments + payments,
      spent: plus(sum.spent, spent),
      returned: plus(sum.returned, returned),
    }),
    NOTHING,
  )

export const statsRoutes: Route[] = [spending]

import { Type } from 'typebox'
import { AmountOut, AssetField, idParam, NullableTimestamp } from '../../api/http/fields.ts'
import { publicRoute, type Route } from '../../api/http/route.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { shownAsset } from '../../chain/client/rails.ts'
import { DaysQuery, daysUntil } from '../stats/days.ts'
import { readRevenueDays } from '../stats/store.ts'
import { readProgress } from '../stats/store-progress.ts'
import { noListing } from './listing.ts'
import { findListing } from './store.ts'

const ofListing = publicRoute({
  method: 'GET',
  path: '/api/listings/{id}/revenue',
  tag: 'Marketplace',
  summary: 'What a listed card received, by day',
  description:
    'Settled payments of other wallets, before fees and less refunds, as docs/credentials.md counts them. A refund lowers the day of its payment.',
  isOpenToSites: true,
  params: idParam('listing'),
  query: Type.Object(DaysQuery, { additionalProperties: false }),
  response: Type.Object({
    asset: AssetField,
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'The day, YYYY-MM-DD in UTC' }),
        payments: Type.Integer({ description: 'Counted payments' }),
        revenue: AmountOut,
      }),
      { description: 'Each day from the first to today, the oldest first' },
    ),
    as_of: NullableTimestamp('All payments until then are counted; null: none yet'),
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, query, at, read, services: { chain, settings } }) => {
    const days = daysUntil(at, query.days)
    const { listing, found, asOf } = await read(async (on) => {
      const listing = await findListing(on, params.id)
      if (listing?.network !== settings.network) throw noListing()
      const [found, { at: asOf }] = await Promise.all([
        readRevenueDays(on, { cardId: listing.cardId, since: days[0] ?? '' }),
        readProgress(on),
      ])
      return { listing, found, asOf }
    })
    const asset = shownAsset(chain, listing)
    const byDay = new Map(found.map((one) => [one.day, one]))
    return {
      asset: asset.symbol,
      days: days.map((day) => {
        const one = byDay.get(day)
        return {
          day,
          payments: Number(one?.payments ?? 0n),
          revenue: one ? toNumber(one.revenue, asset.decimals) : 0,
        }
      }),
      as_of: asOf?.toISOString() ?? null,
    }
  },
})

export const revenueRoutes: Route[] = [ofListing]

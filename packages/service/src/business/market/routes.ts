import { Type } from 'typebox'
import { mayUseCard } from '../../api/http/caller.ts'
import {
  AmountIn,
  BytesField,
  CardIdField,
  checkAfter,
  idParam,
  OneOf,
  PAGE_DEFAULT,
  Success,
} from '../../api/http/fields.ts'
import { keyRoute, publicRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { parsePositiveAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { explorerBaseOf } from '../../chain/client/public/explorer.ts'
import { shownAsset } from '../../chain/client/rails.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { mine } from '../../money/cards/controls/own-card.ts'
import { cancelListing, listCard } from './list.ts'
import { LISTING_MODES, type Listing, noListing } from './listing.ts'
import { priceAsset } from './money.ts'
import { listOnChain, readSigned } from './on-chain/list.ts'
import { mayPartWith, saleRoutes } from './sale/routes.ts'
import { readPage, showListing } from './show.ts'
import { findListing, readLatestListings } from './store.ts'
import { browseListings, countListed, SORTS } from './store-browse.ts'
import { shownVersionOf } from './version/version.ts'
import { ListingBody, listingBody } from './view.ts'

const PAGE_MAX = 1_000_000
/** Each makes rows, also for a caller without money. */
const LISTINGS_PER_MINUTE = 60
const ListingAnswer = Type.Object({ listing: ListingBody })

/** The listing as anybody is shown it. */
function show(services: Services, at: Date, listing: Listing) {
  const { db, chain } = services
  const readVersion = (card: CardWithMoney) => shownVersionOf(services, at, card)
  return showListing(db.reader, at, { listing, asset: shownAsset(chain, listing), readVersion })
}

const browse = publicRoute({
  method: 'GET',
  path: '/api/listings',
  tag: 'Marketplace',
  summary: 'Browse the cards that are for sale',
  description:
    'Open listings of the network of this deployment. Ties are ordered by id, descending. A walk with `after` misses nothing and repeats nothing while listings are made.',
  isOpenToSites: true,
  query: Type.Object(
    {
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: PAGE_MAX, description: '1 without it' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'At most 100; 50 without it' }),
      ),
      sort: Type.Optional(OneOf(SORTS, 'newest without it')),
      after: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'The listing after which to go on; no `page` then',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    listings: Type.Array(ListingBody, { description: 'The listings of this page' }),
    explorerBase: Type.String({ description: 'Base URL of the block explorer; empty if none' }),
    total: Type.Integer({ description: 'How many listings are open' }),
    page: Type.Integer({ description: 'The number of this page, from 1' }),
    pages: Type.Integer({ description: 'How many pages there are' }),
    limit: Type.Integer({ description: 'The most that a page holds' }),
    sort: OneOf(SORTS, 'The order of the listings'),
  }),
  attack: 'none',
  costs: { statements: 500 },
  errors: ['invalid_field'],
  handle: async ({ query, at, read, services }) => {
    const { page = 1, limit = PAGE_DEFAULT, sort = 'newest', after: afterId } = query
    if (afterId !== undefined && query.page !== undefined)
      throw new Problem('invalid_field', 'Send page or after, not both.', { param: 'page' })
    const { settings } = services
    const asset = priceAsset(services.chain)
    const { network } = settings
    const { shown, total } = await read(async (on) => {
      const after = afterId === undefined ? undefined : await findListing(on, afterId)
      await checkAfter(afterId, async () => after?.network === network)
      const from = after ? { after } : { offset: (page - 1) * limit }
      const [listings, total] = await Promise.all([
        browseListings(on, { network, sort, limit, from }),
        countListed(on, network),
      ])
      return { shown: await readPage(on, at, { listings, asset }), total }
    })
    return {
      listings: shown.map((one) => listingBody(one, { asset, at })),
      explorerBase: explorerBaseOf(network, settings),
      total,
      page,
      pages: Math.ceil(total / limit),
      limit,
      sort,
    }
  },
})

const get = publicRoute({
  method: 'GET',
  path: '/api/listings/{id}',
  tag: 'Marketplace',
  summary: 'One listing',
  description: 'Open, sold or cancelled.',
  isOpenToSites: true,
  params: idParam('listing'),
  response: ListingAnswer,
  attack: 'none',
  costs: { statements: 200 },
  errors: ['not_found'],
  handle: async ({ params, at, services }) => {
    const listing = await findListing(services.db.reader, params.id)
    if (listing?.network !== services.settings.network) throw noListing()
    return { listing: await show(services, at, listing) }
  },
})

const ofCard = publicRoute({
  method: 'GET',
  path: '/api/cards/{id}/listing',
  tag: 'Marketplace',
  summary: 'The most recent listing of a card',
  description: 'Open, sold or cancelled. 404 for a card that was never listed.',
  isOpenToSites: true,
  params: idParam('card'),
  response: ListingAnswer,
  attack: 'none',
  costs: { statements: 200 },
  errors: ['not_found'],
  handle: async ({ params, at, services }) => {
    const listing = (await readLatestListings(services.db.reader, [params.id])).get(params.id)
    if (listing?.network !== services.settings.network) throw noListing()
    return { listing: await show(services, at, listing) }
  },
})

const create = keyRoute({
  method: 'POST',
  path: '/api/listings',
  tag: 'Marketplace',
  summary: 'Offer a card for sale',
  description:
    'The card with all that belongs to it: its balance, its links, the agreements that pay them, its history. The price never changes; a card has one open listing.',
  scope: 'market:write',
  perMinute: LISTINGS_PER_MINUTE,
  body: Type.Object(
    {
      card_id: CardIdField,
      price: AmountIn,
      mode: Type.Optional(OneOf(LISTING_MODES, 'custodial without it')),
      seller_signature: Type.Optional(
        BytesField({
          min: 65,
          max: 4_096,
          description: 'onchain only: your signature of what `prepare` answered',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ success: Success, listing: ListingBody }),
  attack: { capped: 'one open listing a card' },
  costs: { statements: 500, rows: 20 },
  errors: [
    'invalid_amount',
    'invalid_field',
    'missing_field',
    'invalid_signature',
    'not_found',
    'invalid_state',
    'already_listed',
    'listing_stale',
    'chain_unavailable',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    mayPartWith(caller)
    const asset = priceAsset(services.chain)
    const { mode = 'custodial', seller_signature: signature } = body
    const price = parsePositiveAmount(body.price, asset.decimals, 'price')
    const own = mine(caller, body.card_id)
    if (mode === 'custodial' && signature !== undefined)
      throw new Problem('invalid_field', 'seller_signature is for mode onchain: leave it out.', {
        param: 'seller_signature',
      })
    const signed =
      mode === 'onchain' ? await readSigned(services, at, { own, price, signature }) : null
    return write(async (tx) => {
      const order = { ...own, price, mode, asset, settings: services.settings }
      const listing = signed
        ? await listOnChain(tx, at, { order, ...signed })
        : await listCard(tx, at, order)
      return { success: true, listing: await showListing(tx, at, { listing, asset }) }
    })
  },
})

const cancel = keyRoute({
  method: 'DELETE',
  path: '/api/listings/{id}',
  tag: 'Marketplace',
  summary: 'Take a card off the market',
  description: 'Cancelling twice changes nothing. A listing that was bought cannot be cancelled.',
  scope: 'market:write',
  params: idParam('listing'),
  response: Type.Object({ success: Success, listing: ListingBody }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found', 'listing_closed'],
  handle: ({ params, caller, at, services, write }) =>
    write(async (tx) => {
      const asset = priceAsset(services.chain)
      const isMine = ({ seller, cardId }: Listing) =>
        seller === caller.walletAddress && mayUseCard(caller, cardId)
      const listing = await cancelListing(tx, at, { id: params.id, isMine, asset })
      return { success: true, listing: await showListing(tx, at, { listing, asset }) }
    }),
})

export const marketRoutes: Route[] = [browse, get, ofCard, create, cancel, ...saleRoutes]

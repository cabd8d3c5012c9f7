import { type Static, Type } from 'typebox'
import { type Caller, checkKeyAmount } from '../../../api/http/caller.ts'
import {
  AddressField,
  AmountIn,
  AmountOut,
  BytesField,
  CardIdField,
  idParam,
  Success,
} from '../../../api/http/fields.ts'
import { type Answer, answer, keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { amount, parsePositiveAmount, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import {
  listingTypedData,
  receiveTypedData,
} from '../../../base/protocols/evm/credential-market.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { lockOwnCard, mine, ownCard } from '../../../money/cards/controls/own-card.ts'
import {
  type AuthorizationFields,
  readAuthorization,
} from '../../../money/treasury/deposits/authorization.ts'
import { checkOpen, type Listing, noListing } from '../listing.ts'
import { priceAsset } from '../money.ts'
import { showListing } from '../show.ts'
import { findListing } from '../store.ts'
import { ListingBody } from '../view.ts'
import { buyOnChain } from './sale/buy.ts'
import { offeredPayment } from './sale/payment.ts'
import { findTerms, saveDraft, type Terms } from './store.ts'
import { approvalFor, listingOf, makeTerms } from './terms.ts'

/** Each asks the chain, and keeps one row for its card. */
const PER_MINUTE = 60

const TypedData = Type.Object(
  {
    domain: Type.Record(Type.String(), Type.Unknown(), { description: 'The domain (EIP-712)' }),
    types: Type.Record(Type.String(), Type.Unknown(), { description: 'The types (EIP-712)' }),
    primaryType: Type.String({ description: 'The type of the message (EIP-712)' }),
    message: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The message; whole numbers are strings',
    }),
  },
  { description: 'Sign it with eth_signTypedData_v4' },
)

const HolderBody = Type.Object(
  {
    address: AddressField,
    pays_buyer: AmountOut,
    not_promised: Type.String({ description: 'What a sale does not promise, in words' }),
  },
  { description: 'The account of the identity token, and what it pays the buyer in the sale' },
)

/** The money that the token's account pays in the sale, and in words what nobody can promise. */
const holderBody = ({ holder, minHolderUsdc }: Terms, { decimals, symbol }: Asset) => ({
  address: holder,
  pays_buyer: toNumber(amount(minHolderUsdc), decimals),
  not_promised: `The account pays the buyer this much ${symbol} in the transaction of the sale, if it is deployed by then; one without code keeps it, and goes to the buyer with it. Everything else in it, now and later, may be taken by those whom its earlier owners allowed to: an allowance outlives a sale, and nobody can list them all. Move it out before you rely on it, and keep nothing there.`,
})

type Message = { readonly [name: string]: unknown }
/** Typed data for JSON, which has no large numbers. */
const typedDataBody = (data: {
  domain: Message
  types: Message
  primaryType: string
  message: Message
}) => ({
  domain: data.domain,
  types: data.types,
  primaryType: data.primaryType,
  message: Object.fromEntries(
    Object.entries(data.message).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  ),
})

const prepare = keyRoute({
  method: 'POST',
  path: '/api/listings/prepare',
  tag: 'Marketplace',
  summary: 'Get what to sign to sell a card on chain',
  description:
    'For a card whose identity token is in your wallet. Send `transactions` first, from your wallet: they let the market move the token, once it is paid. What you sign makes the account of the token pay its USDC to the buyer (`holder`). Then list the card at this price with mode onchain and your signature of `typed_data`. Preparing again replaces it.',
  scope: 'market:write',
  perMinute: PER_MINUTE,
  body: Type.Object({ card_id: CardIdField, price: AmountIn }, { additionalProperties: false }),
  response: Type.Object({
    typed_data: TypedData,
    transactions: Type.Array(
      Type.Object({
        to: AddressField,
        data: BytesField({ min: 4, max: 10_000, description: 'Data of the transaction' }),
        value: Type.String({ description: 'Wei to send with it: 0' }),
        description: Type.String({ description: 'What it does, in words' }),
      }),
      { description: 'Transactions that your wallet has to send first; none if they are made' },
    ),
    holder: HolderBody,
  }),
  attack: { capped: 'one row a card' },
  costs: { statements: 300, rows: 100, rpc: 300 },
  errors: [
    'invalid_amount',
    'amount_below_minimum',
    'invalid_field',
    'invalid_state',
    'not_found',
    'chain_unavailable',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const { chain, db } = services
    const price = parsePositiveAmount(body.price, priceAsset(chain).decimals, 'price')
    const own = mine(caller, body.card_id)
    const card = await ownCard(db.reader, caller, body.card_id)
    const { terms, sight } = await makeTerms(services, at, { card, price })
    const place = { market: terms.market, chainId: chain.chainId }
    return write(async (tx) => {
      // Two requests at once would both make the card's one draft.
      await lockOwnCard(tx, at, own)
      await saveDraft(tx, terms)
      return {
        typed_data: typedDataBody(listingTypedData(place, listingOf(terms))),
        transactions: approvalFor(terms, sight).map(({ to, data }) => ({
          to,
          data,
          value: '0',
          description: 'Lets the market move your identity tokens, each only as you have signed.',
        })),
        holder: holderBody(terms, priceAsset(chain)),
      }
    })
  },
})

const prepareBuy = keyRoute({
  method: 'GET',
  path: '/api/listings/{id}/buy/prepare',
  tag: 'Marketplace',
  summary: 'Get what to sign to buy a card on chain',
  description:
    'An authorization of USDC in your wallet that pays this listing and nothing else. Send it with its signature to `buy`. `holder` says what the account of the token pays you in the same transaction, and what of it nobody promises.',
  scope: 'market:read',
  params: idParam('listing'),
  response: Type.Object({ typed_data: TypedData, holder: HolderBody }),
  attack: { capped: 'one row a card' },
  costs: { statements: 300, rows: 100, rpc: 300 },
  errors: ['not_found', 'own_listing', 'listing_closed', 'invalid_state', 'chain_unavailable'],
  handle: async ({ params, caller, at, services }) => {
    const { walletAddress: buyer } = caller
    const listing = await findOnChain(services, params.id)
    checkOpen(listing, { buyer, checkPrice: () => {} })
    const terms = await findTerms(services.db.reader, listing.id)
    assert(terms, 'a listing on chain has its terms')
    const payment = await offeredPayment(services, at, { terms, buyer })
    const asset = assetOf(services.chain, listing)
    return {
      typed_data: typedDataBody(receiveTypedData(asset, payment)),
      holder: holderBody(terms, asset),
    }
  },
})

async function findOnChain({ db, settings }: Services, id: string): Promise<Listing> {
  const listing = await findListing(db.reader, id)
  if (listing?.network !== settings.network) throw noListing()
  if (listing.mode === 'onchain') return listing
  throw new Problem(
    'invalid_state',
    'This card is sold in the books of the service: POST buy pays it out of your balance.',
  )
}

export const onChainSaleRoutes: Route[] = [prepare, prepareBuy]

/** The answer while a sale is on its way. */
export const AcceptedBody = Type.Object({ success: Success, listing: ListingBody })

type Body = {
  version?: string
  authorization?: {
    [K in keyof typeof AuthorizationFields]: Static<(typeof AuthorizationFields)[K]>
  }
} | null

/** Takes the buyer's payment of a card that is sold on chain. 202: a job has it relayed, and hands the card over. */
export async function acceptPayment(
  services: Services,
  at: Date,
  { listing, caller, body }: { listing: Listing; caller: Caller; body: Body },
): Promise<Answer> {
  if (!body?.authorization)
    throw new Problem(
      'missing_field',
      'This card is sold on chain: send authorization, as GET /api/listings/{id}/buy/prepare describes.',
      { param: 'authorization' },
    )
  const accepted = await buyOnChain(services, at, {
    listingId: listing.id,
    buyer: caller.walletAddress,
    version: body.version,
    signed: readAuthorization(body.authorization),
    checkPrice: (price) => checkKeyAmount(caller, price),
  })
  const asset = assetOf(services.chain, accepted)
  const shown = await showListing(services.db.reader, at, { listing: accepted, asset })
  return answer(202, { success: true, listing: shown })
}

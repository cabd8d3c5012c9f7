import { Type } from 'typebox'
import { type Caller, checkKeyAmount } from '../../../api/http/caller.ts'
import { AddressField, idParam, Success } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { personAddress } from '../../../chain/client/reads.ts'
import { RATION_CODES } from '../../../chain/relay/gas/relayer-gas.ts'
import { mine } from '../../../money/cards/controls/own-card.ts'
import { CardBody, cardBody } from '../../../money/cards/view.ts'
import { AuthorizationFields } from '../../../money/treasury/deposits/authorization.ts'
import { priceAsset } from '../money.ts'
import { AcceptedBody, acceptPayment } from '../on-chain/routes.ts'
import { showListing } from '../show.ts'
import { findListing } from '../store.ts'
import { ListingBody } from '../view.ts'
import { buyCard } from './buy.ts'
import { transferCard } from './transfer.ts'

/** A card leaves the wallet whatever it holds: a limit on amounts could be escaped by it. */
export function mayPartWith(caller: Caller): void {
  if (caller.maxAmount !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to an amount cannot sell or give away a card. Use a key without max_amount.',
    )
}

/** A purchase that is refused may have read all links of a card, or asked the chain. */
const PURCHASES_PER_MINUTE = 60

const buy = keyRoute({
  method: 'POST',
  path: '/api/listings/{id}/buy',
  tag: 'Marketplace',
  summary: 'Buy a card that is for sale',
  description:
    'You pay the price from your treasury balance. The card comes with its balance, links, paying agreements and history, and a token that is shown this once. Its old token and keys stop at once. Send the `version` that you saw: then nothing is bought that has changed since. A card that is sold on chain is paid by `authorization`: 202 until a safe block holds the sale; then make a token with rotate-token.',
  scope: 'market:write',
  perMinute: PURCHASES_PER_MINUTE,
  params: idParam('listing'),
  body: Type.Union([
    Type.Object(
      {
        version: Type.Optional(
          Type.String({
            maxLength: 200,
            description: 'The `version` of the listing as you saw it',
          }),
        ),
        authorization: Type.Optional(
          Type.Object(AuthorizationFields, {
            additionalProperties: false,
            description: 'onchain only: your signed payment of the price',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
  response: Type.Object({ success: Success, listing: ListingBody, card: CardBody }),
  otherResponses: { 202: AcceptedBody },
  attack: 'none',
  costs: { statements: 500 },
  errors: [
    'forbidden_scope',
    'insufficient_balance',
    'missing_field',
    'listing_stale',
    'authorization_rejected',
    'chain_unavailable',
    ...RATION_CODES,
    'not_found',
    'invalid_state',
    'own_listing',
    'listing_closed',
    'listing_changed',
    'card_has_holds',
    'identity_moving',
    'identity_withdrawn',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    if (caller.cardIds !== null)
      throw new Problem(
        'forbidden_scope',
        'A key restricted to cards cannot buy another. Use a key without card_ids.',
      )
    const seen = await findListing(services.db.reader, params.id)
    if (seen?.mode === 'onchain' && seen.network === services.settings.network)
      return acceptPayment(services, at, { listing: seen, caller, body })
    if (body?.authorization !== undefined)
      throw new Problem(
        'invalid_field',
        'This card is paid from your treasury balance: leave authorization out.',
        { param: 'authorization' },
      )
    const { settings, chain } = services
    const asset = priceAsset(chain)
    const bought = await write(async (tx) => {
      const { listing, card, token } = await buyCard(tx, at, {
        listingId: params.id,
        buyer: caller.walletAddress,
        version: body?.version,
        checkPrice: (price) => checkKeyAmount(caller, price),
        asset,
        settings,
      })
      return {
        success: true,
        listing: await showListing(tx, at, { listing, asset }),
        card: cardBody(card, asset, token),
      }
    })
    reach('market.after_commit')
    return bought
  },
})

const transfer = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/transfer',
  tag: 'Marketplace',
  summary: 'Give a card to another wallet',
  description:
    'The card with all that belongs to it, as in a sale, without a price. The wallet must have signed in here. It makes a token by rotating it; yours stops at once.',
  scope: 'market:write',
  params: idParam('card'),
  body: Type.Object({ to_wallet: AddressField }, { additionalProperties: false }),
  response: Type.Object({
    success: Success,
    card_id: Type.String({ description: 'Id of the card' }),
    to_wallet: Type.String({ description: 'The new owner' }),
  }),
  attack: 'none',
  costs: { statements: 800 },
  errors: [
    'invalid_address',
    'forbidden_scope',
    'not_found',
    'invalid_state',
    'card_has_holds',
    'identity_moving',
    'identity_withdrawn',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    mayPartWith(caller)
    const toWallet = personAddress(body.to_wallet, 'to_wallet')
    const { settings, chain } = services
    const { walletAddress } = caller
    return write(async (tx) => {
      const { cardId } = mine(caller, params.id)
      await transferCard(tx, at, {
        cardId,
        walletAddress,
        toWallet,
        asset: priceAsset(chain),
        settings,
      })
      return { success: true, card_id: cardId, to_wallet: toWallet }
    })
  },
})

export const saleRoutes: Route[] = [buy, transfer]

import type { Settings } from '../../../api/http/settings.ts'
import { refuseStale, type Tx } from '../../../base/db/sql.ts'
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { findCard } from '../../../money/cards/store.ts'
import { autopayOnly } from '../../../money/cards/token.ts'
import { isKnownWallet } from '../../../rails/billing/store.ts'
import { handOver } from '../hand-over/hand-over.ts'
import { checkMovable, lockBelongings } from '../hand-over/lock.ts'
import { endUnsold } from '../list.ts'
import { lockLiveListing } from '../store.ts'

export type CardTransfer = {
  cardId: string
  walletAddress: Address
  toWallet: Address
  asset: Asset
  settings: Settings
}

/**
 * Gives a card of the wallet to another wallet, without a price, and ends its listing. The new owner makes a token by
 * rotating it: the one made here is shown to nobody.
 */
export async function transferCard(tx: Tx, at: Date, asked: CardTransfer): Promise<void> {
  const { cardId, walletAddress, toWallet, asset, settings } = asked
  // Nothing of others is locked for a caller.
  if ((await findCard(tx, cardId))?.walletAddress !== walletAddress) throw notFound('card')
  if (!(await isKnownWallet(tx, toWallet)))
    throw new Problem(
      'not_found',
      `${toWallet} has not signed in here. Its owner signs in once to receive cards.`,
      { param: 'to_wallet' },
    )
  const listing = await lockLiveListing(tx, cardId)
  const belongings = await lockBelongings(tx, cardId)
  const { card } = belongings
  if (card.walletAddress !== walletAddress) throw notFound('card')
  if (card.kind === 'autopay') throw autopayOnly()
  if (toWallet === walletAddress)
    throw new Problem('invalid_field', 'to_wallet is your own wallet. Name another.', {
      param: 'to_wallet',
    })
  // It was listed after the look for its listing.
  if (card.isListed && !listing) await refuseStale(tx)
  if (listing?.status === 'SETTLING')
    throw new Problem('invalid_state', 'The card is being sold. Wait for the end of the sale.')
  await checkMovable(tx, at, belongings)
  await handOver(tx, at, { ...belongings, toWallet, sold: null, asset, settings })
  if (listing) await endUnsold(tx, at, { listing, reason: 'card_transferred', asset })
}

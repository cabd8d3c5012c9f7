import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { CardStatus } from '../../money/cards/card.ts'
import { FROZEN_BY_SALE } from '../../money/cards/controls/own-card.ts'
import { findCard } from '../../money/cards/store.ts'
import { listedCardEndedTask } from '../../money/cards/tasks.ts'
import { type Identity, readIdentities } from '../identity/identity.ts'
import { identityArrived, identityDetached } from '../identity/tasks.ts'
import { endListed, endUnsold } from './list.ts'
import type { CancelReason, Listing } from './listing.ts'
import { priceAsset } from './money.ts'
import {
  findExpiredListings,
  findListedOfEndedCards,
  lockLiveListing,
  saveSettledTx,
} from './store.ts'

const REASONS: Partial<Record<CardStatus, CancelReason>> = {
  CLOSED: 'card_closed',
  EXPIRED: 'card_expired',
  USED: 'card_used',
}

/** Ends the listing of a card that cannot be sold any more. A sale under way on chain ends by itself. */
async function endListingOf(tx: Tx, at: Date, of: { cardId: string; asset: Asset }): Promise<void> {
  const listing = await lockLiveListing(tx, of.cardId)
  const status = (await findCard(tx, of.cardId))?.status
  const reason = status && REASONS[status]
  if (listing?.status === 'LISTED' && reason) await endUnsold(tx, at, { ...of, listing, reason })
}

/** Ends the card's listing if its token is not where it can be sold from: the job may be late, and the token back. */
async function endMoved(
  tx: Tx,
  at: Date,
  { cardId, asset }: { cardId: string; asset: Asset },
): Promise<void> {
  const listing = await lockLiveListing(tx, cardId)
  const identity = (await readIdentities(tx, [cardId])).get(cardId)
  // The chain has sold it, and these books are about to learn of it.
  if ((await findCard(tx, cardId))?.statusReason === FROZEN_BY_SALE) return
  if (listing?.status === 'LISTED' && identity && !isInPlace(identity, listing))
    await endUnsold(tx, at, { listing, reason: 'identity_moved', asset })
}

const isInPlace = ({ status, custody }: Identity, { mode }: Listing): boolean =>
  mode === 'onchain'
    ? custody === 'WITHDRAWN' && status !== 'DETACHED'
    : custody === 'CUSTODIAL' && status === 'FINAL'

export const marketTasks: Task<Services>[] = [
  handlerOf(listedCardEndedTask, {
    handle: ({ db, chain }, { cardId }, at) =>
      db.write((tx) => endListingOf(tx, at, { cardId, asset: priceAsset(chain) })),
  }),
  handlerOf(identityDetached, {
    handle: ({ db, chain }, { card_id: cardId }, at) =>
      db.write((tx) => endMoved(tx, at, { cardId, asset: priceAsset(chain) })),
  }),
  handlerOf(identityArrived, {
    handle: ({ db }, { card_id: cardId, owner: buyer, tx_hash: txHash }) =>
      db.write((tx) => saveSettledTx(tx, { cardId, buyer, txHash })),
  }),
  {
    // A single-use card that has paid, cards whose job was lost, and signatures whose time is over.
    name: 'end_listings',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      for (const cardId of await findListedOfEndedCards(db.reader))
        await db.write((tx) => endListingOf(tx, at, { cardId, asset: priceAsset(chain) }))
      for (const id of await findExpiredListings(db.reader, at))
        await db.write((tx) =>
          endListed(tx, at, { id, reason: 'listing_expired', asset: priceAsset(chain) }),
        )
    },
  },
]

import type { CardStatus } from '../cards/card.ts'
import { listedCardEndedTask } from '../cards/issue/tasks.ts'
import { findCard } from '../cards/store.ts'
import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { identityArrived, identityDetached } from '../identity/tasks.ts'
import { handlerOf, type Task } from '../jobs/worker.ts'
import type { Asset } from '../kernel/assets.ts'
import { endUnsold } from './list.ts'
import type { CancelReason } from './listing.ts'
import { findListedOfEndedCards, lockLiveListing, saveSettledTx } from './store.ts'

const REASONS: Partial<Record<CardStatus, CancelReason>> = {
  CLOSED: 'card_closed',
  EXPIRED: 'card_expired',
  USED: 'card_used',
}

/** Ends the listing of a card that cannot be sold any more. A sale under way on chain ends by itself. */
async function endListingOf(
  tx: Tx,
  at: Date,
  of: { cardId: string; reason: CancelReason | undefined; asset: Asset },
): Promise<void> {
  const listing = await lockLiveListing(tx, of.cardId)
  const status = (await findCard(tx, of.cardId))?.status
  const reason = of.reason ?? (status && REASONS[status])
  if (listing?.status === 'LISTED' && reason) await endUnsold(tx, at, { ...of, listing, reason })
}

export const marketTasks: Task<Services>[] = [
  handlerOf(listedCardEndedTask, {
    handle: ({ db, chain: { asset } }, { cardId }, at) =>
      db.write((tx) => endListingOf(tx, at, { cardId, reason: undefined, asset })),
  }),
  handlerOf(identityDetached, {
    handle: ({ db, chain: { asset } }, { card_id: cardId }, at) =>
      db.write((tx) => endListingOf(tx, at, { cardId, reason: 'identity_moved', asset })),
  }),
  handlerOf(identityArrived, {
    handle: ({ db }, { card_id: cardId, owner: buyer, tx_hash: txHash }) =>
      db.write((tx) => saveSettledTx(tx, { cardId, buyer, txHash })),
  }),
  {
    // A single-use card that has paid, and cards whose job was lost.
    name: 'end_listings',
    cron: '* * * * *',
    handle: async ({ db, chain: { asset } }, _, at) => {
      for (const cardId of await findListedOfEndedCards(db.reader))
        await db.write((tx) => endListingOf(tx, at, { cardId, reason: undefined, asset }))
    },
  },
]

import { record } from '../../../../api/events/record.ts'
import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import { amount } from '../../../../base/kernel/money.ts'
import { assetOf } from '../../../../chain/client/rails.ts'
import { release } from '../../../../chain/relay/gas/reserve.ts'
import type { FlightEnd } from '../../../../chain/relay/gas/store.ts'
import { withdrawSend } from '../../../../chain/relay/send.ts'
import { hasSettling } from '../../../../links/direct/store.ts'
import { hasHoldsBelow, lockCard } from '../../../../money/cards/store.ts'
import { endOutsideMove } from '../../../identity/request.ts'
import { markListed } from '../../../stats/store.ts'
import { handOverOutside } from '../../hand-over/hand-over.ts'
import { lockBelongings } from '../../hand-over/lock.ts'
import { type Listing, soldEvents } from '../../listing.ts'
import { lockListing, saveListing } from '../../store.ts'
import { changedParts, versionOf } from '../../version/version.ts'
import { lockSale, type Sale, saveSale } from '../store.ts'
import { thaw } from './freeze.ts'

type Ending = { listingId: string; sendRef: string }
type Done = Ending & { sold: { buyer: Address; fee: bigint; txHash: Hex }; waitUntil: Date }

/**
 * Gives the card to whoever bought its token, in one transaction: everything of a custodial sale but the money, which has
 * moved on chain. The buyer makes a card token by rotating it. False if a DIRECT payment to the seller must be booked first.
 */
export const finishSale = (
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  done: Done,
): Promise<boolean> =>
  services.db.write(async (tx) => {
    const open = await lockOpen(tx, done.listingId)
    if (!open) return true
    const { listing, sale } = open
    const { chain, settings } = services
    const asset = assetOf(chain, listing)
    const { buyer, txHash } = done.sold
    const fee = amount(done.sold.fee)
    const belongings = await lockBelongings(tx, listing.cardId)
    const version = await versionOf(tx, belongings.card)
    const { id: cardId } = belongings.card
    // A sale that a backup did not know may find money on hold. What holds it ends by itself.
    if (belongings.card.held > 0n || (await hasHoldsBelow(tx, cardId))) return false
    if (at < done.waitUntil && (await hasSettling(tx, cardId))) return false
    await endOutsideMove(tx, at, { cardId, toWallet: buyer })
    const { card } = await handOverOutside(tx, at, {
      ...belongings,
      toWallet: buyer,
      sold: { listingId: listing.id, price: listing.price, fee, txHash },
      asset,
      settings,
    })
    await thaw(tx, at, card)
    const ended: Listing = {
      ...listing,
      status: 'SOLD',
      buyer,
      fee,
      version,
      settledTx: txHash,
      settledAt: at,
      endedAt: at,
    }
    await saveListing(tx, ended)
    await saveSale(tx, at, { ...sale, buyer, fee, state: 'done' })
    await record(tx, at, soldEvents(ended, { asset, changed: changedSince(listing, version) }))
    await endFlight(tx, at, { ref: done.sendRef, outcome: 'settled' })
    return true
  })

type Undone = Ending & Pick<FlightEnd, 'outcome'>

/** Ends a sale that cannot happen any more: the card is the seller's again, and for sale. */
export const undoSale = (services: Uses<'db'>, at: Date, undone: Undone): Promise<void> =>
  services.db.write(async (tx) => {
    const open = await lockOpen(tx, undone.listingId)
    if (!open) return
    const { listing, sale } = open
    const card = await lockCard(tx, listing.cardId)
    assert(card, 'a card that is sold exists')
    await endOutsideMove(tx, at, { cardId: card.id as Id<'card'>, toWallet: null })
    await thaw(tx, at, card)
    await saveListing(tx, { ...listing, status: 'LISTED', buyer: null, version: null })
    await markListed(tx, { cardId: card.id, listingId: listing.id })
    await saveSale(tx, at, { ...sale, state: 'undone' })
    await endFlight(tx, at, { ref: undone.sendRef, outcome: undone.outcome })
  })

/**
 * The parts that are not as they were paid for. The seller can change none (`checkNotOnSale`), but payers end agreements,
 * and the chain has sold the card all the same. A sale that a backup did not know has no version that was paid for.
 */
const changedSince = ({ version: paid }: Listing, version: string): string[] =>
  // The freeze itself is a change of the status.
  paid === null ? [] : changedParts(paid, version).filter((part) => part !== 'status')

/** Gives the ration back. What no relayer has sent yet would fail from now on, so it is taken back. */
async function endFlight(tx: Tx, at: Date, { ref, outcome }: FlightEnd): Promise<void> {
  const isUnsent = await withdrawSend(tx, ref)
  await release(tx, at, [{ ref, outcome: isUnsent ? 'unsent' : outcome }])
}

/** The listing and its sale, locked; undefined once the sale is over. */
async function lockOpen(
  tx: Tx,
  listingId: string,
): Promise<{ listing: Listing; sale: Sale } | undefined> {
  const listing = await lockListing(tx, listingId)
  const sale = await lockSale(tx, listingId)
  if (listing?.status !== 'SETTLING' || !sale) return undefined
  return sale.state === 'frozen' || sale.state === 'relayed' ? { listing, sale } : undefined
}

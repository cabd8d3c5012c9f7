import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueue } from '../../../../base/jobs/queue.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { type Id, newId } from '../../../../base/kernel/ids.ts'
import { amount } from '../../../../base/kernel/money.ts'
import { assetOf } from '../../../../chain/client/rails.ts'
import { readSaleCall, type SaleCall } from '../../../../chain/client/sales/log.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { lockCard } from '../../../../money/cards/store.ts'
import { findTokenCard, type TokenCard } from '../../../identity/on-chain/find-card.ts'
import { beginMissingMove } from '../../../identity/request.ts'
import { markListed } from '../../../stats/store.ts'
import { endUnsold } from '../../list.ts'
import { type Listing, newListing } from '../../listing.ts'
import { priceAsset } from '../../money.ts'
import { insertListing, lockListingOf, lockLiveListing, saveListing } from '../../store.ts'
import { freezeSold, thaw } from '../sale/freeze.ts'
import { beginSale, findPayment, insertPayment, saveSigned, type Terms } from '../store.ts'
import { finishSaleTask } from '../tasks.ts'
import { feeOfTerms } from '../terms.ts'
import { findToAdopt, hasEarlier, lockMissing, type MissingSale, saveMissing } from './store.ts'

type Proof = SaleCall & TokenCard

/**
 * Makes a missing sale one of these books again, as it was when its buyer's payment was accepted: the listing is SETTLING,
 * the card frozen, the payment known. From there it ends as any sale on chain. Safe to repeat, and to run concurrently.
 */
async function adoptSale(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { hash, market, tokenId, txHash }: MissingSale,
): Promise<void> {
  const { chain, db, settings } = services
  assert(settings.identity, 'a token that was sold has its vault')
  const { registry } = settings.identity
  const call = await readSaleCall(chain, { market, hash, txHash })
  const token = await findTokenCard(services, { registry, tokenId })
  if (!call || !token) throw new Error(`the chain does not show the sale ${hash} any more`)
  await db.write((tx) => adopt(tx, at, { services, hash, proof: { ...call, ...token } }))
  reach('market.missing_adopted')
}

const AT_ONCE = 100

/** Adopts what was found, in the order of the chain. One that cannot be adopted keeps no other; its error is thrown at the end. */
export async function adoptSales(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
): Promise<void> {
  const errors: unknown[] = []
  for (const sale of await findToAdopt(services.db.reader, AT_ONCE))
    await adoptSale(services, at, sale).catch((error) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

type Adoption = { services: Uses<'chain' | 'settings'>; hash: MissingSale['hash']; proof: Proof }

async function adopt(tx: Tx, at: Date, { services, hash, proof }: Adoption): Promise<void> {
  const known = await lockListingOf(tx, hash)
  const live = await lockLiveListing(tx, proof.cardId)
  const card = await lockCard(tx, proof.cardId)
  const sale = await lockMissing(tx, hash)
  if (sale?.state !== 'found') return
  assert(card, 'a sale is found with its card')
  // An earlier sale on the chain hands over to the seller of this one.
  if (await hasEarlier(tx, sale)) return
  if (card.walletAddress === sale.buyer) {
    await thaw(tx, at, card)
    return saveMissing(tx, { ...sale, state: 'adopted', endedAt: at })
  }
  if (card.walletAddress !== sale.seller && !sale.isOrdered)
    return saveMissing(tx, { ...sale, state: 'held', reason: 'other_owner' })
  if (live?.status === 'LISTED' && live.hash !== hash) {
    const asset = assetOf(services.chain, live)
    await endUnsold(tx, at, { listing: live, reason: 'identity_moved', asset })
  }
  const terms = termsOf(at, { sale, card, proof })
  const listing = known ?? (await listAgain(tx, at, { services, terms }))
  const accepted = { ...terms, listingId: listing.id }
  if (!known) await saveSigned(tx, accepted)
  await acceptAgain(tx, at, { services, sale, card, listing, terms: accepted, proof })
  await saveMissing(tx, { ...sale, state: 'adopted', endedAt: at })
}

const termsOf = (at: Date, of: { sale: MissingSale; card: CardWithMoney; proof: Proof }): Terms => {
  const { sale, card, proof } = of
  const { buyer: _, ...signed } = proof.listing
  return {
    ...signed,
    price: amount(signed.price),
    hash: sale.hash,
    cardId: card.id,
    listingId: null,
    market: sale.market,
    sellerSignature: proof.sellerSignature,
    createdAt: at,
  }
}

/** Lists what the books do not know as listed. The listing has a new id: nobody knows the one that it had. */
async function listAgain(
  tx: Tx,
  at: Date,
  { services, terms }: { services: Uses<'chain' | 'settings'>; terms: Terms },
): Promise<Listing> {
  const { settings, chain } = services
  const { cardId, seller, price, hash, expiry } = terms
  const listing = newListing(at, {
    id: newId('lst', at),
    cardId,
    seller,
    price,
    mode: 'onchain',
    network: settings.network,
    asset: priceAsset(chain).symbol,
    hash,
    expiresAt: new Date(Number(expiry) * 1000),
  })
  await insertListing(tx, listing)
  return listing
}

type Accepted = {
  services: Uses<'settings'>
  sale: MissingSale
  card: CardWithMoney
  listing: Listing
  terms: Terms
  proof: Proof
}

/** Writes what the acceptance of the payment wrote, except for the transaction: it is on the chain. */
async function acceptAgain(tx: Tx, at: Date, accepted: Accepted): Promise<void> {
  const { services, sale, card, listing, terms, proof } = accepted
  const { id: listingId } = listing
  const { buyer, seller, price } = sale
  const attempt = ((await findPayment(tx, listingId))?.attempt ?? 0) + 1
  const sendRef = `${sale.hash}:found`
  const { validAfter, validBefore, signature } = proof.payment
  const payment = { listingId, attempt, buyer, validAfter, validBefore, signature }
  await insertPayment(tx, { ...payment, sendRef, fromBlock: sale.blockNumber, createdAt: at })
  await beginSale(tx, at, {
    listingId,
    cardId: card.id,
    seller,
    buyer,
    price: amount(price),
    fee: feeOfTerms(terms),
    state: 'frozen',
    sendRef,
  })
  const open = { reason: null, endedAt: null }
  await saveListing(tx, { ...listing, ...open, status: 'SETTLING', buyer })
  await markListed(tx, { cardId: card.id, listingId: null })
  await freezeSold(tx, at, card)
  const { settings } = services
  await beginMissingMove(tx, at, { settings, card, sight: proof.sight })
  await enqueue(tx, finishSaleTask, { listing_id: listingId as Id<'lst'> })
}

import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueue } from '../../../../base/jobs/queue.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import type { Amount } from '../../../../base/kernel/money.ts'
import type { ListingPayment } from '../../../../base/protocols/evm/credential-market.ts'
import { readLatest } from '../../../../chain/client/read-latest.ts'
import { type Funds, readFunds } from '../../../../chain/client/simulate.ts'
import { rationProblem } from '../../../../chain/relay/gas/relayer-gas.ts'
import { lockAndReserve, type Rationed } from '../../../../chain/relay/gas/reserve.ts'
import type { Flight } from '../../../../chain/relay/gas/store.ts'
import { queueSend, type Send } from '../../../../chain/relay/send.ts'
import { searchFrom } from '../../../../chain/transfers/reads/schedule.ts'
import { beginOutsideMove } from '../../../identity/request.ts'
import { markListed } from '../../../stats/store.ts'
import { checkMovable, lockBelongings } from '../../hand-over/lock.ts'
import { checkOpen, type Listing } from '../../listing.ts'
import { priceAsset } from '../../money.ts'
import { findListing, lockListing, saveListing } from '../../store.ts'
import { checkVersion, versionOf } from '../../version/version.ts'
import { beginSale, findPayment, findTerms, insertPayment, type Terms } from '../store.ts'
import { finishSaleTask } from '../tasks.ts'
import { checkStands, feeOfTerms } from '../terms.ts'
import { approvedCall } from './approve.ts'
import { freeze } from './freeze.ts'
import { checkPayment, type SignedPayment } from './payment.ts'

export type OnChainPurchase = {
  listingId: string
  buyer: Address
  version: string | undefined
  signed: SignedPayment
  /** Refuses a price that the buyer's key may not pay. */
  checkPrice(price: Amount): void
}

const LOOK_SECONDS = 1

/**
 * Accepts a buyer's payment: freezes the card and queues the sale, in one transaction. Nothing of ours is spent before the
 * chain has been asked whether the sale would succeed. The same buyer again gets the sale that is under way.
 */
export async function buyOnChain(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  purchase: OnChainPurchase,
): Promise<Listing> {
  const { chain, db } = services
  const seen = await findListing(db.reader, purchase.listingId)
  assert(seen?.mode === 'onchain', 'a listing that is sold on chain')
  if (seen.status === 'SETTLING' && seen.buyer === purchase.buyer) return seen
  checkOpen(seen, purchase)
  const terms = await findTerms(db.reader, seen.id)
  assert(terms, 'a listing on chain has its terms')
  const { buyer, signed } = purchase
  const payment = await checkPayment(services, at, { terms, buyer, signed })
  await checkStands(services, at, terms)
  const call = await approvedCall(services, terms, payment)
  const [funds, latest] = await Promise.all([
    readFunds(chain, priceAsset(chain).contract, payment.buyer),
    readLatest(chain),
  ])
  const fromBlock = searchFrom(latest.number)
  const order = { purchase, terms, payment, call, funds, fromBlock }
  const outcome = await db.write((tx) => freezeAndQueue(tx, at, { services, ...order }))
  if ('code' in outcome) throw rationProblem(outcome)
  reach('market.accepted')
  return outcome
}

type Order = {
  services: Uses<'chain' | 'settings'>
  purchase: OnChainPurchase
  terms: Terms
  payment: ListingPayment
  call: Omit<Send, 'ref'>
  funds: Funds
  fromBlock: bigint
}

/** Locks the listing, then all that will change hands. Only one of two buyers gets here first. */
async function freezeAndQueue(tx: Tx, at: Date, order: Order): Promise<Listing | Rationed> {
  const { services, purchase, terms, payment, call, fromBlock } = order
  const listing = await lockListing(tx, purchase.listingId)
  assert(listing, 'a listing is never deleted')
  checkOpen(listing, purchase)
  const belongings = await lockBelongings(tx, listing.cardId)
  await checkMovable(tx, at, belongings)
  const { card } = belongings
  const version = await versionOf(tx, card)
  checkVersion(purchase.version, version)
  const attempt = ((await findPayment(tx, listing.id))?.attempt ?? 0) + 1
  const sendRef = attempt === 1 ? terms.hash : `${terms.hash}:${attempt}`
  const flight = flightOf(order, sendRef)
  const { gas } = services.settings
  const rationed = (await lockAndReserve(tx, at, { flights: [flight], limits: gas })).get(sendRef)
  if (rationed) return rationed
  await beginOutsideMove(tx, at, card.id)
  await freeze(tx, at, card)
  const { validAfter, validBefore, signature, buyer } = payment
  await insertPayment(tx, {
    listingId: listing.id,
    attempt,
    buyer,
    validAfter,
    validBefore,
    signature,
    sendRef,
    fromBlock,
    createdAt: at,
  })
  await beginSale(tx, at, {
    listingId: listing.id,
    cardId: card.id,
    seller: terms.seller,
    buyer,
    price: terms.price,
    fee: feeOfTerms(terms),
    state: 'frozen',
    sendRef,
  })
  const settling: Listing = { ...listing, status: 'SETTLING', buyer, version }
  await saveListing(tx, settling)
  await markListed(tx, { cardId: card.id, listingId: null })
  await queueSend(tx, at, { ...call, ref: sendRef })
  const payload = { listing_id: listing.id as Id<'lst'> }
  await enqueue(tx, finishSaleTask, payload, { delaySeconds: LOOK_SECONDS })
  return settling
}

/** The relayer's gas is rationed as that of any payment: by what the buyer has, and by the seller's budget of the day. */
const flightOf = (
  { services: { chain }, terms, payment, call, funds }: Order,
  ref: string,
): Flight => ({
  ref,
  network: chain.network,
  token: priceAsset(chain).contract,
  payer: payment.buyer,
  nonce: terms.hash,
  amount: terms.price,
  seller: terms.seller,
  gas: call.gas ?? 0n,
  validBefore: payment.validBefore,
  funds,
  isForeignToken: false,
})

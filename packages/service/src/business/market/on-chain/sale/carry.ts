import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { addHours } from '../../../../base/kernel/clock.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { findSold } from '../../../../chain/client/sales/log.ts'
import { readSafeSale, type SafeSale } from '../../../../chain/client/sales/sale.ts'
import { findSend, sendAndWait } from '../../../../chain/relay/send.ts'
import { priceRail } from '../../money.ts'
import {
  findPayment,
  findSale,
  findTerms,
  lockSale,
  type Payment,
  type Sale,
  saveSale,
  type Terms,
} from '../store.ts'
import { finishSale, undoSale } from './end.ts'

const WAIT_MS = 6_000
/** A payment that reached the seller's wallet meanwhile is booked before the card moves. Nobody delays the buyer longer. */
const MOST_HOURS = 1

type Carried = { sale: Sale; terms: Terms; payment: Payment }

/**
 * Advances a sale by one step. The chain decides: a sale is done once a safe block has it, whoever relayed it, and undone
 * once a safe block shows that it cannot happen any more. Returns true at the end. Safe to repeat, and to run concurrently.
 */
export async function carrySale(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  listingId: string,
): Promise<boolean> {
  const { chain, db, log } = services
  const sale = await findSale(db.reader, listingId)
  if (!sale || isOver(sale)) return true
  const [terms, payment] = await Promise.all([
    findTerms(db.reader, listingId),
    findPayment(db.reader, listingId),
  ])
  assert(terms && payment, 'a sale has its terms and its payment')
  const { market, hash } = terms
  const safe = await readSafeSale(priceRail(chain), {
    market,
    hash,
    buyer: payment.buyer,
  })
  if (safe.isSold) {
    const range = { fromBlock: payment.fromBlock, toBlock: safe.block.number }
    const sold = await findSold(chain, { market, hash, ...range })
    if (!sold) {
      log.error({ listing: listingId }, 'a sale is done on chain, and no log says to whom')
      return false
    }
    reach('market.before_end')
    const { sendRef, createdAt } = payment
    const waitUntil = addHours(createdAt, MOST_HOURS)
    if (!(await finishSale(services, at, { listingId, sold, sendRef, waitUntil }))) return false
    reach('market.after_end')
    return true
  }
  if (isImpossible(safe, { terms, payment })) {
    const { sendRef } = payment
    const send = await findSend(services, sendRef)
    const outcome = send?.succeeded === false ? 'failed' : 'over'
    await undoSale(services, at, { listingId, sendRef, outcome })
    return true
  }
  await relayOn(services, at, { sale, terms, payment })
  return false
}

const isOver = ({ state }: Sale): boolean => state === 'done' || state === 'undone'

/** The token refuses the payment from its end on, or once its nonce is used or cancelled. */
const isImpossible = (
  { isCancelled, isSpent, block }: SafeSale,
  { terms, payment }: Pick<Carried, 'terms' | 'payment'>,
): boolean =>
  isCancelled || isSpent || block.seconds >= payment.validBefore || block.seconds > terms.expiry

/** Has the sale relayed, once. A transaction that reverted proves nothing: others can relay the payment until its end. */
async function relayOn(
  services: Uses<'db' | 'relay'>,
  at: Date,
  { sale, payment }: Carried,
): Promise<void> {
  const { sendRef } = payment
  const send = await findSend(services, sendRef)
  if (send && send.state !== 'mined') await sendAndWait(services.relay, sendRef, WAIT_MS)
  const now = await findSend(services, sendRef)
  if (sale.state === 'frozen' && now && now.state !== 'queued')
    await noteRelayed(services, at, sale)
}

const noteRelayed = (
  { db }: Uses<'db'>,
  at: Date,
  { listingId }: Pick<Sale, 'listingId'>,
): Promise<void> =>
  db.write(async (tx) => {
    const sale = await lockSale(tx, listingId)
    if (sale?.state === 'frozen') await saveSale(tx, at, { ...sale, state: 'relayed' })
  })

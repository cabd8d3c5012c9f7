import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { readBlock } from '../../../../chain/client/reads.ts'
import {
  BLOCKS_AT_ONCE,
  readSaleCall,
  readSold,
  type SoldLog,
} from '../../../../chain/client/sales/log.ts'
import { findCard, lockCard } from '../../../../money/cards/store.ts'
import { findTokenCard } from '../../../identity/on-chain/find-card.ts'
import { findStatusOf } from '../../store.ts'
import { freezeSold } from '../sale/freeze.ts'
import { type ForgottenSale, findLogEnd, insertForgotten, saveLogEnd } from './store.ts'

/** More than a day of blocks on Base. */
const MOST_LOOKS = 30

/**
 * Reads the contract's log of sales on from where it was left, up to the newest safe block. A sale that this service approved
 * and that the books do not have was made after the backup that they come from: its card is frozen here and now, and `adopt.ts`
 * gives it to its buyer. Returns false if there are blocks left.
 */
export async function findForgottenSales(
  services: Uses<'chain' | 'db' | 'log' | 'settings'>,
  at: Date,
): Promise<boolean> {
  const { chain, db, settings } = services
  if (settings.onChainSales === null || settings.identity === null) return true
  const { market } = settings.onChainSales
  const { registry } = settings.identity
  const log = { network: settings.network, market }
  const { number: safe } = await readBlock(chain, 'safe')
  for (let look = 0; look < MOST_LOOKS; look++) {
    const end = await findLogEnd(db.reader, log)
    if (end !== undefined && end >= safe) return true
    const last = end === undefined ? safe : end + BLOCKS_AT_ONCE
    const toBlock = last < safe ? last : safe
    const fromBlock = end === undefined ? safe : end + 1n
    for (const sold of await readSold(chain, { market, fromBlock, toBlock }, { registry }))
      await noteSale(services, at, { market, registry, sold })
    await db.write((tx) => saveLogEnd(tx, log, toBlock))
  }
  return false
}

type Found = { market: Address; registry: Address; sold: SoldLog }

async function noteSale(
  services: Uses<'chain' | 'db' | 'log' | 'settings'>,
  at: Date,
  found: Found,
): Promise<void> {
  const { db, log } = services
  const { market, sold } = found
  const status = await findStatusOf(db.reader, sold.hash)
  if (status === 'SETTLING' || status === 'SOLD') return
  if (!(await isApproved(services, found))) return
  const token = await findTokenCard(services, { ...found, tokenId: sold.tokenId })
  const card = token && (await findCard(db.reader, token.cardId))
  const { fee: _, ...logged } = sold
  const sale: ForgottenSale = {
    ...logged,
    cardId: token?.cardId ?? null,
    market,
    state: card ? 'found' : 'held',
    reason: card ? null : 'no_card',
    isOrdered: false,
    note: null,
    foundAt: at,
    endedAt: null,
  }
  reach('market.forgotten_found')
  if (!(await db.write((tx) => holdCard(tx, at, sale)))) return
  reach('market.forgotten_frozen')
  log.warn({ listing_hash: sold.hash, card: sale.cardId }, 'a sale on chain was forgotten here')
}

/** Whether the terms of the sale named this service: it approved the sale then. Others sell their tokens as they like. */
async function isApproved(
  { chain, log }: Uses<'chain' | 'log'>,
  { market, sold }: Found,
): Promise<boolean> {
  const call = await readSaleCall(chain, { market, ...sold })
  if (!call) log.warn({ tx_hash: sold.txHash }, 'a sale on chain does not show its terms')
  return call?.listing.operator === chain.treasury.address
}

/** Writes the sale down and freezes its card, in one transaction. False if it is known. */
async function holdCard(tx: Tx, at: Date, sale: ForgottenSale): Promise<boolean> {
  const isNew = await insertForgotten(tx, sale)
  const card = isNew && sale.cardId !== null ? await lockCard(tx, sale.cardId) : undefined
  if (card) await freezeSold(tx, at, card)
  return isNew
}

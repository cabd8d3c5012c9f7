import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { findFirstBlock, readBlock } from '../../../../chain/client/reads.ts'
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
import { insertMissing, type MissingSale } from './store.ts'

type Chained = Uses<'chain' | 'db' | 'settings'>

/**
 * Reads the contract's log of sales from the first block at or after `since` to the newest safe one. A sale that this service
 * approved and that the books do not have was made after the backup that they come from: its card is frozen here and now, and
 * `adopt.ts` gives it to its buyer. Safe to repeat.
 */
export async function findMissingSales(services: Chained, at: Date, since: Date): Promise<void> {
  const { chain, settings } = services
  if (settings.onChainSales === null || settings.identity === null) return
  const { market } = settings.onChainSales
  const { registry } = settings.identity
  const { number: safe } = await readBlock(chain, 'safe')
  let fromBlock = await findFirstBlock(chain, since, safe)
  for (; fromBlock <= safe; fromBlock += BLOCKS_AT_ONCE) {
    const last = fromBlock + BLOCKS_AT_ONCE - 1n
    const range = { market, fromBlock, toBlock: last < safe ? last : safe }
    for (const sold of await readSold(chain, range, { registry }))
      await noteSale(services, at, { market, registry, sold })
  }
}

type Found = { market: Address; registry: Address; sold: SoldLog }

async function noteSale(services: Chained, at: Date, found: Found): Promise<void> {
  const { db } = services
  const { market, sold } = found
  const status = await findStatusOf(db.reader, sold.hash)
  if (status === 'SETTLING' || status === 'SOLD') return
  if (!(await isApproved(services, found))) return
  const token = await findTokenCard(services, { ...found, tokenId: sold.tokenId })
  const card = token && (await findCard(db.reader, token.cardId))
  const { fee: _, ...logged } = sold
  const sale: MissingSale = {
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
  reach('market.missing_found')
  if (await db.write((tx) => holdCard(tx, at, sale))) reach('market.missing_frozen')
}

/** Whether the terms of the sale named this service: it approved the sale then. Others sell their tokens as they like. */
async function isApproved({ chain }: Chained, { market, sold }: Found): Promise<boolean> {
  const call = await readSaleCall(chain, { market, ...sold })
  return call?.listing.operator === chain.treasury.address
}

/** Writes the sale down and freezes its card, in one transaction. False if it is known. */
async function holdCard(tx: Tx, at: Date, sale: MissingSale): Promise<boolean> {
  const isNew = await insertMissing(tx, sale)
  const card = isNew && sale.cardId !== null ? await lockCard(tx, sale.cardId) : undefined
  if (card) await freezeSold(tx, at, card)
  return isNew
}

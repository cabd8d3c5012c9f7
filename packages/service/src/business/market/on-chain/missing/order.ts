import type { Tx } from '../../../../base/db/sql.ts'
import { enqueue } from '../../../../base/jobs/queue.ts'
import { FROZEN_BY_SALE } from '../../../../money/cards/controls/own-card.ts'
import { lockCard } from '../../../../money/cards/store.ts'
import { identityDetached } from '../../../identity/tasks.ts'
import { thaw } from '../sale/freeze.ts'
import { hasOpen, lockMissing, type MissingSale, saveMissing } from './store.ts'

export type SaleOrder = { hash: string; verb: 'give' | 'dismiss'; note: string }

/**
 * An operator's word on a sale that is held: the buyer gets the card, whoever has it here, or the card stays where it is.
 * Undefined if no such sale is held, or if there is no card to give.
 */
export async function orderSale(
  tx: Tx,
  at: Date,
  { hash, verb, note }: SaleOrder,
): Promise<MissingSale | undefined> {
  const sale = await lockMissing(tx, hash)
  if (sale?.state !== 'held') return undefined
  if (verb === 'give') {
    if (sale.reason === 'no_card') return undefined
    const given = { ...sale, state: 'found', reason: null, isOrdered: true, note } as const
    await saveMissing(tx, given)
    return given
  }
  const dismissed = { ...sale, state: 'dismissed', note, endedAt: at } as const
  await saveMissing(tx, dismissed)
  if (sale.cardId) await release(tx, at, sale.cardId)
  return dismissed
}

/** The card's owner has it again, unless another sale of it is not over. The market looks where its token is. */
async function release(
  tx: Tx,
  at: Date,
  cardId: NonNullable<MissingSale['cardId']>,
): Promise<void> {
  const card = await lockCard(tx, cardId)
  if (card?.statusReason !== FROZEN_BY_SALE || (await hasOpen(tx, cardId))) return
  await thaw(tx, at, card)
  await enqueue(tx, identityDetached, { card_id: cardId })
}

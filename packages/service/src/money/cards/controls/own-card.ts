import { record } from '../../../api/events/record.ts'
import { cardExpired, type cardFrozen, cardUpdated } from '../../../api/events/types/cards.ts'
import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import { lockOwned, type Owned } from '../../../base/db/owned.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { CardStatus, CardWithMoney } from '../card.ts'
import { isExpired } from '../policy.ts'
import { findCard, lockCard, saveCards } from '../store.ts'
import { listedCardEndedTask } from '../tasks.ts'
import { autopayOnly } from '../token.ts'

/** Why a card is FROZEN while the chain sells its identity token. Nobody changes the card then. */
export const FROZEN_BY_SALE = 'being sold on chain'

export type Mine = { walletAddress: string; cardId: string }

/**
 * The wallet's card, locked, and marked EXPIRED if its time is up. A card of another wallet does not exist, and neither does what
 * the caller has named of it: the `noun`.
 */
export async function lockOwnCard(
  tx: Tx,
  at: Date,
  { walletAddress, cardId, noun = 'card' }: Mine & { noun?: string },
): Promise<Owned<CardWithMoney>> {
  const isMine = (card: CardWithMoney) => card.walletAddress === walletAddress
  const card = await lockOwned(lockCard(tx, cardId), isMine, noun)
  if (card.kind === 'autopay') throw autopayOnly()
  checkNotOnSale(card)
  if ((card.status === 'ACTIVE' || card.status === 'FROZEN') && isExpired(card, at))
    return expireLocked(tx, at, card)
  return card
}

/** Refuses a change of what a buyer has paid for. */
export function checkNotOnSale({ statusReason }: Pick<CardWithMoney, 'statusReason'>): void {
  if (statusReason !== FROZEN_BY_SALE) return
  throw new Problem(
    'invalid_state',
    'The card is being sold on chain. Wait for the end of the sale.',
  )
}

/** Marks the card EXPIRED if its time is up. One that is being sold expires afterwards: its money is the buyer's to claim. */
export async function expireCard(tx: Tx, at: Date, cardId: string): Promise<void> {
  const card = await lockCard(tx, cardId)
  if (card?.statusReason === FROZEN_BY_SALE) return
  if (card && (card.status === 'ACTIVE' || card.status === 'FROZEN') && isExpired(card, at))
    await expireLocked(tx, at, card)
}

/** Marks a locked card EXPIRED. The money left on it can be claimed. */
async function expireLocked<C extends CardWithMoney>(tx: Tx, at: Date, card: C): Promise<C> {
  const expired = await moveTo(tx, card, {
    status: 'EXPIRED',
    reason: `expired at ${card.expiresAt?.toISOString()}`,
  })
  await record(tx, at, [stateEvent(cardExpired, expired)])
  await tellMarket(tx, expired)
  return expired
}

/** The market takes a card that has ended off. */
export async function tellMarket(tx: Tx, { id, isListed }: CardWithMoney): Promise<void> {
  if (isListed) await enqueue(tx, listedCardEndedTask, { cardId: id })
}

/** Writes a locked card's new status. */
export async function moveTo<C extends CardWithMoney>(
  tx: Tx,
  card: C,
  to: { status: CardStatus; reason: string | null },
): Promise<C> {
  const moved = { ...card, status: to.status, statusReason: to.reason }
  await saveCards(tx, [moved])
  return moved
}

export const stateEvent = (
  kind: Pick<typeof cardFrozen, 'of'>,
  { id, walletAddress, statusReason }: CardWithMoney,
) => kind.of({ walletAddress, data: { card_id: id, reason: statusReason } })

export const updatedEvent = ({ id, walletAddress }: CardWithMoney, changed: string[]) =>
  cardUpdated.of({ walletAddress, data: { card_id: id, changed } })

/** The refusal of a change that the card's status does not allow. */
export const wrongState = (card: CardWithMoney, verb: string, wanted: string): Problem =>
  new Problem(
    'invalid_state',
    `The card is ${card.status}; only a card that is ${wanted} can be ${verb}.`,
  )

/** The caller's card. A card of another wallet, or outside the key's scope, does not exist. */
export async function ownCard(on: Reader, caller: Caller, id: string): Promise<CardWithMoney> {
  const card = await findOwn(on, caller, id)
  if (!card) throw notFound('card')
  return card
}

/** The caller's card, if there is one with this id. */
export async function findOwn(
  on: Reader,
  caller: Caller,
  id: string,
): Promise<CardWithMoney | undefined> {
  const card = mayUseCard(caller, id) ? await findCard(on, id) : undefined
  return card?.walletAddress === caller.walletAddress ? card : undefined
}

/** The caller's wallet and the card of the path, for functions that lock the card themselves. */
export function mine(caller: Caller, id: string) {
  if (!mayUseCard(caller, id)) throw notFound('card')
  return { walletAddress: caller.walletAddress, cardId: id }
}

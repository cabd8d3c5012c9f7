import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import {
  cardClaimed,
  cardClosed,
  cardExpired,
  cardFrozen,
  cardUnfrozen,
  cardUpdated,
} from '../events/types/cards.ts'
import type { Asset } from '../kernel/assets.ts'
import { newId } from '../kernel/ids.ts'
import { type Amount, minus, most, toNumber } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { treasuryKey } from '../ledger/account-keys.ts'
import { openAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import type { CardStatus, CardWithMoney } from './card.ts'
import { isExpired, withDayOf } from './policy.ts'
import { lockCard, saveCards, saveControls, saveToken } from './store.ts'
import { checkToken, newCardToken } from './token.ts'
import { earned } from './view.ts'

type Mine = { walletAddress: string; cardId: string }

/** The wallet's card, locked, EXPIRED if its time is up; a card of another wallet does not exist. */
export async function lockOwnCard(
  tx: Tx,
  at: Date,
  { walletAddress, cardId }: Mine,
): Promise<CardWithMoney> {
  const card = await lockCard(tx, cardId)
  if (!card || card.walletAddress !== walletAddress) throw notFound('card')
  if ((card.status === 'ACTIVE' || card.status === 'FROZEN') && isExpired(card, at))
    return expireLocked(tx, at, card)
  return card
}

const stateEvent = (
  kind: Pick<typeof cardFrozen, 'of'>,
  { id, walletAddress, statusReason }: CardWithMoney,
) => kind.of({ walletAddress, data: { card_id: id, reason: statusReason } })

const updatedEvent = ({ id, walletAddress }: CardWithMoney, changed: string[]) =>
  cardUpdated.of({ walletAddress, data: { card_id: id, changed } })

async function moveTo(
  tx: Tx,
  card: CardWithMoney,
  to: { status: CardStatus; reason: string | null },
) {
  const moved = { ...card, status: to.status, statusReason: to.reason }
  await saveCards(tx, [moved])
  return moved
}

/** Stops every debit at once, on every rail; credits still arrive. Freezing a frozen card changes nothing. */
export async function freezeCard(tx: Tx, at: Date, mine: Mine): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'FROZEN') return card
  if (card.status !== 'ACTIVE') throw wrongState(card, 'frozen', 'ACTIVE')
  const frozen = await moveTo(tx, card, { status: 'FROZEN', reason: 'frozen by its wallet' })
  await record(tx, at, [stateEvent(cardFrozen, frozen)])
  return frozen
}

export async function unfreezeCard(tx: Tx, at: Date, mine: Mine): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'ACTIVE') return card
  if (card.status !== 'FROZEN') throw wrongState(card, 'unfrozen', 'FROZEN')
  const used = card.singleUse && card.spent > 0n
  const unfrozen = await moveTo(tx, card, { status: used ? 'USED' : 'ACTIVE', reason: null })
  await record(tx, at, [stateEvent(cardUnfrozen, unfrozen)])
  return unfrozen
}

const wrongState = (card: CardWithMoney, verb: string, wanted: string): Problem =>
  new Problem(
    'invalid_state',
    `The card is ${card.status}; only a card that is ${wanted} can be ${verb}.`,
  )

/** Closes the card for good. Money that is not held goes back to the treasury balance. */
export async function cancelCard(
  tx: Tx,
  at: Date,
  mine: Mine & { asset: Asset },
): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'CLOSED') return card
  const closed = await moveTo(tx, card, { status: 'CLOSED', reason: 'cancelled by its wallet' })
  const returned = await returnMoney(tx, at, {
    card: closed,
    value: closed.available,
    asset: mine.asset,
  })
  const { walletAddress, available } = card
  const data = { card_id: card.id, returned: available }
  await record(tx, at, [cardClosed.of({ walletAddress, asset: mine.asset, data })])
  return returned
}

const ENDED: readonly CardStatus[] = ['EXPIRED', 'USED', 'CLOSED']

/**
 * Moves money back to the treasury balance: all that is left on a card that has ended, or what an ACTIVE card earned
 * above what its limit lets it spend. `amount` asks for less.
 */
export async function claimCard(
  tx: Tx,
  at: Date,
  mine: Mine & { token: string; amount: Amount | null; asset: Asset },
): Promise<{ card: CardWithMoney; claimed: Amount }> {
  const card = await lockOwnCard(tx, at, mine)
  checkToken(card, mine.token)
  if (card.status !== 'ACTIVE' && !ENDED.includes(card.status))
    throw wrongState(card, 'claimed from', 'ACTIVE, EXPIRED, USED or CLOSED')
  const claimable = card.status === 'ACTIVE' ? earned(card) : card.available
  const claimed = mine.amount ?? claimable
  if (claimable === 0n)
    throw new Problem('nothing_to_claim', 'There is nothing on the card to claim.')
  if (claimed > claimable)
    throw new Problem(
      'insufficient_funds',
      `At most ${toNumber(claimable, mine.asset.decimals)} can be claimed.`,
      {
        param: 'amount',
      },
    )
  const after = await returnMoney(tx, at, { card, value: claimed, asset: mine.asset })
  const { walletAddress } = card
  const data = { card_id: card.id, claimed }
  await record(tx, at, [cardClaimed.of({ walletAddress, asset: mine.asset, data })])
  return { card: after, claimed }
}

async function returnMoney(
  tx: Tx,
  at: Date,
  back: { card: CardWithMoney; value: Amount; asset: Asset },
) {
  const { card, value } = back
  if (value === 0n) return card
  const treasury = await openAccount(tx, treasuryKey(back.asset, card.walletAddress))
  await post(tx, at, [
    {
      kind: 'card_claim',
      ref: newId('trf', at),
      entries: [
        { account: card.accountId, amount: -value },
        { account: treasury, amount: value },
      ],
    },
  ])
  return { ...card, available: minus(card.available, value) }
}

/** A new token; the old one stops at once. */
export async function rotateToken(
  tx: Tx,
  at: Date,
  mine: Mine,
): Promise<{ card: CardWithMoney; token: string }> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'CLOSED') throw wrongState(card, 'given a new token', 'not CLOSED')
  const { token, hash, hint } = newCardToken()
  await saveToken(tx, card.id, { hash, hint })
  await record(tx, at, [updatedEvent(card, ['token'])])
  return { card: { ...card, tokenHash: hash, tokenHint: hint }, token }
}

export type ControlChange = {
  mccLocks?: string
  allowedMerchants?: string[]
  maxTransaction?: Amount | null
  dailyLimit?: Amount | null
}

/** The controls by their names in the API. */
const CONTROL_NAMES = {
  mccLocks: 'mcc_locks',
  allowedMerchants: 'allowed_merchants',
  maxTransaction: 'max_transaction',
  dailyLimit: 'daily_limit',
} as const satisfies Record<keyof ControlChange, string>

const controlNames = (change: ControlChange): string[] =>
  Object.entries(CONTROL_NAMES).flatMap(([key, name]) => (key in change ? [name] : []))

/** Changes the named controls, from the next debit on. A limit below what the day has used stops at once. */
export async function changeControls(
  tx: Tx,
  at: Date,
  asked: Mine & { change: ControlChange },
): Promise<CardWithMoney> {
  const card = withDayOf(await lockOwnCard(tx, at, asked), at)
  if (card.status === 'CLOSED') throw wrongState(card, 'changed', 'not CLOSED')
  const changed: CardWithMoney = { ...card, ...asked.change }
  const { dailyLimit, dayUsed } = changed
  const after = { ...changed, dayCap: dailyLimit === null ? null : most(dailyLimit, dayUsed) }
  await saveControls(tx, card.id, after)
  await record(tx, at, [updatedEvent(card, controlNames(asked.change))])
  return after
}

/** Marks a locked card EXPIRED. What is left on it can be claimed. */
async function expireLocked(tx: Tx, at: Date, card: CardWithMoney): Promise<CardWithMoney> {
  const expired = await moveTo(tx, card, {
    status: 'EXPIRED',
    reason: `expired at ${card.expiresAt?.toISOString()}`,
  })
  await record(tx, at, [stateEvent(cardExpired, expired)])
  return expired
}

/** Marks the card EXPIRED if its time is up. */
export async function expireCard(tx: Tx, at: Date, cardId: string): Promise<void> {
  const card = await lockCard(tx, cardId)
  if (card && (card.status === 'ACTIVE' || card.status === 'FROZEN') && isExpired(card, at))
    await expireLocked(tx, at, card)
}

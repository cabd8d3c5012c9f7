import type { BuiltEvent } from '../../../api/events/define.ts'
import { record } from '../../../api/events/record.ts'
import { cardClaimed, cardClosed } from '../../../api/events/types/cards.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, minus, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { type Assets, assetOf } from '../../../chain/client/rails.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { openAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import type { CardStatus, CardWithMoney } from '../card.ts'
import { findBelow, lockCard, lockCards } from '../store.ts'
import { checkToken } from '../token.ts'
import { earned } from '../view.ts'
import {
  FROZEN_BY_SALE,
  lockOwnCard,
  type Mine,
  moveTo,
  tellMarket,
  wrongState,
} from './own-card.ts'

/** Closes the card for good. Money that is not held goes back to the treasury balance. */
export async function cancelCard(
  tx: Tx,
  at: Date,
  mine: Mine & { chain: Assets },
): Promise<CardWithMoney> {
  const card = await lockOwnCard(tx, at, mine)
  if (card.status === 'CLOSED') return card
  const closed = await moveTo(tx, card, { status: 'CLOSED', reason: 'cancelled by its wallet' })
  const asset = assetOf(mine.chain, card)
  const below = await closeBelow(tx, at, { card, reason: 'the card above was cancelled', asset })
  const returned = await returnMoney(tx, at, { card: closed, value: closed.available, asset })
  const { walletAddress, available } = card
  const data = { card_id: card.id, returned: available }
  await record(tx, at, [...below, cardClosed.of({ walletAddress, asset, data })])
  await tellMarket(tx, card)
  return returned
}

/**
 * Closes the open cards below a locked card. Their money goes to the balance of the wallet. Returns the events, to be recorded
 * once all is locked.
 */
export async function closeBelow(
  tx: Tx,
  at: Date,
  of: { card: CardWithMoney; reason: string; asset: Asset },
): Promise<BuiltEvent[]> {
  const { card, reason, asset } = of
  const locked = await lockCards(tx, await findBelow(tx, card.id))
  const open = [...locked.values()].filter(
    ({ ancestors, status }) => ancestors.includes(card.id) && status !== 'CLOSED',
  )
  const events: BuiltEvent[] = []
  for (const child of open) {
    await moveTo(tx, child, { status: 'CLOSED', reason })
    await toTreasury(tx, at, { card: child, value: child.available, asset })
    const data = { card_id: child.id, returned: child.available }
    events.push(cardClosed.of({ walletAddress: child.walletAddress, asset, data }))
  }
  return events
}

const ENDED: readonly CardStatus[] = ['EXPIRED', 'USED', 'CLOSED']

/**
 * Moves money back to the treasury balance: everything left on an ended card, or the earnings of an ACTIVE card above
 * what its limit lets it spend. `amountOf` asks for less.
 */
export async function claimCard(
  tx: Tx,
  at: Date,
  mine: Mine & { token: string; amountOf(asset: Asset): Amount | null; chain: Assets },
): Promise<{ card: CardWithMoney; claimed: Amount }> {
  const card = await lockOwnCard(tx, at, mine)
  checkToken(card, mine.token)
  if (card.status !== 'ACTIVE' && !ENDED.includes(card.status))
    throw wrongState(card, 'claimed from', 'ACTIVE, EXPIRED, USED or CLOSED')
  const claimable = card.status === 'ACTIVE' ? earned(card) : card.available
  const asset = assetOf(mine.chain, card)
  const claimed = mine.amountOf(asset) ?? claimable
  if (claimable === 0n)
    throw new Problem('nothing_to_claim', 'There is nothing on the card to claim.')
  if (claimed > claimable)
    throw new Problem(
      'insufficient_funds',
      `At most ${toNumber(claimable, asset.decimals)} can be claimed.`,
      {
        param: 'amount',
      },
    )
  const after = await returnMoney(tx, at, { card, value: claimed, asset })
  const { walletAddress } = card
  const data = { card_id: card.id, claimed }
  await record(tx, at, [cardClaimed.of({ walletAddress, asset, data })])
  return { card: after, claimed }
}

type Back = { card: CardWithMoney; value: Amount; asset: Asset }

/** Gives money of a card back to where it came from: the card above it while that is open, or the balance of its wallet. */
async function returnMoney(tx: Tx, at: Date, back: Back): Promise<CardWithMoney> {
  const { card, value } = back
  const parentId = card.ancestors.at(-1)
  const parent = parentId === undefined ? undefined : await lockCard(tx, parentId)
  const isOpen = parent?.status === 'ACTIVE' || parent?.status === 'FROZEN'
  // A buyer pays for a card as it was when its sale began.
  if (
    !parent ||
    !isOpen ||
    parent.statusReason === FROZEN_BY_SALE ||
    parent.walletAddress !== card.walletAddress
  )
    return toTreasury(tx, at, back)
  if (value > 0n)
    await post(tx, at, [
      {
        kind: 'card_slice_back',
        ref: newId('trf', at),
        entries: [
          { account: card.accountId, amount: -value },
          { account: parent.accountId, amount: value },
        ],
      },
    ])
  return { ...card, available: minus(card.available, value) }
}

async function toTreasury(tx: Tx, at: Date, back: Back): Promise<CardWithMoney> {
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

import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { type Amount, minus } from '../../../base/kernel/money.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { openAccount } from '../../ledger/accounts.ts'
import type { Entry } from '../../ledger/post.ts'
import type { CardWithMoney } from '../card.ts'
import { hasMovedSince } from '../owners/store.ts'
import { lockParents } from '../store.ts'
import { FROZEN_BY_SALE } from './own-card.ts'

export type ComingBack = {
  /** The card that paid, locked. */
  card: CardWithMoney
  /** The wallet that it had then. */
  walletAddress: string
  /** The transfer that took the money off the card: the one that is reversed, in whole or in part. */
  paidBy: Id<'trf'>
  amount: Amount
  asset: Asset
}

/**
 * The place of money that a card spent and that comes back. It returns to the card, which may spend it again, as long as the
 * card has never had another owner since; afterwards, and while the card is being sold, to the balance of the wallet that
 * paid. Returns the ledger's line, and the card with its new counters if they change.
 */
export async function openReturn(
  tx: Tx,
  back: ComingBack,
): Promise<{ entry: Entry; changed: CardWithMoney[] }> {
  const { card, walletAddress, amount, asset } = back
  if (await isStillOfPayer(tx, back)) {
    assert(card.walletAddress === walletAddress, `${card.id} is of the wallet that paid`)
    const spent = minus(card.spent, amount)
    // A card above that has been sold since is its buyer's.
    const parents = (await lockParents(tx, card))
      .filter((one) => one.walletAddress === walletAddress)
      .map((one) => ({ ...one, delegated: minus(one.delegated, amount) }))
    return { entry: { account: card.accountId, amount }, changed: [{ ...card, spent }, ...parents] }
  }
  const account = await openAccount(tx, treasuryKey(asset, walletAddress))
  return { entry: { account, amount }, changed: [] }
}

/** A buyer has paid for a card that is being sold as it was then. */
const isStillOfPayer = async (tx: Tx, { card, paidBy }: ComingBack): Promise<boolean> =>
  card.statusReason !== FROZEN_BY_SALE &&
  (card.ownerNo === 0 || !(await hasMovedSince(tx, { cardId: card.id, transferId: paidBy })))

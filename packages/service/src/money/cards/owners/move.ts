import { refuseStale, type Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { CardWithMoney } from '../card.ts'
import { newCardToken } from '../token.ts'
import { insertHandover, saveOwner } from './store.ts'

/**
 * Gives a locked card to another wallet, with its money, limit and counters and the history of what it received. Its token
 * stops at once; the new one is returned.
 */
export async function moveCard(
  tx: Tx,
  at: Date,
  of: { card: CardWithMoney; toWallet: string; listingId: string | null },
): Promise<{ card: CardWithMoney; token: string }> {
  const { card, toWallet, listingId } = of
  assert(card.kind === 'spending' && card.held === 0n, 'a card without holds changes hands')
  const { token, hash, hint } = newCardToken()
  if (!(await saveOwner(tx, { card, toWallet, token: { hash, hint } }))) await refuseStale(tx)
  const moved: CardWithMoney = {
    ...card,
    walletAddress: toWallet,
    tokenHash: hash,
    tokenHint: hint,
    ownerNo: card.ownerNo + 1,
    isListed: false,
    fundingTx: null,
  }
  await insertHandover(tx, {
    cardId: card.id,
    fromWallet: card.walletAddress,
    toWallet,
    ownerNo: moved.ownerNo,
    spent: card.spent,
    listingId,
    createdAt: at,
  })
  return { card: moved, token }
}

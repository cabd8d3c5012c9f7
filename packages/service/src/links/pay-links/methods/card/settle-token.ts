import { type Caller, debitRefusal } from '../../../../api/http/caller.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { MppRefusal } from '../../../../base/protocols/mpp/refusal.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { lockCards } from '../../../../money/cards/store.ts'
import { redeemCardToken, releaseCardToken } from '../../../../money/cards/tokens/redeem.ts'
import { type IssuedToken, lockToken } from '../../../../money/cards/tokens/store.ts'
import { findSettlement, insertSettlements } from '../../../../money/settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { settledAtOnce } from '../../../../money/settlements/settlement.ts'
import { creditFrom } from '../../../link/credit.ts'
import { closedProblem } from '../../../link/link.ts'
import { findLinkById, lockLink, type PayLink } from '../../../link/store.ts'

export type Redemption = {
  code: string
  challengeId: string
  /** As the sealed card token names them. */
  card: string
  hold: string
  asset: Asset
  /** The key that came along, if one did. */
  caller?: Caller | undefined
}
export type Redeemed =
  /** `transactionId` is what the payer's card sent. */
  | { kind: 'settled'; settlement: LinkSettlement; link: PayLink; transactionId: Id<'txn'> }
  /** The link takes no payment. If it never will again, the money is back on the card. */
  | { kind: 'closed'; problem: Problem }

/**
 * Settles a link by a card token of this service: the hold becomes payer card → receiver card and fee, the use is
 * counted, all in this transaction. The same token again answers the same settlement. Throws `MppRefusal` for a token
 * that was never issued or has been given up, `card_frozen` or `card_closed` where its card was stopped meanwhile.
 */
export async function redeemForLink(tx: Tx, at: Date, asked: Redemption): Promise<Redeemed> {
  const token = await lockToken(tx, asked.challengeId)
  if (token?.holdId !== asked.hold || token.cardId !== asked.card)
    throw new MppRefusal('card_token_invalid', 'The card token was not issued here.')
  if (token.state === 'redeemed') return settledBefore(tx, token)
  if (token.state === 'released' || token.expiresAt <= at)
    throw new MppRefusal(
      'challenge_expired',
      'The card token was not used in time; its money goes back to the card. Pay a fresh challenge.',
    )
  const denied = debitRefusal(asked.caller, { ...token, asset: asked.asset })
  if (denied) throw denied
  const link = await lockLink(tx, at, asked.code)
  assert(link, 'links stay')
  const problem = closedProblem(link, at)
  if (problem) {
    if (problem.code !== 'pay_link_busy')
      await releaseCardToken(tx, at, { token, asset: asked.asset, reason: 'link_closed' })
    return { kind: 'closed', problem }
  }
  const cards = await lockCards(tx, [token.cardId, link.cardId])
  checkNotStopped(cards.get(token.cardId))
  const payer = await redeemCardToken(tx, at, token)
  assert(payer, 'the token is held')
  const settlement = settlementOf(at, { token, link })
  await insertSettlements(tx, [settlement])
  const { transactionId } = token
  const sent = { card: payer, transactionId }
  const credits = [{ link, settlement, from: payer.accountId, log: null, sent }]
  const after = await creditFrom(tx, at, { asset: asked.asset, credits })
  return { kind: 'settled', settlement, link: after.get(settlement.id) ?? link, transactionId }
}

async function settledBefore(tx: Tx, token: IssuedToken): Promise<Redeemed> {
  const settlement = await findSettlement(tx, token.settlementId)
  const link = settlement && (await findLinkById(tx, settlement.payLinkId))
  assert(settlement && link, 'a redeemed token has its settlement')
  return { kind: 'settled', settlement, link, transactionId: token.transactionId }
}

/** A card that its owner has stopped pays nothing more, though the money was set aside before. */
function checkNotStopped(card: CardWithMoney | undefined): void {
  assert(card, 'cards stay')
  if (card.status === 'FROZEN')
    throw new Problem('card_frozen', 'The card was frozen after it agreed to pay.')
  if (card.status === 'CLOSED')
    throw new Problem('card_closed', 'The card was closed after it agreed to pay.')
}

const settlementOf = (
  at: Date,
  { token, link }: { token: IssuedToken; link: PayLink },
): LinkSettlement =>
  settledAtOnce(at, {
    id: token.settlementId,
    payLinkId: link.id,
    protocol: 'mpp',
    payer: token.cardId,
    amount: token.amount,
    fee: token.fee,
    network: link.network,
    asset: link.asset,
  })

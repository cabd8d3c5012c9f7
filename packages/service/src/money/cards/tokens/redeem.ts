import type { BuiltEvent } from '../../../api/events/define.ts'
import { record } from '../../../api/events/record.ts'
import { paymentFailed } from '../../../api/events/types/payments.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Assets, assetOf } from '../../../chain/client/rails.ts'
import type { CardWithMoney } from '../card.ts'
import { captureOnCard, releaseOnCard } from '../debit.ts'
import { endTransaction, findTransaction } from '../transactions.ts'
import { endToken, type IssuedToken, lockToken } from './store.ts'

/**
 * Takes a held token's money off its card: hold, counters and the payer's transaction. The caller has locked the token
 * (`lockToken`), then the link and both cards, and posts `token.amount` off the card's account in the same transaction.
 * Returns the card afterwards; undefined if the token had already ended.
 */
export async function redeemCardToken(
  tx: Tx,
  at: Date,
  token: IssuedToken,
): Promise<CardWithMoney | undefined> {
  if (token.state !== 'held') return undefined
  const card = await captureOnCard(tx, at, token)
  assert(card, `the hold of the token for ${token.challengeId} is open as long as the token is`)
  const isEnded = await endToken(tx, at, { challengeId: token.challengeId, state: 'redeemed' })
  assert(isEnded, 'the token was locked')
  await endTransaction(tx, token.transactionId, { status: 'SETTLED', settledAt: at })
  return card
}

/** The reason for a release: its time was over, its link closed, or the payer's request failed or was never sent. */
export type ReleaseReason = 'expired' | 'link_closed' | 'refused' | 'seller_unreachable'

/**
 * Returns the money of a locked token to its card, and reports the reason to its wallet. Afterwards nobody can redeem
 * the token: a redemption takes the same lock and finds it ended. Returns false if it had already ended.
 */
export async function releaseCardToken(
  tx: Tx,
  at: Date,
  ended: { token: IssuedToken; asset: Asset; reason: ReleaseReason },
): Promise<boolean> {
  const { token } = ended
  if (token.state !== 'held') return false
  const isReleased = await releaseOnCard(tx, at, { ...token, heldAt: token.createdAt })
  assert(isReleased, `the hold of the token for ${token.challengeId} is open`)
  await endToken(tx, at, { challengeId: token.challengeId, state: 'released' })
  await endTransaction(tx, token.transactionId, {
    status: 'FAILED',
    failure: { reason: ended.reason, at },
  })
  const sent = await findTransaction(tx, token.transactionId)
  assert(sent, `the token for ${token.challengeId} has its transaction`)
  await record(tx, at, [failedEvent(sent.walletAddress, ended)])
  return true
}

/** Releases a token whose time is over. Safe to repeat, and to run concurrently. */
export async function releaseOverdue(
  tx: Tx,
  at: Date,
  of: { challengeId: string; chain: Assets },
): Promise<void> {
  const token = await lockToken(tx, of.challengeId)
  if (token && token.expiresAt <= at)
    await releaseCardToken(tx, at, { token, asset: assetOf(of.chain, token), reason: 'expired' })
}

const DETAILS: Record<ReleaseReason, string> = {
  expired: 'The seller did not take the payment in time.',
  link_closed: 'The pay link was closed before the payment was taken.',
  refused: 'The seller refused the payment.',
  seller_unreachable: 'The payment could not be sent to the seller.',
}

/** For the wallet that paid. */
const failedEvent = (
  walletAddress: string,
  { token, asset, reason }: { token: IssuedToken; asset: Asset; reason: ReleaseReason },
): BuiltEvent =>
  paymentFailed.of({
    walletAddress,
    asset,
    fact: null,
    data: {
      settlement_id: token.settlementId,
      transaction_id: token.transactionId,
      direction: 'sent',
      card_id: token.cardId,
      pay_link_code: token.recipient,
      agreement_id: null,
      rail: 'mpp',
      settlement_mode: 'CUSTODIAL',
      amount: token.amount,
      fee: 0n,
      net_amount: token.amount,
      tx_hash: null,
      merchant: token.recipient,
      payer: null,
      reason,
      detail: DETAILS[reason],
    },
  })

import { record } from '../../../api/events/record.ts'
import { cardActivated, cardFundingFailed } from '../../../api/events/types/cards.ts'
import type { Uses } from '../../../api/http/services.ts'
import { lockOwner } from '../../../api/keys/store.ts'
import { type Tx, violates } from '../../../base/db/sql.ts'
import { enqueue, PRIORITY_LATER } from '../../../base/jobs/queue.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { formatAmount, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { type MinedTransaction, readTransaction } from '../../../chain/client/reads.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { lockAvailable, openAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { creditDeposits } from '../../treasury/deposits/deposit.ts'
import type { CardWithMoney } from '../card.ts'
import { countUnfunded, findPendingFunding, lockCard, saveCards } from '../store.ts'
import { activateCardTask } from '../tasks.ts'
import { allocation, type CardOrder, insertWithAccounts, issuedEvent, newCard } from './issue.ts'

const UNSEEN_HOURS = 24
const RETRY_SECONDS = 2
/**
 * The most cards of a wallet within a day whose transactions brought nothing. A caller without money can make them too.
 */
const UNFUNDED_MAX = 50
/** The pause between two looks for a transaction that no block holds, as a part of the card's waiting time so far. */
const WAIT_PART = 10
const WAIT_MAX_SECONDS = 600

/**
 * Issues a card that its own funding transaction will make ACTIVE. Each transaction of a wallet funds one card. Throws
 * `invalid_state` if 50 cards of the wallet are waiting already.
 */
export async function issueOnTransaction(
  tx: Tx,
  at: Date,
  order: CardOrder & { txHash: Hex },
): Promise<{ card: CardWithMoney; token: string }> {
  const { txHash, ...rest } = order
  const { card, token } = newCard(at, rest, 'PENDING_FUNDING')
  card.fundingTx = txHash
  await lockOwner(tx, rest.walletAddress as Address)
  if ((await countUnfunded(tx, rest.walletAddress, addHours(at, -UNSEEN_HOURS))) >= UNFUNDED_MAX)
    throw new Problem(
      'invalid_state',
      `${UNFUNDED_MAX} cards of this wallet were issued within a day on transactions that have brought nothing. Wait until one is funded, or issue from your treasury balance.`,
      { param: 'tx_hash' },
    )
  try {
    await insertWithAccounts(tx, [card])
  } catch (error) {
    if (violates(error, 'one_card_per_funding'))
      throw new Problem(
        'already_credited',
        'A card was issued on this transaction already. One transaction funds one card.',
        { param: 'tx_hash' },
      )
    throw error
  }
  await record(tx, at, [issuedEvent(card, order.asset)])
  await enqueue(tx, activateCardTask, { cardId: card.id })
  return { card: { ...card, available: ZERO }, token }
}

/** Looks at the card's funding transaction, then activates the card, fails it or keeps waiting. */
export async function activateCard(
  services: Uses<'chain' | 'db'>,
  at: Date,
  cardId: CardWithMoney['id'],
): Promise<void> {
  const { chain, db } = services
  const pending = await findPendingFunding(db.reader, cardId)
  if (!pending) return
  const mined = await readTransaction(railOf(chain, pending.asset), pending.fundingTx)
  if (!mined && at >= addHours(pending.createdAt, UNSEEN_HOURS)) {
    await db.write((tx) =>
      failFunding(tx, at, { cardId, reason: `transaction not seen for ${UNSEEN_HOURS} hours` }),
    )
  } else if (!mined) {
    await db.write((tx) => lookAgain(tx, cardId, waitSeconds(at, pending.createdAt)))
  } else if (mined.succeeded && !mined.isSafe) {
    await db.write((tx) => lookAgain(tx, cardId, RETRY_SECONDS))
  } else if (!mined.succeeded) {
    await db.write((tx) => failFunding(tx, at, { cardId, reason: 'transaction reverted' }))
  } else {
    reach('cards.before_activate')
    await db.write((tx) => fundFrom(tx, at, { services, cardId, mined }))
    reach('cards.after_activate')
  }
}

const lookAgain = (tx: Tx, cardId: CardWithMoney['id'], delaySeconds: number): Promise<void> =>
  enqueue(tx, activateCardTask, { cardId }, { delaySeconds, priority: PRIORITY_LATER })

/** Some 200 looks in a day. A look every two seconds would be 43,200, for a hash that anybody can make up. */
function waitSeconds(at: Date, since: Date): number {
  const waited = (at.getTime() - since.getTime()) / 1000
  return Math.min(WAIT_MAX_SECONDS, Math.max(RETRY_SECONDS, Math.floor(waited / WAIT_PART)))
}

/** Credits the deposit to the treasury balance, then allocates the limit from it. Any excess stays there. */
async function fundFrom(
  tx: Tx,
  at: Date,
  with_: { services: Uses<'chain'>; cardId: string; mined: MinedTransaction },
): Promise<void> {
  const card = await lockCard(tx, with_.cardId)
  if (card?.status !== 'PENDING_FUNDING' && card?.status !== 'CLOSED') return
  const { walletAddress } = card
  const rail = railOf(with_.services.chain, card.asset)
  const { asset } = rail
  const brought = await creditDeposits(tx, at, { rail, walletAddress, mined: with_.mined })
  if (card.status === 'CLOSED') return
  if (brought < card.limitAmount) {
    const got = formatAmount(brought, asset.decimals)
    const wanted = formatAmount(card.limitAmount, asset.decimals)
    const reason =
      brought === 0n
        ? `transaction holds no ${asset.symbol} transfer from your wallet to the treasury`
        : `transaction brought ${got} of ${wanted} ${asset.symbol}; it is in your treasury balance`
    return failFunding(tx, at, { cardId: card.id, reason })
  }
  const treasury = await openAccount(tx, treasuryKey(asset, walletAddress))
  if ((await lockAvailable(tx, treasury)) < card.limitAmount)
    return failFunding(tx, at, {
      cardId: card.id,
      reason: 'the deposit was used before it could fund this card',
    })
  await saveCards(tx, [{ ...card, status: 'ACTIVE' }])
  await post(tx, at, [allocation('card_activate', card.id, { treasury, card })])
  const data = { card_id: card.id, tx_hash: with_.mined.hash }
  await record(tx, at, [cardActivated.of({ walletAddress, data })])
}

async function failFunding(
  tx: Tx,
  at: Date,
  failed: { cardId: string; reason: string },
): Promise<void> {
  const card = await lockCard(tx, failed.cardId)
  if (card?.status !== 'PENDING_FUNDING') return
  await saveCards(tx, [{ ...card, status: 'FUNDING_FAILED', statusReason: failed.reason }])
  const data = { card_id: card.id, reason: failed.reason }
  await record(tx, at, [cardFundingFailed.of({ walletAddress: card.walletAddress, data })])
}

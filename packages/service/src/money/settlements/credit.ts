import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import { minus, plus } from '../../base/kernel/money.ts'
import type { CardWithMoney } from '../cards/card.ts'
import { lockCards, saveCards } from '../cards/store.ts'
import { insertTransactions, type NewTransaction } from '../cards/transactions.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { type AccountId, openAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import type { Settlement } from './settlement.ts'

/**
 * A settlement whose money is on an account of the ledger, and the card that receives it. `payer` is the payer as its
 * receiver may see it: the wallet of the card that paid, or an address on chain.
 */
export type Credit = {
  settlement: Settlement
  from: AccountId
  cardId: string
  payer: string
  memo: string
}

/**
 * Moves the money of settlements to the receiver cards, less the fee, and writes what each card received. The rows of the
 * payees are locked; this locks the cards. The caller writes the settlements, and records the events after it. Returns the
 * id of each received transaction, by the settlement's id.
 */
export async function creditCards(
  tx: Tx,
  at: Date,
  { asset, credits }: { asset: Asset; credits: readonly Credit[] },
): Promise<Map<string, Id<'txn'>>> {
  const cards = await countReceived(tx, credits)
  const received = credits.map(receivedBy(at, cards))
  await insertTransactions(tx, received)
  const fees = await openAccount(tx, houseKey(asset, 'fees'))
  await post(
    tx,
    at,
    credits.map(({ from, cardId, settlement: { id, amount, fee } }) => ({
      kind: 'settlement',
      ref: id,
      entries: [
        { account: from, amount: -amount },
        { account: cardOf(cards, cardId).accountId, amount: minus(amount, fee) },
        { account: fees, amount: fee },
      ],
    })),
  )
  return new Map(received.map(({ ref, id }) => [ref, id]))
}

type Cards = ReadonlyMap<string, CardWithMoney>

function cardOf(cards: Cards, id: string): CardWithMoney {
  const card = cards.get(id)
  assert(card, `card ${id} exists`)
  return card
}

/** Locks the receiver cards and counts what each has received. */
async function countReceived(tx: Tx, credits: readonly Credit[]): Promise<Cards> {
  const cards = await lockCards(
    tx,
    credits.map(({ cardId }) => cardId),
  )
  const received = new Map<string, CardWithMoney>()
  for (const { cardId, settlement } of credits) {
    const card = received.get(cardId) ?? cardOf(cards, cardId)
    const net = minus(settlement.amount, settlement.fee)
    received.set(cardId, { ...card, received: plus(card.received, net) })
  }
  await saveCards(tx, [...received.values()])
  return received
}

const receivedBy =
  (at: Date, cards: Cards) =>
  ({ settlement, cardId, payer, memo }: Credit): NewTransaction => ({
    id: newId('txn', at),
    cardId,
    walletAddress: cardOf(cards, cardId).walletAddress,
    direction: 'received',
    amount: minus(settlement.amount, settlement.fee),
    fee: settlement.fee,
    merchant: payer,
    protocol: settlement.protocol,
    status: 'SETTLED',
    network: settlement.network,
    asset: settlement.asset,
    txHash: settlement.txHash,
    ref: settlement.id,
    memo,
    createdAt: at,
    settledAt: at,
  })

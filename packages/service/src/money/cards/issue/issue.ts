import type { BuiltEvent } from '../../../api/events/define.ts'
import { record } from '../../../api/events/record.ts'
import { cardIssued } from '../../../api/events/types/cards.ts'
import type { Lane } from '../../../base/db/lanes/lane.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, minus, toNumber, ZERO } from '../../../base/kernel/money.ts'
import { Problem, type Refusal, refuse } from '../../../base/kernel/problem.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { availableOn, lockAccounts, openAccounts } from '../../ledger/accounts.ts'
import { post, type Transfer } from '../../ledger/post.ts'
import type { Card, CardWithMoney } from '../card.ts'
import { countDirect, insertCards } from '../store.ts'
import { newCardToken } from '../token.ts'
import { type Limits, newCounters } from '../windows.ts'

export type CardOrder = Limits & {
  walletAddress: string
  asset: Asset
  purpose: string
  limitAmount: Amount
  mccLocks: string
  singleUse: boolean
  expiresAt: Date | null
  maxTransaction: Amount | null
  allowedMerchants: string[]
  rollingLimit: Amount | null
  maxPaymentsPerMinute: number | null
  maxLikePayments: number | null
  approvalAbove: Amount | null
  approvalFirstMerchant: boolean
  settlementMode: 'CUSTODIAL' | 'DIRECT'
  metadata: Record<string, string>
}
/** The most DIRECT cards of a wallet within a day. A caller without money can make them too. */
const DIRECT_MAX = 50
const DAY_HOURS = 24

const tooManyDirect = (): Problem =>
  new Problem(
    'limit_reached',
    `${DIRECT_MAX} DIRECT cards of this wallet were issued within a day. One card takes any number of pay links; use those, or wait.`,
    { param: 'settlement_mode' },
  )

/** A refusal is an outcome: in a batch it does not undo other cards. */
export type IssueOutcome =
  | { kind: 'issued'; card: CardWithMoney; token: string }
  | (Refusal & { available: Amount })

/** The specification's refusal if a treasury balance does not cover the requested amount. */
export const insufficientBalance = (asked: {
  available: Amount
  requested: Amount
  asset: Asset
}): Problem =>
  new Problem(
    'insufficient_balance',
    `Your treasury balance of ${toNumber(asked.available, asked.asset.decimals)} ${asked.asset.symbol} does not cover this. Deposit more, or ask for less.`,
    {
      extra: {
        available: toNumber(asked.available, asked.asset.decimals),
        requested: toNumber(asked.requested, asked.asset.decimals),
        network: asked.asset.network,
        asset: asked.asset.symbol,
      },
    },
  )

/**
 * Issues cards, each backed by its limit from its wallet's treasury balance. Decides in order of arrival: a later order
 * sees what an earlier one took. Each card takes one transfer, from treasury to card. A DIRECT card takes nothing: its
 * payers pay its wallet on chain. A wallet issues fifty of those a day.
 */
export async function issueCards(tx: Tx, at: Date, orders: CardOrder[]): Promise<IssueOutcome[]> {
  const treasuries = await openAccounts(
    tx,
    orders.map((order) => treasuryKey(order.asset, order.walletAddress)),
  )
  const locked = await lockAccounts(tx, treasuries)
  // The treasury accounts are locked, so nobody else issues for these wallets.
  const direct = await countDirect(tx, directWallets(orders), addHours(at, -DAY_HOURS))
  const left = new Map([...locked].map(([id, account]) => [id, availableOn(account)]))
  const made: { card: Card; token: string; treasury: bigint; asset: Asset }[] = []
  const outcomes = orders.map((order, i): IssueOutcome => {
    const treasury = treasuries[i] as bigint
    const available = left.get(treasury) ?? ZERO
    if (order.settlementMode === 'DIRECT') {
      const count = direct.get(order.walletAddress) ?? 0
      if (count >= DIRECT_MAX) return { ...refuse(tooManyDirect()), available }
      direct.set(order.walletAddress, count + 1)
      const { card, token } = newCard(at, order, 'ACTIVE')
      made.push({ card, token, treasury, asset: order.asset })
      return { kind: 'issued', card: { ...card, available: ZERO }, token }
    }
    if (available < order.limitAmount)
      return {
        ...refuse(
          insufficientBalance({
            available,
            requested: order.limitAmount,
            asset: order.asset,
          }),
        ),
        available,
      }
    left.set(treasury, minus(available, order.limitAmount))
    const { card, token } = newCard(at, order, 'ACTIVE')
    made.push({ card, token, treasury, asset: order.asset })
    return { kind: 'issued', card: { ...card, available: order.limitAmount }, token }
  })
  await insertWithAccounts(
    tx,
    made.map(({ card }) => card),
  )
  await post(
    tx,
    at,
    made
      .filter(({ card }) => card.settlementMode === 'CUSTODIAL')
      .map(({ card, treasury }) => allocation('card_issue', card.id, { treasury, card })),
  )
  await record(
    tx,
    at,
    made.map(({ card, asset }) => issuedEvent(card, asset)),
  )
  return outcomes
}

const directWallets = (orders: readonly CardOrder[]): string[] =>
  orders.flatMap(({ settlementMode, walletAddress }) =>
    settlementMode === 'DIRECT' ? walletAddress : [],
  )

/** The lane of `POST /api/issue`. */
export const issueLane: Lane<CardOrder, IssueOutcome> = { name: 'issue', run: issueCards }

/** A card for this order, with a fresh token. `insertWithAccounts` opens its account. */
export function newCard(
  at: Date,
  order: CardOrder,
  status: 'ACTIVE' | 'PENDING_FUNDING',
  ancestors: string[] = [],
): { card: Card; token: string } {
  const { token, hash, hint } = newCardToken()
  const { asset, ...rest } = order
  const card: Card = {
    ...rest,
    id: newId('card', at),
    kind: 'spending',
    accountId: 0n,
    network: asset.network,
    asset: asset.symbol,
    tokenHash: hash,
    tokenHint: hint,
    status,
    statusReason: null,
    spent: ZERO,
    held: ZERO,
    ancestors,
    delegated: ZERO,
    received: ZERO,
    ...newCounters(at, order),
    caps: [],
    grantsUntil: null,
    draft: null,
    fundingTx: null,
    createdAt: at,
    keysVersion: 0,
    isListed: false,
    ownerNo: 0,
    refunded: ZERO,
  }
  return { card, token }
}

/** Opens the cards' accounts and stores the cards. */
export async function insertWithAccounts(tx: Tx, cards: Card[]): Promise<void> {
  if (cards.length === 0) return
  const accounts = await openAccounts(
    tx,
    cards.map((card) => ({
      kind: 'card' as const,
      owner: card.id,
      network: card.network,
      asset: card.asset,
    })),
  )
  cards.forEach((card, i) => {
    card.accountId = accounts[i] as bigint
  })
  await insertCards(tx, cards)
}

/** A transfer from a treasury balance to a card: all of its limit, or `value`. */
export const allocation = (
  kind: 'card_issue' | 'card_fund' | 'card_activate',
  ref: string,
  to: { treasury: bigint; card: Card; value?: Amount },
): Transfer => {
  const value = to.value ?? to.card.limitAmount
  return {
    kind,
    ref,
    entries: [
      { account: to.treasury, amount: -value },
      { account: to.card.accountId, amount: value },
    ],
  }
}

export const issuedEvent = (card: Card, asset: Asset): BuiltEvent =>
  cardIssued.of({
    walletAddress: card.walletAddress,
    asset,
    data: {
      card_id: card.id,
      purpose: card.purpose,
      status: card.status,
      parent_card_id: card.ancestors.at(-1) ?? null,
      limit_amount: card.limitAmount,
    },
  })

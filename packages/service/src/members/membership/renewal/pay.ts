import { record } from '../../../api/events/record.ts'
import {
  membershipActivated,
  membershipRenewed,
} from '../../../api/events/types/recurring/membership.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Id, newId } from '../../../base/kernel/ids.ts'
import { type Amount, plus, ZERO } from '../../../base/kernel/money.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { saveCards } from '../../../money/cards/store.ts'
import { insertTransactions } from '../../../money/cards/transactions.ts'
import { houseKey, treasuryKey } from '../../../money/ledger/account-keys.ts'
import { type AccountId, lockAvailable, openAccount } from '../../../money/ledger/accounts.ts'
import { post } from '../../../money/ledger/post.ts'
import type { BillingPeriod, Tier } from '../plan.ts'
import { membershipEvent } from '../state/membership-events.ts'
import { type House, liveMembership, type State } from '../state/state.ts'
import { insertPayment, saveMembership } from '../store.ts'
import type { Period } from './period.ts'

/** Where the money of a period comes from. A pull has moved its money before. */
export type Source =
  | { kind: 'treasury'; account: AccountId }
  | { kind: 'autopay'; card: CardWithMoney }
  | { kind: 'wallet' }

export type Payment = {
  period: Period
  tier: Tier
  billingPeriod: BillingPeriod
  asset: Asset
  price: Amount
  source: Source
  chargeId: string | null
}

/** The wallet's treasury balance, locked, if it covers the price; and what is there. */
export async function lockTreasury(
  tx: Tx,
  { walletAddress }: State,
  asset: Asset,
): Promise<{ account: AccountId; available: Amount }> {
  const account = await openAccount(tx, treasuryKey(asset, walletAddress))
  return { account, available: await lockAvailable(tx, account) }
}

/**
 * Pays one period: moves the money, writes the payment down, and makes the membership ACTIVE for the period. The database
 * takes no second payment for any moment. The charge, if one pays, has been written before.
 */
export async function payPeriod(
  tx: Tx,
  at: Date,
  { state, house, payment }: { state: State; house: House; payment: Payment },
): Promise<{ state: State; paymentId: Id<'stl'> }> {
  const { period, tier, billingPeriod, asset, price, source, chargeId } = payment
  const { walletAddress } = state
  const paymentId = newId('stl', at)
  await insertPayment(tx, {
    id: paymentId,
    walletAddress,
    tier,
    billingPeriod,
    amount: price,
    chargeId,
    createdAt: at,
    anchor: period.anchor,
    months: period.months,
    periodStart: period.start,
    periodEnd: period.end,
    asset: asset.symbol,
    network: asset.network,
    source: source.kind,
    cardId: source.kind === 'autopay' ? source.card.id : null,
  })
  const live = liveMembership(state, at)
  const membership = await saveMembership(tx, {
    walletAddress,
    tier,
    billingPeriod,
    price,
    asset: asset.symbol,
    network: asset.network,
    status: 'ACTIVE',
    anchor: period.anchor,
    months: period.months,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    cancelAtPeriodEnd: false,
    autoRenew: state.agreement !== undefined,
    lapsed: !live && state.membership?.lapsed === true,
    lastPaymentId: paymentId,
    createdAt: state.membership?.createdAt ?? at,
    updatedAt: at,
  })
  await moveMoney(tx, at, { paymentId, payment })
  const after = { ...state, membership }
  const kind = live ? membershipRenewed : membershipActivated
  await record(tx, at, [membershipEvent(kind, { state: after, house })])
  return { state: after, paymentId }
}

async function moveMoney(
  tx: Tx,
  at: Date,
  { paymentId, payment }: { paymentId: Id<'stl'>; payment: Payment },
): Promise<void> {
  const { asset, price, source } = payment
  if (source.kind === 'wallet') return
  if (source.kind === 'autopay')
    await spendReserve(tx, at, { ...payment, card: source.card, paymentId })
  const revenue = await openAccount(tx, houseKey(asset, 'membership_revenue'))
  const from = source.kind === 'autopay' ? source.card.accountId : source.account
  await post(tx, at, [
    {
      kind: 'membership',
      ref: paymentId,
      entries: [
        { account: from, amount: -price },
        { account: revenue, amount: price },
      ],
    },
  ])
}

/** Counts a renewal on its autopay card, and lists it among the card's transactions. */
async function spendReserve(
  tx: Tx,
  at: Date,
  of: { card: CardWithMoney; price: Amount; paymentId: Id<'stl'> },
): Promise<void> {
  const { card, price, paymentId } = of
  await saveCards(tx, [{ ...card, spent: plus(card.spent, price) }])
  await insertTransactions(tx, [
    {
      id: newId('txn', at),
      cardId: card.id,
      walletAddress: card.walletAddress,
      direction: 'sent',
      amount: price,
      fee: ZERO,
      merchant: 'membership_revenue',
      protocol: 'internal',
      status: 'SETTLED',
      network: card.network,
      asset: card.asset,
      txHash: null,
      ref: paymentId,
      memo: '',
      createdAt: at,
      settledAt: at,
    },
  ])
}

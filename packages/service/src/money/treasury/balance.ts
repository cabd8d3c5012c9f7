import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  NetworkField,
  shownAmounts,
} from '../../api/http/fields.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { treasuryKey } from '../ledger/account-keys.ts'
import { readAvailable, readTotals } from '../ledger/balance.ts'
import { sumSpent } from './store.ts'

/** One entry of `GET /api/balance`. Every answer with a treasury balance has this form. */
export const BalanceBody = Type.Object({
  total_funded: AmountOut,
  total_allocated: AmountOut,
  total_returned: AmountOut,
  total_spent: AmountOut,
  total_withdrawn: AmountOut,
  available: AmountOut,
  total_funded_atomic: AtomicOut,
  total_allocated_atomic: AtomicOut,
  total_returned_atomic: AtomicOut,
  total_spent_atomic: AtomicOut,
  total_withdrawn_atomic: AtomicOut,
  available_atomic: AtomicOut,
  network: NetworkField,
  asset: AssetField,
})

/** Money put on cards and on the fee meter, and paid for memberships and cards. */
const ALLOCATIONS = [
  'card_issue',
  'card_fund',
  'card_activate',
  'meter_topup',
  'membership_reserve',
  'membership',
  'sale',
]
const ARRIVALS = [
  'deposit',
  'settlement',
  'payment_exception',
  'exception_fee_returned',
  'sale',
  'refund',
]

/** A wallet's treasury: money received, on cards, spent, withdrawn, and left. */
export async function readTreasury(on: Reader, asset: Asset, walletAddress: string) {
  const key = treasuryKey(asset, walletAddress)
  const [available, totals, spent] = await Promise.all([
    readAvailable(on, key),
    readTotals(on, key),
    sumSpent(on, asset, walletAddress),
  ])
  const total = (kinds: string[], side: 'in' | 'out') =>
    kinds.reduce((sum, kind) => sum + (totals.get(kind)?.[side] ?? 0n), 0n)
  const amounts = {
    total_funded: total(ARRIVALS, 'in') - total(['exception_fee_retaken'], 'out'),
    total_allocated: total(ALLOCATIONS, 'out'),
    total_returned: total(['card_claim', 'membership_reserve_returned'], 'in'),
    total_spent: spent + total(['membership', 'sale'], 'out'),
    total_withdrawn: total(['withdrawal'], 'out') - total(['withdrawal_failed'], 'in'),
    available,
  }
  return {
    ...shownAmounts(amounts, asset.decimals),
    network: asset.network,
    asset: asset.symbol,
  }
}

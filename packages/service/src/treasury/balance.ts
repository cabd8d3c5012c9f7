import { Type } from 'typebox'
import type { Reader } from '../db/sql.ts'
import { AmountOut, NetworkField } from '../http/fields.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { treasuryKey } from '../ledger/account-keys.ts'
import { readAvailable, readTotals } from '../ledger/balance.ts'
import { sumSpent } from './deposits/store.ts'

/** One entry of `GET /api/balance`. Every answer with a treasury balance has this form. */
export const BalanceBody = Type.Object({
  total_funded: AmountOut,
  total_allocated: AmountOut,
  total_returned: AmountOut,
  total_spent: AmountOut,
  total_withdrawn: AmountOut,
  available: AmountOut,
  network: NetworkField,
  asset: Type.String(),
})

/** Money put on cards and on the fee meter. */
const ALLOCATIONS = [
  'card_issue',
  'card_fund',
  'card_activate',
  'meter_topup',
  'membership_reserve',
  'membership',
]
const ARRIVALS = ['deposit', 'settlement', 'payment_exception', 'exception_fee_returned']

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
  const sum = (kinds: string[], side: 'in' | 'out') => toNumber(total(kinds, side), asset.decimals)
  const funded = total(ARRIVALS, 'in') - total(['exception_fee_retaken'], 'out')
  const withdrawn = total(['withdrawal'], 'out') - total(['withdrawal_failed'], 'in')
  return {
    total_funded: toNumber(funded, asset.decimals),
    total_allocated: sum(ALLOCATIONS, 'out'),
    total_returned: sum(['card_claim', 'membership_reserve_returned'], 'in'),
    total_spent: toNumber(spent + total(['membership'], 'out'), asset.decimals),
    total_withdrawn: toNumber(withdrawn, asset.decimals),
    available: toNumber(available, asset.decimals),
    network: asset.network,
    asset: asset.symbol,
  }
}

import type { Reader } from '../db/sql.ts'
import { treasuryKey } from '../funding/deposit.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { readAvailable, readTotals } from '../ledger/balance.ts'
import { sumSpent } from './store.ts'

const ALLOCATIONS = ['card_issue', 'card_fund', 'card_activate']

/** A wallet's treasury: what came, what stands on cards, what was spent and withdrawn, what is left. */
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
  const withdrawn = total(['withdrawal'], 'out') - total(['withdrawal_failed'], 'in')
  return {
    total_funded: sum(['deposit', 'payment_exception'], 'in'),
    total_allocated: sum(ALLOCATIONS, 'out'),
    total_returned: sum(['card_claim'], 'in'),
    total_spent: toNumber(spent, asset.decimals),
    total_withdrawn: toNumber(withdrawn, asset.decimals),
    available: toNumber(available, asset.decimals),
    network: asset.network,
    asset: asset.symbol,
  }
}

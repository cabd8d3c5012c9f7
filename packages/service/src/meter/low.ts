import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { feesLowBalance } from '../events/types/fees.ts'
import type { Asset } from '../kernel/assets.ts'
import { type Amount, amount } from '../kernel/money.ts'
import { saveLow } from './store.ts'
import type { Terms } from './terms.ts'

/** The balance is low if it does not pay this many more fees. */
const FEES_AHEAD = 20n

/** A locked meter, as the work so far leaves it. */
export type Changed = {
  walletAddress: string
  asset: Asset
  terms: Terms
  wasLow: boolean
  balance: Amount
  owed: Amount
}

/** Records once that the balance fell below its mark. A balance at the mark or above arms it again. */
export async function noteFall(tx: Tx, at: Date, changed: Changed): Promise<void> {
  const { walletAddress, asset, wasLow, balance, owed } = changed
  const mark = markOf(changed)
  if (wasLow || balance >= mark) return arm(tx, changed)
  await saveLow(tx, walletAddress, true)
  await record(tx, at, [
    feesLowBalance.of({
      walletAddress,
      asset,
      data: { wallet_address: walletAddress, balance, mark, owed },
    }),
  ])
}

/** The same after the balance grew: it only arms. */
export async function arm(tx: Tx, changed: Changed): Promise<void> {
  if (changed.wasLow && changed.balance >= markOf(changed))
    await saveLow(tx, changed.walletAddress, false)
}

const markOf = ({ terms }: Changed): Amount => amount(terms.overage * FEES_AHEAD)

import { record } from '../../api/events/record.ts'
import { feesLowBalance } from '../../api/events/types/fees.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, amount, most } from '../../base/kernel/money.ts'
import { findThresholdFloor } from '../agreements/store.ts'
import { saveLow } from './store.ts'
import { checkThresholdTask } from './tasks.ts'
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

/** After the balance fell: records once that it is below its mark. A balance at the mark or above arms the event again. */
export async function noteFall(tx: Tx, at: Date, changed: Changed): Promise<void> {
  const { walletAddress, asset, wasLow, balance, owed } = changed
  const mark = await readMark(tx, changed)
  if (balance >= mark) return arm(tx, changed, mark)
  if (wasLow) return
  await saveLow(tx, walletAddress, true)
  await record(tx, at, [
    feesLowBalance.of({
      walletAddress,
      asset,
      data: { wallet_address: walletAddress, balance, mark, owed },
    }),
  ])
}

/** After the balance grew: it may arm the event, and records none. */
export const noteGrowth = async (tx: Tx, changed: Changed): Promise<void> =>
  arm(tx, changed, await readMark(tx, changed))

async function arm(tx: Tx, { walletAddress, wasLow, balance }: Changed, mark: Amount) {
  if (wasLow && balance >= mark) await saveLow(tx, walletAddress, false)
}

/**
 * The balance below which the event is recorded: that many fees, or the floor of a threshold agreement if that is higher. A
 * wallet with such an agreement has its floor looked at, since every change of the balance passes here.
 */
async function readMark(tx: Tx, { walletAddress, terms }: Changed): Promise<Amount> {
  const ahead = amount(terms.overage * FEES_AHEAD)
  const floor = await findThresholdFloor(tx, walletAddress)
  if (floor === undefined) return ahead
  await enqueue(tx, checkThresholdTask, { walletAddress })
  return most(ahead, floor)
}

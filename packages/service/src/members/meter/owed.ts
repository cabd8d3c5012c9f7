import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, minus } from '../../base/kernel/money.ts'
import { houseKey, meterKey } from '../../money/ledger/account-keys.ts'
import { type AccountId, openAccounts } from '../../money/ledger/accounts.ts'
import { post, type Transfer } from '../../money/ledger/post.ts'
import { type Changed, noteGrowth } from './low.ts'
import { type DirectFee, payOwed, readOwed } from './store.ts'

export type MeterAccounts = { meter: AccountId; fees: AccountId }

export async function openMeter(
  tx: Tx,
  { walletAddress, asset }: { walletAddress: string; asset: Asset },
): Promise<MeterAccounts> {
  const keys = [meterKey(asset, walletAddress), houseKey(asset, 'fees')]
  const [meter, fees] = (await openAccounts(tx, keys)) as [AccountId, AccountId]
  return { meter, fees }
}

/** A fee that the meter pays to the house. */
export const feeTransfer = (
  { id, amount }: Pick<DirectFee, 'id' | 'amount'>,
  { meter, fees }: MeterAccounts,
): Transfer => ({
  kind: 'direct_fee',
  ref: id,
  entries: [
    { account: meter, amount: -amount },
    { account: fees, amount },
  ],
})

/** After a locked meter grew to `balance`: it pays what is owed, the oldest first. Returns what is left and still owed. */
export async function payOwedFees(
  tx: Tx,
  at: Date,
  changed: Omit<Changed, 'owed'>,
): Promise<{ balance: Amount; owed: Amount }> {
  const { walletAddress } = changed
  const paid = await payOwed(tx, at, { walletAddress, from: changed.balance })
  const accounts = await openMeter(tx, changed)
  await post(
    tx,
    at,
    paid.map((fee) => feeTransfer(fee, accounts)),
  )
  const balance = paid.reduce((left, fee) => minus(left, fee.amount), changed.balance)
  const owed = await readOwed(tx, walletAddress)
  await noteGrowth(tx, { ...changed, balance, owed })
  return { balance, owed }
}

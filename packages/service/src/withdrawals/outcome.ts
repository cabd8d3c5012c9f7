import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { houseKey, treasuryKey } from '../funding/deposit.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset, Hex } from '../kernel/assets.ts'
import { openAccounts } from '../ledger/accounts.ts'
import { findTransfer, post } from '../ledger/post.ts'
import { eventOf } from './event.ts'
import { endWithdrawal, lockWithdrawal } from './store.ts'

/** The payout's block is safe: the money has left custody. False where the withdrawal had ended before. */
export async function completeWithdrawal(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset; txHash: Hex },
): Promise<boolean> {
  const { id, asset, txHash } = ended
  const withdrawal = await lockWithdrawal(tx, id)
  if (withdrawal?.status !== 'PROCESSING') return false
  const [outbound, custody] = await openAccounts(tx, [
    houseKey(asset, 'outbound'),
    houseKey(asset, 'custody'),
  ])
  assert(outbound && custody, 'the house accounts are open')
  await post(tx, at, [
    {
      kind: 'withdrawal_final',
      ref: id,
      entries: [
        { account: outbound, amount: -withdrawal.netAmount },
        { account: custody, amount: withdrawal.netAmount },
      ],
    },
  ])
  await endWithdrawal(tx, at, id, { status: 'COMPLETED', txHash })
  const completed = { ...withdrawal, status: 'COMPLETED' as const, txHash, reason: null }
  await record(tx, at, [eventOf('withdrawal.completed', completed, asset)])
  return true
}

/**
 * No block can use the authorization any more: all that left the balance goes back to it, the fee too. False where
 * the withdrawal had ended before.
 */
export async function failWithdrawal(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset },
): Promise<boolean> {
  const { id, asset } = ended
  const withdrawal = await lockWithdrawal(tx, id)
  if (withdrawal?.status !== 'PROCESSING') return false
  const reverses = await findTransfer(tx, 'withdrawal', id)
  const [treasury, outbound, fees] = await openAccounts(tx, [
    treasuryKey(asset, withdrawal.walletAddress),
    houseKey(asset, 'outbound'),
    houseKey(asset, 'fees'),
  ])
  assert(reverses && treasury && outbound && fees, `${id} was posted when it began`)
  await post(tx, at, [
    {
      kind: 'withdrawal_failed',
      ref: id,
      reverses,
      entries: [
        { account: treasury, amount: withdrawal.amount },
        { account: outbound, amount: -withdrawal.netAmount },
        { account: fees, amount: -withdrawal.fee },
      ],
    },
  ])
  const reason = withdrawal.reason ?? 'the chain did not take the payout in time'
  await endWithdrawal(tx, at, id, { status: 'FAILED', reason })
  const failed = { ...withdrawal, status: 'FAILED' as const, reason }
  await record(tx, at, [eventOf('withdrawal.failed', failed, asset)])
  return true
}

import { nonceFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import { withdrawalCompleted, withdrawalFailed } from '../../../api/events/types/treasury.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { houseKey, treasuryKey } from '../../ledger/account-keys.ts'
import { openAccounts } from '../../ledger/accounts.ts'
import { findTransfer, post } from '../../ledger/post.ts'
import {
  endCompleted,
  endFailed,
  type FinalPayout,
  lockProcessing,
  lockWithdrawal,
  type Withdrawal,
} from './store.ts'
import { eventOf } from './view.ts'

/**
 * Completes a withdrawal whose payout is in a safe block: the money has left custody. Returns false if it had ended
 * before.
 */
export const completeWithdrawal = async (
  tx: Tx,
  at: Date,
  { id, chain, txHash }: FinalPayout & { chain: Chain },
): Promise<boolean> => (await completeWithdrawals(tx, at, { chain, ended: [{ id, txHash }] })) === 1

/** As `completeWithdrawal`, for many, with one statement a table. Returns how many had not ended before. */
export async function completeWithdrawals(
  tx: Tx,
  at: Date,
  { chain, ended }: { chain: Chain; ended: readonly FinalPayout[] },
): Promise<number> {
  const hashes = new Map(ended.map(({ id, txHash }) => [id, txHash]))
  const locked = await lockProcessing(tx, [...hashes.keys()])
  const due = locked.flatMap((withdrawal) => {
    const txHash = hashes.get(withdrawal.id)
    return txHash ? [{ ...withdrawal, status: 'COMPLETED' as const, txHash, reason: null }] : []
  })
  if (due.length === 0) return 0
  const transfers: TransferRow[] = []
  // By asset, in one order, so that concurrent transactions open the house's accounts in it.
  const groups = Map.groupBy(due, ({ asset }) => asset)
  for (const [symbol, rows] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
    transfers.push(...(await finalTransfers(tx, railOf(chain, symbol).asset, rows)))
  await post(tx, at, transfers)
  await endCompleted(tx, at, due)
  await record(
    tx,
    at,
    due.map((completed) =>
      withdrawalCompleted.of({
        ...eventOf(completed, railOf(chain, completed.asset).asset),
        fact: nonceFact(completed.nonce),
      }),
    ),
  )
  return due.length
}

type TransferRow = Parameters<typeof post>[2][number]

async function finalTransfers(
  tx: Tx,
  asset: Asset,
  rows: readonly Pick<Withdrawal, 'id' | 'netAmount'>[],
): Promise<TransferRow[]> {
  const [outbound, custody] = await openAccounts(tx, [
    houseKey(asset, 'outbound'),
    houseKey(asset, 'custody'),
  ])
  assert(outbound && custody, 'the house accounts are open')
  return rows.map(({ id, netAmount }) => ({
    kind: 'withdrawal_final',
    ref: id,
    entries: [
      { account: outbound, amount: -netAmount },
      { account: custody, amount: netAmount },
    ],
  }))
}

/**
 * Runs in the transaction that fails a withdrawal, after its money went back. Rooms above undo here what they did when
 * it began.
 */
export type OnFailure = (
  tx: Tx,
  at: Date,
  failed: { withdrawalId: string; asset: Asset },
) => Promise<void>

/**
 * Fails a withdrawal whose authorization no block can use any more. The whole amount, with the fee, goes back to the
 * balance. Returns false if the withdrawal had ended before.
 */
export async function failWithdrawal(
  tx: Tx,
  at: Date,
  ended: { id: string; asset: Asset; onFailure: OnFailure },
): Promise<boolean> {
  const { id, asset, onFailure } = ended
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
  await endFailed(tx, at, { id, reason })
  await onFailure(tx, at, { withdrawalId: id, asset })
  const failed = { ...withdrawal, status: 'FAILED' as const, reason }
  const fact = nonceFact(withdrawal.nonce)
  await record(tx, at, [withdrawalFailed.of({ ...eventOf(failed, asset), fact })])
  return true
}

import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { release } from '../../chain/relay/gas/reserve.ts'
import type { FlightOutcome } from '../../chain/relay/gas/store.ts'
import type { Made } from '../../chain/relay/pull/made.ts'
import { houseKey } from '../ledger/account-keys.ts'
import { openAccounts } from '../ledger/accounts.ts'
import { findTransfer, post } from '../ledger/post.ts'
import { type PullReason, pullSendRef } from './pull.ts'
import { type Pull, savePullConfirmed, savePullEnded } from './store.ts'
import { pullEnded } from './tasks.ts'

/** Books the money of a pull that a block holds. False if another process has ended it. */
export async function confirmPull(
  tx: Tx,
  at: Date,
  { pull, made }: { pull: Pull; made: Made & { kind: 'made' } },
): Promise<boolean> {
  const { chargeId } = pull
  if (!(await savePullConfirmed(tx, at, { chargeId, ...made }))) return false
  const [custody, revenue] = await openHouse(tx, pull)
  await post(tx, at, [
    {
      kind: 'pull',
      ref: chargeId,
      entries: [
        { account: custody, amount: -made.value },
        { account: revenue, amount: made.value },
      ],
    },
  ])
  await free(tx, at, pull, 'settled')
  await enqueue(tx, pullEnded, { charge_id: chargeId, state: 'confirmed' })
  return true
}

/** Ends a pull that has moved nothing. False if it is in none of the states `from`. */
export async function failPull(
  tx: Tx,
  at: Date,
  of: { pull: Pull; from: readonly ('requested' | 'sent')[]; reason: PullReason },
): Promise<boolean> {
  const { pull, from, reason } = of
  const { chargeId } = pull
  if (!(await savePullEnded(tx, at, { chargeId, from, state: 'failed', reason }))) return false
  await enqueue(tx, pullEnded, { charge_id: chargeId, state: 'failed' })
  return true
}

/** Takes back what was booked for a transfer that a reorganization took for good. */
export async function losePull(tx: Tx, at: Date, pull: Pull): Promise<boolean> {
  const { chargeId } = pull
  const end = { chargeId, from: ['confirmed'], state: 'missing', reason: 'reorganized' } as const
  if (!(await savePullEnded(tx, at, end))) return false
  const [custody, revenue] = await openHouse(tx, pull)
  const reverses = await findTransfer(tx, 'pull', chargeId)
  await post(tx, at, [
    {
      kind: 'pull_undone',
      ref: chargeId,
      ...(reverses ? { reverses } : {}),
      entries: [
        { account: custody, amount: pull.amount },
        { account: revenue, amount: -pull.amount },
      ],
    },
  ])
  await enqueue(tx, pullEnded, { charge_id: chargeId, state: 'missing' })
  return true
}

/** Ends what the pull's transaction had reserved of the relayers' gas. */
export const free = (tx: Tx, at: Date, pull: Pull, outcome: FlightOutcome): Promise<void> =>
  release(tx, at, [{ ref: pullSendRef(pull), outcome }])

const openHouse = async (tx: Tx, pull: Pull): Promise<[bigint, bigint]> => {
  const asset = { network: pull.network, symbol: pull.asset }
  const [custody, revenue] = await openAccounts(tx, [
    houseKey(asset, 'custody'),
    houseKey(asset, 'membership_revenue'),
  ])
  return [custody as bigint, revenue as bigint]
}

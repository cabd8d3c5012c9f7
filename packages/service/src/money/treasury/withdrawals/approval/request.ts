import { nonceFact } from '../../../../api/events/fact-id.ts'
import { record } from '../../../../api/events/record.ts'
import { withdrawalFailed, withdrawalProcessing } from '../../../../api/events/types/treasury.ts'
import { keyTakenOver } from '../../../../api/http/idempotency.ts'
import type { Settings } from '../../../../api/http/settings.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueueOne } from '../../../../base/jobs/queue.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { type Amount, minus } from '../../../../base/kernel/money.ts'
import { nonceOf, type Rail } from '../../../../chain/client/chain.ts'
import { isTokenRail } from '../../../../chain/client/rails.ts'
import type { MadeTransfer } from '../../../../chain/transfers/reads/made-transfer.ts'
import { treasuryKey } from '../../../ledger/account-keys.ts'
import { lockAvailable, openAccount } from '../../../ledger/accounts.ts'
import { openHolds, releaseHold } from '../../../ledger/holds.ts'
import { findMadePayout } from '../payout/payout.ts'
import { holdPayee } from '../safety/addresses.ts'
import { type Caps, lockRoom } from '../safety/caps.ts'
import { beginApprovedTask } from '../tasks.ts'
import { eventOf, type ShownWithdrawal } from '../view.ts'
import { checkCovered, type WithdrawalAsk, type WithdrawalIntent } from '../withdraw.ts'
import { insertRequest, lockRequest, moveRequest, type WithdrawalRequest } from './store.ts'

/** Whether an operator approves it first. The amount is one of USDC, so the service token never waits. */
export const needsApproval = ({ payouts }: Settings, rail: Rail, amount: Amount): boolean =>
  !isTokenRail(rail) && payouts.approvalAbove !== null && amount > payouts.approvalAbove

/** The payout of a request, if the chain has it although the books, restored from a backup, do not. */
export const findMadeRequest = (
  rail: Rail,
  { nonce, toAddress, amount, fee }: WithdrawalRequest,
): Promise<MadeTransfer | undefined> =>
  findMadePayout(rail, { nonce, toAddress, netAmount: minus(amount, fee), mechanism: 'eip3009' })

type Asked = {
  ask: WithdrawalAsk
  caps: Caps
  addressDelay: number | null
  intent: WithdrawalIntent | undefined
}

/** Sets the money aside, and leaves the withdrawal to an operator. Throws as `beginWithdrawal` does. */
export async function requestWithdrawal(
  tx: Tx,
  at: Date,
  { asset }: Rail,
  { ask, caps, addressDelay, intent }: Asked,
): Promise<ShownWithdrawal> {
  const id = newId('wd', at)
  await lockRoom(tx, asset, { ...ask, ...caps })
  await holdPayee(tx, { ...ask, addressDelay })
  const account = await openAccount(tx, treasuryKey(asset, ask.walletAddress))
  checkCovered(await lockAvailable(tx, account), ask, asset)
  const [holdId] = await openHolds(tx, at, [
    { account, amount: ask.amount, ref: `withdrawal:${id}` },
  ])
  assert(holdId, 'the hold is open')
  const request = {
    ...{ ...ask, ...caps, id, holdId },
    network: asset.network,
    asset: asset.symbol,
    nonce: intent?.nonce ?? nonceOf('withdrawal', id),
    intent: intent?.digest ?? null,
    createdAt: at,
  }
  if (!(await insertRequest(tx, request))) throw keyTakenOver()
  const shown = shownRequest({ ...request, state: 'pending', note: null, decidedAt: null })
  await record(tx, at, [withdrawalProcessing.of(eventOf(shown, asset))])
  return shown
}

/** Has a waiting withdrawal begin. Undefined if it was decided before. */
export async function approveRequest(
  tx: Tx,
  at: Date,
  { id, note }: { id: WithdrawalRequest['id']; note: string },
): Promise<WithdrawalRequest | undefined> {
  const approved = await moveRequest(tx, at, { id, note, from: 'pending', to: 'approved' })
  if (approved) await enqueueOne(tx, beginApprovedTask, 0)
  return approved
}

/** Gives the money of a waiting withdrawal back. Undefined if it was decided before. */
export async function rejectRequest(
  tx: Tx,
  at: Date,
  { id, note, asset }: { id: WithdrawalRequest['id']; note: string; asset: Asset },
): Promise<WithdrawalRequest | undefined> {
  const held = await lockRequest(tx, id, 'pending')
  if (!held) return undefined
  assert(await releaseHold(tx, at, held.holdId), `the hold of ${id} was open`)
  const rejected = await moveRequest(tx, at, { id, note, from: 'pending', to: 'rejected' })
  assert(rejected, `${id} is locked`)
  const shown = shownRequest(rejected)
  const fact = nonceFact(rejected.nonce)
  await record(tx, at, [withdrawalFailed.of({ ...eventOf(shown, asset), fact })])
  return rejected
}

const REASONS = {
  pending: 'waits until the operator has approved it',
  approved: 'approved by the operator; about to be paid',
  begun: null,
  rejected: 'the operator did not approve it',
}

/** A request as the withdrawal that it is to its wallet. */
export const shownRequest = (request: WithdrawalRequest): ShownWithdrawal => ({
  ...request,
  netAmount: minus(request.amount, request.fee),
  status: request.state === 'rejected' ? 'FAILED' : 'PROCESSING',
  reason: REASONS[request.state],
  txHash: null,
  endedAt: request.state === 'rejected' ? request.decidedAt : null,
})

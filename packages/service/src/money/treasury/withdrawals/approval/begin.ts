import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { captureHold } from '../../../ledger/holds.ts'
import { railOfPayout } from '../payout/payout.ts'
import { NO_CAPS } from '../safety/caps.ts'
import { signWithdrawal, startWithdrawal } from '../withdraw.ts'
import { findMadeRequest } from './request.ts'
import { listRequests, lockRequest, moveRequest, type WithdrawalRequest } from './store.ts'

/** Has what operators approved begin. Safe to repeat, and to run concurrently. */
export async function beginApproved(services: Uses<'chain' | 'db'>, at: Date): Promise<void> {
  for (const request of await listRequests(services.db.reader, ['approved']))
    await begin(services, at, request)
}

/**
 * A payout that the chain has already made, as a restored backup may have forgotten, is not made again: its nonce is that of the
 * request. Caps and addresses were judged when it was asked for, and an operator has approved it since.
 */
async function begin(
  { chain, db }: Uses<'chain' | 'db'>,
  at: Date,
  request: WithdrawalRequest,
): Promise<void> {
  const { id, nonce, intent: digest, holdId, walletAddress, amount, fee, toAddress } = request
  const rail = railOfPayout(chain, request)
  const intent = { digest, nonce, made: await findMadeRequest(rail, request) }
  const signed = await signWithdrawal(
    rail,
    at,
    { walletAddress, amount, fee, toAddress },
    { caps: NO_CAPS, id, intent },
  )
  reach('withdrawals.after_sign')
  await db.write(async (tx) => {
    if (!(await lockRequest(tx, id, 'approved'))) return
    assert(await captureHold(tx, at, holdId, amount), `the hold of ${id} was open`)
    await startWithdrawal(tx, at, rail, signed)
    await moveRequest(tx, at, { id, note: null, from: 'approved', to: 'begun' })
  })
}

import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { VALIDITY_MARGIN_SECONDS } from '../../../base/protocols/evm/eip3009/authorization.ts'
import { readBlock } from '../../../chain/client/reads.ts'
import { checkSend, findSend, sendAndWait } from '../../../chain/relay/send.ts'
import { submitSend } from '../../../chain/relay/submit/submit-send.ts'
import type { UseStanding } from '../../../chain/transfers/reads/standing.ts'
import { isSendSafe } from '../../../chain/transfers/sends.ts'
import { completeWithdrawal, failWithdrawal, type OnFailure } from './outcome.ts'
import { findPayoutRefusal, railOfPayout, readPayoutUse } from './payout/payout.ts'
import { countSend, findWithdrawal, saveReason, type Withdrawal } from './store.ts'
import { queuePayout, sendRef } from './withdraw.ts'

/** The time that one look waits for a block to hold its transaction. */
const WAIT_MS = 4_000

/**
 * Advances a withdrawal by one step. The state of its authorization on the chain alone decides, whoever submitted it.
 * Returns true once nothing is left to do. Safe to repeat, and to run concurrently.
 */
export async function finishWithdrawal(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
  { id, onFailure }: { id: string; onFailure: OnFailure },
): Promise<boolean> {
  const { db } = services
  const withdrawal = await findWithdrawal(db.reader, id)
  if (withdrawal?.status !== 'PROCESSING') return true
  const chain = railOfPayout(services.chain, withdrawal)
  assert(
    withdrawal.fromAddress === chain.treasury.address,
    `${id} was signed by ${withdrawal.fromAddress}: start the service with that operator key until it has ended`,
  )
  let outcome = await readPayoutUse(chain, withdrawal)
  if (outcome.kind === 'open') {
    const reason = await carry(services, at, withdrawal)
    if (reason !== withdrawal.reason) await db.write((tx) => saveReason(tx, id, reason))
    outcome = await readPayoutUse(chain, withdrawal)
  }
  if (outcome.kind !== 'open') reach('withdrawals.before_finish')
  const isOver = await follow(services, at, { withdrawal, outcome, onFailure })
  if (isOver) reach('withdrawals.after_finish')
  if (outcome.kind !== 'open') await bringSigned(services, withdrawal)
  return isOver
}

async function follow(
  { chain, db }: Uses<'chain' | 'db'>,
  at: Date,
  of: { withdrawal: Withdrawal; outcome: UseStanding; onFailure: OnFailure },
): Promise<boolean> {
  const { outcome, onFailure } = of
  const { id } = of.withdrawal
  const { asset } = railOfPayout(chain, of.withdrawal)
  if (outcome.kind === 'never')
    await db.write((tx) => failWithdrawal(tx, at, { id, asset, onFailure }))
  if (outcome.kind !== 'used') return outcome.kind === 'never'
  const { txHash } = outcome.use
  if (outcome.isSafe) await db.write((tx) => completeWithdrawal(tx, at, { chain, id, txHash }))
  return outcome.isSafe
}

/**
 * Sends a signed transaction even if its payout no longer needs it: it has its relayer's nonce, and a gap would stop
 * all later nonces.
 */
async function bringSigned(services: Uses<'db' | 'relay'>, withdrawal: Withdrawal): Promise<void> {
  const ref = sendRef(withdrawal.id, withdrawal.sends)
  const send = await findSend(services, ref)
  if (send?.state !== 'signed') return
  if (!(await checkSend(services.relay, ref))) await submitSend(services.relay, ref)
}

/**
 * Sends the payout, or sends it again in a new transaction if one was mined without effect. Sends nothing that the
 * token would refuse now. Returns what holds the payout up, or null.
 */
async function carry(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
  withdrawal: Withdrawal,
): Promise<string | null> {
  const { chain } = services
  const latest = await readBlock(chain, 'latest')
  const end = BigInt(unixSeconds(latest.at)) + VALIDITY_MARGIN_SECONDS
  if (end >= withdrawal.validBefore) return withdrawal.reason
  const send = await findSend(services, sendRef(withdrawal.id, withdrawal.sends))
  assert(send, `a transaction of ${withdrawal.id} was queued`)
  if (send.state === 'mined' && !(await isSendSafe(chain, send))) return withdrawal.reason
  if (send.state !== 'signed') {
    const refusal = await findPayoutRefusal(railOfPayout(chain, withdrawal), withdrawal)
    if (refusal) return refusal
  }
  const sends = withdrawal.sends + (send.state === 'mined' ? 1 : 0)
  if (send.state === 'mined') await queueNext(services, at, withdrawal)
  await sendAndWait(services.relay, sendRef(withdrawal.id, sends), WAIT_MS)
  return null
}

/** Stores the next transaction. Only one of several concurrent callers succeeds. */
const queueNext = (services: Uses<'chain' | 'db'>, at: Date, payout: Withdrawal): Promise<void> =>
  services.db.write(async (tx) => {
    if (await countSend(tx, payout.id, payout.sends))
      await queuePayout(tx, at, {
        rail: railOfPayout(services.chain, payout),
        payout,
        sends: payout.sends + 1,
      })
  })

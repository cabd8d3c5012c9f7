import type { Uses } from '../../../api/http/services.ts'
import { addSeconds, unixSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { VALIDITY_MARGIN_SECONDS } from '../../../base/protocols/evm/eip3009/authorization.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { symbolsOf } from '../../../chain/client/rails.ts'
import { readLatest } from '../../../chain/client/read-latest.ts'
import { simulateSends } from '../../../chain/client/simulate.ts'
import { findSends } from '../../../chain/relay/store.ts'
import { submitSends } from '../../../chain/relay/submit/submit-sends.ts'
import { completeWithdrawals } from './outcome.ts'
import { findShortfall, payoutCall, railOfPayout } from './payout/payout.ts'
import {
  findFinal,
  findFresh,
  findStray,
  lockFinal,
  saveReasons,
  type Withdrawal,
} from './store.ts'
import { finishLater, sendRef } from './withdraw.ts'

/** The most withdrawals in one transaction. */
const AT_ONCE = 500
/** A withdrawal without an end after this many seconds gets its own job, which looks at it ever more rarely. */
const PATIENCE_SECONDS = 600

/**
 * Advances all withdrawals on the usual course by one step: waiting payouts share transactions, and those whose
 * transactions are in safe blocks are completed together. Any other withdrawal gets its own job. Returns true while
 * this job should run again. Safe to repeat, and to run concurrently.
 */
export async function carryWithdrawals(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
): Promise<boolean> {
  const { db } = services
  await completeFinal(services, at)
  const fresh = await findFresh(db.reader, symbolsOf(services.chain), AT_ONCE)
  if (fresh.length > 0) await carryFresh(services, fresh)
  const { others, waiting } = await findStray(db.reader, addSeconds(at, -PATIENCE_SECONDS))
  if (others.length > 0)
    await db.write(async (tx) => {
      for (const id of others) await finishLater(tx, { id, looks: 0 })
    })
  return waiting > 0n
}

/** Completes withdrawals whose authorizations the sender has seen used, in blocks that are safe now. */
async function completeFinal({ db, chain }: Uses<'chain' | 'db'>, at: Date): Promise<void> {
  for (;;) {
    if ((await findFinal(db.reader, symbolsOf(chain), 1)).length === 0) return
    reach('withdrawals.before_finish')
    const done = await db.write(async (tx) => {
      const ended = await lockFinal(tx, symbolsOf(chain), AT_ONCE)
      return completeWithdrawals(tx, at, { chain, ended })
    })
    reach('withdrawals.after_finish')
    if (done < AT_ONCE) return
  }
}

async function carryFresh(
  services: Uses<'chain' | 'db' | 'relay'>,
  fresh: Awaited<ReturnType<typeof findFresh>>,
): Promise<void> {
  const { chain, db } = services
  const end = BigInt(unixSeconds((await readLatest(chain)).at)) + VALIDITY_MARGIN_SECONDS
  const timely = fresh.filter(({ validBefore }) => validBefore > end)
  const refusals = await findRefusals(chain, timely)
  const refused = timely.flatMap(({ id }, i) => {
    const reason = refusals[i]
    return reason ? [{ id, reason }] : []
  })
  if (refused.length > 0) await db.write((tx) => saveReasons(tx, refused))
  const refs = timely
    .filter((_, i) => refusals[i] === undefined)
    .map(({ id, sends }) => sendRef(id, sends))
  const { failures } = await submitSends(services.relay, await findSends(db.reader, refs))
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
}

/** As `findPayoutRefusal`, with shared questions. */
async function findRefusals(
  chain: Chain,
  payouts: readonly Withdrawal[],
): Promise<(string | undefined)[]> {
  const refusals = await simulateSends(
    chain,
    payouts.map((payout) => payoutCall(railOfPayout(chain, payout), payout)),
  )
  return Promise.all(
    payouts.map((payout, i) =>
      refusals[i] === undefined
        ? findShortfall(railOfPayout(chain, payout), payout)
        : `the token refuses the payout: ${refusals[i]}`,
    ),
  )
}

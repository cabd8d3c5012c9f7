import type { Uses } from '../../../api/http/services.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { type Amount, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { readTransaction } from '../../../chain/client/reads.ts'
import { creditDeposits, depositsOf, isCreditedElsewhere } from './deposit.ts'
import { creditDepositTask } from './tasks.ts'

export type Funding = { status: 'confirmed' | 'pending'; funded: Amount }
/** Seconds between two checks of a deposit until its block is safe. */
const RETRY_SECONDS = 2

/**
 * Credits the transaction's transfers from this wallet to the treasury once its block is safe. Until then answers
 * `pending`, and a job goes on checking.
 */
export async function verifyDeposit(
  services: Uses<'chain' | 'db'>,
  at: Date,
  asked: { walletAddress: string; txHash: Hex; asset?: string | undefined },
): Promise<Funding> {
  const { db } = services
  const rail = railOf(services.chain, asked.asset)
  const mined = await readTransaction(rail, asked.txHash)
  if (!mined) return { status: 'pending', funded: ZERO }
  if (!mined.succeeded)
    throw new Problem(
      'invalid_transaction',
      'The transaction was reverted by the chain; nothing was paid.',
      { param: 'tx_hash' },
    )
  if (depositsOf(rail, asked.walletAddress, mined).length === 0) {
    if (await isCreditedElsewhere(db.reader, rail, asked))
      throw new Problem(
        'already_credited',
        'This deposit has been credited to another wallet, the one that sent it.',
      )
    if (mined.transfers.some(({ pullRef }) => pullRef !== undefined))
      throw new Problem(
        'invalid_transaction',
        'The service pulled this transfer to pay a charge: it is no deposit.',
        { param: 'tx_hash' },
      )
    throw new Problem(
      'invalid_transaction',
      `The transaction holds no ${rail.asset.symbol} transfer from ${asked.walletAddress} to the treasury ${rail.treasury.address}.`,
      { param: 'tx_hash' },
    )
  }
  if (!mined.isSafe) {
    await db.write((tx) =>
      enqueue(
        tx,
        creditDepositTask,
        { ...asked, asset: rail.asset.symbol },
        { delaySeconds: RETRY_SECONDS },
      ),
    )
    return { status: 'pending', funded: ZERO }
  }
  reach('funding.before_hash_credit')
  const funded = await db.write((tx) =>
    creditDeposits(tx, at, { rail, walletAddress: asked.walletAddress, mined }),
  )
  reach('funding.after_hash_credit')
  return { status: 'confirmed', funded }
}

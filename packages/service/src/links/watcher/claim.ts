import type { Uses } from '../../api/http/services.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { symbolsOf } from '../../chain/client/rails.ts'
import { finishChainPayment } from '../pay-links/methods/on-chain/settle.ts'
import { creditRows } from './hand-on.ts'
import { findUntaken, lockClaimable, markTaken, saveTransfers } from './store.ts'

const AT_ONCE = 500
/** A payment older than this may have lost its job, which is then queued again. */
const PATIENCE_SECONDS = 60

/** Credits deposits of wallets that have become known since, and ensures that payments of links are finished. */
export async function claimOnce(services: Uses<'chain' | 'db'>, at: Date): Promise<void> {
  const { chain, db } = services
  await db.write(async (tx) => {
    const assets = symbolsOf(chain)
    const rows = await lockClaimable(tx, { network: chain.network, assets }, AT_ONCE)
    await saveTransfers(tx, at, await creditRows(tx, at, { chain, rows }))
  })
  await db.write(async (tx) => {
    await markTaken(tx, chain.network)
    const untaken = await findUntaken(tx, chain.network, addSeconds(at, -PATIENCE_SECONDS))
    for (const { txHash, ...link } of untaken) await finishChainPayment(tx, { link, txHash })
  })
}

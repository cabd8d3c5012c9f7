import type { Services } from '../../../api/http/services.ts'
import type { TimeColumn } from '../../../base/jobs/set-back.ts'
import type { Task } from '../../../base/jobs/worker.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { readCancelled } from '../../../chain/client/sales/sale.ts'
import { lookTask, sweepTask } from '../../../chain/transfers/tasks.ts'
import { endListed } from '../list.ts'
import { carrySale } from './sale/carry.ts'
import { findOpenSales, findUnseenListings, saveSeen } from './store.ts'
import { finishSaleTask } from './tasks.ts'

/** A job looks more often than this. */
const LOST_SECONDS = 600

/** One question to a node. A buyer is refused at once what is cancelled on chain, so browsing may learn it later. */
const LOOKED_AT_ONCE = 150

/** Ends listings that their sellers have cancelled in the contract, and those that name an earlier key of this service. */
async function watchListings({ chain, db }: Services, _: unknown, at: Date): Promise<void> {
  const listings = await findUnseenListings(db.reader, LOOKED_AT_ONCE)
  if (listings.length === 0) return
  const isCancelled = await readCancelled(chain, listings)
  const ids = listings.map(({ id }) => id)
  await db.write((tx) => saveSeen(tx, at, ids))
  const { treasury } = chain
  for (const [i, listing] of listings.entries()) {
    const { id, operator } = listing
    const asset = assetOf(chain, listing)
    const reason = operator !== treasury.address ? 'operator_changed' : 'cancelled_on_chain'
    if (reason === 'operator_changed' || isCancelled[i])
      await db.write((tx) => endListed(tx, at, { id, reason, asset }))
  }
}

export const onChainSaleTasks: Task<Services>[] = [
  lookTask(finishSaleTask, (services: Services, at, { listing_id }) =>
    carrySale(services, at, listing_id),
  ),
  { name: 'watch_listings', cron: '* * * * *', handle: watchListings },
  // Sales whose job was lost, as by the restore of a backup.
  sweepTask({
    name: 'find_open_sales',
    cron: '*/5 * * * *',
    task: finishSaleTask,
    seconds: LOST_SECONDS,
    find: findOpenSales,
    payloadOf: (listing_id) => ({ listing_id }),
  }),
]

export const onChainSaleTimes: readonly TimeColumn[] = [{ table: 'listings', column: 'checked_at' }]

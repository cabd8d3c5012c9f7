import type { Services } from '../../api/http/services.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { followTasks } from '../../chain/transfers/tasks.ts'
import { lookAtResources } from './discovery/look.ts'
import { endOrders } from './escrow/order.ts'
import { confirmSettlement } from './settle/confirm.ts'
import { LEASE_SECONDS, resumeCarrying } from './settle/settle.ts'
import { findSettlement, findSettling, findUnconfirmed, hasSettling, saveFinal } from './store.ts'
import { escrowTask, lookAtResourcesTask, settlementTasks } from './tasks.ts'

export const facilitatorTasks: Task<Services>[] = [
  ...followTasks({
    tasks: settlementTasks,
    look: lookAtSettlement,
    findOpen: findSettling,
    hasOpen: hasSettling,
    confirmSafe: saveFinal,
    findUnconfirmed,
  }),
  handlerOf(escrowTask, {
    // For when a job got lost.
    cron: '*/5 * * * *',
    handle: (services) => endOrders(services),
  }),
  handlerOf(lookAtResourcesTask, {
    // For stale listings, and for when a job got lost.
    cron: '*/5 * * * *',
    handle: (services, _, at) => lookAtResources(services, at),
  }),
]

/** Continues a settlement that has no end; one that was settled is confirmed. True once nothing is left to do. */
async function lookAtSettlement(services: Services, at: Date, id: string): Promise<boolean> {
  const settlement = await findSettlement(services.db.reader, id)
  if (settlement?.state === 'settling')
    return (await resumeCarrying(services, at, { settlement, asker: 'nobody' })).kind !== 'pending'
  return settlement?.state !== 'settled' || confirmSettlement(services, settlement)
}

export const facilitatorTimes: readonly TimeColumn[] = [
  { table: 'x402_settlements', column: 'next_answer_at', longestSeconds: LEASE_SECONDS },
  { table: 'x402_looks', column: 'looked_at' },
]

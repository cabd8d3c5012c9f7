import type { Services } from '../../api/http/services.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { followTasks, sweepTask } from '../../chain/transfers/tasks.ts'
import {
  findSettlement,
  findSettling,
  findUnswept,
  hasSettling,
} from '../../money/settlements/on-chain/store.ts'
import {
  confirmSafe,
  findUnconfirmed,
  findWaiting,
} from '../../money/settlements/on-chain/store-confirmations.ts'
import { expireLink } from '../link/link.ts'
import { findExpiredLinks, findLink } from '../link/store.ts'
import { isLogCredited } from '../link/store-logs.ts'
import { confirmSettlement } from './methods/authorization/confirm.ts'
import { finishSettlement } from './methods/authorization/life.ts'
import { settleOnChain } from './methods/on-chain/settle.ts'
import { finishSweep, sweepLater } from './methods/on-chain/sweep.ts'
import { finishChainPaymentTask, settlementTasks, sweepLinkTask } from './methods/tasks.ts'

/** A credited settlement older than this without a safe block may have lost its job. */
const UNCONFIRMED_SECONDS = 1800
/** Money that is at a link's address longer than this after its settlement has no sweep on its way. */
const UNSWEPT_SECONDS = 60

export const payLinkTasks: Task<Services>[] = [
  ...followTasks({
    tasks: settlementTasks,
    look: lookAtSettlement,
    findOpen: findSettling,
    hasOpen: hasSettling,
    async confirmSafe(tx) {
      const confirmed = await confirmSafe(tx, isLogCredited)
      if (confirmed > 0) reach('pay_links.before_confirm')
      return confirmed
    },
    findUnconfirmed: (on) => findWaiting(on, settlementTasks.lookAt),
    onConfirmed: () => reach('pay_links.after_confirm'),
  }),
  sweepTask({
    name: 'sweep_confirmations',
    cron: '*/30 * * * *',
    task: settlementTasks.lookAt,
    seconds: UNCONFIRMED_SECONDS,
    find: findUnconfirmed,
    payloadOf: (id) => ({ id }),
  }),
  handlerOf(finishChainPaymentTask, {
    handle: async (services, { code, txHash }, at) => {
      const link = await findLink(services.db.reader, code)
      // A payment that is still pending puts itself back into the queue.
      if (link)
        await settleOnChain(services, at, {
          link,
          txHash,
          from: null,
        })
    },
  }),
  handlerOf(sweepLinkTask, {
    handle: async (services, { linkId, ref, sends = 0 }, at) => {
      const next = await finishSweep(services, at, { linkId, ref, sends })
      if (next)
        await services.db.write((tx) =>
          enqueue(tx, sweepLinkTask, next.sweep, { delaySeconds: next.delaySeconds }),
        )
    },
  }),
  {
    name: 'sweep_unswept',
    cron: '* * * * *',
    handle: async (services, _, at) => {
      for (const id of await findUnswept(services.db.reader, {
        before: addSeconds(at, -UNSWEPT_SECONDS),
        least: services.settings.gas.minimum,
        sweepTask: sweepLinkTask,
      }))
        await sweepLater(services, at, id)
    },
  },
  {
    name: 'expire_links',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      for (const code of await findExpiredLinks(db.reader, at))
        await db.write((tx) => expireLink(tx, at, { code, chain }))
    },
  },
]

/** Continues a claimed settlement; one that has ended is confirmed. True once nothing is left to do. */
async function lookAtSettlement(services: Services, at: Date, id: Id<'stl'>): Promise<boolean> {
  const settlement = await findSettlement(services.db.reader, id)
  if (settlement?.state === 'settling')
    return (await finishSettlement(services, at, id)).kind !== 'pending'
  return settlement?.state !== 'settled' || confirmSettlement(services, settlement)
}

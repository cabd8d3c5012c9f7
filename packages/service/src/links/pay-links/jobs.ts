import type { Services } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { enqueue, enqueueMany } from '../../base/jobs/queue.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { LOOK_AGAIN_SECONDS } from '../../chain/client/transfers/schedule.ts'
import { findSettling, findUnswept, hasSettling } from '../../money/settlements/on-chain/store.ts'
import { findUnconfirmed } from '../../money/settlements/on-chain/store-confirmations.ts'
import { expireLink } from './link.ts'
import { maintainSettlementsSoon } from './methods/authorization/claim.ts'
import { confirmLater, confirmSettlement } from './methods/authorization/confirm.ts'
import { confirmMany, confirmSoon } from './methods/authorization/confirm-many.ts'
import { finishSettlement } from './methods/authorization/settle.ts'
import { settleOnChain } from './methods/on-chain/settle.ts'
import { finishSweep, sweepLater } from './methods/on-chain/sweep.ts'
import {
  confirmSettlementsTask,
  confirmSettlementTask,
  finishChainPaymentTask,
  finishSettlementTask,
  maintainSettlementsTask,
  sweepLinkTask,
} from './methods/tasks.ts'
import { findExpiredLinks, findLink } from './store.ts'

/** A settlement that makes no progress for longer than this has lost its caller, or its job waits after failures. */
const STILL_SECONDS = 15
/** A credited settlement older than this without a safe block may have lost its job. */
const UNCONFIRMED_SECONDS = 1800
/** Money that is at a link's address longer than this after its settlement has no sweep on its way. */
const UNSWEPT_SECONDS = 60

export const payLinkTasks: Task<Services>[] = [
  handlerOf(finishSettlementTask, {
    handle: async (services, { id }, at) => {
      const outcome = await finishSettlement(services, at, id)
      if (outcome.kind === 'pending')
        await services.db.write((tx) => finishLater(tx, [id], LOOK_AGAIN_SECONDS))
    },
  }),
  handlerOf(maintainSettlementsTask, {
    // It puts itself in the queue while there is something to do; this is for when that was lost.
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findSettling(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        await finishLater(tx, ids, 0)
        if (await hasSettling(tx)) await maintainSettlementsSoon(tx, STILL_SECONDS)
      })
    },
  }),
  handlerOf(confirmSettlementsTask, {
    cron: '* * * * *',
    handle: async ({ db }) => {
      const confirmed = await db.write(async (tx) => {
        const { confirmed, isWaiting } = await confirmMany(tx)
        if (isWaiting) await confirmSoon(tx)
        if (confirmed > 0) reach('pay_links.before_confirm')
        return confirmed
      })
      if (confirmed > 0) reach('pay_links.after_confirm')
    },
  }),
  handlerOf(confirmSettlementTask, {
    handle: async (services, { id, looks = 0 }) => {
      if (await confirmSettlement(services, id)) return
      await services.db.write((tx) => confirmLater(tx, [id], looks + 1))
    },
  }),
  {
    name: 'sweep_confirmations',
    cron: '*/30 * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findUnconfirmed(db.reader, addSeconds(at, -UNCONFIRMED_SECONDS))
      await db.write((tx) => confirmLater(tx, ids, 0))
    },
  },
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

const finishLater = (tx: Tx, ids: Id<'stl'>[], delaySeconds: number): Promise<void> =>
  enqueueMany(
    tx,
    finishSettlementTask,
    ids.map((id) => ({ id })),
    { delaySeconds },
  )

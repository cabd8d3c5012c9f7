import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import type { Hex } from '../kernel/assets.ts'
import { addSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import type { Id } from '../kernel/ids.ts'
import { expireLink } from './link.ts'
import { MAINTAIN_SETTLEMENTS, maintainSettlementsSoon } from './methods/authorization/claim.ts'
import { CONFIRM_TASK, confirmLater, confirmSettlement } from './methods/authorization/confirm.ts'
import { CONFIRM_MANY, confirmMany, confirmSoon } from './methods/authorization/confirm-many.ts'
import { finishSettlement } from './methods/authorization/settle.ts'
import { settleOnChain } from './methods/on-chain/settle.ts'
import { finishSweep, type Sweep, sweepLater } from './methods/on-chain/sweep.ts'
import { findExpiredLinks, findLink } from './store.ts'
import { findSettling, findUnconfirmed, findUnswept, hasSettling } from './store-settlements.ts'

const RETRY_SECONDS = 3

/** A settlement that stands still longer than this has lost its caller, or its job waits after failures. */
const STILL_SECONDS = 15
/** A credited settlement older than this without a safe block may have lost its job. */
const UNCONFIRMED_SECONDS = 1800
/** Money that stands at a link's address longer than this after its settlement has no sweep on its way. */
const UNSWEPT_SECONDS = 60

export const payLinkTasks: Task<Services>[] = [
  {
    name: 'finish_link_settlement',
    handle: async (services, payload, at) => {
      const outcome = await finishSettlement(services, at, payload.id as Id<'stl'>)
      if (outcome.kind === 'pending')
        await services.db.write((tx) => finishLater(tx, String(payload.id), RETRY_SECONDS))
    },
  },
  {
    name: MAINTAIN_SETTLEMENTS,
    // It puts itself in the queue while there is something to do; this is for when that was lost.
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findSettling(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await finishLater(tx, id, 0)
        if (await hasSettling(tx)) await maintainSettlementsSoon(tx, STILL_SECONDS)
      })
    },
  },
  {
    name: CONFIRM_MANY,
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
  },
  {
    name: CONFIRM_TASK,
    handle: async (services, payload) => {
      const id = String(payload.id)
      if (await confirmSettlement(services, id)) return
      await services.db.write((tx) => confirmLater(tx, id, Number(payload.looks ?? 0) + 1))
    },
  },
  {
    name: 'sweep_confirmations',
    cron: '*/30 * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findUnconfirmed(db.reader, addSeconds(at, -UNCONFIRMED_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await confirmLater(tx, id, 0)
      })
    },
  },
  {
    name: 'finish_chain_payment',
    handle: async (services, payload, at) => {
      const link = await findLink(services.db.reader, String(payload.code))
      // A payment that is still pending puts itself back into the queue.
      if (link)
        await settleOnChain(services, at, {
          link,
          txHash: payload.txHash as Hex,
          from: null,
        })
    },
  },
  {
    name: 'sweep_link',
    handle: async (services, payload, at) => {
      const { linkId, ref, sends = 0 } = payload as Omit<Sweep, 'sends'> & { sends?: number }
      const next = await finishSweep(services, at, { linkId, ref, sends })
      if (next)
        await services.db.write((tx) =>
          enqueue(tx, 'sweep_link', next.sweep, {
            delaySeconds: next.delaySeconds,
            key: `sweep:${ref}`,
          }),
        )
    },
  },
  {
    name: 'sweep_unswept',
    cron: '* * * * *',
    handle: async (services, _, at) => {
      for (const id of await findUnswept(services.db.reader, {
        before: addSeconds(at, -UNSWEPT_SECONDS),
        least: services.settings.gas.minimum,
      }))
        await sweepLater(services, at, id)
    },
  },
  {
    name: 'expire_links',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      for (const code of await findExpiredLinks(db.reader, at))
        await db.write((tx) => expireLink(tx, at, { code, asset: chain.asset }))
    },
  },
]

const finishLater = (tx: Tx, id: string, delaySeconds: number): Promise<void> =>
  enqueue(tx, 'finish_link_settlement', { id }, { delaySeconds, key: `settle:${id}` })

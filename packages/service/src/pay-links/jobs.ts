import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { addSeconds } from '../kernel/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { CONFIRM_TASK, confirmLater, confirmSettlement } from './confirm-settlement.ts'
import { expireLink } from './link.ts'
import { finishSettlement } from './settle-by-x402.ts'
import { settleOnChain } from './settle-on-chain.ts'
import { findExpiredLinks, findLink, findSettling, findUnconfirmed } from './store.ts'
import { finishSweep } from './sweep.ts'

const RETRY_SECONDS = 3

/** A settlement that stands still longer than this has lost its job, or its job waits after failures. */
const STILL_SECONDS = 60
/** A credited settlement older than this without a safe block may have lost its job. */
const UNCONFIRMED_SECONDS = 1800

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
    name: 'tend_link_settlements',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findSettling(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await finishLater(tx, id, 0)
      })
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
          from: payload.from as Address | null,
        })
    },
  },
  {
    name: 'sweep_link',
    handle: async (services, payload) => {
      const delaySeconds = await finishSweep(services, payload as { linkId: string; ref: string })
      if (delaySeconds !== undefined)
        await services.db.write((tx) =>
          enqueue(tx, 'sweep_link', payload, { delaySeconds, key: `sweep:${payload.ref}` }),
        )
    },
  },
  {
    name: 'expire_links',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      for (const code of await findExpiredLinks(db.reader, at))
        await db.write((tx) => expireLink(tx, at, code))
    },
  },
]

const finishLater = (tx: Tx, id: string, delaySeconds: number): Promise<void> =>
  enqueue(tx, 'finish_link_settlement', { id }, { delaySeconds, key: `settle:${id}` })

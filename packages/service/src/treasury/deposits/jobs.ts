import type { Tx } from '../../db/sql.ts'
import type { Services } from '../../http/services.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Task } from '../../jobs/worker.ts'
import type { Hex } from '../../kernel/assets.ts'
import { addSeconds } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { finishAuthorization } from './authorization.ts'
import { findSending } from './store.ts'
import { verifyDeposit } from './verify.ts'

const RETRY_SECONDS = 3
/** A deposit that stands still longer than this has lost its job, or its job waits after failures. */
const STILL_SECONDS = 60

export const fundingTasks: Task<Services>[] = [
  {
    name: 'credit_deposit',
    handle: async (services, payload, at) => {
      // A pending deposit puts itself back into the queue.
      await verifyDeposit(services, at, payload as { walletAddress: string; txHash: Hex })
    },
  },
  {
    name: 'finish_deposit',
    handle: async (services, payload, at) => {
      const funding = await finishAuthorization(services, at, payload.id as Id<'dep'>)
      if (funding.status === 'confirmed') return
      await services.db.write((tx) => finishLater(tx, String(payload.id), RETRY_SECONDS))
    },
  },
  {
    name: 'tend_deposits',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const ids = await findSending(db.reader, addSeconds(at, -STILL_SECONDS))
      await db.write(async (tx) => {
        for (const id of ids) await finishLater(tx, id, 0)
      })
    },
  },
]

const finishLater = (tx: Tx, id: string, delaySeconds: number): Promise<void> =>
  enqueue(tx, 'finish_deposit', { id }, { delaySeconds, key: `deposit:${id}` })

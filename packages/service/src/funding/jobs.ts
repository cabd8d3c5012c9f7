import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Task } from '../jobs/worker.ts'
import type { Hex } from '../kernel/assets.ts'
import type { Id } from '../kernel/ids.ts'
import { finishAuthorization } from './authorization.ts'
import { verifyDeposit } from './verify.ts'

const RETRY_SECONDS = 3

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
      await services.db.write((tx) =>
        enqueue(tx, 'finish_deposit', payload, { delaySeconds: RETRY_SECONDS }),
      )
    },
  },
]

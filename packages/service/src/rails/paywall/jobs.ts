import type { Services } from '../../api/http/services.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { deleteOld } from './store.ts'

/**
 * A payment is known for two days. After that a repetition is refused by its own rail: the chain has used the authorization,
 * the card its token.
 */
const KNOWN_HOURS = 48

export const paywallTasks: readonly Task<Services>[] = [
  {
    name: 'forget_paywall_payments',
    cron: '41 * * * *',
    handle: async ({ db }, _, at) => {
      await db.write((tx) => deleteOld(tx, at, addHours(at, -KNOWN_HOURS)))
    },
  },
]

import type { Services } from '../../api/http/services.ts'
import { forgetTask } from '../../base/jobs/kept.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { keptPayments } from './store.ts'

export const paywallTasks: readonly Task<Services>[] = [
  forgetTask({ name: 'forget_paywall_payments', cron: '41 * * * *' }, [keptPayments]),
]

/** A seller asks for no longer lease. */
const LONGEST_LEASE_SECONDS = 3_600

export const paywallTimes: readonly TimeColumn[] = [
  { table: 'paywall_payments', column: 'lease_until', longestSeconds: LONGEST_LEASE_SECONDS },
]

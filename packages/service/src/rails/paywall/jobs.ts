import type { Services } from '../../api/http/services.ts'
import { forgetTask } from '../../base/jobs/kept.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { keptPayments } from './store.ts'

export const paywallTasks: readonly Task<Services>[] = [
  forgetTask({ name: 'forget_paywall_payments', cron: '41 * * * *' }, [keptPayments]),
]

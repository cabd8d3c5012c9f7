import { forgetTask, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { Task } from '../../base/jobs/worker.ts'
import type { Services } from '../http/services.ts'

/** Challenges and sessions that can no longer be used. */
export const keptSignIns: readonly Kept<unknown>[] = [
  {
    kind: 'sign_in_challenges',
    what: 'challenges of sign-ins',
    since: 'their end',
    seconds: () => 0,
    ...keptRows({ table: 'auth_challenges', column: 'expires_at' }),
  },
  {
    kind: 'sessions',
    what: 'sessions of wallets',
    since: 'their end',
    seconds: () => 0,
    ...keptRows({ table: 'sessions', column: 'expires_at' }),
  },
]

export const keyTasks: Task<Services>[] = [
  forgetTask({ name: 'forget_expired_sign_ins', cron: '*/10 * * * *' }, keptSignIns),
]

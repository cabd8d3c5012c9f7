import { forgetTask, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { Task } from '../../base/jobs/worker.ts'
import type { Services } from '../http/services.ts'

export const keptNonces: Kept<unknown> = {
  kind: 'agent_nonces',
  what: 'nonces of signed requests',
  since: 'end of the signature',
  seconds: () => 0,
  ...keptRows({ table: 'agent_nonces', column: 'expires_at' }),
}

export const agentTasks: Task<Services>[] = [
  forgetTask({ name: 'forget_agent_nonces', cron: '23 * * * *' }, [keptNonces]),
]

import type { Services } from '../../api/http/services.ts'
import { DAY, forgetTask, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { Task } from '../../base/jobs/worker.ts'

export const keptLookups: Kept<unknown> = {
  kind: 'credential_lookups',
  what: 'counts of credential look-ups by day',
  since: 'the day',
  seconds: () => 7 * DAY,
  ...keptRows({ table: 'credential_lookups', column: 'day', type: 'date' }),
}

export const credentialTasks: Task<Services>[] = [
  forgetTask({ name: 'forget_credential_lookups', cron: '23 2 * * *' }, [keptLookups]),
]

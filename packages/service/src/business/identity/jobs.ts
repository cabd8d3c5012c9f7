import type { Services } from '../../api/http/services.ts'
import { DAY, forgetTask, type Kept, keptRows } from '../../base/jobs/kept.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { lookTask } from '../../chain/transfers/tasks.ts'
import { carryIdentity } from './on-chain/carry.ts'
import { carryAll, watchIdentities } from './on-chain/watch.ts'
import { findOpenIdentities } from './store.ts'
import { carryIdentityTask } from './tasks.ts'

/** An identity on its way that no job has looked at for so long has lost its own: an outage used up its attempts. */
const LOST_SECONDS = 1_800

export const keptRations: Kept<unknown> = {
  kind: 'identity_rations',
  what: 'counts of identity tokens by day',
  since: 'the day',
  seconds: () => 7 * DAY,
  ...keptRows({ table: 'identity_rations', column: 'day', type: 'date' }),
}

export const identityTasks: Task<Services>[] = [
  lookTask(carryIdentityTask, (services: Services, at, { card_id }) =>
    carryIdentity(services, at, card_id),
  ),
  {
    name: 'watch_identities',
    cron: '* * * * *',
    handle: watchIdentities,
  },
  {
    name: 'sweep_identities',
    cron: '*/10 * * * *',
    handle: async ({ db }, _, at) => {
      const lost = await findOpenIdentities(db.reader, addSeconds(at, -LOST_SECONDS))
      await db.write((tx) => carryAll(tx, at, lost))
    },
  },
  forgetTask({ name: 'forget_identity_rations', cron: '17 4 * * *' }, [keptRations]),
]

export const identityTimes: readonly TimeColumn[] = [{ table: 'identities', column: 'checked_at' }]

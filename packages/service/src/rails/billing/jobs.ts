import type { Services } from '../../api/http/services.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { type DuePlace, findDueAgreements } from '../../members/agreements/store.ts'
import { checkThresholdTask } from '../../members/meter/tasks.ts'
import { chargeLane } from './charge/lane.ts'
import { checkThreshold } from './charge/threshold.ts'

/** The most agreements that are charged in one transaction. */
const BATCH_MAX = 256

/** Charges every agreement that is due. One that cannot be decided stays due, and is reported after the others. */
export async function chargeAllDue(services: Services, at: Date): Promise<void> {
  const { db, lanes } = services
  const faults: unknown[] = []
  for (let last: DuePlace | undefined; ; ) {
    const due = await findDueAgreements(db.reader, at, { last, limit: BATCH_MAX })
    const lane = chargeLane(services)
    const outcomes = await Promise.allSettled(due.map(({ id }) => lanes.submit(lane, id)))
    if (due.length > 0) reach('agreements.after_charge')
    for (const outcome of outcomes) if (outcome.status === 'rejected') faults.push(outcome.reason)
    last = due.at(-1)
    if (due.length < BATCH_MAX) break
  }
  if (faults.length > 0) throw faults[0]
}

export const billingTasks: readonly Task<Services>[] = [
  {
    name: 'charge_agreements',
    cron: '* * * * *',
    handle: (services, _, at) => chargeAllDue(services, at),
  },
  handlerOf(checkThresholdTask, {
    handle: (services, { walletAddress }, at) =>
      services.db.write((tx) => checkThreshold(tx, at, { services, walletAddress })),
  }),
]

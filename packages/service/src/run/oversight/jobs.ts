import type { Services } from '../../api/http/services.ts'
import { MOST_APART_MS } from '../../base/db/clock.ts'
import { findSet } from '../../base/jobs/set-back.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { reportTroubles } from '../../links/reconcile/alarms.ts'
import type { Trouble } from '../../links/reconcile/store.ts'
import { LOST_SECONDS } from './machines.ts'
import { listMachines } from './store.ts'

export const oversightTasks: readonly Task<Services>[] = [
  {
    name: 'watch_clocks',
    cron: '* * * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, { kinds: ['clock'], troubles: await clockTroubles(services) }),
  },
  {
    name: 'watch_database',
    cron: '* * * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, {
        kinds: ['database'],
        troubles: await databaseTroubles(services, at),
      }),
  },
]

/** A database that took nothing keeps its alarm for so long: it could not be raised at the time. */
const REFUSED_SECONDS = 3_600

/** Machines from which the database took nothing, until they were heard again. */
export async function databaseTroubles({ db }: Pick<Services, 'db'>, at: Date): Promise<Trouble[]> {
  const machines = await listMachines(db.reader)
  return machines.flatMap(({ id, host, refusedFrom, refusedUntil, refusedWhy }): Trouble[] => {
    if (!refusedFrom || !refusedUntil || !refusedWhy) return []
    if (refusedUntil < addSeconds(at, -REFUSED_SECONDS)) return []
    const [from, until] = [refusedFrom.toISOString(), refusedUntil.toISOString()]
    return [
      {
        kind: 'database',
        subject: `${host} ${id}`,
        sentence: `From ${from} until ${until} the database took nothing from ${host}. ${refusedWhy}`,
        details: { machine: host, from, until },
      },
    ]
  })
}

/** Machines whose clock is not that of the database, and a clock of the database that was set. */
export async function clockTroubles({ db }: Pick<Services, 'db'>): Promise<Trouble[]> {
  const [machines, set] = await Promise.all([listMachines(db.reader), findSet(db.reader)])
  const apart = new Map(
    machines.flatMap(({ host, aheadMs, silentSeconds }) =>
      silentSeconds <= LOST_SECONDS && aheadMs !== null && Math.abs(aheadMs) > MOST_APART_MS
        ? [[host, aheadMs]]
        : [],
    ),
  )
  const troubles = [...apart].map(
    ([host, aheadMs]): Trouble => ({
      kind: 'clock',
      subject: host,
      sentence: `The clock of ${host} is ${seconds(aheadMs / 1000)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's: the machine is not ready until it is set by NTP.`,
      details: { machine: host },
    }),
  )
  if (set)
    troubles.push({
      kind: 'clock',
      subject: 'database',
      sentence: `The clock of the database was set ${set.seconds < 0 ? 'back' : 'forward'} by ${seconds(set.seconds)} s: what was due by it ran late or early. Set it by NTP alone.`,
      details: { set_at: set.setAt.toISOString() },
    })
  return troubles
}

const seconds = (of: number): number => Math.round(Math.abs(of))

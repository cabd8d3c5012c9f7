import type { Db } from '../../base/db/sql.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { unixSeconds } from '../../base/kernel/clock.ts'
import { LOW_SENDS, readGas, storeGas } from './gas/relayer-gas.ts'
import { release } from './gas/reserve.ts'
import { deleteOldBudgets, findOverdue } from './gas/store.ts'
import { maintainSends } from './maintain.ts'
import type { Relay, RelayLog } from './relay.ts'
import { maintainSoon, maintainTask } from './send.ts'

/** No future block can hold an authorization that ended so many seconds ago. */
const OVERDUE_SECONDS = 600

type Services = { db: Db; relay: Relay; log: RelayLog }

export const relayTasks: Task<Services>[] = [
  handlerOf(maintainTask, {
    // The job enqueues itself while sends are left; the cron is for when it got lost.
    cron: '* * * * *',
    costs: { statements: 30, rpc: 20 },
    handle: async ({ db, relay }, _, at) => {
      if (await maintainSends(relay, at)) await db.write(maintainSoon)
    },
  }),
  {
    name: 'release_overdue_flights',
    cron: '* * * * *',
    handle: async ({ db }, _, at) => {
      const before = BigInt(unixSeconds(at) - OVERDUE_SECONDS)
      const refs = await findOverdue(db.reader, before)
      const ends = refs.map((ref) => ({ ref, outcome: 'over' as const }))
      await db.write((tx) => release(tx, at, ends))
    },
  },
  {
    name: 'forget_gas_rations',
    cron: '17 * * * *',
    handle: ({ db }, _, at) => db.write((tx) => deleteOldBudgets(tx, at)),
  },
  {
    name: 'measure_relayer_gas',
    cron: '*/5 * * * *',
    handle: async ({ relay, log }, _, at) => {
      const gas = await readGas(relay)
      await storeGas(relay, at, gas)
      for (const { address, balance, sends } of gas)
        if (sends < LOW_SENDS)
          log.warn(
            { relayer: address, balance_wei: String(balance), sends: String(sends) },
            sends === 0n
              ? 'a relayer has no gas: send it some'
              : 'a relayer is low on gas: send it some',
          )
    },
  },
]

export const relayTimes: readonly TimeColumn[] = [{ table: 'gas_waits', column: 'failed_at' }]

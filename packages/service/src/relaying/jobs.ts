import { TEND_TASK, tendSoon } from '../chain/sender.ts'
import { LOW_SENDS, readGas, storeGas } from '../chain/sender-gas.ts'
import { release } from '../chain/sender-ration.ts'
import { findOverdue, forgetRations } from '../chain/sender-ration-store.ts'
import { tendSends } from '../chain/sender-tend.ts'
import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'
import { unixSeconds } from '../kernel/clock.ts'

/** An authorization that ended so long ago, in seconds, can be in no block that is still to come. */
const OVERDUE_SECONDS = 600

export const relayingTasks: Task<Services>[] = [
  {
    name: TEND_TASK,
    // It puts itself in the queue while there is something to do; this is for when that was lost.
    cron: '* * * * *',
    handle: async (services, _, at) => {
      if (await tendSends(services, at)) await services.db.write(tendSoon)
    },
  },
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
    handle: ({ db }, _, at) => db.write((tx) => forgetRations(tx, at)),
  },
  {
    name: 'measure_relayer_gas',
    cron: '*/5 * * * *',
    handle: async (services, _, at) => {
      const gas = await readGas(services)
      await storeGas(services, at, gas)
      for (const { address, balance, sends } of gas)
        if (sends < LOW_SENDS)
          services.log.warn(
            { relayer: address, balance_wei: String(balance), sends: String(sends) },
            sends === 0n
              ? 'a relayer has no gas: send it some'
              : 'a relayer is low on gas: send it some',
          )
    },
  },
]

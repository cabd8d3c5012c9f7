import { TEND_TASK, tendSoon } from '../chain/sender.ts'
import { readGas, storeGas } from '../chain/sender-gas.ts'
import { tendSends } from '../chain/sender-tend.ts'
import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'

/** With gas for fewer sends than this somebody is told, while there is time to send some. */
export const LOW_SENDS = 200n

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
    name: 'measure_relayer_gas',
    cron: '*/5 * * * *',
    handle: async (services, _, at) => {
      const gas = await readGas(services)
      await storeGas(services, at, gas)
      for (const { address, balance, sends } of gas)
        if (sends < LOW_SENDS)
          services.log.warn(
            { relayer: address, balance_wei: String(balance), sends: String(sends) },
            'a relayer is low on gas: send it some',
          )
    },
  },
]

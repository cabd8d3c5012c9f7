import type { Services } from '../../api/http/services.ts'
import { BOOKS_QUEUE } from '../../base/jobs/task.ts'
import type { Task } from '../../base/jobs/worker.ts'
import { reportTroubles } from './alarms.ts'
import { compareAll } from './custody.ts'
import {
  bookTroubles,
  checkpointTroubles,
  depositorTroubles,
  gasTroubles,
  missingTroubles,
  movedTroubles,
  pullTroubles,
  silenceTroubles,
  undoneTroubles,
} from './troubles.ts'

/** On a public chain a comparison costs RPC calls, which are limited or paid for. */
const PUBLIC_EVERY_MINUTES = 5

export const reconcileTasks: Task<Services>[] = [
  {
    name: 'reconcile',
    queue: BOOKS_QUEUE,
    cron: '* * * * *',
    handle: async (services, _, at) => {
      const isEmbedded = services.settings.embeddedRpcUrl !== null
      if (!isEmbedded && at.getUTCMinutes() % PUBLIC_EVERY_MINUTES !== 0) return
      await reconcile(services, at)
      await lookAround(services, at)
    },
  },
  {
    name: 'verify_ledger',
    queue: BOOKS_QUEUE,
    // It reads the whole ledger: once a day, when few payments are made.
    cron: '43 3 * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, { kinds: ['books'], troubles: await bookTroubles(services) }),
  },
  {
    name: 'seal_books',
    queue: BOOKS_QUEUE,
    cron: '* * * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, {
        kinds: ['checkpoint'],
        troubles: await checkpointTroubles(services, at),
      }),
  },
]

/** Compares once and stores the result. Raises an alarm if nothing could be compared for long. */
export async function reconcile(services: Services, at: Date): Promise<void> {
  try {
    await compareAll(services, at)
  } finally {
    await reportTroubles(services, at, {
      kinds: ['not_compared'],
      troubles: await silenceTroubles(services, at),
    })
  }
}

/** Raises the alarms that need no comparison. */
async function lookAround(services: Services, at: Date): Promise<void> {
  await reportTroubles(services, at, {
    kinds: [
      'moved_transfer',
      'missing_settlement',
      'missing_pull',
      'undone_payout',
      'no_depositor',
    ],
    troubles: [
      ...(await movedTroubles(services)),
      ...(await missingTroubles(services)),
      ...(await pullTroubles(services, at)),
      ...(await undoneTroubles(services, at)),
      ...(await depositorTroubles(services)),
    ],
  })
  await reportTroubles(services, at, {
    kinds: ['relayer_gas_low', 'relayer_gas_out'],
    troubles: await gasTroubles(services),
  })
}

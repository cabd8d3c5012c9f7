import type { Services } from '../../api/http/services.ts'
import type { TimeColumn } from '../../base/jobs/set-back.ts'
import { BOOKS_QUEUE, minuteOf, VERIFY_QUEUE } from '../../base/jobs/task.ts'
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
  recentTroubles,
  silenceTroubles,
  strayTroubles,
  undoneTroubles,
} from './troubles.ts'

/** On a public chain a comparison costs RPC calls, which are limited or paid for. */
const PUBLIC_EVERY_MINUTES = 5
const DAY_MS = 86_400_000

export const reconcileTasks: Task<Services>[] = [
  {
    name: 'reconcile',
    queue: BOOKS_QUEUE,
    cron: '* * * * *',
    handle: async (services, payload, at) => {
      const isEmbedded = services.settings.embeddedRpcUrl !== null
      // By the timetable and not by the clock: a start asks at any minute, and so does a try after a failure.
      const minute = minuteOf(payload) ?? 0
      if (!isEmbedded && minute % PUBLIC_EVERY_MINUTES !== 0) return
      await reconcile(services, at)
      await lookAround(services, at)
    },
  },
  {
    name: 'verify_recent',
    queue: VERIFY_QUEUE,
    cron: '43 0-2,4-23 * * *',
    handle: (services, _, at) => verifyRecent(services, at),
  },
  {
    name: 'verify_ledger',
    queue: VERIFY_QUEUE,
    // It reads the whole ledger: once a day or less often, when few payments are made.
    cron: '43 3 * * *',
    handle: async (services, _, at) => {
      const day = Math.floor(at.getTime() / DAY_MS)
      if (day % services.settings.verifyDays !== 0) return verifyRecent(services, at)
      await reportTroubles(services, at, {
        kinds: ['books'],
        troubles: await bookTroubles(services),
      })
    },
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

/** Ends no alarm: a row that was changed before the state is found by the whole check alone. */
const verifyRecent = async (services: Services, at: Date): Promise<void> =>
  reportTroubles(services, at, { kinds: [], troubles: await recentTroubles(services) })

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
      'outside_months',
    ],
    troubles: [
      ...(await movedTroubles(services)),
      ...(await missingTroubles(services)),
      ...(await pullTroubles(services, at)),
      ...(await undoneTroubles(services, at)),
      ...(await depositorTroubles(services)),
      ...(await strayTroubles(services)),
    ],
  })
  await reportTroubles(services, at, {
    kinds: ['relayer_gas_low', 'relayer_gas_out'],
    troubles: await gasTroubles(services),
  })
}

export const reconcileTimes: readonly TimeColumn[] = [
  { table: 'reconciliations', column: 'compared_at' },
]

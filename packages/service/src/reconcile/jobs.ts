import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'
import { reportTroubles } from './alarms.ts'
import { compareAndStore } from './custody.ts'
import {
  bookTroubles,
  checkpointTroubles,
  depositorTroubles,
  gasTroubles,
  missingTroubles,
  movedTroubles,
  silenceTroubles,
  undoneTroubles,
} from './troubles.ts'

/** Against a public chain the comparison costs calls that somebody counts. */
const PUBLIC_EVERY_MINUTES = 5

export const reconcileTasks: Task<Services>[] = [
  {
    name: 'reconcile',
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
    // The whole ledger is read: once a day, when few are about.
    cron: '43 3 * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, { kinds: ['books'], troubles: await bookTroubles(services) }),
  },
  {
    name: 'seal_books',
    cron: '* * * * *',
    handle: async (services, _, at) =>
      reportTroubles(services, at, {
        kinds: ['checkpoint'],
        troubles: await checkpointTroubles(services, at),
      }),
  },
]

/** Compares once and writes down what was found; that nothing could be compared for long is an alarm too. */
export async function reconcile(services: Services, at: Date): Promise<void> {
  try {
    await compareAndStore(services, at)
  } finally {
    await reportTroubles(services, at, {
      kinds: ['not_compared'],
      troubles: await silenceTroubles(services, at),
    })
  }
}

/** What else should trouble whoever runs this. */
async function lookAround(services: Services, at: Date): Promise<void> {
  await reportTroubles(services, at, {
    kinds: ['moved_transfer', 'missing_settlement', 'undone_payout', 'no_depositor'],
    troubles: [
      ...(await movedTroubles(services)),
      ...(await missingTroubles(services)),
      ...(await undoneTroubles(services, at)),
      ...(await depositorTroubles(services)),
    ],
  })
  await reportTroubles(services, at, {
    kinds: ['relayer_gas_low', 'relayer_gas_out'],
    troubles: await gasTroubles(services),
  })
}

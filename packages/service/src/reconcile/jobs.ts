import type { Services } from '../http/services.ts'
import type { Task } from '../jobs/worker.ts'
import { formatAmount } from '../kernel/money.ts'
import { reportTroubles } from './alarms.ts'
import { type Comparison, compareCustody, type NotCompared } from './compare.ts'
import { findComparison, saveComparison } from './store.ts'
import {
  bookTroubles,
  custodyTroubles,
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
]

/** Compares once and writes down what was found; that nothing could be compared for long is an alarm too. */
export async function reconcile(services: Services, at: Date): Promise<void> {
  try {
    await compareOnce(services, at)
  } finally {
    await reportTroubles(services, at, {
      kinds: ['not_compared'],
      troubles: await silenceTroubles(services, at),
    })
  }
}

/** A difference is an alarm if a second look, at another block, finds one too: nodes forget things for a moment. */
async function compareOnce(services: Services, at: Date): Promise<void> {
  const { chain, db, log } = services
  const first = await compare(services, at)
  if ('why' in first) {
    log.warn({ why: first.why }, 'ledger and chain were not compared')
    return
  }
  const second = first.difference === 0n ? first : await compare(services, at)
  if ('why' in second) return
  await noteOpening(services, second)
  await db.write((tx) => saveComparison(tx, { ...second, network: chain.network, comparedAt: at }))
  await reportTroubles(services, at, {
    kinds: ['custody'],
    troubles: custodyTroubles(services, second),
  })
}

const compare = ({ chain, db, settings }: Services, at: Date): Promise<Comparison | NotCompared> =>
  compareCustody({ db, chain, at, isEmbedded: settings.embeddedRpcUrl !== null })

/** What stood there before the first entry of the ledger is nobody's here; it is said once and counted from then on. */
async function noteOpening({ chain, db, log }: Services, { opening }: Comparison): Promise<void> {
  if (opening === 0n || (await findComparison(db.reader, chain.network))) return
  log.warn(
    { amount: formatAmount(opening, chain.asset.decimals), asset: chain.asset.symbol },
    'the treasury held money before the ledger had any: it is counted as nobody’s',
  )
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

import type { Services } from '../http/services.ts'
import { formatAmount } from '../kernel/money.ts'
import { reportTroubles } from './alarms.ts'
import { type Comparison, compareCustody, type NotCompared } from './compare.ts'
import { findComparison, saveComparison } from './store.ts'
import { custodyTroubles } from './troubles.ts'

type Of = Pick<Services, 'chain' | 'db' | 'log' | 'settings'>

/**
 * Compares ledger and chain and stores the result. A difference counts only if a second comparison, at another block, finds
 * one too: nodes sometimes miss data for a moment.
 */
export async function compareAndStore(services: Of, at: Date): Promise<Comparison | NotCompared> {
  const { chain, db, log } = services
  const first = await compare(services, at)
  if ('why' in first) {
    log.warn({ why: first.why }, 'ledger and chain were not compared')
    return first
  }
  const second = first.difference === 0n ? first : await compare(services, at)
  if ('why' in second) return second
  await noteOpening(services, second)
  await db.write((tx) => saveComparison(tx, { ...second, network: chain.network, comparedAt: at }))
  await reportTroubles(services, at, {
    kinds: ['custody'],
    troubles: custodyTroubles(services, second),
  })
  return second
}

const compare = ({ chain, db, settings }: Of, at: Date): Promise<Comparison | NotCompared> =>
  compareCustody({ db, chain, at, isEmbedded: settings.embeddedRpcUrl !== null })

/** Logs once that the treasury held money before the first entry of the ledger. The comparison counts it as owed to nobody. */
async function noteOpening({ chain, db, log }: Of, { opening }: Comparison): Promise<void> {
  if (opening === 0n || (await findComparison(db.reader, chain.network))) return
  log.warn(
    { amount: formatAmount(opening, chain.asset.decimals), asset: chain.asset.symbol },
    'the treasury held money before the first entry of the ledger: it is counted as owed to nobody',
  )
}

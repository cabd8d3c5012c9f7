import type { Uses } from '../../api/http/services.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import type { Rail } from '../../chain/client/chain.ts'
import { railsOf } from '../../chain/client/rails.ts'
import { reportTroubles } from './alarms.ts'
import { type Comparison, compareCustody, type NotCompared } from './compare.ts'
import { findComparison, saveComparison } from './store.ts'
import { custodyTroubles, subjectOf } from './troubles.ts'

type Of = Uses<'db' | 'log' | 'settings'> & { rail: Rail }

/** As `compareAndStore`, for every asset that balances are kept in, USDC first. */
export async function compareAll(
  services: Uses<'chain' | 'db' | 'log' | 'settings'>,
  at: Date,
): Promise<(Comparison | NotCompared)[]> {
  const found: (Comparison | NotCompared)[] = []
  for (const rail of railsOf(services.chain))
    found.push(await compareAndStore({ ...services, rail }, at))
  return found
}

/**
 * Compares ledger and chain in one asset and stores the result. A difference counts only if a second comparison, at another
 * block, finds one too: nodes sometimes miss data for a moment.
 */
export async function compareAndStore(services: Of, at: Date): Promise<Comparison | NotCompared> {
  const { rail, db, log } = services
  const { network, asset } = rail
  const first = await compare(services, at)
  if ('why' in first) {
    log.warn({ why: first.why, asset: asset.symbol }, 'ledger and chain were not compared')
    return first
  }
  const second = first.difference === 0n ? first : await compare(services, at)
  if ('why' in second) return second
  await noteOpening(services, second)
  await db.write((tx) =>
    saveComparison(tx, { ...second, network, asset: asset.symbol, comparedAt: at }),
  )
  await reportTroubles({ db, log, chain: rail }, at, {
    kinds: ['custody'],
    subject: subjectOf(rail),
    troubles: custodyTroubles(rail, second),
  })
  return second
}

const compare = ({ rail, db, settings }: Of, at: Date): Promise<Comparison | NotCompared> =>
  compareCustody({ db, rail, at, isEmbedded: settings.embeddedRpcUrl !== null })

/** Logs once that the treasury held money before the first entry of the ledger. The comparison counts it as owed to nobody. */
async function noteOpening({ rail, db, log }: Of, { opening }: Comparison): Promise<void> {
  const { network, asset } = rail
  if (opening === 0n || (await findComparison(db.reader, { network, asset: asset.symbol }))) return
  log.warn(
    { amount: formatAmount(opening, asset.decimals), asset: asset.symbol },
    'the treasury held money before the first entry of the ledger: it is counted as owed to nobody',
  )
}

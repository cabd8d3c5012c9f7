import type { Reader, Tx } from '../../base/db/sql.ts'
import { utcDay } from '../../base/kernel/clock.ts'
import { countRation, type Rationed, readRation } from './store.ts'

/** The mints, and the moves, that one wallet may cause in a UTC day. The database refuses more too. */
export const MOST_A_DAY = 10

type Ration = { wallet: string; what: Exclude<Rationed, 'uris'>; perDay: number }

/**
 * Counts a transaction that the operator pays the gas of, for the wallet and for all. False if either has none left today;
 * nothing is counted for all then. Takes no lock that anything else waits for.
 */
export async function takeRation(
  tx: Tx,
  at: Date,
  { wallet, what, perDay }: Ration,
): Promise<boolean> {
  const day = utcDay(at)
  if (!(await countRation(tx, { scope: wallet, day, what, most: MOST_A_DAY }))) return false
  return countRation(tx, { scope: 'all', day, what, most: perDay })
}

/** Counts a change of a token's URI, which the operator asked for. False if today's are used up. */
export const takeUriRation = (tx: Tx, at: Date, perDay: number): Promise<boolean> =>
  countRation(tx, { scope: 'all', day: utcDay(at), what: 'uris', most: perDay })

/** The changes of URIs that are left today. */
export const readUriRation = async (on: Reader, at: Date, perDay: number): Promise<number> =>
  Math.max(0, perDay - (await readRation(on, { scope: 'all', day: utcDay(at), what: 'uris' })))

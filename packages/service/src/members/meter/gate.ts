import type { Reader } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type MeterStanding, readMeter } from './terms.ts'

/**
 * Whether a wallet may be offered DIRECT payments: it has a plan, and the next settlement is free or its fee is prepaid, after
 * so many others that are on their way.
 */
export function isGateOpen(
  { hasPlan, quota, used, overage, balance, owed }: MeterStanding,
  waiting = 0,
): boolean {
  const free = Math.max(0, quota - used)
  if (!hasPlan || waiting < free) return hasPlan
  return owed === 0n && balance >= overage * BigInt(waiting - free + 1)
}

/**
 * Refuses (402 `no_active_plan`) what leads to a new DIRECT payment of this wallet. Not for money that has moved: that is
 * recorded and metered whatever the gate says.
 */
export async function checkGate(
  on: Reader,
  at: Date,
  of: { walletAddress: string; asset: Asset },
): Promise<void> {
  if (!isGateOpen(await readMeter(on, at, of))) throw gateClosed()
}

export const gateClosed = (): Problem =>
  new Problem(
    'no_active_plan',
    'The seller has no active plan, or has used up its quota. Ask the seller, or try again later.',
  )

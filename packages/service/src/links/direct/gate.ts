import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { checkGate, isGateOpen } from '../../members/meter/gate.ts'
import {
  isMetered,
  type MeterStanding,
  meterAsset,
  readMeter,
  type Worth,
} from '../../members/meter/terms.ts'
import type { PayLink } from '../link/store.ts'
import { countWaiting } from './store.ts'

type Here = Uses<'chain' | 'db'>

/**
 * Refuses (402 `no_active_plan`) what leads to a new payment of a DIRECT link whose seller's plan does not cover one: the
 * offer, and the submission of a transfer that its payer has only signed. A claimed payment, and a transfer that the chain
 * holds, are not asked.
 */
export async function checkOffered({ chain, db }: Here, at: Date, link: PayLink): Promise<void> {
  if (link.token === null) return
  await checkGate(db.reader, at, { walletAddress: link.walletAddress, asset: meterAsset(chain) })
}

/** The gates of sellers in a transaction that claims payments for them: each claim counts before its block. */
export async function openGates(
  tx: Tx,
  at: Date,
  { wallets, asset }: { wallets: readonly string[]; asset: Asset },
): Promise<Gates> {
  const standings = new Map<string, MeterStanding>()
  for (const walletAddress of new Set(wallets))
    standings.set(walletAddress, await readMeter(tx, at, { walletAddress, asset }))
  const sellers = [...standings].map(([wallet, { overage }]) => ({ wallet, overage }))
  const waiting = await countWaiting(tx, { sellers, ours: asset.contract })
  const waitingFor = (wallet: string): number => waiting.get(wallet) ?? 0
  return {
    isOpen(wallet) {
      const standing = standings.get(wallet)
      return standing !== undefined && isGateOpen(standing, waitingFor(wallet))
    },
    count(wallet, worth) {
      const standing = standings.get(wallet)
      if (standing && isMetered(worth, standing.overage))
        waiting.set(wallet, waitingFor(wallet) + 1)
    },
  }
}

type Gates = {
  isOpen(walletAddress: string): boolean
  /** Counts a claim that was made for the seller, if it will be metered. */
  count(walletAddress: string, worth: Worth): void
}

/** Whether `checkOffered` refuses. */
export async function isGateClosed(services: Here, at: Date, link: PayLink): Promise<boolean> {
  try {
    await checkOffered(services, at, link)
    return false
  } catch (error) {
    if (error instanceof Problem && error.code === 'no_active_plan') return true
    throw error
  }
}

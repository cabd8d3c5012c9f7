import type { Services } from '../../http/services.ts'
import { Problem } from '../../kernel/problem.ts'
import { checkGate } from '../../meter/gate.ts'
import type { PayLink } from '../store.ts'

type Here = Pick<Services, 'chain' | 'db'>

/**
 * Refuses (402 `no_active_plan`) what leads to a new payment of a DIRECT link whose seller's plan does not cover one: the
 * offer, and the submission of a transfer that its payer has only signed. A claimed payment, and a transfer that the chain
 * holds, are not asked.
 */
export async function checkOffered({ chain, db }: Here, at: Date, link: PayLink): Promise<void> {
  if (link.token === null) return
  await checkGate(db.reader, at, { walletAddress: link.walletAddress, asset: chain.asset })
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

import { freshAccount } from '../../packages/service/test/world/chain.ts'
import { payByX402Fetch } from '../parties/clients.ts'
import { transfersFrom } from '../parties/transfers.ts'
import type { Place } from '../stage.ts'
import { together } from './errands.ts'
import { FAULTS } from './faults.ts'
import { CONTROL, type Measured, type ModeName, modeOf } from './modes.ts'
import { openMarket } from './play-payer.ts'

const FUNDS = 1_000_000n
/** How often it tries to buy. */
const TRIES = 3
const REPEATS = 4

/**
 * A payer that must fail: it takes every failure for a payment that was not made, and signs another (x402's pull request
 * 3325). The battery would find nothing if it did not find this.
 */
export async function playControl(place: Place, mode: ModeName): Promise<Measured> {
  const leg = mode === 'settled twice' ? 'facilitator' : 'seller'
  await using market = await openMarket(place, { leg, fault: FAULTS[modeOf(mode).fault] })
  const account = await freshAccount({ usdc: FUNDS, rpcUrl: place.rpcUrl })
  const buy = async () => {
    for (let i = 0; i < TRIES; i++)
      try {
        if ((await payByX402Fetch(account, market.url)).status === 200) return 'paid'
      } catch {
        // It knows nothing of the payment that it has sent.
      }
    return 'gave up'
  }
  const heard: string[] = []
  if (mode === 'two at once') heard.push(...(await Promise.all([buy(), buy()])))
  else for (let i = 0; i < (mode === 'declared_safe' ? REPEATS : 1); i++) heard.push(await buy())
  await market.transfers()
  const transfers = (await transfersFrom(place.rpcUrl, account.address)).length
  return { mode, side: CONTROL, transfers, heard: together(heard) }
}

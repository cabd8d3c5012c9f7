import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain, CustodySigner } from '../chain/chain.ts'
import { isAuthorizationUsed } from '../chain/reads.ts'
import { findTreasuryNonces } from '../chain/transfers/made-transfer.ts'
import type { Services } from '../http/services.ts'
import type { Hex } from '../kernel/assets.ts'
import { formatAmount } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { compareAndStore } from './custody.ts'
import { countUnknownNonces, findPayoutStanding, type PayoutStanding } from './store-payouts.ts'

/** How often the first payout of a process tries to compare. The embedded chain makes a block each second. */
const FIRST_LOOKS = 20
const FIRST_STEP_MS = 250
const RETRY_SECONDS = 60

type Compared = Pick<Services, 'chain' | 'clock' | 'comparison' | 'db' | 'log' | 'settings'>

/**
 * Refuses with `payouts_held` while money must not leave: until this process has compared custody with the chain, while
 * custody is short, and while an operator has stopped payouts. A restored backup does not know the payouts made after it;
 * the comparison shows them.
 */
export async function checkPayouts(of: Compared): Promise<void> {
  await firstComparison(of)
  const { chain, db } = of
  const why = reasonToHold(chain, await findPayoutStanding(db.reader, chain.network))
  if (why) throw held(why)
}

/** Why payouts are held. Undefined if they are not. */
export function reasonToHold({ asset }: Chain, standing: PayoutStanding): string | undefined {
  if (standing.order?.kind === 'stop') return 'The operator has stopped payouts.'
  const { shortage } = standing
  if (shortage <= (standing.order?.shortage ?? 0n)) return undefined
  return `The chain holds ${formatAmount(shortage, asset.decimals)} ${asset.symbol} less than the books explain.`
}

const held = (why: string): Problem =>
  new Problem(
    'payouts_held',
    `${why} Nothing was moved. Try again later: payouts continue once an operator has looked into it.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )

/** One comparison for each start of a process. Concurrent callers share it. A failed one is repeated. */
function firstComparison(of: Compared): Promise<void> {
  const { comparison } = of
  comparison.first ??= compareFirst(of).catch((error) => {
    comparison.first = undefined
    throw error
  })
  return comparison.first
}

async function compareFirst(of: Compared): Promise<void> {
  for (let looks = 1; ; looks++) {
    const found = await compareAndStore(of, of.clock.now())
    if (!('why' in found)) return checkNewest(of, found.block)
    if (looks === FIRST_LOOKS)
      throw held(`The books have not been compared with the chain since the start: ${found.why}.`)
    await sleep(FIRST_STEP_MS)
  }
}

/**
 * Refuses if a block after the compared one holds a payout that the books do not know: this database was then restored from
 * a backup that is older than the payout. The compared block is a safe one and may be minutes old.
 */
async function checkNewest({ chain, db }: Compared, compared: bigint): Promise<void> {
  const nonces = await findTreasuryNonces(chain, compared + 1n)
  const unknown = await countUnknownNonces(db.reader, nonces)
  if (unknown > 0)
    throw held(
      `The chain shows payouts that the books do not know: ${unknown} in its newest blocks.`,
    )
}

/**
 * The treasury's key behind `checkPayouts`: every signature of the treasury passes here. An authorization that is already
 * used is signed even while payouts are held. It moves nothing, and lets the books record a forgotten payout.
 */
export const guardedTreasury = (of: Compared): CustodySigner => ({
  address: of.chain.treasury.address,
  signTypedData: async (typed) => {
    const { chain } = of
    await checkPayouts(of).catch(async (error: unknown) => {
      const { nonce } = typed.message as { nonce: Hex }
      const isHeld = error instanceof Problem && error.code === 'payouts_held'
      if (!isHeld || !(await isAuthorizationUsed(chain, chain.treasury.address, nonce))) throw error
    })
    return chain.treasury.signTypedData(typed)
  },
})

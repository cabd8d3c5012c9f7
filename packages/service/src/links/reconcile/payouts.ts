import { setTimeout as sleep } from 'node:timers/promises'
import type { Uses } from '../../api/http/services.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { nonceHex } from '../../base/protocols/evm/permit2/permit.ts'
import type { Chain, CustodySigner, Rail } from '../../chain/client/chain.ts'
import { defaultRail, isTokenRail, railsOf } from '../../chain/client/rails.ts'
import { isAuthorizationUsed } from '../../chain/client/reads.ts'
import {
  findTreasuryNonces,
  findTreasuryTransfers,
} from '../../chain/transfers/reads/made-transfer.ts'
import { isPermitUsed } from '../../chain/transfers/reads/permit2.ts'
import { compareAndStore } from './custody.ts'
import {
  countUnknownNonces,
  countUnknownTransfers,
  findPayoutStanding,
  type PayoutStanding,
} from './store-payouts.ts'

/** How often the first payout of a process tries to compare. The embedded chain makes a block each second. */
const FIRST_LOOKS = 20
const FIRST_STEP_MS = 250
const RETRY_SECONDS = 60

type Guarded = Uses<'chain' | 'clock' | 'comparison' | 'db' | 'log' | 'settings'>
type Compared = Omit<Guarded, 'chain'> & { rail: Rail }

/** As `guardedTreasury` refuses, for a payment in the default asset that is not signed yet. */
export const checkPayouts = (of: Guarded): Promise<void> =>
  checkRail({ ...of, rail: defaultRail(of.chain) })

/**
 * Refuses with `payouts_held` while money in the rail's asset must not leave: until this process has compared custody with
 * the chain, while custody is short, and while an operator has stopped payouts. A restored backup does not know the payouts
 * made after it; the comparison shows them.
 */
async function checkRail(of: Compared): Promise<void> {
  await firstComparison(of)
  const { rail, db } = of
  const { network, asset } = rail
  const standing = await findPayoutStanding(db.reader, { network, asset: asset.symbol })
  const why = reasonToHold(rail, standing)
  if (why) throw held(why)
}

/** Why payouts are held. Undefined if they are not. */
export function reasonToHold({ asset }: Rail, standing: PayoutStanding): string | undefined {
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

/** One comparison of an asset for each start of a process. Concurrent callers share it. A failed one is repeated. */
function firstComparison(of: Compared): Promise<void> {
  const { comparison, rail } = of
  const { symbol } = rail.asset
  const known = comparison.get(symbol)
  if (known !== undefined) return known
  const begun = compareFirst(of).catch((error) => {
    comparison.delete(symbol)
    throw error
  })
  comparison.set(symbol, begun)
  return begun
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
async function checkNewest({ rail, db }: Compared, compared: bigint): Promise<void> {
  const from = compared + 1n
  const unknown = isTokenRail(rail)
    ? await countUnknownTransfers(db.reader, rail, await findTreasuryTransfers(rail, from))
    : await countUnknownNonces(db.reader, await findTreasuryNonces(rail, from))
  if (unknown > 0)
    throw held(
      `The chain shows payouts that the books do not know: ${unknown} in its newest blocks.`,
    )
}

/**
 * The treasury's key behind `checkPayouts`: every signature of the treasury passes here, for the asset that it is about. An
 * authorization that is already used is signed even while payouts are held. It moves nothing, and lets the books record a
 * forgotten payout.
 */
export const guardedTreasury = (of: Guarded): CustodySigner => ({
  address: of.chain.treasury.address,
  signTypedData: async (typed) => {
    const about = typed as Typed
    const rail = railOfTyped(of.chain, about)
    await checkRail({ ...of, rail }).catch(async (error: unknown) => {
      const isHeld = error instanceof Problem && error.code === 'payouts_held'
      if (!isHeld || !(await isUsed(rail, about))) throw error
    })
    return of.chain.treasury.signTypedData(typed)
  },
})

/** The part of what is signed that names the asset. */
type Typed = { primaryType: string; domain?: { verifyingContract?: unknown }; message: unknown }
type PermitMessage = { permitted: { token: Address }; nonce: bigint }

const isPermit = ({ primaryType }: Typed): boolean => primaryType === 'PermitWitnessTransferFrom'

/** The rail of the asset that the data name, otherwise the default one. */
function railOfTyped(chain: Chain, typed: Typed): Rail {
  const { permitted } = typed.message as PermitMessage
  const token = isPermit(typed) ? permitted.token : typed.domain?.verifyingContract
  const [usdc, ...others] = railsOf(chain)
  return others.find(({ asset }) => asset.contract === token) ?? usdc
}

/** Whether the chain has seen the signed message used. An allowance has no use of its own. */
async function isUsed(rail: Rail, typed: Typed): Promise<boolean> {
  const from = rail.treasury.address
  const { nonce } = typed.message as { nonce: Hex } | PermitMessage
  if (isPermit(typed)) return isPermitUsed(rail, { from, nonce: nonceHex(nonce as bigint) })
  if (typed.primaryType !== 'TransferWithAuthorization') return false
  return isAuthorizationUsed(rail, from, nonce as Hex)
}

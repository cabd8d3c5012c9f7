import type { Uses } from '../../../api/http/services.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import {
  isFirst,
  type PoolKey,
  poolIdOf,
  poolKeyOf,
} from '../../../base/protocols/uniswap/pool-key.ts'
import { liquidityOf, rangeOf, startTickOf } from '../../../base/protocols/uniswap/price.ts'
import { deploymentOf } from '../../../chain/client/markets/build.ts'
import type { V4Contracts } from '../../../chain/client/markets/contracts.ts'
import {
  CREATE2_DEPLOYER,
  callsOf,
  type Launch,
  type LaunchCall,
  type Origin,
  tokenAddressOf,
} from '../../../chain/client/markets/launch.ts'
import { findLockup } from '../../../chain/client/markets/lockups.ts'
import { readPool } from '../../../chain/client/markets/pool.ts'
import { readAccount, simulateLaunch } from '../../../chain/client/markets/simulate-launch.ts'
import { hasCode } from '../../../chain/client/reads.ts'
import { mustHaveMarkets } from '../available.ts'
import { moneyOf } from '../money.ts'
import { keptOf, type PreparedMarket, TOKEN_UNIT } from '../store.ts'

/** The launch that a wallet asks for, checked. `startPrice` is USDC a token, times 1e18. */
export type LaunchTerms = {
  cardId: string
  creator: Address
  symbol: string
  name: string
  supply: bigint
  keepBps: number
  startPrice: bigint
}

export type PreparedLaunch = {
  market: PreparedMarket
  calls: (LaunchCall & { gas: bigint })[]
  /** The listing is refused by the chain after this. */
  expiresAt: Date
  /** Whether somebody had made the usual pool of this token, so that it has another. */
  isMoved: boolean
}

const DAY_SECONDS = 86_400n
/** How long the creator may take to send the transactions. */
const VALID_DAYS = 7n
/** One percent, Uniswap's usual fee for a new token, with its usual steps of two percent. */
const USUAL_POOL = { fee: 10_000, tickSpacing: 200 }
/** Steps that nobody can guess before they are shown. Below the least, a position costs more gas to trade through. */
const [LEAST_SPACING, SPACINGS] = [100, 100]
const POOLS_TRIED = 4

/** Plans the launch for the account's next nonce and tries it on the chain. Writes nothing. */
export async function prepareLaunch(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  terms: LaunchTerms,
): Promise<PreparedLaunch> {
  const v4 = await mustHaveMarkets(services)
  const { launch, isMoved } = await planLaunch(services, at, { terms, v4 })
  const calls = await tryLaunch(services, launch, v4)
  const { network } = services.chain
  const { origin, token, key, startTick, lowerTick, upperTick, liquidity, vestingSeconds } = launch
  const market: PreparedMarket = {
    ...terms,
    ...origin,
    network,
    token,
    poolId: poolIdOf(key),
    fee: key.fee,
    tickSpacing: key.tickSpacing,
    startTick,
    lowerTick,
    upperTick,
    liquidity,
    vestingSeconds,
    preparedAt: at,
  }
  return { market, calls, expiresAt: new Date(Number(launch.deadline) * 1000), isMoved }
}

/** Chooses the token's address and a pool that nobody has made. */
async function planLaunch(
  services: Uses<'chain' | 'settings'>,
  at: Date,
  { terms: asked, v4 }: { terms: LaunchTerms; v4: V4Contracts },
): Promise<{ launch: Launch; isMoved: boolean }> {
  const { chain, settings } = services
  const { creator, startPrice: price } = asked
  const [lockup, account] = await Promise.all([findLockup(chain), readAccount(chain, creator)])
  const terms = termsOf(asked, lockup)
  const origin = await chooseOrigin(services, account)
  const token = tokenAddressOf(origin, terms)
  const { key, isMoved } = await choosePool(services, v4, token)
  const position = positionOf(key, { token, price, sold: terms.supply - terms.kept })
  const launch: Launch = {
    terms,
    origin,
    creator,
    token,
    key,
    ...position,
    vestingSeconds: BigInt(settings.vestingDays) * DAY_SECONDS,
    deadline: BigInt(unixSeconds(at)) + VALID_DAYS * DAY_SECONDS,
  }
  return { launch, isMoved }
}

/** A key's next nonce. A contract does not choose its own, so its token comes from a salt that nobody can guess. */
async function chooseOrigin(
  { chain }: Uses<'chain'>,
  { nonce, isContract }: { nonce: bigint; isContract: boolean },
): Promise<Origin> {
  if (!isContract) return { nonce, salt: null }
  if (await hasCode(chain, CREATE2_DEPLOYER)) return { nonce: null, salt: randomHex(32) }
  throw new Problem(
    'markets_unavailable',
    `The wallet is a contract, and this chain has no deployer at ${CREATE2_DEPLOYER} for it. Move the card to a wallet with a key, and launch from there.`,
    { extra: { chainId: chain.chainId } },
  )
}

/** The first key whose pool nobody has made: a pool that somebody made starts at their price. */
async function choosePool(
  { chain }: Uses<'chain'>,
  v4: V4Contracts,
  token: Address,
): Promise<{ key: PoolKey; isMoved: boolean }> {
  for (let tried = 0; tried < POOLS_TRIED; tried++) {
    const pool =
      tried === 0
        ? USUAL_POOL
        : { fee: USUAL_POOL.fee, tickSpacing: LEAST_SPACING + (Number(randomHex(4)) % SPACINGS) }
    const key = poolKeyOf(token, moneyOf(chain).contract, pool)
    const { sqrtPrice } = await readPool(chain, v4, { poolId: poolIdOf(key) })
    if (sqrtPrice === 0n) return { key, isMoved: tried > 0 }
  }
  throw new Problem(
    'launch_would_fail',
    'Somebody makes pools of your token before you can. Send any transaction from the wallet, which moves the address of the token, and prepare again.',
  )
}

function positionOf(key: PoolKey, of: { token: Address; price: bigint; sold: bigint }) {
  const side = { isFirst: isFirst(of.token, otherOf(key, of.token)) }
  const startTick = startTickOf(of.price, key.tickSpacing, side)
  if (startTick === undefined)
    throw new Problem('invalid_amount', 'start_price is beyond what a pool can hold.', {
      param: 'start_price',
    })
  const range = rangeOf(startTick, key.tickSpacing, side)
  return { startTick, ...range, liquidity: liquidityOf(of.sold, range, side) }
}

const otherOf = (key: PoolKey, token: Address): Address =>
  key.currency0 === token ? key.currency1 : key.currency0

/** A third more than the simulation used: a call forwards only part of its gas to the next. */
const withRoom = (gas: bigint): bigint => (gas * 4n) / 3n

async function tryLaunch(
  { chain }: Uses<'chain'>,
  launch: Launch,
  v4: V4Contracts,
): Promise<(LaunchCall & { gas: bigint })[]> {
  const { creator, token, terms } = launch
  const calls = callsOf(launch, v4)
  const creation = deploymentOf(terms)
  const simulated = await simulateLaunch(chain, { creator, token, creation, calls })
  if (simulated.outcome === 'failed')
    throw new Problem(
      'launch_would_fail',
      `The chain would refuse the step "${simulated.step}": ${simulated.reason}. Prepare again in a moment, or with other values.`,
      { extra: { step: simulated.step } },
    )
  return calls.map((call, i) => ({ ...call, gas: withRoom(simulated.gas[i] ?? 0n) }))
}

/** The terms of the token's constructor, from what was prepared. */
export const termsOf = (
  market: Pick<PreparedMarket, 'name' | 'symbol' | 'supply' | 'keepBps' | 'cardId' | 'creator'>,
  lockup: Address,
) => {
  const supply = market.supply * TOKEN_UNIT
  const { name, symbol, cardId, creator } = market
  return { name, symbol, creator, supply, kept: keptOf(market), cardId, lockup }
}

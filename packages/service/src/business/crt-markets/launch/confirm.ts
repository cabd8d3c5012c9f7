import type { Uses } from '../../../api/http/services.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { V4Contracts } from '../../../chain/client/markets/contracts.ts'
import type { Origin } from '../../../chain/client/markets/launch.ts'
import { findLockup } from '../../../chain/client/markets/lockups.ts'
import { readTimeOf } from '../../../chain/client/markets/mined.ts'
import { readPool } from '../../../chain/client/markets/pool.ts'
import {
  faultOfDeployment,
  type Listed,
  positionsIn,
} from '../../../chain/client/markets/read-launch.ts'
import { readAccount } from '../../../chain/client/markets/simulate-launch.ts'
import { hasCode } from '../../../chain/client/reads.ts'
import { mustHaveMarkets } from '../available.ts'
import type { ChainFacts, PreparedMarket } from '../store.ts'
import { mustBeSafe, type SafeTransaction } from '../transactions.ts'
import { termsOf } from './prepare.ts'

type Asked = Pick<ChainFacts, 'deployTx' | 'listTx'>

/** A prepared launch as the chain has shown it. */
export type Confirmed = ChainFacts & {
  /** The pool's price once it was listed. */
  start: { sqrtPrice: bigint; tick: number }
}

/** Compares two safe transactions with what was prepared. Throws what differs. */
export async function checkLaunch(
  services: Uses<'chain' | 'settings'>,
  market: PreparedMarket,
  asked: Asked,
): Promise<Confirmed> {
  const v4 = await mustHaveMarkets(services)
  await checkDeployment(services, market, asked.deployTx)
  const receipt = await mustBeSafe(services, { hash: asked.listTx, param: 'listTx' })
  const listed = findPosition(receipt, v4, market)
  const { blockNumber: listBlock } = receipt
  const { chain } = services
  const [listedAt, start] = await Promise.all([
    readTimeOf(chain, listBlock),
    listed.start ?? readPool(chain, v4, { poolId: market.poolId, blockNumber: listBlock }),
  ])
  const { positionId } = listed
  const { sqrtPrice, tick } = start
  return { ...asked, listBlock, positionId, listedAt, start: { sqrtPrice, tick } }
}

async function checkDeployment(
  services: Uses<'chain' | 'settings'>,
  market: PreparedMarket,
  deployTx: Hex,
): Promise<void> {
  const { chain } = services
  const receipt = await mustBeSafe(services, { hash: deployTx, param: 'deployTx' }).catch(
    async (error: unknown) => {
      if (error instanceof Problem && error.code === 'transaction_not_found')
        await checkNonce(services, market)
      throw error
    },
  )
  const lockup = await findLockup(chain)
  const { token } = market
  const terms = termsOf(market, lockup)
  const origin = { nonce: market.nonce, salt: market.salt } as Origin
  const fault = await faultOfDeployment(chain, receipt, { origin, token, terms })
  if (fault === 'other_address') throw nonceMoved(market)
  if (fault)
    throw new Problem(
      'token_mismatch',
      "deployTx did not make the token that was prepared: by the card's creator, with the prepared data, to the byte. Prepare again and send what you are given unchanged.",
      { param: 'deployTx' },
    )
}

/** Throws `nonce_moved` if another transaction has used the nonce that the token's address comes from. */
async function checkNonce({ chain }: Uses<'chain'>, market: PreparedMarket): Promise<void> {
  if (market.nonce === null) return
  const [{ nonce }, isThere] = await Promise.all([
    readAccount(chain, market.creator),
    hasCode(chain, market.token),
  ])
  if (nonce > market.nonce && !isThere) throw nonceMoved(market)
}

const nonceMoved = ({ nonce, token, creator }: PreparedMarket): Problem =>
  new Problem(
    'nonce_moved',
    `Another transaction of ${creator} has used nonce ${nonce}, from which the address ${token} would have come, so that the other steps point at no token. Prepare the market again and send all its transactions one after another.`,
  )

/** The position with all that was to be sold, from logs of the chain's own PoolManager. */
function findPosition(receipt: SafeTransaction, v4: V4Contracts, market: PreparedMarket): Listed {
  const found = positionsIn(receipt, v4, market.poolId).find(
    ({ lowerTick, upperTick, liquidity }) =>
      lowerTick === market.lowerTick &&
      upperTick === market.upperTick &&
      liquidity >= market.liquidity,
  )
  if (found) return found
  throw new Problem(
    'listing_mismatch',
    'listTx did not put all that was to be sold into the pool that was prepared. Send the step "list" unchanged, or prepare again.',
    { param: 'listTx' },
  )
}

import { createRequire } from 'node:module'
import { type Abi, type Address, encodeDeployData, type Hex } from 'viem'
import miniLockup from '../../../../../../contracts/build/MiniLockup.json' with { type: 'json' }
import { assert } from '../../../base/kernel/assert.ts'
import { NOBODY } from '../../../base/kernel/assets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { type V4Contracts, v4Of } from '../../../chain/client/markets/contracts.ts'
import { MINI_LOCKUP } from '../../../chain/client/markets/lockups.ts'
import { connect, sendAsMinter } from './rpc.ts'

/** Swaps in any pool of the development chain, with tokens that the caller allows it. Uniswap's own, for tests. */
export const DEV_SWAP_ROUTER: Address = '0x5075727365720000000000000000000000000006'

const WETH: Address = '0x4200000000000000000000000000000000000006'
const PACKAGE = '@uniswap/v4-periphery/foundry-out'
const UNSUBSCRIBE_GAS = 300_000n

type Artifact = { abi: Abi; bytecode: { object: Hex } }
type Placed = { file: string; address: Address; args: readonly unknown[]; hasStorage?: true }

/**
 * Places Uniswap v4, a router for swaps, and a lockup. The package is for development alone (its core is BUSL): without
 * it the chain has no markets. Idempotent. Takes 50 ms on a fresh chain.
 */
export async function placeMarkets({ rpcUrl, chainId }: { rpcUrl: string; chainId: number }) {
  const client = connect({ rpcUrl })
  const v4 = v4Of(chainId)
  const code = miniLockup.deployedBytecode as Hex
  const [old] = await Promise.all([
    v4 && client.getCode({ address: v4.poolManager }),
    client.setCode({ address: MINI_LOCKUP, bytecode: code }),
  ])
  // A pool's tokens are in the PoolManager that stands there.
  if (!v4 || (old !== undefined && old !== '0x')) return
  const contracts = contractsOf(v4).map((placed) => ({ ...placed, artifact: read(placed.file) }))
  if (!contracts.every(({ artifact }) => artifact)) return
  await Promise.all(
    contracts.map(({ artifact, ...placed }) => construct(rpcUrl, artifact as Artifact, placed)),
  )
}

const contractsOf = (v4: V4Contracts): Placed[] => [
  { file: 'PoolManager.sol/PoolManager.default.json', address: v4.poolManager, args: [NOBODY] },
  {
    file: 'PositionManager.sol/PositionManager.json',
    address: v4.positionManager,
    args: [v4.poolManager, PERMIT2, UNSUBSCRIBE_GAS, NOBODY, WETH],
    hasStorage: true,
  },
  { file: 'StateView.sol/StateView.json', address: v4.stateView, args: [v4.poolManager] },
  { file: 'V4Quoter.sol/V4Quoter.json', address: v4.quoter, args: [v4.poolManager] },
  {
    file: 'PoolSwapTest.sol/PoolSwapTest.default.json',
    address: DEV_SWAP_ROUTER,
    args: [v4.poolManager],
  },
]

/** Undefined if the package is not installed. */
function read(file: string): Artifact | undefined {
  const require = createRequire(import.meta.url)
  try {
    return require(`${PACKAGE}/${file}`) as Artifact
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Runs the constructor at the very address where the contract is to stand, because the code holds that address: the
 * creation code and its arguments stand there first, and a call of it answers the code that remains.
 */
async function construct(
  rpcUrl: string,
  { abi, bytecode }: Artifact,
  { address, args, hasStorage }: Omit<Placed, 'file'>,
): Promise<void> {
  const client = connect({ rpcUrl })
  const creation = encodeDeployData({ abi, bytecode: bytecode.object, args } as never)
  await client.setCode({ address, bytecode: creation })
  const { data: code } = await client.call({ to: address })
  assert(code, 'the constructor answers code')
  if (hasStorage) {
    await sendAsMinter(rpcUrl, address, '0x')
    await client.mine({ blocks: 1 })
  }
  await client.setCode({ address, bytecode: code })
}

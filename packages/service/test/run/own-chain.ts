import { type RunningAnvil, startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import { callAnvil } from '../../src/run/embedded/anvil/rpc.ts'
import { prepareDevChain } from '../../src/run/embedded/dev/chain.ts'
import { until } from '../until.ts'

export const CHAIN_ID = 84_532
/**
 * Anvil hashes all accounts for each block, an empty one too: 0.3 ms in a new chain, 24 ms after 9,000 transfers. From
 * 1,500 blocks on it also writes the state of each.
 */
const OLD_BLOCKS = 700
/** A chain that took long to start may be some seconds off. */
const MOVED_SECONDS = 10

/** The chain of this process, for the file that runs. */
const own: { chain: RunningAnvil | undefined } = { chain: undefined }

/** The address of the chain that the present file has. */
export function ownRpcUrl(): string {
  if (!own.chain) throw new Error('this file has no chain: it is in the project without one')
  return own.chain.rpcUrl
}

/**
 * Before a file: gives it the chain of the file before, or a new one if that has grown long, or if its clock was moved: whatever
 * a payer signs by the real time would have expired on it.
 */
export async function refreshChain(): Promise<void> {
  if (own.chain && (await isAsNew(own.chain))) return
  await own.chain?.stop()
  own.chain = await startAnvil({ chainId: CHAIN_ID, blockTimeSeconds: 0.2, slotsInAnEpoch: 1 })
  await prepareDevChain({ rpcUrl: own.chain.rpcUrl, chainId: CHAIN_ID })
}

async function isAsNew({ rpcUrl }: RunningAnvil): Promise<boolean> {
  const ask = () => callAnvil(rpcUrl, [['eth_blockNumber'], ['evm_increaseTime', 0]])
  const [height, seconds] = (await until(ask)) ?? []
  const ahead = Number(seconds)
  if (Math.abs(ahead) >= MOVED_SECONDS)
    console.warn(`The file before moved the clock of the shared chain by ${ahead} s.`)
  return Number(height) < OLD_BLOCKS && Math.abs(ahead) < MOVED_SECONDS
}

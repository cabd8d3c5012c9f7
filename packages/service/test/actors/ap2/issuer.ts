import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
} from 'viem'
import type { Address, Asset } from '../../../src/base/kernel/assets.ts'
import { waitMined } from '../../../src/run/embedded/dev/chain.ts'
import { until } from '../../until.ts'

const ABI = parseAbi([
  'function blacklister() view returns (address)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
])
type Act =
  | { functionName: 'blacklist' | 'unBlacklist'; args: [Address] }
  | { functionName: 'pause' | 'unpause' }

/** A limit for what hangs. */
const MINED_MS = 600_000

/**
 * Runs an act of the token's issuer, and waits until it is mined. Every test of the run mints from the same address, so
 * the fee equals the minter's: neither of two transactions with one nonce replaces the other, and the refused sender
 * retries.
 */
export async function asIssuer(on: { rpcUrl: string; asset: Asset }, act: Act): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(on.rpcUrl) }).extend(
    publicActions,
  )
  const to = on.asset.contract
  const from = await client.readContract({ address: to, abi: ABI, functionName: 'blacklister' })
  await client.impersonateAccount({ address: from })
  const call = {
    from,
    to,
    data: encodeFunctionData({ abi: ABI, ...act }),
    gas: numberToHex(300_000n),
    maxFeePerGas: numberToHex(1_000n * 10n ** 9n),
    maxPriorityFeePerGas: numberToHex(10n ** 9n),
  }
  const hash = await until(() =>
    client
      .request({ method: 'eth_sendTransaction' as never, params: [call] as never })
      .then((sent) => sent as Hex, unlessTaken),
  )
  await waitMined({ rpcUrl: on.rpcUrl, hash: hash!, timeoutMs: MINED_MS })
}

/** Another transaction of the minter had the nonce: the refused sender asks again. */
function unlessTaken(error: unknown): undefined {
  if (!/underpriced|already imported|nonce too low/i.test(String(error))) throw error
}

import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import {
  type Abi,
  type Address,
  BaseError,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  type Hex,
  http,
  numberToHex,
  publicActions,
} from 'viem'
import { assert } from '../../../base/kernel/assert.ts'
import { DEV_MINTER } from '../../../chain/client/public/contracts.ts'

const MINTER_FEES = {
  gas: numberToHex(300_000n),
  maxFeePerGas: numberToHex(1_000n * 10n ** 9n),
  maxPriorityFeePerGas: numberToHex(10n ** 9n),
}
/** Another sender has the nonce, or the chain restarted and has forgotten the impersonation. */
const REFUSED = /replacement transaction underpriced|already imported|nonce too low|no signer/i
const ATTEMPTS = 200

/** A client of the development chain, with calls that no public chain allows. */
export const connect = ({ rpcUrl }: { rpcUrl: string }) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 10_000, fetchFn }) }).extend(
    publicActions,
  )

/** The service has loaded this one anyway; Node's own takes 40 ms of CPU more at each start. */
const fetchFn = fetch as unknown as typeof globalThis.fetch

/** A contract as `contracts/build` has it. */
export type Built = { abi: unknown; bytecode: string; deployedBytecode: string }

/**
 * Places the code that the constructor answers, which differs from the build's by its immutable values. The constructor
 * writes no storage.
 */
export async function placeBuilt(of: {
  rpcUrl: string
  address: Address
  artifact: Built
  args?: readonly unknown[]
}): Promise<void> {
  const { address, artifact, args = [] } = of
  const client = connect(of)
  const abi = artifact.abi as Abi
  const data = encodeDeployData({ abi, bytecode: artifact.bytecode as Hex, args })
  const { data: code } = await client.call({ data })
  assert(code, 'the constructor answers code')
  await client.setCode({ address, bytecode: code })
}

/**
 * Sends a call as the minter. The chain picks the nonce, but may give concurrent senders the same one: it refuses the
 * second, which retries. The fee is constant, because a higher fee would replace the first transaction.
 */
export async function sendAsMinter(rpcUrl: string, to: Address, data: Hex): Promise<Hex> {
  // No transport retries: a repeated request would mint twice.
  const client = createWalletClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  for (let attempt = 1; ; attempt++) {
    try {
      await connect({ rpcUrl }).impersonateAccount({ address: DEV_MINTER })
      return await client.request({
        method: 'eth_sendTransaction',
        params: [{ from: DEV_MINTER, to, data, ...MINTER_FEES }],
      })
    } catch (error) {
      const isRefused = error instanceof BaseError && REFUSED.test(error.details)
      if (!isRefused || attempt === ATTEMPTS) throw error
      await sleep(attempt)
    }
  }
}

import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { inject } from 'vitest'
import { fundGas, mine, mintUsdc, waitMined } from '../src/embedded/dev/chain.ts'

const ONE_ETHER = 10n ** 18n
const MINED_MS = 60_000

/** The run's one chain. Its block time is 0.2 s; `safe` is one block behind the head. */
export const testChain = (): { rpcUrl: string; chainId: number } => ({
  rpcUrl: inject('rpcUrl'),
  chainId: inject('chainId'),
})

/** An account that nobody else uses, with gas, and with so many millionths of a dollar in USDC once this resolves. */
export async function freshAccount(
  options: { usdc?: bigint; rpcUrl?: string } = {},
): Promise<PrivateKeyAccount> {
  const { rpcUrl = testChain().rpcUrl } = options
  const chain = { ...testChain(), rpcUrl }
  const account = privateKeyToAccount(generatePrivateKey())
  await fundGas({ ...chain, address: account.address, wei: ONE_ETHER })
  const amount = options.usdc ?? 0n
  if (amount > 0n) {
    const hash = await mintUsdc({ ...chain, to: account.address, amount })
    await mine({ ...chain, blocks: 1 })
    await waitMined({ ...chain, hash, timeoutMs: MINED_MS })
  }
  return account
}

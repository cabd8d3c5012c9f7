import { createPublicClient, hashDomain, http, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { freshAccount, testChain } from '../../../../test/world/chain.ts'
import { USDC } from '../../../base/kernel/assets.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { startAnvil } from '../anvil/anvil.ts'
import { fundGas, increaseTime, mine, mintUsdc, prepareDevChain, waitMined } from './chain.ts'

const ABI = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function balanceOf(address) view returns (uint256)',
  'function getChainId() view returns (uint256)',
])
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const clientOf = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl), cacheTime: 0, pollingInterval: 20 })

test.each([8453, 84_532])(
  'chain %d has its USDC and Multicall3 in their places',
  async (chainId) => {
    const chain = await startAnvil({ chainId, blockTimeSeconds: 1 })
    try {
      const first = await prepareDevChain({ rpcUrl: chain.rpcUrl, chainId })
      expect(first).toEqual({ worldId: expect.stringMatching(/^0x[0-9a-f]{64}$/), isFresh: true })
      const again = await prepareDevChain({ rpcUrl: chain.rpcUrl, chainId })
      expect(again).toEqual({ worldId: first.worldId, isFresh: false })

      const { contract, eip712 } = USDC[chainId]!
      const rpc = clientOf(chain.rpcUrl)
      const separator = await rpc.readContract({
        abi: ABI,
        address: contract,
        functionName: 'DOMAIN_SEPARATOR',
      })
      expect(separator).toBe(
        hashDomain({
          domain: { ...eip712, chainId: BigInt(chainId), verifyingContract: contract },
          types: {
            EIP712Domain: [
              { name: 'name', type: 'string' },
              { name: 'version', type: 'string' },
              { name: 'chainId', type: 'uint256' },
              { name: 'verifyingContract', type: 'address' },
            ],
          },
        }),
      )
      const id = await rpc.readContract({
        abi: ABI,
        address: MULTICALL3,
        functionName: 'getChainId',
      })
      expect(id).toBe(BigInt(chainId))
    } finally {
      await chain.stop()
    }
  },
)

test('mints at the same time are all mined, each with a hash of its own', async () => {
  const { rpcUrl, chainId } = testChain()
  const to = randomHex(20)
  const hashes = await Promise.all(
    Array.from({ length: 60 }, () => mintUsdc({ rpcUrl, chainId, to, amount: 1n })),
  )
  expect(new Set(hashes).size).toBe(60)
  await Promise.all(hashes.map((hash) => waitMined({ rpcUrl, hash, timeoutMs: 60_000 })))
  expect(await usdcOf(to)).toBe(60n)
})

test('a fresh account has the gas and the money that was asked for', async () => {
  const { rpcUrl } = testChain()
  const [rich, poor] = await Promise.all([freshAccount({ usdc: 7_000_000n }), freshAccount()])
  expect(await usdcOf(rich.address)).toBe(7_000_000n)
  expect(await usdcOf(poor.address)).toBe(0n)
  expect(await clientOf(rpcUrl).getBalance({ address: poor.address })).toBe(10n ** 18n)
  await fundGas({ rpcUrl, address: poor.address, wei: 5n })
  expect(await clientOf(rpcUrl).getBalance({ address: poor.address })).toBe(5n)
})

test('blocks and time come when they are asked for', async () => {
  const chain = await startAnvil({ chainId: 84_532, blockTimeSeconds: 60 })
  try {
    const rpc = clientOf(chain.rpcUrl)
    const before = await rpc.getBlock()
    await mine({ rpcUrl: chain.rpcUrl, blocks: 5 })
    await increaseTime({ rpcUrl: chain.rpcUrl, seconds: 3_600 })
    const after = await rpc.getBlock()
    expect(after.number - before.number).toBe(6n)
    expect(after.timestamp - before.timestamp).toBeGreaterThanOrEqual(3_600n)
  } finally {
    await chain.stop()
  }
})

const usdcOf = (account: `0x${string}`): Promise<bigint> => {
  const { rpcUrl, chainId } = testChain()
  return clientOf(rpcUrl).readContract({
    abi: ABI,
    address: USDC[chainId]!.contract,
    functionName: 'balanceOf',
    args: [account],
  })
}

import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Asset } from '../../../src/base/kernel/assets.ts'
import { amount } from '../../../src/base/kernel/money.ts'
import { ownWorld } from '../../chain-faults/own-world.ts'
import { testChain } from '../../world/chain.ts'
import { type World, world } from '../../world.ts'
import { type Manner, newToken, sendBy, type TestToken } from '../token-kit.ts'

export const UNIT = 10n ** 18n

/** `permits`: its allowances may be signed (EIP-2612). `circle`: its transfers may (EIP-3009). `manner`: it is odd. */
type Kind = { permits?: boolean; circle?: boolean; manner?: Manner }

/** Fee and minimum of a token with 6 decimals. */
const CIRCLE = { tokenWithdrawal: { fee: amount(50_000n), minimum: amount(1_000_000n) } }

const assetOf = (token: TestToken): Asset => ({
  network: `eip155:${testChain().chainId}`,
  chainId: testChain().chainId,
  contract: token.contract,
  symbol: 'TOK',
  decimals: token.decimals,
  eip712: { name: 'TOK', version: '1' },
})

/** A world with a token of its own beside USDC, of which a wallet has 50. */
export async function tokenWorld(kind: Kind = {}) {
  const token = await newToken({ symbol: 'TOK', decimals: 18, held: 0n, ...kind })
  const w = await world({
    serviceToken: assetOf(token),
    ...(kind.circle ? { settings: CIRCLE } : {}),
  })
  return { w, token, ...(await memberOf(w, token)) }
}

/** As `tokenWorld`, on a chain of its own that makes blocks on request. */
export async function ownTokenWorld(kind: Kind = {}) {
  const made: { token?: TestToken } = {}
  const own = await ownWorld({
    async serviceToken(rpcUrl) {
      made.token = await newToken({ symbol: 'TOK', decimals: 18, held: 0n, rpcUrl, ...kind })
      return assetOf(made.token)
    },
  })
  const token = made.token as TestToken
  return { own, token, ...(await memberOf(own.w, token)) }
}

async function memberOf(w: World, token: TestToken) {
  const { rpcUrl } = w
  const user = await w.user({ treasury: 3, usdc: 5 })
  await token.mint(user.account.address, 50n * 10n ** BigInt(token.decimals))
  const sendFrom = (account: PrivateKeyAccount, to: Address, value: bigint): Promise<Hex> =>
    sendBy(
      account,
      token.contract,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] }),
      rpcUrl,
    )
  return {
    user,
    sendFrom,
    send: (to: Address, value: bigint) => sendFrom(user.account, to, value),
    /** The token's entry of `GET /api/balance`. */
    balance: async () => (await user.get('/api/balance')).body.balances[1],
    tokensOf: (address: Address): Promise<bigint> =>
      w.chain.rpc.readContract({
        address: token.contract,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      }),
  }
}

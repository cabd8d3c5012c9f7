import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { positionManagerAbi } from '../../../src/base/protocols/uniswap/abi.ts'
import { isFirst, type PoolKey, poolKeyOf } from '../../../src/base/protocols/uniswap/pool-key.ts'
import { MAX_TICK, sqrtPriceAt } from '../../../src/base/protocols/uniswap/ticks.ts'
import { v4Of } from '../../../src/chain/client/markets/contracts.ts'
import { fundGas, mine, mintUsdc } from '../../../src/run/embedded/dev/chain.ts'
import { DEV_SWAP_ROUTER } from '../../../src/run/embedded/dev/markets.ts'
import { testChain } from '../../world/chain.ts'
import type { Card, Reply, User, World } from '../../world.ts'

export const TERMS = {
  symbol: 'ACME',
  name: 'Acme Agent',
  supply: 1_000_000,
  keep_bps: 1_000,
  start_price: '0.001',
}
export const TOKEN = 10n ** 18n

type Step = 'deploy' | 'vest' | 'approve' | 'list'
type Prepared = {
  /** Null for a wallet that is a contract. */
  nonce: number
  token: Address
  pool_id: Hex
  fee: number
  tick_spacing: number
  transactions: { step: Step; to: Address | null; data: Hex; gas: number }[]
}

const KEY =
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }'
const ROUTER = parseAbi([
  KEY,
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct Settings { bool takeClaims; bool settleUsingBurn; }',
  'function swap(PoolKey key, SwapParams params, Settings settings, bytes hookData) payable returns (int256)',
])
export const pathOf = (card: { id: string }, rest = ''): string =>
  `/api/cards/${card.id}/crt-market${rest}`

/** A wallet whose next contract sorts before USDC, or after it. Addresses come from the key, so keys are tried. */
export function accountWhoseToken(w: World, order: 'first' | 'second'): PrivateKeyAccount {
  for (;;) {
    const account = privateKeyToAccount(generatePrivateKey())
    const token = getContractAddress({ from: account.address, nonce: 0n })
    if (isFirst(token, w.chain.asset.contract) === (order === 'first')) return account
  }
}

export function marketKit(w: World) {
  const { rpcUrl } = w
  const { chainId } = testChain()
  const usdc = w.chain.asset.contract

  async function send(
    account: PrivateKeyAccount,
    call: { to: Address | null; data: Hex; gas?: number; nonce?: number },
  ): Promise<Hex> {
    const { to, data, gas, nonce } = call
    const hash = await createWalletClient({ account, transport: http(rpcUrl) }).sendTransaction({
      ...{ chain: null, to, data },
      ...(gas === undefined ? {} : { gas: BigInt(gas) }),
      ...(nonce === undefined ? {} : { nonce }),
    })
    await mine({ rpcUrl, blocks: 1 })
    await w.mined(hash)
    return hash
  }

  /** Sends without waiting for a block, which several may share. */
  const submit = (account: PrivateKeyAccount, call: { to: Address; data: Hex; nonce: number }) =>
    createWalletClient({ account, transport: http(rpcUrl) }).sendTransaction({
      ...call,
      ...{ chain: null, gas: 1_000_000n },
    })

  async function prepare(user: User, card: Card, terms: object = {}): Promise<Prepared> {
    const reply = await user.post(pathOf(card, '/prepare'), { ...TERMS, ...terms })
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.body
  }

  /** Sends every prepared transaction with its own gas. Returns the hash of each step. */
  async function sendAll(user: User, prepared: Prepared): Promise<Record<Step, Hex>> {
    const hashes: Partial<Record<Step, Hex>> = {}
    for (const [i, call] of prepared.transactions.entries())
      hashes[call.step] = await send(user.account, { ...call, nonce: prepared.nonce + i })
    return hashes as Record<Step, Hex>
  }

  return {
    send,
    submit,
    prepare,
    sendAll,
    confirm: (user: User, card: Card, hashes: Record<Step, Hex>): Promise<Reply> =>
      user.post(pathOf(card, '/confirm'), { deployTx: hashes.deploy, listTx: hashes.list }),

    /** A card whose token is live. */
    async launch(user: User, terms: object = {}, own?: Card) {
      const card = own ?? (await user.card())
      const prepared = await prepare(user, card, terms)
      const hashes = await sendAll(user, prepared)
      await w.safe()
      const reply = await this.confirm(user, card, hashes)
      if (reply.status !== 200) throw new Error(reply.text)
      return { card, prepared, hashes, token: prepared.token, market: reply.body.market }
    },

    keyOf: (prepared: Prepared): PoolKey =>
      poolKeyOf(prepared.token, usdc, {
        fee: prepared.fee,
        tickSpacing: prepared.tick_spacing,
      }),

    /** Makes the pool of a token before its creator does, at a price of the tick. */
    occupy: (by: PrivateKeyAccount, key: PoolKey, tick: number): Promise<Hex> =>
      send(by, {
        to: v4Of(chainId)!.positionManager,
        // It swallows a failure inside, so an estimate finds gas for nothing.
        gas: 500_000,
        data: encodeFunctionData({
          abi: positionManagerAbi,
          functionName: 'initializePool',
          args: [key, sqrtPriceAt(tick)],
        }),
      }),

    /** An account with gas, USDC, and the router's leave to take what it holds. */
    async trader(token: Address, dollars = 1_000n): Promise<PrivateKeyAccount> {
      const account = privateKeyToAccount(generatePrivateKey())
      await fundGas({ rpcUrl, address: account.address, wei: 10n ** 18n })
      await mintUsdc({ rpcUrl, chainId, to: account.address, amount: dollars * 1_000_000n })
      for (const to of [usdc, token])
        await send(account, {
          to,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'approve',
            args: [DEV_SWAP_ROUTER, 2n ** 255n],
          }),
        })
      return account
    },

    /** The call that swaps exactly `amount` of one currency. */
    swapData(key: PoolKey, of: { in: Address; amount: bigint; stopAt?: bigint }): Hex {
      const zeroForOne = of.in === key.currency0
      const end = zeroForOne ? sqrtPriceAt(-MAX_TICK) + 1n : sqrtPriceAt(MAX_TICK) - 1n
      return encodeFunctionData({
        abi: ROUTER,
        functionName: 'swap',
        args: [
          key,
          { zeroForOne, amountSpecified: -of.amount, sqrtPriceLimitX96: of.stopAt ?? end },
          { takeClaims: false, settleUsingBurn: false },
          '0x',
        ],
      })
    },

    balanceOf: (token: Address, of: Address): Promise<bigint> =>
      w.chain.rpc.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [of],
      }),
  }
}
export type MarketKit = ReturnType<typeof marketKit>

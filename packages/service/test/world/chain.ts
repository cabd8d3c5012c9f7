import { type Address, createWalletClient, erc20Abi, http, type TransactionReceipt } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import { parsePaymentSignature } from '../../src/base/protocols/x402/payment/payload.ts'
import type { Rail } from '../../src/chain/client/chain.ts'
import { findReceipt, readAssetBalance } from '../../src/chain/client/reads.ts'
import {
  fundGas,
  mine as mineBlocks,
  mintUsdc,
  waitMined,
} from '../../src/run/embedded/dev/chain.ts'
import { CHAIN_ID, ownRpcUrl } from '../run/own-chain.ts'
import { until } from '../until.ts'

const ONE_ETHER = 10n ** 18n
const MINED_MS = 600_000

/** The process's one chain. Its block time is 0.2 s; `safe` is one block behind the head. */
export const testChain = (): { rpcUrl: string; chainId: number } => ({
  rpcUrl: ownRpcUrl(),
  chainId: CHAIN_ID,
})

/** An unused account with gas and this many millionths of a dollar in USDC. */
export async function freshAccount(
  options: { usdc?: bigint; rpcUrl?: string; account?: PrivateKeyAccount | undefined } = {},
): Promise<PrivateKeyAccount> {
  const { rpcUrl = testChain().rpcUrl } = options
  const chain = { ...testChain(), rpcUrl }
  const account = options.account ?? privateKeyToAccount(generatePrivateKey())
  await fundGas({ ...chain, address: account.address, wei: ONE_ETHER })
  const amount = options.usdc ?? 0n
  if (amount > 0n) {
    const hash = await mintUsdc({ ...chain, to: account.address, amount })
    await mineBlocks({ ...chain, blocks: 1 })
    await waitMined({ ...chain, hash, timeoutMs: MINED_MS })
  }
  return account
}

/**
 * A chain that replaces the run's: its node, the URLs that the service uses instead of the node, and a way to make a
 * block.
 */
export type OtherChain = { rpcUrl: string; rpcUrls?: string[]; mine(): Promise<void> }

export type WorldChain = ReturnType<typeof openChainSide>

/** Actions on the chain without the service: minting, sending and waiting. */
export function openChainSide(
  chain: Rail,
  {
    rpcUrl,
    chainId,
    mine,
  }: { rpcUrl: string; chainId: number; mine?: OtherChain['mine'] | undefined },
) {
  const { asset } = chain
  const gas = { ready: false }
  const transfers = new Map<string, Promise<unknown>>()

  /** Asks for the receipt alone: the library reads every block until then, too. */
  async function mined(hash: `0x${string}`): Promise<TransactionReceipt> {
    await mine?.()
    const receipt = await until(() => findReceipt(chain, hash))
    return receipt!
  }

  /** Makes a block, so that nothing waits for the chain's own. */
  const block = (): Promise<void> => mine?.() ?? mineBlocks({ rpcUrl, blocks: 1 })

  /** Mints USDC to the treasury, mined. */
  const mintToTreasury = async (amount: bigint): Promise<TransactionReceipt> =>
    mined(await mintUsdc({ rpcUrl, chainId, to: chain.treasury.address, amount }))

  return {
    rpcUrl,
    mined,
    mintToTreasury,

    fundTreasury: async (value: bigint): Promise<`0x${string}`> =>
      (await mintToTreasury(value)).transactionHash,

    /**
     * A plain USDC transfer on chain, mined. Transfers of one account run one after the other, because the account has
     * one nonce.
     */
    transfer(from: PrivateKeyAccount, to: `0x${string}`, value: bigint): Promise<`0x${string}`> {
      const send = async () => {
        const wallet = createWalletClient({ account: from, transport: http(rpcUrl) })
        const hash = await wallet.writeContract({
          chain: null,
          address: asset.contract,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [to, value],
        })
        await mined(hash)
        return hash
      }
      const sent = (transfers.get(from.address) ?? Promise.resolve()).then(send, send)
      transfers.set(from.address, sent)
      return sent
    },

    /** Sends the account's approval of USDC, or of `token`, at a fee and nonce of its own if given. Not mined yet. */
    approve(
      account: PrivateKeyAccount,
      of: { spender: Address; value: bigint; token?: Address; nonce?: number; fee?: bigint },
    ): Promise<`0x${string}`> {
      const { spender, value, token = asset.contract, nonce, fee } = of
      return createWalletClient({ account, transport: http(rpcUrl) }).writeContract({
        ...{ chain: null, address: token, abi: erc20Abi, functionName: 'approve', gas: 100_000n },
        args: [spender, value],
        ...(nonce === undefined ? {} : { nonce }),
        ...(fee === undefined ? {} : { maxFeePerGas: fee, maxPriorityFeePerGas: fee }),
      })
    },

    /** Submits the transfer in an x402 payment header to the chain, as anybody who saw it could. */
    async frontRun(header: string, runner: PrivateKeyAccount): Promise<void> {
      const parsed = parsePaymentSignature(header)
      if (!parsed.ok) throw new Error(parsed.detail)
      const { authorization, signature } = parsed.payload
      const wallet = createWalletClient({ account: runner, transport: http(rpcUrl) })
      const data = transferWithAuthorizationData(authorization, signature)
      await mined(await wallet.sendTransaction({ chain: null, to: asset.contract, data }))
    },

    /** The transaction of the newest USDC transfer to an address. */
    async lastTransferTo(to: `0x${string}`): Promise<`0x${string}`> {
      const logs = await chain.rpc.getContractEvents({
        address: asset.contract,
        abi: erc20Abi,
        eventName: 'Transfer',
        args: { to },
        fromBlock: 0n,
      })
      const last = logs.at(-1)
      if (!last) throw new Error(`no transfer to ${to}`)
      return last.transactionHash
    },

    /** The treasury's USDC balance on chain, in base units. */
    treasuryOnChain: (): Promise<bigint> => readAssetBalance(chain, chain.treasury.address),

    block,

    /** Makes blocks until the present head is safe. */
    async safe(): Promise<void> {
      const { number } = await chain.rpc.getBlock({ blockTag: 'latest' })
      await until(
        async () => {
          await block()
          return (await chain.rpc.getBlock({ blockTag: 'safe' })).number
        },
        (safe) => safe >= number,
      )
    },

    /** Gives the relayer gas, for tests that send to the chain. */
    async withGas(): Promise<void> {
      if (gas.ready) return
      await fundGas({ rpcUrl, address: chain.relayers[0]!.address, wei: 10n ** 19n })
      gas.ready = true
    },
  }
}

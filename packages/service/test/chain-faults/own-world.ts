import {
  createPublicClient,
  createWalletClient,
  http,
  type PrivateKeyAccount,
  parseSignature,
} from 'viem'
import { expect } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import type { Asset } from '../../src/base/kernel/assets.ts'
import { eip3009Abi, erc20Abi } from '../../src/base/protocols/evm/eip3009/abi.ts'
import type { TransferAuthorization } from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import { readLiabilities } from '../../src/money/ledger/verify/verify.ts'
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import { fundGas, mine, mintUsdc, prepareDevChain } from '../../src/run/embedded/dev/chain.ts'
import { type FaultyRpc, faultyRpc } from '../faults/faulty-rpc.ts'
import { pause, until } from '../until.ts'
import { freshAccount, testChain } from '../world/chain.ts'
import { world } from '../world.ts'

/** `safe` is this many blocks behind the head, unless a test says otherwise. */
export const SAFE_BLOCKS = 4
/** Each makes blocks, runs the jobs and moves the clock by a minute. */
const MOST_ROUNDS = 40
/** The least and the most blocks that a reorganization can undo before they are safe. */
export const DEPTHS = [1, SAFE_BLOCKS - 1] as const

/**
 * A whole service on its own chain, which makes blocks on request. With `nodes`, the service uses the chain through
 * that many faulty nodes, in order.
 */
export async function ownWorld(
  options: {
    safeBlocks?: number
    nodes?: number
    pulls?: boolean
    identities?: boolean
    /** The service's own token, placed on this chain. */
    serviceToken?: (rpcUrl: string) => Promise<Asset>
  } = {},
) {
  const { chainId } = testChain()
  const slotsInAnEpoch = options.safeBlocks ?? SAFE_BLOCKS
  const anvil = await startAnvil({ chainId, blockTimeSeconds: 3_600, slotsInAnEpoch })
  const { rpcUrl } = anvil
  await prepareDevChain({ rpcUrl, chainId })
  const blocks = (count: number) => mine({ rpcUrl, blocks: count })
  const nodes: FaultyRpc[] = []
  for (let n = 0; n < (options.nodes ?? 0); n++) nodes.push(await faultyRpc(rpcUrl))
  const rpcUrls = nodes.length > 0 ? nodes.map(({ url }) => url) : [rpcUrl]
  const serviceToken = await options.serviceToken?.(rpcUrl)
  const w = await world({
    ...(serviceToken ? { serviceToken } : {}),
    pulls: options.pulls ?? false,
    identities: options.identities ?? false,
    on: { rpcUrl, rpcUrls, mine: () => blocks(1) },
  })
  await fundGas({ rpcUrl, address: w.chain.relayers[0]!.address, wei: 10n ** 19n })
  await blocks(10)
  const node = createPublicClient({ transport: http(rpcUrl), cacheTime: 0, pollingInterval: 20 })
  const call = (method: string, ...params: unknown[]): Promise<any> =>
    node.request({ method, params } as never)
  const own = {
    w,
    node,
    call,
    blocks,
    nodes,
    rpcUrl,
    issuer: { rpcUrl, asset: w.chain.asset },
    /** Replaces this many of the newest blocks by empty ones. Their transactions are gone from the pool too. */
    reorg: (depth: number) => call('anvil_reorg', depth, []),
    payer: (usdc = 9_000_000n): Promise<PrivateKeyAccount> => freshAccount({ usdc, rpcUrl }),
    /**
     * Another account's transfer in the next block, before ours, so that a transaction mined again has other log
     * numbers.
     */
    async shiftLogs(): Promise<void> {
      await mintUsdc({ rpcUrl, chainId, to: `0x${'99'.repeat(20)}`, amount: 1n })
    },
    /** The newest USDC transfer to an address, as the chain has it now. */
    async lastLogTo(to: `0x${string}`) {
      const { contract: address } = w.chain.asset
      const of = { address, abi: erc20Abi, eventName: 'Transfer', args: { to } } as const
      return (await node.getContractEvents({ ...of, fromBlock: 0n })).at(-1)
    },
    /** Cancels an authorization of the account on chain. */
    async cancel(account: PrivateKeyAccount, nonce: `0x${string}`): Promise<void> {
      const { asset } = w.chain
      const signature = await account.signTypedData({
        domain: { ...asset.eip712, chainId, verifyingContract: asset.contract },
        types: CANCEL_TYPES,
        primaryType: 'CancelAuthorization',
        message: { authorizer: account.address, nonce },
      })
      const { r, s, v } = parseSignature(signature)
      const wallet = createWalletClient({ account, transport: http(rpcUrl) })
      await w.mined(
        await wallet.writeContract({
          chain: null,
          address: asset.contract,
          abi: eip3009Abi,
          functionName: 'cancelAuthorization',
          args: [account.address, nonce, Number(v), r, s],
        }),
      )
    },
    /** Sends the account's own transfer to the treasury, which waits for a block. */
    deposit: (account: PrivateKeyAccount, value: bigint): Promise<`0x${string}`> =>
      createWalletClient({ account, transport: http(rpcUrl) }).writeContract({
        ...{ chain: null, address: w.chain.asset.contract, abi: erc20Abi },
        ...{ functionName: 'transfer', args: [w.chain.treasury.address, value] },
      }),
    /** Submits a signed transfer to the chain, as anybody who has seen it may. */
    async carry({ authorization, signature }: Signed): Promise<void> {
      const account = await freshAccount({ rpcUrl })
      const wallet = createWalletClient({ account, transport: http(rpcUrl) })
      const data = transferWithAuthorizationData(authorization, signature)
      const to = w.chain.asset.contract
      await w.mined(await wallet.sendTransaction({ chain: null, to, data }))
    },
    /** The kinds of the open alarms. */
    async alarms(): Promise<string[]> {
      const { rows } = await sql<{ kind: string }>`select kind from alarms where resolved_at is null
        order by kind`.execute(w.db.reader)
      return rows.map(({ kind }) => kind)
    },
    /** Waits for the work, and makes a block whenever a transaction waits for one, or continuously with `always`. */
    async during<T>(work: Promise<T>, options: { always?: boolean } = {}): Promise<T> {
      const state = { isOver: false }
      const ended = work.finally(() => {
        state.isOver = true
      })
      ended.catch(() => undefined)
      while (!state.isOver) {
        const { pending } = await call('txpool_status')
        if (options.always || Number(pending) > 0) await blocks(1)
        await pause(40)
      }
      return ended
    },
    /** Waits until so many transactions wait for a block. */
    async pending(count: number): Promise<void> {
      await until(
        async () => Number((await call('txpool_status')).pending),
        (waiting) => waiting === count,
      )
    },
    /** Runs the jobs until the condition holds. Each round makes blocks, and each after the first moves the clock. */
    async until(is: () => Promise<boolean>, seconds = 61): Promise<void> {
      let rounds = 0
      await until(
        async () => {
          if (rounds > 0) {
            await blocks(1)
            await w.advance(rounds === 1 ? 0 : seconds)
          }
          rounds++
          await own.during(w.runJobs())
          return { rounds, isSo: await is() }
        },
        ({ isSo }) => {
          if (!isSo && rounds === MOST_ROUNDS)
            throw new Error(`it is not so after ${rounds} rounds`)
          return isSo
        },
      )
    },
    usdcOf: (address: string): Promise<bigint> =>
      node.readContract({
        address: w.chain.asset.contract,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address as `0x${string}`],
      }),
    /** Books and chain agree to the unit, with nothing on its way. */
    async expectBooksToMatch(): Promise<void> {
      expect(await w.faults()).toEqual([])
      const [books] = await readLiabilities(w.db.reader)
      expect(books).toMatchObject({
        outbound: 0n,
        custody: await own.usdcOf(w.chain.treasury.address),
      })
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]()
      for (const each of nodes) await each[Symbol.asyncDispose]()
      await anvil.stop()
    },
  }
  return own
}
type Signed = { authorization: TransferAuthorization; signature: `0x${string}` }
export type OwnWorld = Awaited<ReturnType<typeof ownWorld>>

const CANCEL_TYPES = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

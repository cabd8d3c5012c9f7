import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseAbi,
  TransactionReceiptNotFoundError,
} from 'viem'
import authCaptureEscrow from '../../../../../../contracts/build/AuthCaptureEscrow.json' with {
  type: 'json',
}
import batchSettler from '../../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import collector from '../../../../../../contracts/build/Erc3009Collector.json' with {
  type: 'json',
}
import permit2Proxy from '../../../../../../contracts/build/ExactPermit2Proxy.json' with {
  type: 'json',
}
import multicall3 from '../../../../../../contracts/build/Multicall3.json' with { type: 'json' }
import permit2 from '../../../../../../contracts/build/Permit2.json' with { type: 'json' }
import refundCollector from '../../../../../../contracts/build/ReceiverRefundCollector.json' with {
  type: 'json',
}
import testUsdc from '../../../../../../contracts/build/TestUsdc.json' with { type: 'json' }
import uptoProxy from '../../../../../../contracts/build/UptoPermit2Proxy.json' with {
  type: 'json',
}
import { assert } from '../../../base/kernel/assert.ts'
import { type Asset, USDC } from '../../../base/kernel/assets.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import {
  EXACT_PERMIT2_PROXY,
  PERMIT2,
  UPTO_PERMIT2_PROXY,
} from '../../../base/protocols/evm/permit2/abi.ts'
import {
  AUTH_CAPTURE_ESCROW,
  EIP3009_COLLECTOR,
  RECEIVER_REFUND_COLLECTOR,
} from '../../../base/protocols/x402/escrow-abi.ts'
import { DEV_MINTER } from '../../../chain/client/public/contracts.ts'
import { placeCredentials } from './credentials.ts'
import { placeMarket } from './market.ts'
import { placeMarkets } from './markets.ts'
import { connect, placeBuilt, sendAsMinter } from './rpc.ts'
import { placeTokens } from './tokens.ts'

/** A development chain with the well-known contracts at their well-known addresses. */
export type DevChain = {
  /** 32 random bytes in the chain's state. Another value means another chain, even with the same chain id. */
  worldId: Hex
  /** Whether the chain was empty, so that it cannot hold the money in an older database. */
  isFresh: boolean
}

type Rpc = { rpcUrl: string }

const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** BatchSettler's address on every development chain. Until `placeSettler` it has no operator, and never pulls. */
export const DEV_SETTLER: Address = '0x5075727365720000000000000000000000000003'
/** An address without an owner; its storage slot 0 holds the world id. */
const MARKER: Address = '0x5075727365720000000000000000000000000001'
const SLOT_0: Hex = `0x${'0'.repeat(64)}`
const MINTER_GAS = 10n ** 30n
/** Anvil may restart between two requests, and takes seconds for thousands of blocks. */
const BLOCKS_AT_ONCE = 100
const GREATEST = 2n ** 256n - 1n
/** How long a wait for a receipt pauses before it asks again. */
const RECEIPT_MS = 20

const USDC_ABI = parseAbi([
  'function initialize(string name, string symbol, address admin)',
  'function configureMinter(address minter, uint256 amount) returns (bool)',
  'function mint(address to, uint256 value) returns (bool)',
  'function isMinter(address minter) view returns (bool)',
])

/**
 * Places USDC, Multicall3, Permit2 and x402's proxies at their addresses on the public chain of this id, and BatchSettler
 * two tokens and a lockup at addresses of ours, and Uniswap v4 if its package is installed. Also marks the chain.
 * Idempotent. Takes about 100 ms: it mines its own blocks instead of waiting.
 */
export async function prepareDevChain(options: Rpc & { chainId: number }): Promise<DevChain> {
  const client = connect(options)
  const asset = usdcOf(options.chainId)
  const marked = await client.getStorageAt({ address: MARKER, slot: SLOT_0 })
  const isFresh = marked === undefined || BigInt(marked) === 0n
  await Promise.all([
    client.setCode({ address: MULTICALL3, bytecode: multicall3.deployedBytecode as Hex }),
    client.setCode({ address: asset.contract, bytecode: testUsdc.deployedBytecode as Hex }),
    client.setCode({ address: DEV_SETTLER, bytecode: batchSettler.deployedBytecode as Hex }),
    client.setCode({ address: PERMIT2, bytecode: permit2.deployedBytecode as Hex }),
    client.setCode({
      address: EXACT_PERMIT2_PROXY,
      bytecode: permit2Proxy.deployedBytecode as Hex,
    }),
    client.setCode({
      address: UPTO_PERMIT2_PROXY,
      bytecode: uptoProxy.deployedBytecode as Hex,
    }),
    client.setCode({
      address: AUTH_CAPTURE_ESCROW,
      bytecode: authCaptureEscrow.deployedBytecode as Hex,
    }),
    client.setCode({ address: EIP3009_COLLECTOR, bytecode: collector.deployedBytecode as Hex }),
    client.setCode({
      address: RECEIVER_REFUND_COLLECTOR,
      bytecode: refundCollector.deployedBytecode as Hex,
    }),
    client.setBalance({ address: DEV_MINTER, value: MINTER_GAS }),
  ])
  await initializeUsdc(options.rpcUrl, asset)
  await placeTokens(options.rpcUrl)
  await placeMarket(options.rpcUrl, asset)
  await placeCredentials(options)
  await placeMarkets(options)
  if (!isFresh) return { worldId: marked, isFresh }

  const worldId = randomHex(32)
  await client.setStorageAt({ address: MARKER, index: SLOT_0, value: worldId })
  // An account with neither code nor nonce counts as empty, and its storage may be dropped.
  await client.setNonce({ address: MARKER, nonce: 1 })
  return { worldId, isFresh }
}

/** Places BatchSettler with this operator at the address. What it has pulled stays recorded there. */
export const placeSettler = ({
  rpcUrl,
  operator,
  address = DEV_SETTLER,
}: Rpc & { operator: Address; address?: Address }): Promise<void> =>
  placeBuilt({ rpcUrl, address, artifact: batchSettler, args: [operator] })

/** Mints USDC to an address; returns before it is mined. Concurrent calls are safe: the chain assigns the nonces. */
export async function mintUsdc(
  options: Rpc & { chainId: number; to: Address; amount: bigint },
): Promise<Hex> {
  const { to, amount } = options
  const data = encodeFunctionData({ abi: USDC_ABI, functionName: 'mint', args: [to, amount] })
  return sendAsMinter(options.rpcUrl, usdcOf(options.chainId).contract, data)
}

/** Sets the address's balance of the chain's native coin to `wei`, at once. */
export async function fundGas(options: Rpc & { address: Address; wei: bigint }): Promise<void> {
  await connect(options).setBalance({ address: options.address, value: options.wei })
}

/** Mines so many blocks at once, with all pending transactions. */
export async function mine({ rpcUrl, blocks }: Rpc & { blocks: number }): Promise<void> {
  const client = connect({ rpcUrl })
  for (let left = blocks; left > 0; left -= BLOCKS_AT_ONCE)
    await client.mine({ blocks: Math.min(left, BLOCKS_AT_ONCE) })
}

/** Moves the chain's clock forward and mines a block that shows it. */
export async function increaseTime({ rpcUrl, seconds }: Rpc & { seconds: number }): Promise<void> {
  await moveTo({ rpcUrl, offset: (await readOffset(rpcUrl)) + seconds })
}

/** Moves the chain's clock until it is so many seconds ahead of the real one. It never goes back; a retry is safe. */
export async function moveTo({ rpcUrl, offset }: Rpc & { offset: number }): Promise<void> {
  const client = connect({ rpcUrl })
  const missing = offset - (await readOffset(rpcUrl))
  if (missing <= 0) return
  await client.increaseTime({ seconds: missing })
  await client.mine({ blocks: 1 })
}

/** By how many seconds the chain's clock is ahead of the real one. */
const readOffset = async (rpcUrl: string): Promise<number> =>
  Number(await connect({ rpcUrl }).increaseTime({ seconds: 0 }))

/**
 * Waits until the transaction is mined; throws if it failed or takes longer than `timeoutMs`. Asks for the receipt alone:
 * viem's own wait reads each block, and passes over one that is mined while it reads the last.
 */
export async function waitMined(options: Rpc & { hash: Hex; timeoutMs: number }): Promise<void> {
  const { hash, timeoutMs } = options
  const client = connect(options)
  const until = performance.now() + timeoutMs
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(unlessUnmined)
    if (receipt?.status === 'success') return
    if (receipt) throw new Error(`Transaction ${hash} failed.`)
    if (performance.now() > until)
      throw new Error(`Transaction ${hash} was not mined within ${timeoutMs} ms.`)
    await sleep(RECEIPT_MS)
  }
}

function unlessUnmined(error: unknown): undefined {
  if (!(error instanceof TransactionReceiptNotFoundError)) throw error
}

/** Names the token and makes the minter its admin and minter, unless that is done already. */
async function initializeUsdc(rpcUrl: string, asset: Asset): Promise<void> {
  const client = connect({ rpcUrl })
  const address = asset.contract
  const isReady = () =>
    client.readContract({ abi: USDC_ABI, address, functionName: 'isMinter', args: [DEV_MINTER] })
  if (await isReady()) return
  const { name } = asset.eip712
  const calls = [
    encodeFunctionData({
      abi: USDC_ABI,
      functionName: 'initialize',
      args: [name, asset.symbol, DEV_MINTER],
    }),
    encodeFunctionData({
      abi: USDC_ABI,
      functionName: 'configureMinter',
      args: [DEV_MINTER, GREATEST],
    }),
  ]
  for (const data of calls) await sendAsMinter(rpcUrl, address, data)
  await client.mine({ blocks: 1 })
  assert(await isReady(), 'the stand-in USDC has a minter once it is initialized')
}

function usdcOf(chainId: number): Asset {
  const asset = USDC[chainId]
  assert(asset, `no USDC is known for chain ${chainId}`)
  return asset
}

import { isAddressEqual, type TransactionReceipt, toFunctionSelector } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { erc20Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { EXACT_PERMIT2_PROXY, UPTO_PERMIT2_PROXY } from '../../../base/protocols/evm/permit2/abi.ts'
import { addressWord, uintWord } from '../../../base/protocols/evm/words.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import { readRecentHead } from '../../client/head.ts'
import { findReceipt, readBlock, readInput } from '../../client/reads.ts'
import type { MadeTransfer } from './made-transfer.ts'
import { isPermitUsed, isUsedInBlock } from './permit2.ts'
import { searchFrom } from './schedule.ts'

/** A permit that the treasury signed: the whole amount, or as much of it as was used. */
export type SignedPermit = {
  mechanism: 'permit2' | 'upto'
  token: Address
  to: Address
  /** The amount, or the most. */
  value: bigint
  nonce: Hex
}
/** The transaction that used a permit, and the amount that it moved. */
export type PermitUse = { txHash: Hex; blockNumber: bigint; value: bigint }
/** As `UseStanding`, with the amount. */
export type PermitStanding =
  | { kind: 'used'; use: PermitUse; isSafe: boolean }
  | { kind: 'never' }
  | { kind: 'open' }

/** The most blocks in one question for logs: public nodes refuse more. */
const RANGE_BLOCKS = 2_000n
/** Seven days on Base, as for authorizations. */
const SEARCHED_BLOCKS = 302_400n
const WORD = 64

/** The transaction that used the permit since `fromBlock`. Undefined while it is unused, or no node shows where. */
export async function findPermitUse(
  chain: Chain,
  permit: SignedPermit,
  fromBlock: bigint,
): Promise<PermitUse | undefined> {
  const from = chain.treasury.address
  if (!(await isPermitUsed(chain, { from, nonce: permit.nonce }))) return undefined
  const { number: head } = await readRecentHead(chain)
  const most = searchFrom(head, SEARCHED_BLOCKS)
  const oldest = fromBlock > most ? fromBlock : most
  for (let to = head; to >= oldest; to -= RANGE_BLOCKS) {
    const first = to - oldest < RANGE_BLOCKS ? oldest : to - RANGE_BLOCKS + 1n
    const toBlock = to === head ? ('latest' as const) : to
    const found = await findIn(chain, permit, { fromBlock: first, toBlock })
    if (found) return found
  }
  return undefined
}

type Log = { transactionHash: Hex; blockNumber: bigint; args: { value: bigint } }

async function findIn(
  chain: Chain,
  permit: SignedPermit,
  range: { fromBlock: bigint; toBlock: bigint | 'latest' },
): Promise<PermitUse | undefined> {
  const found = await askChain(() =>
    chain.rpc.getContractEvents({
      address: permit.token,
      abi: erc20Abi,
      eventName: 'Transfer',
      strict: true,
      args: { from: chain.treasury.address, to: permit.to },
      ...range,
    }),
  )
  const logs: Log[] = found.filter(({ args }) => args.value <= permit.value).reverse()
  for (const hash of new Set(logs.map(({ transactionHash }) => transactionHash))) {
    const [receipt, input] = await askChain(() =>
      Promise.all([findReceipt(chain, hash), readInput(chain, hash)]),
    )
    const value = receipt?.status === 'success' ? settledBy(receipt, input, permit) : undefined
    if (receipt && value !== undefined && value <= permit.value)
      return { txHash: hash, blockNumber: receipt.blockNumber, value }
  }
  return findCarried(chain, permit, logs)
}

const SETTLE = {
  permit2: toFunctionSelector(
    'settle(((address,uint256),uint256,uint256),address,(address,uint256),bytes)',
  ),
  upto: toFunctionSelector(
    'settle(((address,uint256),uint256,uint256),uint256,address,(address,address,uint256),bytes)',
  ),
}
const EIP2612 = '(uint256,uint256,bytes32,bytes32,uint8)'
const SETTLE_WITH_PERMIT = {
  permit2: toFunctionSelector(
    `settleWithPermit(${EIP2612},((address,uint256),uint256,uint256),address,(address,uint256),bytes)`,
  ),
  upto: toFunctionSelector(
    `settleWithPermit(${EIP2612},((address,uint256),uint256,uint256),uint256,address,(address,address,uint256),bytes)`,
  ),
}
const PROXY = { permit2: EXACT_PERMIT2_PROXY, upto: UPTO_PERMIT2_PROXY }

/**
 * The amount that a direct call of the proxy settles of the permit. Only the words that the proxy reads count, at their own
 * places: a call may carry any bytes behind them, and its sender gains if they are believed.
 */
function settledBy(
  { to }: TransactionReceipt,
  input: Hex,
  permit: SignedPermit,
): bigint | undefined {
  const { mechanism, token, value, nonce } = permit
  if (!to || !isAddressEqual(to, PROXY[mechanism])) return undefined
  const selector = input.slice(0, 10)
  const isWith = selector === SETTLE_WITH_PERMIT[mechanism]
  if (!isWith && selector !== SETTLE[mechanism]) return undefined
  const words = input.slice(10 + (isWith ? 5 * WORD : 0)).toLowerCase()
  const start = `${addressWord(token)}${uintWord(value)}${nonce.slice(2)}`.toLowerCase()
  if (!words.startsWith(start)) return undefined
  // The deadline follows, and in an upto call the amount.
  const amount = words.slice(start.length + WORD, start.length + 2 * WORD)
  return mechanism === 'upto' ? BigInt(`0x${amount}`) : value
}

/**
 * The use of a permit that another contract carried to the proxy. Its data are that contract's own, so the logs decide: in
 * the block that used the nonce, the largest transfer of a transaction in which the proxy spoke. If it carried several, the
 * card may give more than this one took, and never less than left the treasury.
 */
async function findCarried(
  chain: Chain,
  permit: SignedPermit,
  logs: readonly Log[],
): Promise<PermitUse | undefined> {
  const agreed = { ...permit, from: chain.treasury.address }
  const wanted = permit.mechanism === 'upto' ? logs : logs.filter(isWhole(permit))
  for (const blockNumber of new Set(wanted.map((log) => log.blockNumber))) {
    if (!(await isUsedInBlock(chain, agreed, blockNumber))) continue
    const inBlock = wanted.filter((log) => log.blockNumber === blockNumber)
    const byProxy = await Promise.all(
      inBlock.map(async (log) =>
        (await hasSpoken(chain, log.transactionHash, permit)) ? [log] : [],
      ),
    )
    const [most] = byProxy.flat().sort((a, b) => (a.args.value > b.args.value ? -1 : 1))
    if (most) return { txHash: most.transactionHash, blockNumber, value: most.args.value }
  }
  return undefined
}

const isWhole =
  ({ value }: SignedPermit) =>
  ({ args }: Log): boolean =>
    args.value === value

/** Whether the proxy has logged anything in the transaction. */
async function hasSpoken(chain: Chain, hash: Hex, { mechanism }: SignedPermit): Promise<boolean> {
  const receipt = await askChain(() => findReceipt(chain, hash))
  return (receipt?.logs ?? []).some(({ address }) => isAddressEqual(address, PROXY[mechanism]))
}

/** Reads whether a permit was used, as `readUse` does for an authorization. The treasury never cancels one. */
export async function readPermitUse(
  chain: Chain,
  permit: SignedPermit,
  of: { fromBlock: bigint; validBefore: bigint },
): Promise<PermitStanding> {
  const safe = await readBlock(chain, 'safe')
  const use = await findPermitUse(chain, permit, of.fromBlock)
  if (use) return { kind: 'used', use, isSafe: use.blockNumber <= safe.number }
  if (unixSeconds(safe.at) <= of.validBefore) return { kind: 'open' }
  const from = chain.treasury.address
  const isUsed = await isPermitUsed(chain, { from, nonce: permit.nonce }, safe.number)
  return { kind: isUsed ? 'open' : 'never' }
}

/** As `findMadeTransfer`, for a permit. */
export async function findMadePermit(
  chain: Chain,
  permit: SignedPermit,
): Promise<MadeTransfer | undefined> {
  const from = chain.treasury.address
  if (!(await isPermitUsed(chain, { from, nonce: permit.nonce }))) return undefined
  const use = await findPermitUse(chain, permit, 0n)
  if (use) return use
  throw new Problem(
    'idempotency_conflict',
    'The chain shows that this was paid more than a week ago. Use a new Idempotency-Key for a new payment.',
  )
}

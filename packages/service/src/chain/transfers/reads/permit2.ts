import {
  encodeFunctionData,
  isAddressEqual,
  type Log,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import {
  EXACT_PERMIT2_PROXY,
  exactPermit2ProxyAbi,
  PERMIT2,
  permit2Abi,
  UPTO_PERMIT2_PROXY,
} from '../../../base/protocols/evm/permit2/abi.ts'
import { type Permit, readSettledPermit } from '../../../base/protocols/evm/permit2/permit.ts'
import { readSettledUpto } from '../../../base/protocols/evm/permit2/upto.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import { readRecentHead } from '../../client/head.ts'
import type { TransferLogAt } from '../../client/reads.ts'
import { findReceipt, isStateKept, readBlock, readInput } from '../../client/reads.ts'
import { asRelayer, type Sender, type SimulatedCall } from '../../client/simulate.ts'
import {
  balanceData,
  callToken,
  READ_GAS,
  readTokenBalance,
  tokenAbi,
  wordOf,
} from '../../client/tokens/calls.ts'
import type { Standing } from './standing.ts'

/** A payment by Permit2 as it was agreed. */
export type AgreedPermit = Pick<Permit, 'token' | 'from' | 'to' | 'value' | 'nonce'> & {
  /** x402's proxy that carries it: that of exact payments, unless named. For upto, the value is the part that is moved. */
  proxy?: Address
}

/**
 * Whether the call would move exactly the agreed amount within its gas, whoever makes it. Judged by the token's log and by the payee's
 * balance before and after: a token may take a fee that it did not take when it was registered.
 */
export const wouldSettle = (
  chain: Chain,
  call: SimulatedCall & { gas: bigint },
  agreed: Omit<AgreedPermit, 'nonce'>,
): Promise<boolean> =>
  askChain(async () => {
    const look = { to: agreed.token, data: balanceData(agreed.to), gas: READ_GAS }
    const { baseFee } = await readRecentHead(chain)
    const { by, ...called } = call
    const ask = ({ stateOverride, ...sender }: Sender) =>
      chain.rpc.simulateBlocks({
        blocks: [
          {
            // A gas price alone would be above a base fee of zero, and the token could see that.
            blockOverrides: { baseFeePerGas: baseFee },
            calls: [look, { ...called, ...sender }, look],
            ...(stateOverride ? { stateOverrides: stateOverride } : {}),
          },
        ],
      })
    const [block] = await asRelayer(chain, call.gas, ask, by)
    const [before, settled, after] = block?.calls ?? []
    if (settled?.status !== 'success' || !findLog(settled.logs ?? [], agreed)) return false
    const got = (wordOf(after?.data) ?? 0n) - (wordOf(before?.data) ?? 0n)
    return got === (agreed.from === agreed.to ? 0n : agreed.value)
  })

/** The token's log of the agreed transfer. */
const findLog = (logs: Log[], agreed: Omit<AgreedPermit, 'nonce'>) =>
  parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs }).find(
    ({ address, args }) =>
      isAddressEqual(address, agreed.token) &&
      isAddressEqual(args.from, agreed.from) &&
      isAddressEqual(args.to, agreed.to) &&
      args.value === agreed.value,
  )

/**
 * The facts that explain a failed permit: whether it was used or cancelled, the payer's balance, and the payer's
 * allowance to Permit2.
 */
export async function readPermitStanding(
  chain: Chain,
  permit: Pick<Permit, 'token' | 'from' | 'nonce'>,
): Promise<{ isUsed: boolean; balance: bigint | undefined; allowance: bigint | undefined }> {
  const { token, from } = permit
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'allowance',
    args: [from, PERMIT2],
  })
  const [isUsed, balance, allowance] = await Promise.all([
    isPermitUsed(chain, permit),
    readTokenBalance(chain, token, from),
    callToken(chain, token, data),
  ])
  return { isUsed, balance, allowance: wordOf(allowance) }
}

/** Whether Permit2 has seen this nonce, used or cancelled: at the newest block, or at `blockNumber`. */
export const isPermitUsed = (
  chain: Chain,
  { from, nonce }: Pick<Permit, 'from' | 'nonce'>,
  blockNumber?: bigint,
): Promise<boolean> =>
  askChain(async () => {
    const { word, bit } = placeOf(nonce)
    const bits = await chain.rpc.readContract({
      address: PERMIT2,
      abi: permit2Abi,
      functionName: 'nonceBitmap',
      args: [from, word],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    })
    return (bits & bit) !== 0n
  })

/** The place where Permit2 records the use of a nonce: one word for each 256 nonces. */
const placeOf = (nonce: Hex): { word: bigint; bit: bigint } => ({
  word: BigInt(nonce) >> 8n,
  bit: 1n << (BigInt(nonce) & 255n),
})

type FoundTransfer = TransferLogAt & { blockNumber: bigint }

/** A payment by Permit2 to look for. `isFree` says whether a log has not yet paid for anything else. */
export type SoughtPermit = AgreedPermit & { isFree(log: TransferLogAt): Promise<boolean> }

/**
 * The agreed transfer in a mined transaction from any sender. In a call of the proxy, the permit is in the call data.
 * In a call of another contract that calls the proxy, the logs show it: the transfer, then the proxy's own event, in
 * the block that used the nonce. Permit2 logs no nonces, so the first such transfer that `isFree` is taken.
 */
export const permitTransferIn = (
  chain: Chain,
  hash: Hex,
  agreed: SoughtPermit,
): Promise<FoundTransfer | undefined> =>
  askChain(async () => {
    const receipt = await findReceipt(chain, hash)
    if (receipt?.status !== 'success' || !receipt.to) return undefined
    if (isAddressEqual(receipt.to, proxyOf(agreed))) {
      const read = agreed.proxy === UPTO_PERMIT2_PROXY ? readSettledUpto : readSettledPermit
      const permit = read(await readInput(chain, hash))
      const log = permit && isSame(permit, agreed) ? findLog(receipt.logs, agreed) : undefined
      return log && foundAt(receipt, log)
    }
    const made = transfersByProxy(receipt, agreed)
    if (made.length === 0 || !(await isUsedInBlock(chain, agreed, receipt.blockNumber)))
      return undefined
    return firstFree(made, agreed)
  })

const proxyOf = ({ proxy }: Pick<AgreedPermit, 'proxy'>): Address => proxy ?? EXACT_PERMIT2_PROXY

async function firstFree(
  transfers: readonly FoundTransfer[],
  { isFree }: SoughtPermit,
): Promise<FoundTransfer | undefined> {
  for (const transfer of transfers) if (await isFree(transfer)) return transfer
  return undefined
}

const foundAt = (
  { transactionHash: txHash, blockNumber }: TransactionReceipt,
  { logIndex }: { logIndex: number },
): FoundTransfer => ({ txHash, logIndex, blockNumber })

/** The most events of the proxy that are examined in one transaction. */
const EVENTS_MAX = 100

/**
 * The agreed transfers that the proxy made. No log of another contract may come between the transfer and the proxy's
 * event.
 */
function transfersByProxy(
  receipt: TransactionReceipt,
  agreed: Omit<AgreedPermit, 'nonce'>,
): FoundTransfer[] {
  const { logs } = receipt
  const events = parseEventLogs({ abi: exactPermit2ProxyAbi, logs })
    .filter(({ address }) => isAddressEqual(address, proxyOf(agreed)))
    .slice(0, EVENTS_MAX)
  return events.flatMap(({ logIndex: end }) => {
    const before = logs.filter((log) => log.logIndex < end)
    const foreign = before.findLastIndex(({ address }) => !isAddressEqual(address, agreed.token))
    const ofToken = before.slice(foreign + 1)
    const last = parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs: ofToken }).at(-1)
    const log = last && findLog([last], agreed)
    return log ? [foundAt(receipt, log)] : []
  })
}

/** Whether x402's proxy made this transfer. */
export const isMadeByProxy = (
  chain: Chain,
  of: Omit<AgreedPermit, 'nonce'> & TransferLogAt,
): Promise<boolean> =>
  askChain(async () => {
    const receipt = await findReceipt(chain, of.txHash)
    if (receipt?.status !== 'success') return false
    return transfersByProxy(receipt, of).some(({ logIndex }) => logIndex === of.logIndex)
  })

/** Whether this block used the nonce and did not cancel it. False if the node no longer has the state. */
export async function isUsedInBlock(
  chain: Chain,
  agreed: AgreedPermit,
  blockNumber: bigint,
): Promise<boolean> {
  if (!(await isStateKept(chain, blockNumber - 1n))) return false
  const [before, after, isUndone] = await Promise.all([
    isPermitUsed(chain, agreed, blockNumber - 1n),
    isPermitUsed(chain, agreed, blockNumber),
    isCancelled(chain, agreed, { fromBlock: blockNumber, toBlock: blockNumber }),
  ])
  return !before && after && !isUndone
}

const isSame = (permit: Permit, agreed: AgreedPermit): boolean =>
  permit.token === agreed.token &&
  permit.from === agreed.from &&
  permit.to === agreed.to &&
  permit.value === agreed.value &&
  permit.nonce === agreed.nonce

/** The most transfers from one payer to one payee that are examined, newest first. */
const CANDIDATES_MAX = 100

/** The agreed transfer in any transaction since `fromBlock` in which the proxy made it. */
export async function findPermitTransfer(
  chain: Chain,
  agreed: SoughtPermit,
  fromBlock: bigint,
): Promise<FoundTransfer | undefined> {
  if (!(await isPermitUsed(chain, agreed))) return undefined
  const logs = await askChain(() =>
    chain.rpc.getContractEvents({
      address: agreed.token,
      abi: tokenAbi,
      eventName: 'Transfer',
      args: { from: agreed.from, to: agreed.to },
      strict: true,
      fromBlock,
      toBlock: 'latest',
    }),
  )
  const candidates = logs.filter(({ args }) => args.value === agreed.value).slice(-CANDIDATES_MAX)
  const found = await Promise.all(
    [...new Set(candidates.map((log) => log.transactionHash))].map((hash) =>
      permitTransferIn(chain, hash, agreed),
    ),
  )
  return found.find((transfer) => transfer !== undefined)
}

/** The transfer in a transaction that was found earlier to be the permit's, whatever block holds it now. */
const permitTransferOf = (
  chain: Chain,
  hash: Hex,
  agreed: SoughtPermit,
): Promise<FoundTransfer | undefined> =>
  askChain(async () => {
    const receipt = await findReceipt(chain, hash)
    if (receipt?.status !== 'success') return undefined
    return firstFree(transfersByProxy(receipt, agreed), agreed)
  })

/** As `findPermitTransfer`, but only if its block is not older than `since`. */
export async function findRecentPermitTransfer(
  chain: Chain,
  agreed: SoughtPermit,
  { fromBlock, since }: { fromBlock: bigint; since: Date },
): Promise<TransferLogAt | undefined> {
  const found = await findPermitTransfer(chain, agreed, fromBlock)
  if (!found) return undefined
  const { blockNumber, ...log } = found
  const block = await askChain(() => chain.rpc.getBlock({ blockNumber }))
  return Number(block.timestamp) >= unixSeconds(since) ? log : undefined
}

/**
 * Whether our own transaction `hash` has moved nothing for good. If the nonce is used, somebody else used or cancelled
 * it: the search for their transaction ends once ours is safe.
 */
export async function isPermitRefused(
  chain: Chain,
  agreed: AgreedPermit,
  hash: Hex,
): Promise<boolean> {
  if ((await findBlockOf(chain, hash)) === undefined) return false
  if (!(await isPermitUsed(chain, agreed))) return true
  return isSafe(chain, hash)
}

const findBlockOf = (chain: Chain, hash: Hex): Promise<bigint | undefined> =>
  askChain(async () => (await findReceipt(chain, hash))?.blockNumber)

async function isSafe(chain: Chain, hash: Hex | undefined): Promise<boolean> {
  const safe = await readBlock(chain, 'safe')
  const block = hash && (await findBlockOf(chain, hash))
  return block !== undefined && block <= safe.number
}

/**
 * How a transfer that a newer block showed stands in the safe block. `sentHash` is our own transaction if one was
 * mined; `validBefore` is in Unix seconds.
 */
export async function readPermitTransferStanding(
  chain: Chain,
  agreed: SoughtPermit,
  of: {
    fromBlock: bigint
    validBefore: bigint
    sentHash: Hex | undefined
    reportedHash: Hex | null
  },
): Promise<Standing> {
  const safe = await readBlock(chain, 'safe')
  const own = of.sentHash && (await permitTransferIn(chain, of.sentHash, agreed))
  const found =
    own ??
    (of.reportedHash && (await permitTransferOf(chain, of.reportedHash, agreed))) ??
    (await findPermitTransfer(chain, agreed, of.fromBlock))
  if (found) {
    const { blockNumber, ...log } = found
    return blockNumber > safe.number ? { kind: 'open' } : { kind: 'paid', log }
  }
  if (await isPermitUsed(chain, agreed, safe.number))
    return (await isCancelled(chain, agreed, { fromBlock: of.fromBlock, toBlock: safe.number }))
      ? { kind: 'missing' }
      : { kind: 'open' }
  const isOver = unixSeconds(safe.at) > of.validBefore || (await isSafe(chain, of.sentHash))
  return isOver ? { kind: 'missing' } : { kind: 'open' }
}

const isCancelled = (
  chain: Chain,
  { from, nonce }: AgreedPermit,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<boolean> =>
  askChain(async () => {
    const { word, bit } = placeOf(nonce)
    const logs = await chain.rpc.getContractEvents({
      address: PERMIT2,
      abi: permit2Abi,
      eventName: 'UnorderedNonceInvalidation',
      args: { owner: from },
      strict: true,
      ...range,
    })
    return logs.some(({ args }) => args.word === word && (args.mask & bit) !== 0n)
  })

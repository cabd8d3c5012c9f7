import {
  BaseError,
  formatTransactionReceipt,
  getAddress,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  TransactionNotFoundError,
  type TransactionReceipt,
} from 'viem'
import { checkPerson } from '../../base/kernel/address.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { eip3009Abi, erc20Abi } from '../../base/protocols/evm/eip3009/abi.ts'
import { placeOf, refsOfPulls } from '../../base/protocols/evm/pulled.ts'
import { askChain, type Chain, type Rail } from './chain.ts'
import { finalityOf } from './credit-level.ts'
import { defaultAsset } from './rails.ts'

const b20Abi = parseAbi(['event Memo(address indexed caller, bytes32 indexed memo)'])

/** A transfer of a token in the logs of a mined transaction. */
export type TransferLog = {
  from: Address
  to: Address
  value: Amount
  logIndex: number
  blockNumber: bigint
  blockHash: Hex
  /**
   * The nonce of the EIP-3009 authorization that made the transfer; undefined if none did, or if it was not looked up.
   */
  authNonce?: Hex
  /** The ref of the pull by BatchSettler that made the transfer. Such a transfer is never a deposit. */
  pullRef?: Hex
  /** The memo that a B20 token wrote beside the transfer. */
  memo?: Hex
}

/** The log that shows a transfer. */
export type TransferLogAt = { txHash: Hex; logIndex: number }

/** A mined transaction as the chain shows it now. */
export type MinedTransaction = {
  hash: Hex
  succeeded: boolean
  blockNumber: bigint
  /** The time of its block. */
  at: Date
  /** Whether its block has the finality that its largest transfer waits for: `safe`, or `finalized` for large sums. */
  isSafe: boolean
  transfers: TransferLog[]
}

/** The balance of the address in the rail's asset at the newest block, in base units. */
export const readAssetBalance = (
  { rpc, asset }: Rail,
  address: Address,
  blockNumber?: bigint,
): Promise<Amount> =>
  askChain(async () =>
    amount(
      await rpc.readContract({
        address: asset.contract,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }),
    ),
  )

/** Whether the token has seen this EIP-3009 nonce, used or cancelled: at the newest block, or at `blockNumber`. */
export const isAuthorizationUsed = (
  { rpc, asset }: Rail,
  from: Address,
  nonce: Hex,
  blockNumber?: bigint,
): Promise<boolean> =>
  askChain(() =>
    rpc.readContract({
      address: asset.contract,
      abi: eip3009Abi,
      functionName: 'authorizationState',
      args: [from, nonce],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    }),
  )

/** The number and time of the newest block, or of the newest block that is safe from reorganization. */
export const readBlock = (
  chain: Chain,
  blockTag: 'latest' | 'safe',
): Promise<{ number: bigint; at: Date }> =>
  askChain(async () => {
    const block = await chain.rpc.getBlock({ blockTag })
    return { number: block.number, at: new Date(Number(block.timestamp) * 1000) }
  })

/** The first block at or after a time, no later than `newest`. */
export async function findFirstBlock(chain: Chain, since: Date, newest: bigint): Promise<bigint> {
  const seconds = BigInt(Math.floor(since.getTime() / 1000))
  let [from, to] = [0n, newest]
  while (from < to) {
    const blockNumber = (from + to) / 2n
    const { timestamp } = await askChain(() => chain.rpc.getBlock({ blockNumber }))
    if (timestamp < seconds) from = blockNumber + 1n
    else to = blockNumber
  }
  return from
}

/** The code at the address at the newest block; `0x` if there is no contract. */
export const readCode = ({ rpc }: Chain, address: Address): Promise<Hex> =>
  askChain(async () => (await rpc.getCode({ address })) ?? '0x')

/** Whether there is a contract at the address at the newest block. */
export const hasCode = async (chain: Chain, address: Address): Promise<boolean> =>
  (await readCode(chain, address)) !== '0x'

/** JSON-RPC's code for parameters that the node cannot serve, such as a block whose state it no longer has. */
const INVALID_PARAMS = -32_602
/** The wording of other nodes for the same error. */
const STATE_GONE =
  /missing trie node|historical state|state .*(?:not available|unavailable|pruned)/i

/** Whether the node still has the state of this block. Anvil has none from before its start. */
export const isStateKept = (chain: Chain, blockNumber: bigint): Promise<boolean> =>
  askChain(async () => {
    try {
      await chain.rpc.getBalance({ address: chain.treasury.address, blockNumber })
      return true
    } catch (error) {
      const isRefused = (e: unknown) => (e as { code?: unknown }).code === INVALID_PARAMS
      if (!(error instanceof BaseError)) throw error
      if (error.walk(isRefused) || STATE_GONE.test(error.details)) return false
      throw error
    }
  })

/** The transaction with its transfers of the rail's asset; undefined while no block holds it. */
export const readTransaction = (rail: Rail, hash: Hex): Promise<MinedTransaction | undefined> =>
  readTransfers(rail, hash, rail.asset.contract)

/** As `readTransaction`, with the transfers of a token. */
export const readTransfers = (
  chain: Chain,
  hash: Hex,
  token: Address,
): Promise<MinedTransaction | undefined> =>
  askChain(async () => {
    const receipt = await findReceipt(chain, hash)
    if (!receipt) return undefined
    const transfers = transfersIn(chain, receipt, token)
    // The levels are sums of USDC; another token's units say nothing about its worth.
    const isUsdc = token === defaultAsset(chain).contract
    const values = isUsdc ? transfers.map(({ value }) => value) : []
    const most = values.reduce<bigint>((max, value) => (value > max ? value : max), 0n)
    const [block, safe] = await Promise.all([
      chain.rpc.getBlock({ blockNumber: receipt.blockNumber }),
      chain.rpc.getBlock({ blockTag: finalityOf(chain.creditLevels, most) }),
    ])
    return {
      hash,
      succeeded: receipt.status === 'success',
      blockNumber: receipt.blockNumber,
      at: new Date(Number(block.timestamp) * 1000),
      isSafe: receipt.blockNumber <= safe.number,
      transfers,
    }
  })

/** Undefined while no block holds the transaction. Asks by itself: the library's error for none costs more than the answer. */
export async function findReceipt(
  chain: Chain,
  hash: Hex,
): Promise<TransactionReceipt | undefined> {
  const receipt = await chain.rpc.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return receipt ? formatTransactionReceipt(receipt) : undefined
}

function transfersIn(chain: Chain, receipt: TransactionReceipt, token: Address): TransferLog[] {
  const logs = receipt.logs.filter((log) => log.address.toLowerCase() === token.toLowerCase())
  const memos = parseEventLogs({ abi: b20Abi, eventName: 'Memo', logs })
  const uses = parseEventLogs({ abi: eip3009Abi, eventName: 'AuthorizationUsed', logs })
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
  const txHash = receipt.transactionHash
  const places = transfers.map(({ logIndex, args: { from, to } }) => ({
    txHash,
    logIndex,
    from,
    to,
  }))
  const pulls = chain.settler
    ? refsOfPulls(receipt.logs, {
        settler: chain.settler,
        token,
        transfers: places,
      })
    : undefined
  return transfers.map((log) => {
    const pullRef = pulls?.get(placeOf({ txHash, logIndex: log.logIndex }))
    // The token logs the use of the nonce right before the transfer.
    const use = uses.find(
      ({ logIndex, args }) =>
        logIndex === log.logIndex - 1 && isAddressEqual(args.authorizer, log.args.from),
    )
    // A B20 token logs the memo right after the transfer.
    const memo = memos.find(({ logIndex }) => logIndex === log.logIndex + 1)
    return {
      from: getAddress(log.args.from),
      to: getAddress(log.args.to),
      value: amount(log.args.value),
      logIndex: log.logIndex,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
      ...(use ? { authNonce: use.args.nonce } : {}),
      ...(pullRef ? { pullRef } : {}),
      ...(memo ? { memo: memo.args.memo } : {}),
    }
  })
}

/** Returns the transaction hash in lower case, so that each transaction has one spelling. Throws if it is malformed. */
export function normalHash(hash: string): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new Problem('invalid_transaction', 'tx_hash must be 0x and 64 hex characters.', {
      param: 'tx_hash',
    })
  return hash.toLowerCase() as Hex
}

/** The EVM address checksummed; undefined if the text is none. */
export const asAddress = (text: string): Address | undefined =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? getAddress(text.toLowerCase()) : undefined

/** As `asAddress`. Throws `invalid_address` if the text is none. */
export function normalAddress(text: string, param: string): Address {
  const address = asAddress(text)
  if (address) return address
  throw new Problem('invalid_address', `${param} must be 0x and 40 hex characters.`, { param })
}

/**
 * The address of a person, checksummed. Throws `invalid_address` if the text is not an EVM address, if its EIP-55
 * checksum is wrong (a typing error), or if it is one of the chain's own addresses, which nobody holds.
 */
export function personAddress(text: string, param: string): Address {
  const address = normalAddress(text, param)
  const digits = text.slice(2)
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (hasChecksum && text !== address)
    throw new Problem(
      'invalid_address',
      `The checksum of ${param} is wrong. Copy it again, or write it in lower case.`,
      { param },
    )
  checkPerson(address, param)
  return address
}

/** The data of a transaction's call. Empty if a reorganization has just removed the transaction. */
export async function readInput({ rpc }: Chain, hash: Hex): Promise<Hex> {
  try {
    return (await rpc.getTransaction({ hash })).input
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return '0x'
    throw error
  }
}

import {
  BaseError,
  getAddress,
  isAddressEqual,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { checkPerson } from '../kernel/address.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { type Amount, amount } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { eip3009Abi, erc20Abi } from '../protocols/evm/eip3009/abi.ts'
import type { TransferAuthorization } from '../protocols/evm/eip3009/authorization.ts'
import { askChain, type Chain } from './chain.ts'
import { finalityOf } from './credit-level.ts'

/** A USDC transfer that a mined transaction's logs show. */
export type TransferLog = {
  from: Address
  to: Address
  value: Amount
  logIndex: number
  blockNumber: bigint
  blockHash: Hex
  /** The nonce of the EIP-3009 authorization that made the transfer; undefined where none did, or nobody looked. */
  authNonce?: Hex
}

/** A mined transaction as the chain shows it now. */
export type MinedTransaction = {
  hash: Hex
  succeeded: boolean
  blockNumber: bigint
  /** When its block was made. */
  at: Date
  /** Whether its block is as deep as the largest of its transfers waits for: `safe`, or `finalized` for large sums. */
  isSafe: boolean
  transfers: TransferLog[]
}

/** USDC that the address holds at the newest block, in base units. */
export const readUsdcBalance = (
  chain: Chain,
  address: Address,
  blockNumber?: bigint,
): Promise<Amount> =>
  askChain(async () =>
    amount(
      await chain.rpc.readContract({
        address: chain.asset.contract,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }),
    ),
  )

/** Whether the token has seen this EIP-3009 nonce, used or cancelled: at the newest block, or at `blockNumber`. */
export const isAuthorizationUsed = (
  chain: Chain,
  from: Address,
  nonce: Hex,
  blockNumber?: bigint,
): Promise<boolean> =>
  askChain(() =>
    chain.rpc.readContract({
      address: chain.asset.contract,
      abi: eip3009Abi,
      functionName: 'authorizationState',
      args: [from, nonce],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    }),
  )

/** The number and time of the newest block, or of the newest that is safe from reorganization. */
export const readBlock = (
  chain: Chain,
  blockTag: 'latest' | 'safe',
): Promise<{ number: bigint; at: Date }> =>
  askChain(async () => {
    const block = await chain.rpc.getBlock({ blockTag })
    return { number: block.number, at: new Date(Number(block.timestamp) * 1000) }
  })

/** The code at the address at the newest block; `0x` if there is no contract. */
export const readCode = ({ rpc }: Chain, address: Address): Promise<Hex> =>
  askChain(async () => (await rpc.getCode({ address })) ?? '0x')

/** Whether there is a contract at the address at the newest block. */
export const hasCode = async (chain: Chain, address: Address): Promise<boolean> =>
  (await readCode(chain, address)) !== '0x'

/** JSON-RPC's code for parameters that do not suit the node, such as a block whose state it has not. */
const INVALID_PARAMS = -32_602
/** How other nodes say the same. */
const STATE_GONE =
  /missing trie node|historical state|state .*(?:not available|unavailable|pruned)/i

/** Whether the node can say what stood in this block: anvil keeps no state from before its start. */
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

/** The transaction with its USDC transfers, or undefined while no block holds it. */
export const readTransaction = (chain: Chain, hash: Hex): Promise<MinedTransaction | undefined> =>
  askChain(async () => {
    const receipt = await findReceipt(chain, hash)
    if (!receipt) return undefined
    const transfers = transfersIn(chain, receipt)
    const most = transfers.reduce<bigint>((max, { value }) => (value > max ? value : max), 0n)
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

export async function findReceipt(
  chain: Chain,
  hash: Hex,
): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.rpc.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

function transfersIn(chain: Chain, receipt: TransactionReceipt): TransferLog[] {
  const token = chain.asset.contract.toLowerCase()
  const logs = receipt.logs.filter((log) => log.address.toLowerCase() === token)
  const uses = parseEventLogs({ abi: eip3009Abi, eventName: 'AuthorizationUsed', logs })
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map((log) => {
    // The token logs the transfer right after the use.
    const use = uses.find(
      ({ logIndex, args }) =>
        logIndex === log.logIndex - 1 && isAddressEqual(args.authorizer, log.args.from),
    )
    return {
      from: getAddress(log.args.from),
      to: getAddress(log.args.to),
      value: amount(log.args.value),
      logIndex: log.logIndex,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
      ...(use ? { authNonce: use.args.nonce } : {}),
    }
  })
}

/**
 * The transaction in which the token used this authorization, searched in the blocks since `fromBlock`. Whoever sent
 * it: a transfer that somebody else carried to the chain is the same transfer.
 */
export const findAuthorizationUse = (
  chain: Chain,
  authorization: Pick<TransferAuthorization, 'from' | 'nonce'>,
  fromBlock: bigint,
): Promise<{ txHash: Hex; blockNumber: bigint; logIndex: number } | undefined> =>
  findEvent(chain, 'AuthorizationUsed', { authorization, fromBlock })

/** Where the payer cancelled this authorization: it never can be used. */
export const findCancellation = (
  chain: Chain,
  authorization: Pick<TransferAuthorization, 'from' | 'nonce'>,
  fromBlock: bigint,
): Promise<{ txHash: Hex; blockNumber: bigint; logIndex: number } | undefined> =>
  findEvent(chain, 'AuthorizationCanceled', { authorization, fromBlock })

const findEvent = (
  chain: Chain,
  eventName: 'AuthorizationUsed' | 'AuthorizationCanceled',
  of: { authorization: Pick<TransferAuthorization, 'from' | 'nonce'>; fromBlock: bigint },
) =>
  askChain(async () => {
    const logs = await chain.rpc.getContractEvents({
      address: chain.asset.contract,
      abi: eip3009Abi,
      eventName,
      args: { authorizer: of.authorization.from, nonce: of.authorization.nonce },
      fromBlock: of.fromBlock,
      toBlock: 'latest',
      strict: true,
    })
    const [log] = logs
    return (
      log && {
        txHash: log.transactionHash,
        blockNumber: log.blockNumber,
        logIndex: log.logIndex,
      }
    )
  })

/** Refuses a transaction hash that is not one, and answers it in lower case: one spelling per transaction. */
export function normalHash(hash: string): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new Problem('invalid_transaction', 'tx_hash must be 0x and 64 hex characters.', {
      param: 'tx_hash',
    })
  return hash.toLowerCase() as Hex
}

/** Refuses what is no EVM address, and answers it checksummed. */
export function normalAddress(address: string, param: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new Problem('invalid_address', `${param} must be 0x and 40 hex characters.`, { param })
  return getAddress(address.toLowerCase())
}

/**
 * The address of a person, checksummed. Refuses what is no EVM address, one whose EIP-55 checksum is wrong, which is a
 * typing error, and the chain's own addresses, which nobody holds. Throws `invalid_address`.
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

import { decodeFunctionData } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { checksumAddress } from '../../../base/protocols/evm/checksum.ts'
import { TRANSFER_SELECTOR } from '../../../base/protocols/evm/eip3009/calldata.ts'
import { sizeWord, WORD } from '../../../base/protocols/evm/words.ts'
import type { Chain } from '../../client/chain.ts'
import { MULTICALL3, multicallAbi } from '../../client/multicall.ts'
import { defaultAsset } from '../../client/rails.ts'
import type { SignedAuthorization } from './contract.ts'

/** The call's data: six words, the start of the signature, its length and 65 bytes. */
const OFFSET = sizeWord(7 * 32)
const LENGTH = sizeWord(65)
const CALL_LENGTH = TRANSFER_SELECTOR.length + 8 * WORD + 3 * WORD

type Call = { toAddress: Address; data: Uint8Array }

/** The token whose transfers share transactions. Those of another asset go alone. */
export const batchedToken = (chain: Pick<Chain, 'assets'>): Address => defaultAsset(chain).contract

/**
 * The authorizations that a send hands to our token, in order: it does nothing else. Undefined for any other send.
 */
export function itemsOf(
  chain: Pick<Chain, 'assets'>,
  send: Call,
): SignedAuthorization[] | undefined {
  const data = `0x${Buffer.from(send.data).toString('hex')}` as Hex
  const token = batchedToken(chain)
  if (send.toAddress === token) return listOf(readTransfer(data))
  if (send.toAddress !== MULTICALL3 || data.length < 10) return undefined
  const calls = readCalls(data)
  if (!calls || calls.some(({ target }) => checksumAddress(target) !== token)) return undefined
  const items = calls.map(({ callData }) => readTransfer(callData))
  return items.every((item) => item !== undefined) ? items : undefined
}

const listOf = <T>(item: T | undefined): T[] | undefined =>
  item === undefined ? undefined : [item]

function readCalls(data: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: multicallAbi, data })
    return functionName === 'aggregate3' ? args[0] : undefined
  } catch {
    // Some other call: not ours to take apart.
    return undefined
  }
}

/** Read by hand, as a batch holds a hundred of them and all have one shape. */
function readTransfer(data: Hex): SignedAuthorization | undefined {
  if (!data.startsWith(TRANSFER_SELECTOR) || data.length !== CALL_LENGTH) return undefined
  const word = (n: number): string =>
    data.slice(TRANSFER_SELECTOR.length + n * WORD, TRANSFER_SELECTOR.length + (n + 1) * WORD)
  if (word(6) !== OFFSET || word(7) !== LENGTH) return undefined
  const address = (n: number): Address => checksumAddress(`0x${word(n).slice(24)}`)
  const number = (n: number): bigint => BigInt(`0x${word(n)}`)
  return {
    authorization: {
      from: address(0),
      to: address(1),
      value: number(2),
      validAfter: number(3),
      validBefore: number(4),
      nonce: `0x${word(5)}`,
    },
    signature: `0x${word(8)}${word(9)}${word(10).slice(0, 2)}`,
  }
}

/** keccak256 of `AuthorizationUsed(address,bytes32)` and of `Transfer(address,address,uint256)`. */
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Log = { address: string; topics: readonly string[]; data: string; logIndex: number }

/** The transfers that authorizations made, by payer and nonce. */
export type AuthorizedTransfers = ReadonlyMap<string, Log>

/** Reads a transaction's logs, once for all its items. The token logs the transfer right after the use. */
export function readAuthorized(
  chain: Pick<Chain, 'assets'>,
  logs: readonly Log[],
): AuthorizedTransfers {
  const token = batchedToken(chain).toLowerCase()
  const own = logs.filter((log) => log.address.toLowerCase() === token)
  const transfers = new Map<string, Log>()
  own.forEach((log, i) => {
    const next = own[i + 1]
    if (log.topics[0] === USED && next?.topics[0] === TRANSFERRED)
      transfers.set(`${log.topics[1]}${log.topics[2]}`.toLowerCase(), next)
  })
  return transfers
}

/** The index in the block of the log that is each authorization's transfer; null for one that moved nothing there. */
export const findLanded = (
  transfers: AuthorizedTransfers,
  items: readonly SignedAuthorization[],
): (number | null)[] =>
  items.map(({ authorization: { from, to, value, nonce } }) => {
    const log = transfers.get(`${topicOf(from)}${nonce}`.toLowerCase())
    const isIt =
      log?.topics[1]?.toLowerCase() === topicOf(from) &&
      log.topics[2]?.toLowerCase() === topicOf(to) &&
      BigInt(log.data) === value
    return isIt ? log.logIndex : null
  })

const topicOf = (address: Address): string =>
  `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

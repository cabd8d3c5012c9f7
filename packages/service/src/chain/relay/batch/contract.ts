import {
  encodeFunctionData,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  toFunctionSelector,
} from 'viem'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { eip3009Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import {
  authorizationWords,
  type TransferAuthorization,
} from '../../../base/protocols/evm/eip3009/authorization.ts'
import { parseSignature } from '../../../base/protocols/evm/eip3009/signature.ts'
import {
  addressWord,
  arrayWords,
  bytesWords,
  sizeWord,
  uintWord,
} from '../../../base/protocols/evm/words.ts'

export const batchSettlerAbi = parseAbi([
  'constructor(address pullOperator)',
  'struct Authorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }',
  'struct Pull { address from; address to; uint256 value; bytes32 ref; }',
  'function settle(address token, uint256 gasPerItem, Authorization[] items) returns (uint256 settled)',
  'function pull(address token, uint256 gasPerItem, Pull[] items) returns (uint256 count)',
  'function operator() view returns (address)',
  'function pulled(bytes32 ref) view returns (bool used)',
  'event SettleFailed(uint256 indexed index, address indexed authorizer, bytes32 indexed nonce, bytes reason)',
  'event Pulled(bytes32 indexed ref, address indexed from, address indexed to, address token, uint256 value)',
  'event PullFailed(uint256 indexed index, address indexed from, bytes32 indexed ref, bytes reason)',
  'event Stopped(uint256 index)',
  'error NotOperator()',
  'error NotAToken()',
  'error RefUsed()',
  'error ReturnedFalse()',
  'error ReentrancyGuardReentrantCall()',
])

export type SignedAuthorization = {
  readonly authorization: TransferAuthorization
  /** 65 bytes r, s, v; or what a payer with code verifies, where the token has the `bytes` overload. */
  readonly signature: Hex
}
/** A `transferFrom` that happens at most once for its 32-byte `ref`, for any caller and any other content. */
export type Pull = {
  readonly from: Address
  readonly to: Address
  /** Base units of the token. */
  readonly value: bigint
  readonly ref: Hex
}
/** A transaction to send as it is. Its gas must not be estimated: the least that does not revert tries no item. */
export type BatchCall = { to: Address; data: Hex; gas: bigint }

/** At this size a batch stays below 9 million gas, about half of what one transaction on Base may use. */
export const MOST_ITEMS = 100
/** Enough for USDC behind its proxy and a contract wallet that verifies a passkey; more than twice a plain payment. */
const GAS_PER_ITEM = 150_000n
/** Gas of an item and its calldata if payer and payee are new to the token: 15 % above the highest measured. */
const GAS_EXPECTED = { settle: 80_000n, pull: 75_000n } as const
/** The transaction itself, the contract's reserve for an item, and the memory of a full batch. */
const GAS_OF_BATCH = 110_000n
const MOST_SIGNATURE_BYTES = 2_048

/** `settle(address token, uint256 gasPerItem, Authorization[] items)`, whose items start after three words. */
const SETTLE = toFunctionSelector(
  'settle(address,uint256,(address,address,uint256,uint256,uint256,bytes32,bytes)[])',
)
const ITEMS_START = sizeWord(3 * 32)
/** An item's signature starts after the six words of its authorization and this one. */
const SIGNATURE_START = sizeWord(7 * 32)

/** Submits the authorizations in one transaction, by anyone. One that fails stops no other. 1 to 100 of them. */
export function settleCall(
  settler: Address,
  token: Address,
  items: readonly SignedAuthorization[],
  gasPerItem = GAS_PER_ITEM,
): BatchCall {
  const values = items.map(
    ({ authorization, signature }) =>
      authorizationWords(authorization) + SIGNATURE_START + bytesWords(normalize(signature)),
  )
  const data: Hex = `${SETTLE}${addressWord(token)}${uintWord(gasPerItem)}${ITEMS_START}${arrayWords(values)}`
  return { to: settler, data, gas: gasOf(items.length, GAS_EXPECTED.settle, gasPerItem) }
}

/** Spends allowances given to the settler, each reference once. Only its operator may send it. 1 to 100 of them. */
export function pullCall(
  settler: Address,
  token: Address,
  items: readonly Pull[],
  gasPerItem = GAS_PER_ITEM,
): BatchCall {
  const data = encodeFunctionData({
    abi: batchSettlerAbi,
    functionName: 'pull',
    args: [token, gasPerItem, items],
  })
  return { to: settler, data, gas: gasOf(items.length, GAS_EXPECTED.pull, gasPerItem) }
}

function gasOf(count: number, expected: bigint, gasPerItem: bigint): bigint {
  assert(count > 0 && count <= MOST_ITEMS, `a batch has 1 to ${MOST_ITEMS} items, not ${count}`)
  return GAS_OF_BATCH + BigInt(count) * expected + gasPerItem + gasPerItem / 63n
}

/** The token wants v as 27 or 28; wallets also write 0 or 1. */
function normalize(signature: Hex): Hex {
  assert(signature.length <= 2 + 2 * MOST_SIGNATURE_BYTES, 'a signature of at most 2 KiB')
  const parsed = parseSignature(signature)
  return parsed ? `${parsed.r}${parsed.s.slice(2)}${parsed.v.toString(16)}` : signature
}

/** How one item of a batch ended. Only `settled` is final: what failed or was not tried may still be settled by others. */
export type ItemResult =
  | { state: 'settled' }
  /** `reason` is the token's own words where it gave any: outside text, of at most 200 printable characters. */
  | { state: 'failed'; reason: string }
  /** The transaction's gas did not reach for it, or the whole transaction was reverted. */
  | { state: 'not_tried' }

/** The part of a transaction's receipt that tells what it did. */
export type BatchReceipt = Pick<TransactionReceipt, 'status' | 'logs'>
type Parties = { settler: Address; token: Address }

const NO_EVENT = 'the token took the call, but did not record it'

/** The result of each authorization, in the batch's order, from the logs of `settleCall`'s transaction. */
export function readSettled(
  receipt: BatchReceipt,
  { settler, token }: Parties,
  items: readonly SignedAuthorization[],
): ItemResult[] {
  const used = new Set<string>()
  for (const { args } of parseEventLogs({
    abi: eip3009Abi,
    eventName: 'AuthorizationUsed',
    logs: logsOf(token, receipt),
  }))
    used.add(authorizationKey(args))
  const failed = readFailures(receipt, settler)
  return items.map(({ authorization }, index) => {
    const key = authorizationKey({ authorizer: authorization.from, nonce: authorization.nonce })
    return failed(index) ?? (used.has(key) ? { state: 'settled' } : noEvent())
  })
}

/** The result of each pull, in the batch's order, from the logs of `pullCall`'s transaction. */
export function readPulled(
  receipt: BatchReceipt,
  { settler }: Pick<Parties, 'settler'>,
  items: readonly Pull[],
): ItemResult[] {
  const done = new Set<string>()
  for (const { args } of parseEventLogs({
    abi: batchSettlerAbi,
    eventName: 'Pulled',
    logs: logsOf(settler, receipt),
  }))
    done.add(args.ref.toLowerCase())
  const failed = readFailures(receipt, settler)
  return items.map(
    ({ ref }, index) =>
      failed(index) ?? (done.has(ref.toLowerCase()) ? { state: 'settled' } : noEvent()),
  )
}

const noEvent = (): ItemResult => ({ state: 'failed', reason: NO_EVENT })

/** Items are identified by their index: the same authorization twice in a batch settles once and fails once. */
function readFailures(receipt: BatchReceipt, settler: Address) {
  const reasons = new Map<bigint, string>()
  let stoppedAt = receipt.status === 'reverted' ? 0n : undefined
  for (const event of parseEventLogs({ abi: batchSettlerAbi, logs: logsOf(settler, receipt) })) {
    if (event.eventName === 'SettleFailed' || event.eventName === 'PullFailed')
      reasons.set(event.args.index, readReason(event.args.reason))
    if (event.eventName === 'Stopped') stoppedAt = event.args.index
  }
  return (index: number): ItemResult | undefined => {
    const reason = reasons.get(BigInt(index))
    if (reason !== undefined) return { state: 'failed', reason }
    return stoppedAt !== undefined && BigInt(index) >= stoppedAt
      ? { state: 'not_tried' }
      : undefined
  }
}

const authorizationKey = (of: { authorizer: Address; nonce: Hex }): string =>
  `${of.authorizer}:${of.nonce}`.toLowerCase()

/** A token may emit what it likes, also the other's events: only what came from the address itself counts. */
const logsOf = (address: Address, receipt: BatchReceipt) =>
  receipt.logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())

/** Errors without text of their own: ours, OpenZeppelin's (ERC-6093), the compiler's. */
const WORDS = new Map(
  Object.entries({
    'RefUsed()': 'the reference has moved money before',
    'ReturnedFalse()': 'the token answered false',
    'ERC20InsufficientBalance(address,uint256,uint256)': 'the payer holds too little',
    'ERC20InsufficientAllowance(address,uint256,uint256)': 'the payer has not allowed that much',
    'ERC20InvalidReceiver(address)': 'the token refuses the payee',
    'EnforcedPause()': 'the token is paused',
    'Panic(uint256)': 'the token panicked, which is a fault of its own',
  }).map(([error, words]) => [toFunctionSelector(error), words]),
)
/** `Error(string)`: its selector, then an offset and a length of one word each. */
const ERROR_STRING = '0x08c379a0'
const STRING_STARTS = 4 + 32 + 32
const MOST_CHARACTERS = 200

function readReason(data: Hex): string {
  const selector = data.slice(0, 10)
  const words = WORDS.get(selector as Hex)
  if (words) return words
  // Read by hand, because the settler cuts a long answer short and a decoder would refuse what is left.
  const text = selector === ERROR_STRING && readString(Buffer.from(data.slice(2), 'hex'))
  if (text) return text
  return data.length < 10 || text === ''
    ? 'it ran out of its gas, or was reverted without a reason'
    : `the error ${selector}, which has no words here`
}

function readString(bytes: Buffer): string {
  if (bytes.length < STRING_STARTS) return ''
  const length = bytes.readUInt32BE(STRING_STARTS - 4)
  const text = bytes.subarray(STRING_STARTS, STRING_STARTS + length).toString('utf8')
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, MOST_CHARACTERS)
}

import {
  BaseError,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  HttpRequestError,
  isAddressEqual,
  keccak256,
  type Log,
  parseEventLogs,
  TimeoutError,
  zeroAddress,
} from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { askChain, type Chain } from '../chain.ts'
import { readLatest } from '../read-latest.ts'
import { balanceData, type Override, readTokenBalance, tokenAbi, wordOf } from './calls.ts'

/** The result of a simulated transfer of the token. */
export type TokenTrial = { holderFrom: HolderFrom } & (
  | { outcome: 'passed'; passesPermit2: boolean }
  /** Less or more arrived than was sent. */
  | { outcome: 'changed'; sent: bigint; arrived: bigint }
  /** `logging`: the transfer was made, but no log shows it. */
  | { outcome: 'failed'; at: 'transfer' | 'logging' | 'passing on' }
)
/** The source of the tokens in the trial: a real holder from the logs, or a balance written into storage. */
export type HolderFrom = 'logs' | 'storage'
type Holder = { address: Address; balance: bigint; from: HolderFrom; override?: Override }

/** An honest token's transfer takes a tenth of this. */
const STEP_GAS = 1_000_000n
/** The number of holders to try before giving up: the token may block one of them. */
const HOLDERS_MAX = 3

/**
 * Simulates three transfers of the token: from a holder to a stranger, on to a second stranger, and back by Permit2.
 * All run at the newest block, in one question. Undefined if no holder could be found. Throws `chain_unavailable`.
 */
export async function tryToken(
  chain: Chain,
  token: Address,
  decimals: number,
): Promise<TokenTrial | undefined> {
  const found = await findHolders(chain, token)
  const holders = found.length > 0 ? found : await makeHolder(chain, token, decimals)
  let last: TokenTrial | undefined
  for (const holder of holders) {
    last = await tryFrom(chain, { token, decimals, holder })
    // A failure may concern this holder alone; a fee belongs to the token.
    if (last.outcome !== 'failed') return last
  }
  return last
}

const transfer = (to: Address, value: bigint) =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, value] })

async function tryFrom(
  chain: Chain,
  { token, decimals, holder }: { token: Address; decimals: number; holder: Holder },
): Promise<TokenTrial> {
  const [a, b] = [getAddress(randomHex(20)), getAddress(randomHex(20))]
  const sent = least(holder.balance, trialValue(decimals))
  const call = (account: Address, data: Hex) => ({ account, to: token, data, gas: STEP_GAS })
  const approve = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'approve',
    args: [PERMIT2, sent],
  })
  const pull = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transferFrom',
    args: [b, a, sent],
  })
  const calls = [
    call(holder.address, transfer(a, sent)),
    call(a, balanceData(a)),
    call(holder.address, balanceData(holder.address)),
    call(a, transfer(b, sent)),
    call(a, balanceData(b)),
    call(b, approve),
    call(PERMIT2, pull),
    call(a, balanceData(a)),
  ]
  const stateOverrides = holder.override
    ? [{ address: token, stateDiff: [holder.override] }]
    : undefined
  const answers = await askChain(async () => {
    const [block] = await chain.rpc.simulateBlocks({
      blocks: [{ calls, ...(stateOverrides ? { stateOverrides } : {}) }],
    })
    return block?.calls ?? []
  })
  const data = answers.map((answer) => (answer.status === 'success' ? answer.data : undefined))
  const judged = judge(data, { sent, before: holder.balance })
  const isSilent = judged.outcome === 'passed' && !tells(answers[0]?.logs, { token, to: a, sent })
  const reported: Judged = isSilent ? { outcome: 'failed', at: 'logging' } : judged
  return { holderFrom: holder.from, ...reported }
}

type Judged = TokenTrial extends infer T
  ? T extends unknown
    ? Omit<T, 'holderFrom'>
    : never
  : never

function judge(
  answers: readonly (Hex | undefined)[],
  { sent, before }: { sent: bigint; before: bigint },
): Judged {
  const [first, atA, left, second, atB, approved, pulled, backAtA] = answers
  if (!isDone(first)) return { outcome: 'failed', at: 'transfer' }
  const arrived = wordOf(atA) ?? 0n
  if (arrived !== sent) return { outcome: 'changed', sent, arrived }
  const gone = before - (wordOf(left) ?? 0n)
  if (gone !== sent) return { outcome: 'changed', sent: gone, arrived }
  if (!isDone(second)) return { outcome: 'failed', at: 'passing on' }
  const passed = wordOf(atB) ?? 0n
  if (passed !== sent) return { outcome: 'changed', sent, arrived: passed }
  const passesPermit2 = isDone(approved) && isDone(pulled) && wordOf(backAtA) === sent
  return { outcome: 'passed', passesPermit2 }
}

/** Whether one of the token's logs shows the transfer. We recognize payments by that log alone. */
const tells = (
  logs: readonly Log[] | undefined,
  { token, to, sent }: { token: Address; to: Address; sent: bigint },
): boolean =>
  parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs: [...(logs ?? [])] }).some(
    ({ address, args }) =>
      isAddressEqual(address, token) && isAddressEqual(args.to, to) && args.value === sent,
  )

/** A token answers true, or nothing at all, as the first tokens did. */
const isDone = (data: Hex | undefined): boolean => data === '0x' || wordOf(data) === 1n

/** One whole token, but at least enough to show a fee of a hundredth of a percent. */
const trialValue = (decimals: number): bigint =>
  10n ** BigInt(decimals) > 10_000n ? 10n ** BigInt(decimals) : 10_000n

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * The blocks to search for holders, from the newest backwards. The first range is short, as a busy token has thousands
 * of logs.
 */
const LOOKS = [20n, 200n, 2_000n, 2_000n, 2_000n]
const CANDIDATES_MAX = 20

/** Accounts that received the token lately and still have some. */
async function findHolders(chain: Chain, token: Address): Promise<Holder[]> {
  let { number: toBlock } = await readLatest(chain)
  for (const blocks of LOOKS) {
    const fromBlock = toBlock >= blocks ? toBlock - blocks + 1n : 0n
    const receivers = await findReceivers(chain, token, { fromBlock, toBlock })
    if (!receivers) break
    const balances = await Promise.all(
      receivers.map((address) => readTokenBalance(chain, token, address)),
    )
    const holders = receivers.flatMap((address, i): Holder[] => {
      const balance = balances[i] ?? 0n
      return balance > 0n ? [{ address, balance, from: 'logs' }] : []
    })
    if (holders.length > 0)
      return holders.sort((x, y) => (x.balance > y.balance ? -1 : 1)).slice(0, HOLDERS_MAX)
    if (fromBlock === 0n) break
    toBlock = fromBlock - 1n
  }
  return []
}

/** Undefined if the node refuses so many blocks or logs. */
async function findReceivers(
  { rpc }: Chain,
  token: Address,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<Address[] | undefined> {
  const ask = { address: token, abi: tokenAbi, eventName: 'Transfer', strict: true } as const
  const logs = await askChain(async () => {
    try {
      return await rpc.getContractEvents({ ...ask, ...range })
    } catch (error) {
      const isSilent = (e: unknown) => e instanceof HttpRequestError || e instanceof TimeoutError
      if (!(error instanceof BaseError) || error.walk(isSilent)) throw error
      return undefined
    }
  })
  const receivers = logs?.reverse().map(({ args }) => getAddress(args.to))
  return (
    receivers && [...new Set(receivers)].filter((to) => to !== zeroAddress).slice(0, CANDIDATES_MAX)
  )
}

/** The slot where OpenZeppelin's upgradeable tokens keep their balances (ERC-7201). */
const ERC20_STORAGE = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const MAPPING_SLOTS = [...Array.from({ length: 13 }, (_, i) => BigInt(i)), ERC20_STORAGE]

/**
 * A stranger with a made-up balance. Searches for the storage word that the token answers as that stranger's balance.
 */
async function makeHolder(chain: Chain, token: Address, decimals: number): Promise<Holder[]> {
  const address = getAddress(randomHex(20))
  const balance = trialValue(decimals)
  const value = encodeAbiParameters([{ type: 'uint256' }], [balance])
  const overrides = MAPPING_SLOTS.flatMap((slot) => [
    { slot: mappingSlot(['address', 'uint256'], [address, slot]), value },
    { slot: mappingSlot(['uint256', 'address'], [slot, address]), value },
  ])
  const shown = await Promise.all(
    overrides.map((override) => readTokenBalance(chain, token, address, override)),
  )
  const at = shown.indexOf(balance)
  const override = overrides[at]
  return override ? [{ address, balance, from: 'storage', override }] : []
}

const mappingSlot = (types: [string, string], values: [unknown, unknown]): Hex =>
  keccak256(encodeAbiParameters([{ type: types[0] }, { type: types[1] }], values))

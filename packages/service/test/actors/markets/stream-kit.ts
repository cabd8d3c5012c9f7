import {
  type Abi,
  type Address,
  createTestClient,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  http,
} from 'viem'
import { type Lockup, lockupsOf } from '../../../src/chain/client/markets/lockups.ts'
import { callsTogether, MULTICALL3 } from '../../../src/chain/client/multicall.ts'
import type { World } from '../../world.ts'

/** Writes a log of its call data: the topics, then the data. Any contract can write any event. */
const LOGS_TWO_TOPICS: Hex = '0x604036038060405f376020355f35825fa200'
const LOGS_FOUR_TOPICS: Hex = '0x608036038060805f376060356040356020355f35845fa400'

export type StreamTerms = {
  streamId: bigint
  funder: Address
  sender: Address
  recipient: Address
  token: Address
  deposit: bigint
  cancelable?: boolean
  transferable?: boolean
  seconds: number
  /** Unix seconds; in the future without it. */
  starts?: number
  /** Free at the start. */
  unlocked?: bigint
}

/** The lockups of the chain but for ours: nothing is there on the development chain, until `placeEmitters`. */
export const sabliers = (w: World): readonly Lockup[] =>
  lockupsOf(w.chain.chainId).filter(({ alias }) => alias !== null)

/** Puts a contract that logs its call data at an address. */
export async function placeEmitter(w: World, lockup: Pick<Lockup, 'address' | 'alias'>) {
  const anvil = createTestClient({ mode: 'anvil', transport: http(w.rpcUrl) })
  const bytecode = lockup.alias === 'LL3' ? LOGS_FOUR_TOPICS : LOGS_TWO_TOPICS
  await anvil.setCode({ address: lockup.address, bytecode })
}

/** The call data that lets an emitter log this stream as the lockup would. */
export function creationLog(
  { abi, alias }: Pick<Lockup, 'abi' | 'alias'>,
  terms: StreamTerms,
): Hex {
  const args = argsOf(alias, terms)
  const eventName = 'CreateLockupLinearStream'
  const topics = encodeEventTopics({ abi: abi as Abi, eventName, args } as never)
  const event = (abi as Abi).find((item) => item.type === 'event') as unknown as {
    inputs: { name: string; indexed?: boolean }[]
  }
  const rest = event.inputs.filter(({ indexed }) => !indexed)
  const values = rest.map(({ name }) => (args as Record<string, unknown>)[name])
  const data = encodeAbiParameters(rest as never, values as never)
  return `0x${[...topics, data].map((part) => String(part).slice(2)).join('')}`
}

function argsOf(alias: string | null, terms: StreamTerms) {
  const { streamId, funder, sender, recipient, token, deposit, seconds, unlocked = 0n } = terms
  const flags = {
    cancelable: terms.cancelable ?? false,
    transferable: terms.transferable ?? false,
  }
  const start = terms.starts ?? 1_800_000_000
  const timestamps = { start, cliff: 0, end: start + seconds }
  const amounts = { deposit, brokerFee: 0n }
  const broker = '0x0000000000000000000000000000000000000000'
  const shared = { funder, sender, recipient, token, ...flags, timestamps }
  if (alias === 'LL3') return { streamId, ...shared, amounts, broker }
  return {
    streamId,
    commonParams: { ...shared, amounts, broker, depositAmount: deposit, shape: 'linear' },
    cliffTime: 0,
    granularity: 1,
    unlockAmounts: { start: unlocked, cliff: 0n },
  }
}

/** Several logs in one transaction. */
export const logTogether = (logs: readonly { lockup: Pick<Lockup, 'address'>; data: Hex }[]) => ({
  to: MULTICALL3,
  data: callsTogether(logs.map(({ lockup, data }) => ({ target: lockup.address, callData: data }))),
})

import { formatTransaction, getAddress, type Log, type TransactionReceipt } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { findReceipt } from '../reads.ts'
import { type Decoded, decodeEvent } from './events.ts'

export type ShownLog = {
  index: number
  address: Address
  event: Decoded | undefined
  raw: string[]
}
export type ShownTransaction = {
  hash: Hex
  from: Address
  /** Null for one that deploys a contract. */
  to: Address | null
  wei: bigint
  /** The first four bytes of its data, which name the function; empty without data. */
  selector: string
  /** Null while no block holds it. */
  mined: {
    succeeded: boolean
    blockNumber: bigint
    at: Date
    gasUsed: bigint
    created: Address | null
    logs: ShownLog[]
    logCount: number
  } | null
}

/** A transaction may log ten thousand times. */
const LOGS_SHOWN = 100
const RAW_SHOWN = 200

/** The transaction and its first hundred logs; undefined if the chain does not know it. Throws `chain_unavailable`. */
export const readShownTransaction = (
  chain: Chain,
  hash: Hex,
): Promise<ShownTransaction | undefined> =>
  askChain(async () => {
    const found = await chain.rpc.request({ method: 'eth_getTransactionByHash', params: [hash] })
    if (!found) return undefined
    const { from, to, value, input } = formatTransaction(found)
    const receipt = await findReceipt(chain, hash)
    return {
      hash,
      from: getAddress(from),
      to: to ? getAddress(to) : null,
      wei: value,
      selector: input === '0x' ? '' : input.slice(0, 10),
      mined: receipt ? await readMined(chain, receipt) : null,
    }
  })

async function readMined(chain: Chain, receipt: TransactionReceipt) {
  const { blockNumber, status, gasUsed, contractAddress, logs } = receipt
  const block = await chain.rpc.getBlock({ blockNumber })
  return {
    succeeded: status === 'success',
    blockNumber,
    at: new Date(Number(block.timestamp) * 1000),
    gasUsed,
    created: contractAddress ? getAddress(contractAddress) : null,
    logs: logs.slice(0, LOGS_SHOWN).map(showLog),
    logCount: logs.length,
  }
}

const showLog = (log: Log): ShownLog => ({
  index: Number(log.logIndex),
  address: getAddress(log.address),
  event: decodeEvent(log),
  raw: [...log.topics, log.data].map((text) =>
    text.length > RAW_SHOWN ? `${text.slice(0, RAW_SHOWN)}…` : text,
  ),
})

import { encodeDeployData, getAddress, parseAbi } from 'viem'
import wordReader from '../../../../../../contracts/build/WordReader.json' with { type: 'json' }
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'

const ABI = parseAbi([
  'struct Read { address target; bytes data; }',
  'constructor(uint256 gasPerRead, Read[] reads)',
])
/** A balance costs up to 40,000 of gas, behind a proxy and with its account untouched. */
const GAS_PER_READ = 100_000n
/** The encoding, and the sixty-fourth of the gas that the reader keeps for itself. */
const GAS_BESIDE_READ = 8_000n
const GAS_TO_START = 1_000_000n
/** Nodes refuse code of more than 49,152 bytes; a read takes 192 of them. 18 million of gas is below every node's limit. */
const MOST_AT_ONCE = 150

type BlockTag = 'latest' | 'safe'
export type WordRead = { target: Address; data: Hex }

/**
 * Reads one word from each of these contracts at the newest block, or at the newest safe one: 150 reads in one call. Undefined where the contract did
 * not answer with exactly one word, or took too much gas. A contract spoils no read but its own. Throws
 * `chain_unavailable`.
 */
export async function readWords(
  chain: Pick<Chain, 'rpc'>,
  reads: readonly WordRead[],
  blockTag: BlockTag = 'latest',
): Promise<(bigint | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(reads.length / MOST_AT_ONCE) }, (_, i) =>
    reads.slice(i * MOST_AT_ONCE, (i + 1) * MOST_AT_ONCE),
  )
  return (await Promise.all(chunks.map((chunk) => readChunk(chain, chunk, blockTag)))).flat()
}

const readChunk = ({ rpc }: Pick<Chain, 'rpc'>, reads: readonly WordRead[], blockTag: BlockTag) =>
  askChain(async () => {
    const data = encodeDeployData({
      abi: ABI,
      bytecode: wordReader.bytecode as Hex,
      args: [GAS_PER_READ, reads],
    })
    const gas = GAS_TO_START + BigInt(reads.length) * (GAS_PER_READ + GAS_BESIDE_READ)
    const { data: answer = '0x' } = await rpc.call({ data, gas, blockTag })
    if (answer.length !== 2 + reads.length * 128)
      throw new Error('The node did not run the reader of words.')
    return reads.map((_, i) => wordAt(answer, i))
  })

/** The address in a word that was read. */
export const addressOf = (word: bigint): Address =>
  getAddress(`0x${word.toString(16).padStart(40, '0')}`)

function wordAt(answer: Hex, i: number): bigint | undefined {
  const start = 2 + i * 128
  const isDone = BigInt(`0x${answer.slice(start, start + 64)}`) === 1n
  return isDone ? BigInt(`0x${answer.slice(start + 64, start + 128)}`) : undefined
}

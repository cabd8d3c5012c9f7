import type { Address, Hex } from '../../base/kernel/assets.ts'
import {
  addressWord,
  arrayWords,
  bytesWords,
  sizeAt,
  sizeWord,
  uintWord,
  WORD,
} from '../../base/protocols/evm/words.ts'

/** Multicall3 is deployed at this address on every chain. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** `getBlockNumber()` of Multicall3. */
export const GET_BLOCK_NUMBER: Hex = '0x42cbb15c'
/** `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const AGGREGATE = '0x82ad56cb'

export const multicallAbi = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [
      {
        name: 'results',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
] as const

/** One of several calls in a transaction. The transaction reverts if one that `isNeeded` fails. */
export type OneCall = { target: Address; callData: Hex; isNeeded?: true }

/** How one of the calls ended, and what it returned or reverted with. */
export type CallResult = { success: boolean; returnData: Hex }

/** Several calls in one transaction, in order. Each may fail alone; the logs show which one did what. */
export const callsTogether = (calls: readonly OneCall[]): Hex =>
  `${AGGREGATE}${sizeWord(32)}${arrayWords(calls.map(callWords))}`

/** Its bytes start after three words. */
const callWords = ({ target, callData, isNeeded }: OneCall): string =>
  addressWord(target) + uintWord(isNeeded ? 0n : 1n) + sizeWord(3 * 32) + bytesWords(callData)

/** As `callsTogether`, but all calls go to one contract. */
export const independentCalls = (target: Address, calls: readonly Hex[]): Hex =>
  callsTogether(calls.map((callData) => ({ target, callData })))

/** The results of the calls of `callsTogether`, in order. Throws if the answer is not Multicall3's. */
export function readResults(answer: Hex | undefined, count: number): CallResult[] {
  if (!answer || sizeAt(answer, ARRAY_STARTS) !== count) throw new Error(NOT_RESULTS)
  const first = ARRAY_STARTS + WORD
  return Array.from({ length: count }, (_, i) => {
    const result = first + 2 * sizeAt(answer, first + i * WORD)
    const bytes = result + 2 * sizeAt(answer, result + WORD)
    const length = 2 * sizeAt(answer, bytes)
    const returnData = answer.slice(bytes + WORD, bytes + WORD + length)
    if (returnData.length !== length) throw new Error(NOT_RESULTS)
    return { success: sizeAt(answer, result) === 1, returnData: `0x${returnData}` }
  })
}

/** The offset after `0x` and the word with the start of the array. */
const ARRAY_STARTS = 2 + WORD
const NOT_RESULTS = 'The node did not answer with the results of Multicall3.'

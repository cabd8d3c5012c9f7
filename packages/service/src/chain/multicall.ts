import { encodeFunctionData } from 'viem'
import type { Address, Hex } from '../kernel/assets.ts'

/** Multicall3 is deployed at this address on every chain. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

export const multicallAbi = [
  {
    type: 'function',
    name: 'getBlockNumber',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'blockNumber', type: 'uint256' }],
  },
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

/** Several calls in one transaction, in order. Each may fail alone; the logs show which one did what. */
export const callsTogether = (calls: readonly OneCall[]): Hex =>
  encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [calls.map(({ isNeeded, ...call }) => ({ ...call, allowFailure: isNeeded !== true }))],
  })

/** As `callsTogether`, but all calls go to one contract. */
export const independentCalls = (target: Address, calls: readonly Hex[]): Hex =>
  callsTogether(calls.map((callData) => ({ target, callData })))

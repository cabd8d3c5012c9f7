import fc from 'fast-check'
import { decodeFunctionResult, encodeFunctionData, encodeFunctionResult, getAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  callsTogether,
  GET_BLOCK_NUMBER,
  multicallAbi,
  readResults,
} from '../../../chain/client/multicall.ts'
import { batchSettlerAbi, settleCall } from '../../../chain/relay/batch/contract.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { checksumAddress } from './checksum.ts'
import { transferWithBytesAbi } from './eip3009/abi.ts'
import { transferBySignerContractData } from './eip3009/calldata.ts'

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const bytes = fc.uint8Array({ maxLength: 300 }).map(hex)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((it) => getAddress(hex(it)))
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const nonce = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex)
const authorization = fc.record({
  from: address,
  to: address,
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce,
})

test('an address is spelled as the general library spells it, however it was written', () => {
  fc.assert(
    fc.property(address, (given: Address) => {
      expect(checksumAddress(given.toLowerCase())).toBe(given)
      expect(checksumAddress(`0x${given.slice(2).toUpperCase()}`)).toBe(given)
    }),
  )
})

test('a call of the token is what the general encoder writes', () => {
  fc.assert(
    fc.property(authorization, bytes, (a, signature) => {
      const args = [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature] as const
      expect(transferBySignerContractData(a, signature)).toBe(
        encodeFunctionData({ abi: transferWithBytesAbi, args }),
      )
    }),
  )
})

test('a batch of authorizations is what the general encoder writes', () => {
  const items = fc.array(fc.record({ authorization, signature: bytes }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(address, address, items, uint, (settler, token, batch, gas) => {
      const args = batch.map((item) => ({ ...item.authorization, signature: item.signature }))
      expect(settleCall(settler, token, batch, gas).data).toBe(
        encodeFunctionData({
          abi: batchSettlerAbi,
          functionName: 'settle',
          args: [token, gas, args],
        }),
      )
    }),
  )
})

test('calls that share a question are what the general encoder writes', () => {
  const call = fc.record({
    target: address,
    callData: bytes,
    isNeeded: fc.constantFrom(true, undefined),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
      const args = calls.map(({ target, callData, isNeeded }) => ({
        target,
        callData,
        allowFailure: !isNeeded,
      }))
      expect(
        callsTogether(calls.map(({ isNeeded, ...one }) => (isNeeded ? { ...one, isNeeded } : one))),
      ).toBe(encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [args] }))
    }),
  )
  expect(GET_BLOCK_NUMBER).toBe(
    encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'getBlockNumber',
          inputs: [],
          outputs: [],
          stateMutability: 'view',
        },
      ],
    }),
  )
})

test('the results of calls are what the general decoder reads, and nothing is read out of a part of them', () => {
  const result = fc.record({ success: fc.boolean(), returnData: bytes })
  fc.assert(
    fc.property(fc.array(result, { maxLength: 20 }), fc.nat(), (results, cut) => {
      const data = encodeFunctionResult({
        abi: multicallAbi,
        functionName: 'aggregate3',
        result: results,
      })
      expect(decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data })).toEqual(
        results,
      )
      expect(readResults(data, results.length)).toEqual(results)
      expect(() => readResults(data, results.length + 1)).toThrow('results of Multicall3')
      // The last word may be the zeros that fill it up.
      const part = data.slice(0, Math.min(cut, data.length - 64)) as Hex
      if (results.length > 0) expect(() => readResults(part, results.length)).toThrow()
    }),
  )
  for (const none of [undefined, '0x', '0x00'] as const)
    expect(() => readResults(none, 1)).toThrow('results of Multicall3')
})

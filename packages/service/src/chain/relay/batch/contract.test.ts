import {
  concatHex,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  type Hex,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import artifact from '../../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import { randomHex } from '../../../base/kernel/secrets.ts'
import { eip3009Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import {
  type BatchReceipt,
  batchSettlerAbi,
  MOST_ITEMS,
  type Pull,
  pullCall,
  readPulled,
  readSettled,
  type SignedAuthorization,
  settleCall,
} from './contract.ts'

const settler = getAddress(randomHex(20))
const token = getAddress(randomHex(20))
const parties = { settler, token }

const item = (): SignedAuthorization => ({
  authorization: {
    from: getAddress(randomHex(20)),
    to: getAddress(randomHex(20)),
    value: 1n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: randomHex(32),
  },
  signature: `0x${'11'.repeat(64)}1b`,
})
const pull = (): Pull => ({
  from: getAddress(randomHex(20)),
  to: getAddress(randomHex(20)),
  value: 1n,
  ref: randomHex(32),
})

type Log = BatchReceipt['logs'][number]
const log = (address: Hex, topics: unknown, data: Hex = '0x'): Log =>
  ({ address, topics, data }) as Log
const receipt = (...logs: Log[]): BatchReceipt => ({ status: 'success', logs })

const usedLog = ({ authorization: { from, nonce } }: SignedAuthorization, by: Hex = token) =>
  log(
    by,
    encodeEventTopics({
      abi: eip3009Abi,
      eventName: 'AuthorizationUsed',
      args: { authorizer: from, nonce },
    }),
  )
const failedLog = (index: number, reason: Hex, by: Hex = settler) =>
  log(
    by,
    encodeEventTopics({
      abi: batchSettlerAbi,
      eventName: 'SettleFailed',
      args: { index: BigInt(index), authorizer: token, nonce: randomHex(32) },
    }),
    encodeAbiParameters([{ type: 'bytes' }], [reason]),
  )
const stoppedLog = (index: number) =>
  log(
    settler,
    encodeEventTopics({ abi: batchSettlerAbi, eventName: 'Stopped' }),
    encodeAbiParameters([{ type: 'uint256' }], [BigInt(index)]),
  )

type Parameter = { name?: string; type: string; indexed?: boolean; components?: Parameter[] }
type Item = {
  type: string
  name?: string
  stateMutability?: string
  inputs?: Parameter[]
  outputs?: Parameter[]
}

test('the ABI is the one that the compiler wrote', () => {
  const said = (list: Parameter[] = []): string =>
    `(${list.map((one) => `${one.type} ${one.indexed ? 'indexed ' : ''}${one.name ?? ''}${one.components ? said(one.components) : ''}`).join(', ')})`
  const lines = (abi: unknown) =>
    (abi as Item[])
      .map(({ type, name, stateMutability, inputs, outputs }) =>
        [type, name, stateMutability, said(inputs), said(outputs)].join(' '),
      )
      .sort()
  expect(lines(batchSettlerAbi)).toEqual(lines(artifact.abi))
})

describe('a call', () => {
  test('asks for gas for its items, and below what one transaction may use', () => {
    expect(settleCall(settler, token, [item()])).toMatchObject({ to: settler, gas: 342_380n })
    const full = Array.from({ length: MOST_ITEMS }, item)
    expect(settleCall(settler, token, full).gas).toBe(8_262_380n)
    expect(pullCall(settler, token, Array.from({ length: MOST_ITEMS }, pull)).gas).toBe(7_762_380n)
    expect(settleCall(settler, token, full, 630_000n).gas).toBe(8_750_000n)
  })

  test('of no items or too many is a bug', () => {
    const tooMany = Array.from({ length: MOST_ITEMS + 1 }, item)
    for (const items of [[], tooMany])
      expect(() => settleCall(settler, token, items)).toThrow(/1 to 100 items/)
  })
})

describe('the results of a batch', () => {
  test('are read by place, from the events of the token and the settler alone', () => {
    const items = [item(), item(), item(), item()]
    const [good, bad, forged, silent] = items as [
      SignedAuthorization,
      SignedAuthorization,
      SignedAuthorization,
      SignedAuthorization,
    ]
    const elsewhere = randomHex(20)
    const logs = [
      log(token, []),
      log(token, [randomHex(32)], '0x1234'),
      usedLog(good),
      usedLog(bad),
      failedLog(1, encodeErrorResult({ abi: ERROR, args: ['no money'] })),
      usedLog(forged, elsewhere),
      failedLog(0, '0x', elsewhere),
      usedLog({ ...silent, authorization: { ...silent.authorization, nonce: randomHex(32) } }),
    ]
    const unrecorded = { state: 'failed', reason: 'the token took the call, but did not record it' }
    expect(readSettled(receipt(...logs), parties, items)).toEqual([
      { state: 'settled' },
      { state: 'failed', reason: 'no money' },
      unrecorded,
      unrecorded,
    ])
  })

  test('of a reverted transaction, or beyond the gas, are that nothing was tried', () => {
    const items = [item(), item(), item()]
    const notTried = { state: 'not_tried' }
    const reverted: BatchReceipt = { status: 'reverted', logs: [] }
    expect(readSettled(reverted, parties, items)).toEqual([notTried, notTried, notTried])
    expect(readPulled(reverted, parties, [pull()])).toEqual([notTried])
    const stopped = receipt(usedLog(items[0]!), stoppedLog(1))
    expect(readSettled(stopped, parties, items)).toEqual([{ state: 'settled' }, notTried, notTried])
  })

  test('of pulls are read by reference', () => {
    const items = [pull(), pull()]
    const { ref, from, to } = items[0]!
    const topics = encodeEventTopics({
      abi: batchSettlerAbi,
      eventName: 'Pulled',
      args: { ref, from, to },
    })
    const data = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [token, 1n])
    const results = readPulled(receipt(log(settler, topics, data)), parties, items)
    expect(results.map(({ state }) => state)).toEqual(['settled', 'failed'])
  })
})

const ERROR = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
] as const

test('a reason is said in words, whatever the token answered', () => {
  const text = (message: string) => encodeErrorResult({ abi: ERROR, args: [message] })
  const reasons: [Hex, string][] = [
    ['0x', 'it ran out of its gas, or was reverted without a reason'],
    ['0x08c379', 'it ran out of its gas, or was reverted without a reason'],
    ['0x08c379a0', 'it ran out of its gas, or was reverted without a reason'],
    [text(''), 'it ran out of its gas, or was reverted without a reason'],
    [text('x'.repeat(900)).slice(0, 514) as Hex, 'x'.repeat(188)],
    [text('x'.repeat(900)), 'x'.repeat(200)],
    [text('\u001b[2Jgone\nö'), '?[2Jgone??'],
    [concatHex(['0x08c379a0', toHex(32n, { size: 32 }), `0x${'ff'.repeat(32)}`, '0x61']), 'a'],
    ['0xdeadbeef', 'the error 0xdeadbeef, which has no words here'],
    [
      encodeErrorResult({ abi: batchSettlerAbi, errorName: 'RefUsed' }),
      'the reference has moved money before',
    ],
    [
      concatHex(['0x4e487b71', toHex(17n, { size: 32 })]),
      'the token panicked, which is a fault of its own',
    ],
  ]
  for (const [reason, words] of reasons)
    expect(readSettled(receipt(failedLog(0, reason)), parties, [item()])).toEqual([
      { state: 'failed', reason: words },
    ])
})

import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import batchSettler from '../../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import credentialMarket from '../../../../../../contracts/build/CredentialMarket.json' with {
  type: 'json',
}
import credentialVault from '../../../../../../contracts/build/CredentialVault.json' with {
  type: 'json',
}
import miniLockup from '../../../../../../contracts/build/MiniLockup.json' with { type: 'json' }
import { NOBODY } from '../../../base/kernel/assets.ts'
import { decodeEvent } from './events.ts'
import { functionName } from './functions.ts'

const BUILDS = [batchSettler, credentialMarket, credentialVault, miniLockup]
const partsOf = (kind: 'event' | 'function') =>
  BUILDS.flatMap(({ abi }) => (abi as Abi).filter(({ type }) => type === kind))

function sampleOf({ type, ...rest }: AbiParameter): unknown {
  if (type === 'tuple')
    return Object.fromEntries(
      (rest as { components: AbiParameter[] }).components.map((part) => [
        part.name,
        sampleOf(part),
      ]),
    )
  if (type === 'address') return NOBODY
  if (type === 'bool') return false
  if (type === 'string') return ''
  if (type === 'bytes32') return `0x${'0'.repeat(64)}`
  return type === 'bytes' ? '0x' : Number(/\d+/.exec(type)?.[0] ?? 256) <= 48 ? 0 : 0n
}

test('each event of our contracts is shown in words', () => {
  for (const event of partsOf('event') as AbiEvent[]) {
    if (event.name === 'EIP712DomainChanged') continue
    const args = Object.fromEntries(event.inputs.map((input) => [input.name, sampleOf(input)]))
    const topics = encodeEventTopics({ abi: [event], eventName: event.name, args } as never)
    const rest = event.inputs.filter(({ indexed }) => !indexed)
    const data = encodeAbiParameters(rest, rest.map(sampleOf) as never)
    expect(decodeEvent({ topics: topics as Hex[], data })?.name).toBe(event.name)
  }
})

test('each function of our contracts that a transaction calls has its name', () => {
  const called = (partsOf('function') as AbiFunction[]).filter(
    ({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable',
  )
  // A registry calls it, and nobody else.
  const names = called.filter(({ name }) => name !== 'onERC721Received')
  for (const item of names)
    expect([item.name, functionName(toFunctionSelector(item))]).toEqual([item.name, item.name])
})

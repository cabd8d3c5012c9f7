import fc from 'fast-check'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { keccak } from './keccak.ts'

const hex = (bytes: Uint8Array) => `0x${keccak(bytes).toString('hex')}`

test('it hashes as Ethereum does', () => {
  expect(hex(new Uint8Array())).toBe(
    '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => hex(bytes) === keccak256(bytes)),
  )
})

test('each length around a whole block is filled up rightly', () => {
  for (let length = 0; length < 420; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255)
    expect(hex(bytes), String(length)).toBe(keccak256(bytes))
  }
})

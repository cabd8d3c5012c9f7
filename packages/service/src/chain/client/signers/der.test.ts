import fc from 'fast-check'
import secp256k1 from 'secp256k1'
import { expect, test } from 'vitest'
import { ORDER, readDerSignature } from './der.ts'

const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })
const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const der = (r: bigint, s: bigint) =>
  secp256k1.signatureExport(Buffer.concat([word(r), word(s)])) as Uint8Array

test('DER is read back as it was written, with whatever length r and s have', () => {
  const small = fc.oneof(scalar, fc.bigInt({ min: 1n, max: 2n ** 16n }))
  fc.assert(
    fc.property(small, small, (r, s) => {
      expect(readDerSignature(der(r, s))).toEqual({ r, s })
    }),
  )
})

test('bytes that are not exactly one signature are refused', () => {
  const good = der(ORDER - 1n, 5n)
  const half = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1)
  const bad = [
    Uint8Array.of(),
    half,
    good.subarray(1),
    good.subarray(0, -1),
    Uint8Array.of(...good, 0),
    Uint8Array.of(0x30, 0),
    Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 1),
    Uint8Array.of(0x30, 6, 2, 1, 0x81, 2, 1, 1),
    Uint8Array.of(0x30, 5, 2, 0, 2, 1, 1),
    Uint8Array.of(0x30, 0x81, 6, 2, 1, 1, 2, 1, 1),
    Uint8Array.of(0x31, 6, 2, 1, 1, 2, 1, 1),
    Uint8Array.of(0x30, 6, 3, 1, 1, 2, 1, 1),
    Uint8Array.of(0x30, 38, 2, 33, 0, ...word(ORDER), 2, 1, 1),
  ]
  for (const bytes of bad) expect(() => readDerSignature(bytes)).toThrow(/it was not used/)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        const { r, s } = readDerSignature(bytes)
        expect(r > 0n && r < ORDER && s > 0n && s < ORDER).toBe(true)
      } catch (error) {
        expect(error).toMatchObject({ name: 'SignerError' })
      }
    }),
  )
})

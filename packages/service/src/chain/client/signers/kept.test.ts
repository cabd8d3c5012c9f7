import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import secp256k1 from 'secp256k1'
import { expect, test, vi } from 'vitest'
import { keptSigner, loadKeeper, readSignature } from './kept.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const TYPED = { primaryType: 'A', types: { A: [] }, domain: {}, message: {} } as const
const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })
const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const bytesOf = (r: bigint, s: bigint) => Buffer.concat([word(r), word(s)])
const der = (r: bigint, s: bigint) => secp256k1.signatureExport(bytesOf(r, s)) as Uint8Array

test('DER is read back as it was written, with the lesser s, whatever length r and s have', () => {
  const small = fc.oneof(scalar, fc.bigInt({ min: 1n, max: 2n ** 16n }))
  fc.assert(
    fc.property(small, small, (r, s) => {
      const lesser = s > ORDER / 2n ? ORDER - s : s
      expect(Buffer.from(readSignature(der(r, s)))).toEqual(bytesOf(r, lesser))
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
    Uint8Array.of(0x30, 5, 2, 0, 2, 1, 1),
    Uint8Array.of(0x30, 0x81, 6, 2, 1, 1, 2, 1, 1),
    Uint8Array.of(0x31, 6, 2, 1, 1, 2, 1, 1),
    Uint8Array.of(0x30, 6, 3, 1, 1, 2, 1, 1),
  ]
  for (const bytes of bad)
    expect(() => readSignature(bytes), String(bytes)).toThrow(/it was not used/)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        expect(readSignature(bytes)).toHaveLength(64)
      } catch (error) {
        expect(error).toMatchObject({ name: 'SignerError' })
      }
    }),
  )
})

// A client's limits end when an answer begins, and one that begins may never end.
test('a keeper that never ends its answer is given up after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const signer = keptSigner({
      name: 'the key',
      publicKey: spki(word(7n)),
      signDigest: () => new Promise(() => {}),
    })
    const refused = expect(signer.signTypedData(TYPED)).rejects.toMatchObject({
      name: 'SignerError',
      message: expect.stringContaining('did not answer within 60 s'),
    })
    await vi.advanceTimersByTimeAsync(60_000)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

// The library reads a number out of range as zero.
test('a signature that no key can make, and one of another key, are not used', async () => {
  const [key, other] = [word(7n), word(8n)]
  let answer: Uint8Array = Uint8Array.of()
  const signer = keptSigner({
    name: 'the key',
    publicKey: spki(key),
    signDigest: async () => answer,
  })
  for (const bytes of [
    Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 1),
    Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 0),
    Uint8Array.of(0x30, 6, 2, 1, 0x81, 2, 1, 1),
    Uint8Array.of(0x30, 38, 2, 33, 0, ...word(ORDER), 2, 1, 1),
    secp256k1.signatureExport(secp256k1.ecdsaSign(word(1n), other).signature),
  ]) {
    answer = bytes
    await expect(signer.signTypedData(TYPED), String(bytes)).rejects.toThrow(/was not used/)
  }
})

function spki(key: Buffer): Uint8Array {
  const point = Buffer.from(secp256k1.publicKeyCreate(key, false))
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const made = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' })
  return made.export({ format: 'der', type: 'spki' })
}

test('a package that is not installed is named, with how to install it', async () => {
  await expect(loadKeeper('@purser/signers-nowhere')).rejects.toThrow(
    'The package @purser/signers-nowhere, which signs with this key, is not installed: run npm install --workspace @purser/signers-nowhere in the folder of the service.',
  )
})

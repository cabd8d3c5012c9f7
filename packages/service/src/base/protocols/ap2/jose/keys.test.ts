import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkSignature } from './keys.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const made = (signingInput: string) => {
  const signature = sign('sha256', Buffer.from(signingInput), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return { signingInput, signature, key: 'root' as const }
}

// One signature in 128 has an r or an s shorter than 32 bytes. Encoding must not change its value.
test('a signature is good whatever bytes its numbers begin with, and no other is', () => {
  let short = 0
  for (let i = 0; i < 1_500; i++) {
    const check = made(`message ${i}`)
    const { signature } = check
    if (signature[0] === 0 || signature[32] === 0) short++
    expect(checkSignature(check, publicKey)).toBe(true)
    const other = Buffer.from(signature)
    other[i % 64] = (other[i % 64] ?? 0) ^ (1 + (i % 255))
    expect(checkSignature({ ...check, signature: other }, publicKey)).toBe(false)
  }
  expect(short).toBeGreaterThan(0)
})

test('numbers at the edges of what is allowed are refused', () => {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const edges = [0n, 1n, 127n, 128n, order - 1n, order, order + 1n, 2n ** 256n - 1n]
  const bytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  for (const r of edges)
    for (const s of edges) {
      const signature = Buffer.concat([bytes(r), bytes(s)])
      const check = { signingInput: 'x', signature, key: 'root' as const }
      expect(checkSignature(check, publicKey)).toBe(false)
    }
})

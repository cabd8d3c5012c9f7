import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkSignature, checkSignatureAside, type SignatureCheck } from './keys.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const made = (signingInput: string) => {
  const signature = sign('sha256', Buffer.from(signingInput), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return { signingInput, signature, key: 'root' as const }
}

const signatureOf = (r: bigint, s: bigint) =>
  Buffer.from([r, s].map((value) => value.toString(16).padStart(64, '0')).join(''), 'hex')

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
  for (const r of edges)
    for (const s of edges) {
      const check = { signingInput: 'x', signature: signatureOf(r, s), key: 'root' as const }
      expect(checkSignature(check, publicKey)).toBe(false)
    }
})

test('another thread finds of every signature what this one finds: good, bad or malformed', async () => {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const checks: SignatureCheck[] = []
  for (let i = 0; i < 200; i++) {
    const good = made(`message ${i}`)
    const { signature } = good
    const flipped = Buffer.from(signature)
    flipped[i % 64] = (flipped[i % 64] ?? 0) ^ (1 + (i % 255))
    // The twin with -s is valid too: that is why no id rests on a signature.
    const [r, s] = [0, 32].map((from) => BigInt(`0x${signature.toString('hex', from, from + 32)}`))
    const twin = signatureOf(r ?? 0n, order - (s ?? 0n))
    for (const other of [signature, flipped, twin]) checks.push({ ...good, signature: other })
    checks.push({ ...good, signingInput: `message ${i + 1}` })
  }
  const malformed = [
    Buffer.alloc(0),
    Buffer.alloc(63, 1),
    Buffer.alloc(65, 1),
    Buffer.alloc(64),
    Buffer.alloc(64, 255),
    signatureOf(order, 1n),
    signatureOf(1n, order),
    sign('sha256', Buffer.from('message 0'), privateKey),
  ]
  for (const signature of malformed) checks.push({ ...made('message 0'), signature })
  const here = checks.map((check) => checkSignature(check, publicKey))
  const aside = await Promise.all(checks.map((check) => checkSignatureAside(check, publicKey)))
  expect(aside).toEqual(here)
  expect(here.filter((isGood) => isGood)).toHaveLength(400)
})

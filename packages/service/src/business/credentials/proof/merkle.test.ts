import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CHUNK, leafHash, pathOf, rootOf } from './merkle.ts'
import { placesOf, SAMPLES } from './samples.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

// The vectors of the Certificate Transparency implementations.
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const bytesHash = (text: string): Buffer => sha(hex('00'), hex(text))

test('roots are those of RFC 6962', () => {
  expect(rootOf([]).toString('hex')).toBe(sha().toString('hex'))
  const hashes = INPUTS.map(bytesHash)
  expect(hashes.map((_, i) => rootOf(hashes.slice(0, i + 1)).toString('hex'))).toEqual(ROOTS)
})

/** The way up, as a verifier goes it (RFC 9162, section 2.1.3.2). */
function climb(leaf: Buffer, of: { index: number; size: number; path: readonly Buffer[] }): Buffer {
  let [place, last, at] = [of.index, of.size - 1, leaf]
  for (const beside of of.path) {
    expect(last).toBeGreaterThan(0)
    if (place % 2 === 1 || place === last) {
      at = sha(hex('01'), beside, at)
      while (place % 2 === 0 && place !== 0) {
        place >>= 1
        last >>= 1
      }
    } else at = sha(hex('01'), at, beside)
    place >>= 1
    last >>= 1
  }
  expect(last).toBe(0)
  return at
}

test('a tree kept in chunks has the root and the paths of the whole tree', () => {
  for (const size of [1, 2, 7, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5, 4 * CHUNK]) {
    const leaves = Array.from({ length: size }, (_, i) => leafHash(`leaf ${i}`))
    const chunks = Array.from({ length: Math.ceil(size / CHUNK) }, (_, i) =>
      leaves.slice(i * CHUNK, (i + 1) * CHUNK),
    )
    const roots = chunks.map(rootOf)
    const root = rootOf(leaves)
    expect(rootOf(roots)).toEqual(root)
    for (const index of [0, size >> 1, size - 1]) {
      const chunk = Math.floor(index / CHUNK)
      const path = [...pathOf(chunks[chunk]!, index % CHUNK), ...pathOf(roots, chunk)]
      expect(path).toEqual(pathOf(leaves, index))
      expect(climb(leaves[index]!, { index, size, path })).toEqual(root)
    }
  }
})

test('the root chooses the samples', () => {
  const [one, other] = [leafHash('a'), leafHash('b')]
  expect(placesOf(one, 0)).toEqual([])
  expect(placesOf(one, 1)).toEqual([0])
  const places = placesOf(one, 1_000_000)
  expect(places).toHaveLength(SAMPLES)
  expect(placesOf(one, 1_000_000)).toEqual(places)
  expect(placesOf(other, 1_000_000)).not.toEqual(places)
  for (const place of places) expect(place).toBeLessThan(1_000_000)
})

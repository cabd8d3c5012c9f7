import type { Reader } from '../../../base/db/sql.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import { readPayments } from '../../stats/store-payments.ts'
import { leafOf } from './leaf.ts'
import { CHUNK, leafHash, pathOf, rootOf } from './merkle.ts'
import type { Walked, Walking } from './walk.ts'

export const SAMPLES = 20

/** A leaf as its text, its place, and the hashes beside its way to the root. */
export type Sample = { index: number; leaf: string; path: string[] }

/** The places of the samples. The root chooses them, so that the service cannot: each is a hash of the root and a number. */
export function placesOf(root: Buffer, leaves: number): number[] {
  if (leaves === 0) return []
  const chosen = new Set<number>()
  for (let n = 0; n < SAMPLES; n++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(n)
    const digest = sha256(Buffer.concat([root, number]))
    chosen.add(Number(digest.readBigUInt64BE() % BigInt(leaves)))
  }
  return [...chosen]
}

/** The samples with their proofs of inclusion. Reads the chunk of each again, in the same snapshot. */
export async function readSamples(
  on: Reader,
  walking: Walking,
  { sums, roots, befores }: Walked,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const index of placesOf(rootOf(roots), sums.payments)) {
    const chunk = Math.floor(index / CHUNK)
    const page = await readPayments(on, { ...walking, after: befores[chunk] ?? '', limit: CHUNK })
    const leaves = page.map((payment) => leafOf(payment, walking.tagOf))
    const path = [...pathOf(leaves.map(leafHash), index % CHUNK), ...pathOf(roots, chunk)]
    samples.push({
      index,
      leaf: leaves[index % CHUNK] ?? '',
      path: path.map((hash) => hash.toString('base64url')),
    })
  }
  return samples
}

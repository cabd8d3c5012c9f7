import { hash } from 'node:crypto'

/** Leaves of one complete subtree. A tree of ten million leaves is kept as ten thousand hashes. */
export const CHUNK = 1_024

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])
const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

/** The hash of a leaf (RFC 6962, section 2.1). */
export const leafHash = (leaf: string): Buffer => sha256(LEAF, Buffer.from(leaf, 'utf8'))

const splitOf = (length: number): number => 2 ** Math.floor(Math.log2(length - 1))

/** The Merkle tree hash over these hashes, which are leaves or the roots of complete subtrees of one size. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes
  if (first === undefined) return sha256()
  if (hashes.length === 1) return first
  const split = splitOf(hashes.length)
  return sha256(NODE, rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

/** The hashes beside the way from the hash at `index` to the root, the lowest first. */
export function pathOf(hashes: readonly Buffer[], index: number): Buffer[] {
  if (hashes.length <= 1) return []
  const split = splitOf(hashes.length)
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)]
  return index < split
    ? [...pathOf(left, index), rootOf(right)]
    : [...pathOf(right, index - split), rootOf(left)]
}

import { createHash } from 'node:crypto'

const [LEAF, NODE] = [Buffer.from([0]), Buffer.from([1])]
const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The hash of a leaf (RFC 6962, section 2.1). */
export const leafHash = (leaf: string): Buffer => sha256(LEAF, Buffer.from(leaf, 'utf8'))

/** A Merkle tree that is built leaf by leaf, and keeps one hash for each of its heights. */
export class Tree {
  readonly #whole: { size: number; hash: Buffer }[] = []
  #size = 0

  add(leaf: string): void {
    let node = { size: 1, hash: leafHash(leaf) }
    for (let left = this.#whole.at(-1); left?.size === node.size; left = this.#whole.at(-1)) {
      this.#whole.pop()
      node = { size: node.size * 2, hash: sha256(NODE, left.hash, node.hash) }
    }
    this.#whole.push(node)
    this.#size++
  }

  get size(): number {
    return this.#size
  }

  root(): Buffer {
    const [last, ...lefts] = this.#whole.toReversed()
    if (!last) return sha256()
    return lefts.reduce((right, left) => sha256(NODE, left.hash, right), last.hash)
  }
}

/** The root that a leaf and the hashes beside its way make (RFC 9162, section 2.1.3.2); undefined if they do not fit. */
export function climb(
  leaf: string,
  { index, size, path }: { index: number; size: number; path: readonly Buffer[] },
): Buffer | undefined {
  let [place, last, hash] = [index, size - 1, leafHash(leaf)]
  for (const beside of path) {
    if (last === 0) return undefined
    if (place % 2 === 1 || place === last) {
      hash = sha256(NODE, beside, hash)
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)]
    } else hash = sha256(NODE, hash, beside)
    ;[place, last] = [half(place), half(last)]
  }
  return last === 0 ? hash : undefined
}

const half = (value: number): number => Math.floor(value / 2)

const SAMPLES = 20

/** The places that the root chooses. */
export function placesOf(root: Buffer, leaves: number): number[] {
  if (leaves === 0) return []
  const places = Array.from({ length: SAMPLES }, (_, n) => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(n)
    return Number(sha256(root, number).readBigUInt64BE() % BigInt(leaves))
  })
  return [...new Set(places)]
}

import { type Bytes, sha256, utf8 } from './bytes.ts'

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)]
/** So many leaves are hashed at once. */
const CHUNK = 1_024
const SAMPLES = 20

/** The hash of a leaf (RFC 6962, section 2.1). */
export const leafHash = (leaf: string): Promise<Bytes> => sha256(LEAF, utf8(leaf))

const nodeHash = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(NODE, left, right)

/** The root over these hashes, level by level; a last one without a neighbor goes up as it is. */
async function rootOf(hashes: Bytes[]): Promise<Bytes> {
  for (let level = hashes; ; ) {
    const [first, ...others] = level
    if (!first) return sha256()
    if (others.length === 0) return first
    const lefts = level.filter((_, i) => i % 2 === 0)
    level = await Promise.all(
      lefts.map((left, i) => {
        const right = level[2 * i + 1]
        return right ? nodeHash(left, right) : left
      }),
    )
  }
}

/** A Merkle tree that is built leaf by leaf, and keeps a hash for each of its heights beside the newest leaves. */
export class Tree {
  readonly #whole: { size: number; hash: Bytes }[] = []
  #newest: string[] = []
  #size = 0

  async add(leaf: string): Promise<void> {
    this.#size++
    this.#newest.push(leaf)
    if (this.#newest.length === CHUNK) await this.#join()
  }

  async #join(): Promise<void> {
    let node = { size: CHUNK, hash: await this.#rootOfNewest() }
    this.#newest = []
    for (let left = this.#whole.at(-1); left?.size === node.size; left = this.#whole.at(-1)) {
      this.#whole.pop()
      node = { size: node.size * 2, hash: await nodeHash(left.hash, node.hash) }
    }
    this.#whole.push(node)
  }

  readonly #rootOfNewest = async (): Promise<Bytes> =>
    rootOf(await Promise.all(this.#newest.map(leafHash)))

  get size(): number {
    return this.#size
  }

  async root(): Promise<Bytes> {
    const lefts = this.#whole.map(({ hash }) => hash)
    let root = this.#newest.length === 0 ? lefts.pop() : await this.#rootOfNewest()
    for (const left of lefts.reverse()) root = root && (await nodeHash(left, root))
    return root ?? rootOf([])
  }
}

/** The root that a leaf and the hashes beside its way make (RFC 9162, section 2.1.3.2); undefined if they do not fit. */
export async function climb(
  leaf: string,
  { index, size, path }: { index: number; size: number; path: readonly Bytes[] },
): Promise<Bytes | undefined> {
  let [place, last, hash] = [index, size - 1, await leafHash(leaf)]
  for (const beside of path) {
    if (last === 0) return undefined
    if (place % 2 === 1 || place === last) {
      hash = await nodeHash(beside, hash)
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)]
    } else hash = await nodeHash(hash, beside)
    ;[place, last] = [half(place), half(last)]
  }
  return last === 0 ? hash : undefined
}

const half = (value: number): number => Math.floor(value / 2)

/** The places that the root chooses. */
export async function placesOf(root: Bytes, leaves: number): Promise<number[]> {
  if (leaves === 0) return []
  const places = Array.from({ length: SAMPLES }, async (_, n) => {
    const number = new DataView(new ArrayBuffer(4))
    number.setUint32(0, n)
    const digest = await sha256(root, new Uint8Array(number.buffer))
    return Number(new DataView(digest.buffer).getBigUint64(0) % BigInt(leaves))
  })
  return [...new Set(await Promise.all(places))]
}

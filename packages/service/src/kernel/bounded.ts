/** A map that keeps only its newest entries, at most `most`. */
export class Bounded<V> {
  readonly #kept = new Map<string, V>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): V | undefined {
    return this.#kept.get(key)
  }

  /** Keeps the entry as the newest. Answers the value of another key that had to go. */
  set(key: string, value: V): V | undefined {
    this.#kept.delete(key)
    const evicted = this.#kept.size >= this.#most ? this.#evict() : undefined
    this.#kept.set(key, value)
    return evicted
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  #evict(): V | undefined {
    for (const [oldest, value] of this.#kept) {
      this.#kept.delete(oldest)
      return value
    }
    return undefined
  }
}

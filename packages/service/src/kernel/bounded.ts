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

  set(key: string, value: V): void {
    // An entry that is set again becomes the newest.
    this.#kept.delete(key)
    if (this.#kept.size >= this.#most) {
      const [oldest] = this.#kept.keys()
      if (oldest !== undefined) this.#kept.delete(oldest)
    }
    this.#kept.set(key, value)
  }
}

/** A map that keeps at most so many entries: the newest. */
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
    // What is set again is new again.
    this.#kept.delete(key)
    if (this.#kept.size >= this.#most) {
      const [oldest] = this.#kept.keys()
      if (oldest !== undefined) this.#kept.delete(oldest)
    }
    this.#kept.set(key, value)
  }
}

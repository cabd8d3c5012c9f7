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

  /** Keeps the entry as the newest. Returns the value of another key that had to go. */
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

/** Answers that callers of the same question share for a while, at most `most` of them. Failures are not kept. */
export class Kept<T> {
  readonly #answers: Bounded<{ at: number; answer: Promise<T> }>

  constructor(most: number) {
    this.#answers = new Bounded(most)
  }

  /** The answer that was asked for less than its `ms` before `at`, or a new one. */
  get(key: string, at: Date, { ms, ask }: { ms: number; ask(): Promise<T> }): Promise<T> {
    const now = at.getTime()
    const kept = this.#answers.get(key)
    // An answer of a clock that was ahead is not kept until that time has come.
    if (kept !== undefined && Math.abs(now - kept.at) < ms) return kept.answer
    const answer = ask()
    this.#answers.set(key, { at: now, answer })
    answer.catch(() => this.forget(key))
    return answer
  }

  forget(key: string): void {
    this.#answers.delete(key)
  }
}

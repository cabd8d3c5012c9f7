import { Bounded } from './bounded.ts'

/** Answers that callers of the same question share for a while, at most `most` of them. Failures are not kept. */
export class Kept<T> {
  readonly #answers: Bounded<{ until: number; answer: Promise<T> }>

  constructor(most: number) {
    this.#answers = new Bounded(most)
  }

  /** The answer that was asked for less than its `ms` before `at`, or a new one. */
  get(key: string, at: Date, { ms, ask }: { ms: number; ask(): Promise<T> }): Promise<T> {
    const now = at.getTime()
    const kept = this.#answers.get(key)
    if (kept !== undefined && now < kept.until) return kept.answer
    const answer = ask()
    this.#answers.set(key, { until: now + ms, answer })
    answer.catch(() => this.forget(key))
    return answer
  }

  forget(key: string): void {
    this.#answers.delete(key)
  }
}

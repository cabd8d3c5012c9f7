/** Things that one act at a time uses. */
export class Pool<T> {
  readonly all: T[] = []
  #idle: T[] = []

  /** Takes a free one. Nobody else gets it until it is given back. */
  take(): T | undefined {
    return this.#idle.shift()
  }

  /** A new one, in use by the caller. */
  add(one: T): T {
    this.all.push(one)
    return one
  }

  giveBack(one: T): void {
    this.#idle.push(one)
  }
}

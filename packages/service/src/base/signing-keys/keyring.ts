import { assert } from '../kernel/assert.ts'
import { deriveKey, type SealKeys, type Secret, type Secrets } from '../kernel/secrets.ts'

/**
 * The secrets of this machine, the one that seals first. Each list of what was derived from them has the same order, and
 * follows when another one seals.
 */
export class Keyring {
  readonly #secrets: [Secret, ...Secret[]]
  readonly #derived: unknown[][] = []

  constructor(secrets: Secrets) {
    this.#secrets = [...secrets]
  }

  get all(): Secrets {
    return this.#secrets
  }

  get current(): Secret {
    return this.#secrets[0]
  }

  each<T>(derive: (secret: Secret) => T): readonly [current: T, ...previous: T[]] {
    const [first, ...others] = this.#secrets
    const list: [T, ...T[]] = [derive(first), ...others.map(derive)]
    this.#derived.push(list)
    return list
  }

  /** One key for the purpose from each secret. */
  keysFor(purpose: string): SealKeys {
    return this.each((secret) => deriveKey(secret, purpose))
  }

  /** From now on this secret of the ring seals. */
  turnTo(secret: Secret): void {
    const at = this.#secrets.indexOf(secret)
    assert(at >= 0, 'a ring turns to a secret of its own')
    for (const list of [this.#secrets, ...this.#derived]) list.unshift(...list.splice(at, 1))
  }
}

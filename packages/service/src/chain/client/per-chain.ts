import type { Chain } from './chain.ts'

/** State that a module keeps for each `Chain`, made on first use. */
export function perChain<T>(make: () => T): (chain: Chain) => T {
  const made = new WeakMap<Chain, T>()
  return (chain) => {
    const known = made.get(chain)
    if (known !== undefined) return known
    const state = make()
    made.set(chain, state)
    return state
  }
}

/** Without an answer that lasts, the chain is asked again after this. */
const NONE_MS = 30_000

/** Asks `read` once for each chain. An answer that does not last is asked again half a minute later, a failure at once. */
export function askedOnce<T, Of extends Chain = Chain>(
  read: (chain: Of) => Promise<T>,
  lasts: (answer: T) => boolean,
): (chain: Of) => Promise<T> {
  const known = perChain((): { asked?: Promise<T> } => ({}))
  return (chain) => {
    const cache = known(chain)
    if (cache.asked !== undefined) return cache.asked
    const asked = read(chain)
    cache.asked = asked
    const forget = () => {
      delete cache.asked
    }
    asked.then((answer) => lasts(answer) || setTimeout(forget, NONE_MS).unref(), forget)
    return asked
  }
}

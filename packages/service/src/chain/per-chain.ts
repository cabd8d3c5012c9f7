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

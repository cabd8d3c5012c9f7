import { Problem } from '../../kernel/problem.ts'

/** Payments and price inquiries have separate places: inquiries cost nothing, so they must not crowd out payments. */
export type Purpose = 'pay' | 'discover'
/** The right to make requests outside, one after the other, until it is disposed of. */
export type Place = Disposable & { readonly purpose: Purpose }
export type Places = { take(owner: string, purpose: Purpose): Place }

/** The most concurrent requests in one process. A payment's answer may take 5 MiB of memory, an inquiry's 256 KiB. */
const PLACES: Readonly<Record<Purpose, number>> = { pay: 128, discover: 64 }
/** A wallet may take at most this fraction of the free places, so that a newcomer always finds one. */
const SHARE = 4
/** The number of places that a wallet may take however few are free. */
const LEAST = 4

/** Limits concurrent outside requests, for each wallet and in total. */
export function createPlaces(sizes: Readonly<Record<Purpose, number>> = PLACES): Places {
  const taken = { pay: new Map<string, number>(), discover: new Map<string, number>() }
  const total = { pay: 0, discover: 0 }
  const add = (owner: string, purpose: Purpose, step: 1 | -1) => {
    const count = (taken[purpose].get(owner) ?? 0) + step
    if (count === 0) taken[purpose].delete(owner)
    else taken[purpose].set(owner, count)
    total[purpose] += step
  }
  return {
    take(owner, purpose) {
      const free = sizes[purpose] - total[purpose]
      const own = taken[purpose].get(owner) ?? 0
      if (own >= Math.max(LEAST, Math.floor(free / SHARE))) throw tooMany(own)
      if (free <= 0) throw full()
      add(owner, purpose, 1)
      let isHeld = true
      return {
        purpose,
        [Symbol.dispose]() {
          if (isHeld) add(owner, purpose, -1)
          isHeld = false
        },
      }
    },
  }
}

const RETRY = { headers: { 'retry-after': '1' } }

const tooMany = (own: number): Problem =>
  new Problem(
    'rate_limited',
    `This wallet has ${own} requests to sellers under way, as many as it may have now. Wait until one has ended, then try again.`,
    RETRY,
  )

const full = (): Problem =>
  new Problem(
    'overloaded',
    'Too many requests to sellers are under way. Nothing was sent; try again in a moment.',
    RETRY,
  )

import type { Answered } from '../http/server/answered.ts'

/** The most that one wallet has written at a time: its refused requests first, since those are looked for. */
export const WALLET_MOST = 100
/** The most that all wallets of a process have written at a time. */
export const ALL_MOST = 2_000

/** The newest of a few: an older one makes room. */
class Ring {
  readonly rows: Answered[] = []
  #next = 0
  get isFull(): boolean {
    return this.rows.length === WALLET_MOST
  }
  put(row: Answered): void {
    if (!this.isFull) {
      this.rows.push(row)
      return
    }
    this.rows[this.#next] = row
    this.#next = (this.#next + 1) % WALLET_MOST
  }
}
type Rings = { refused: Ring; others: Ring }

/** Requests that wait to be written. Taking one in costs a place in an array, however many there are. */
export class Ration {
  readonly #wallets = new Map<string, Rings>()
  #held = 0
  /** How many found no place, or made room for a newer one. */
  dropped = 0

  put(row: Answered): void {
    const { walletAddress } = row.caller
    const rings = this.#wallets.get(walletAddress) ?? { refused: new Ring(), others: new Ring() }
    const ring = row.status < 400 ? rings.others : rings.refused
    if (!ring.isFull && this.#held < ALL_MOST) {
      this.#wallets.set(walletAddress, rings)
      this.#held++
    } else {
      this.dropped++
      if (!ring.isFull) return
    }
    ring.put(row)
  }

  /** The rows to write: of each wallet its refused requests, then the newest others while there is room. */
  take(): Answered[] {
    return [...this.#wallets.values()].flatMap(({ refused, others }) => [
      ...refused.rows,
      ...newestOf(others.rows, WALLET_MOST - refused.rows.length),
    ])
  }
}

const newestOf = (rows: Answered[], most: number): Answered[] =>
  rows.length <= most ? rows : rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, most)

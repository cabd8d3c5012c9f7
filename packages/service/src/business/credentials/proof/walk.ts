import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Reader } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { addHours, utcDay } from '../../../base/kernel/clock.ts'
import { type CountedPayment, readPayments } from '../../stats/store-payments.ts'
import { leafOf, type TagOf } from './leaf.ts'
import { CHUNK, leafHash, rootOf } from './merkle.ts'

/** The sums of all leaves, which a reader of the leaves can add up too. Amounts are in base units. */
export type Sums = {
  revenue: bigint
  payments: number
  revenue30d: bigint
  payments30d: number
  refunded: bigint
  protocols: Set<string>
  first: string | null
  last: string | null
  /** How many payments of each payer, and how much. A payer takes some 200 bytes while the walk goes on. */
  payers: Map<string, { payments: number; revenue: bigint }>
}
/** A walk over all leaves: their sums and the roots of their chunks, and where each chunk begins. */
export type Walked = { sums: Sums; roots: Buffer[]; befores: string[] }
export type Walking = { cardId: string; asset: Asset; tagOf: TagOf; at: Date }

const DAYS_BEFORE = 29
/** After so many leaves other requests of this process have their turn: some milliseconds. */
const SLICE = 128

/** Reads every leaf once, a chunk at a time. `onChunk` may wait, and no more is read until it is done. */
export async function walkLeaves(
  on: Reader,
  { cardId, asset, tagOf, at }: Walking,
  onChunk: (leaves: readonly string[]) => Promise<void> = async () => undefined,
): Promise<Walked> {
  const since = utcDay(addHours(at, -24 * DAYS_BEFORE))
  const sums: Sums = {
    revenue: 0n,
    payments: 0,
    revenue30d: 0n,
    payments30d: 0,
    refunded: 0n,
    protocols: new Set(),
    first: null,
    last: null,
    payers: new Map(),
  }
  const walked: Walked = { sums, roots: [], befores: [] }
  for (let after = ''; ; ) {
    const page = await readPayments(on, { cardId, asset, after, limit: CHUNK })
    const last = page.at(-1)
    if (!last) return walked
    walked.befores.push(after)
    const leaves: string[] = []
    const hashes: Buffer[] = []
    for (const [i, payment] of page.entries()) {
      add(sums, payment, since)
      const leaf = leafOf(payment, tagOf)
      leaves.push(leaf)
      hashes.push(leafHash(leaf))
      if (i % SLICE === SLICE - 1) await othersFirst()
    }
    walked.roots.push(rootOf(hashes))
    await onChunk(leaves)
    after = last.ref
    if (page.length < CHUNK) return walked
  }
}

function add(sums: Sums, payment: CountedPayment, since: string): void {
  const time = payment.settledAt.toISOString()
  const kept = payment.amount - payment.refunded
  sums.revenue += kept
  sums.payments++
  sums.refunded += payment.refunded
  sums.protocols.add(payment.protocol)
  if (time.slice(0, 10) >= since) {
    sums.revenue30d += kept
    sums.payments30d++
  }
  if (sums.first === null || time < sums.first) sums.first = time
  if (sums.last === null || time > sums.last) sums.last = time
  const paid = sums.payers.get(payment.payer) ?? { payments: 0, revenue: 0n }
  paid.payments++
  paid.revenue += kept
  sums.payers.set(payment.payer, paid)
}

import type { Destination } from '../../../base/egress/keep-alive.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { HostRow } from './store.ts'

/** For so long a host counts as willing after a 2xx. */
const PROVEN_SECONDS = 7 * 86_400
/** Between two requests to a host that is not. */
const UNPROVEN_SECONDS = 10
/** Turns are given out for this long ahead. */
const AHEAD_MS = 1_000
/** A 2xx is written down again after this. */
const PROVE_AGAIN_SECONDS = 3_600

/** The keys that a host's turns are counted under: the name in the URL, and the address that the connection goes to. */
export const namesOf = ({ host, address }: Pick<Destination, 'host' | 'address'>): string[] => [
  ...new Set([host.toLowerCase(), address]),
]

export type Turns = {
  /** How many requests may be sent now. */
  granted: number
  /** When to ask again, if none may. */
  nextAt: Date
  /** A 2xx is to be written down. */
  isUnproven: boolean
}

/** Gives out turns for requests to a destination, and moves its rows on by them. `rate` is a second's for a proven host. */
export function grant(at: Date, rows: HostRow[], of: { wanted: number; rate: number }): Turns {
  const isProven = (row: HostRow): boolean =>
    row.provenAt !== null && row.provenAt > addSeconds(at, -PROVEN_SECONDS)
  const stepOf = (row: HostRow): number =>
    isProven(row) ? 1000 / of.rate : UNPROVEN_SECONDS * 1000
  const from = (row: HostRow): number => Math.max(at.getTime(), row.nextAt.getTime())
  const free = (row: HostRow): number =>
    isProven(row)
      ? Math.floor((at.getTime() + AHEAD_MS - from(row)) / stepOf(row))
      : Number(row.nextAt <= at)
  const granted = Math.max(0, Math.min(of.wanted, ...rows.map(free)))
  if (granted > 0)
    for (const row of rows) row.nextAt = new Date(Math.ceil(from(row) + granted * stepOf(row)))
  const isUnproven = rows.some(
    ({ provenAt }) => provenAt === null || provenAt <= addSeconds(at, -PROVE_AGAIN_SECONDS),
  )
  const nextAt = new Date(Math.max(...rows.map(({ nextAt }) => nextAt.getTime())))
  return { granted, nextAt, isUnproven }
}

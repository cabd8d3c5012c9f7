import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { Funds } from '../../client/simulate.ts'
import {
  countFailures,
  deleteFlights,
  type Flight,
  type FlightEnd,
  insertFlights,
  lockStanding,
  type PayerRow,
  type Standing,
  type WaitKind,
} from './store.ts'

export type RationCode =
  | 'funds_in_flight'
  | 'authorization_in_flight'
  | 'payer_waits'
  | 'token_waits'
  | 'seller_waits'
  | 'gas_budget_spent'
/** Why a payment is not carried now. `stale`: the balance is older than a block that is known to have changed it. */
export type Rationed = { code: RationCode | 'stale'; retrySeconds: number }

/** The most gas that the payments of one seller may burn in a day; without one there is no bound. */
export type GasLimits = { sellerPerDay: bigint | null }

type Waiting = { free: number; firstSeconds: number; mostSeconds: number }
/**
 * How long a subject waits after a failure: each further one doubles it. Anybody can make a seller's payments fail, so a
 * seller has some that cost nothing, and never waits long.
 */
const WAITS: Record<WaitKind, Waiting> = {
  payer: { free: 0, firstSeconds: 10, mostSeconds: 3_600 },
  token: { free: 1, firstSeconds: 60, mostSeconds: 6 * 3_600 },
  seller: { free: 10, firstSeconds: 5, mostSeconds: 600 },
}
const IN_FLIGHT_SECONDS = 2
const DAY_MS = 86_400_000

/**
 * Reserves the money and the gas of flights whose standing was locked in this transaction, in order of arrival. Returns
 * the flights that must not be carried, by their ref, with the reason; every other one is written down.
 */
export function reserve(
  tx: Tx,
  at: Date,
  of: { standing: Standing; flights: readonly Flight[]; limits: GasLimits },
): Map<string, Rationed> {
  const budget = openBudget(of.standing, at, of.limits)
  const refused = new Map<string, Rationed>()
  for (const flight of of.flights) {
    const rationed = budget.decide(flight)
    if (rationed) refused.set(flight.ref, rationed)
  }
  budget.save(tx)
  return refused
}

/** As `reserve`, for callers that have locked nothing yet. */
export async function lockAndReserve(
  tx: Tx,
  at: Date,
  of: { flights: readonly Flight[]; limits: GasLimits },
): Promise<Map<string, Rationed>> {
  const standing = await lockStanding(tx, at, of.flights)
  return reserve(tx, at, { standing, ...of })
}

/** How often a payment is looked at whose payer's money is just moving, and how long it waits between. */
export const LOOKS_MOST = 3
export const LOOK_AGAIN_MS = 300
/** Whether a block that is about to be written down may change it. */
export const isMomentary = ({ code }: Rationed): boolean =>
  code === 'stale' || code === 'funds_in_flight'

/** Decides about one flight now and reserves nothing. */
export const judge = (
  standing: Standing,
  at: Date,
  of: { flight: Flight; limits: GasLimits },
): Rationed | undefined => openBudget(standing, at, of.limits).decide(of.flight)

/**
 * Decides on one flight after the other; a later one sees what an earlier one took. `save` writes down those that may be
 * carried, in the transaction that locked their standing.
 */
export function openBudget(standing: Standing, at: Date, limits: GasLimits) {
  const payers = new Map(standing.payers.map((row) => [payerKey(row), row]))
  const open = new Set(standing.open.map(authorizationKey))
  const spent = new Map(standing.spent.map((row) => [row.seller, row.spent]))
  const taken: Flight[] = []

  function refuse(flight: Flight): Rationed | undefined {
    const waiting = waitOf(standing, at, flight)
    if (waiting) return waiting
    if (open.has(authorizationKey(flight)))
      return { code: 'authorization_in_flight', retrySeconds: IN_FLIGHT_SECONDS }
    const used = spent.get(flight.seller) ?? 0n
    if (limits.sellerPerDay !== null && used + flight.gas > limits.sellerPerDay)
      return { code: 'gas_budget_spent', retrySeconds: secondsToMidnight(at) }
    return undefined
  }

  return {
    decide(flight: Flight): Rationed | undefined {
      const refused = refuse(flight)
      if (refused) return refused
      const row = payers.get(payerKey(flight))
      // An idle row may be deleted before it is locked.
      if (!row) return { code: 'stale', retrySeconds: 1 }
      const seen = flight.funds.block >= row.seenBlock ? flight.funds : fundsOf(row)
      if (seen.block < row.freedBlock) return { code: 'stale', retrySeconds: 1 }
      const inFlight = row.inFlight + flight.amount
      if (inFlight > seen.balance)
        return { code: 'funds_in_flight', retrySeconds: IN_FLIGHT_SECONDS }
      payers.set(payerKey(flight), {
        ...row,
        inFlight,
        balance: seen.balance,
        seenBlock: seen.block,
      })
      taken.push(flight)
      open.add(authorizationKey(flight))
      spent.set(flight.seller, (spent.get(flight.seller) ?? 0n) + flight.gas)
      return undefined
    },
    save(tx: Tx): void {
      const keys = new Set(taken.map(payerKey))
      const changed = [...payers.values()].filter((row) => keys.has(payerKey(row)))
      for (const { inFlight, balance } of changed)
        assert(inFlight <= balance, 'what is on its way is within the balance')
      insertFlights(tx, at, { flights: taken, payers: changed })
    },
  }
}

const payerKey = (of: Pick<Flight, 'network' | 'token' | 'payer'>): string =>
  `${of.network} ${of.token} ${of.payer}`
const authorizationKey = (of: Pick<Flight, 'network' | 'token' | 'payer' | 'nonce'>): string =>
  `${payerKey(of)} ${of.nonce}`
const fundsOf = ({ balance, seenBlock }: PayerRow): Funds => ({ balance, block: seenBlock })

/** The wait that lasts longest of those that payer, token and seller are in. */
function waitOf(standing: Standing, at: Date, flight: Flight): Rationed | undefined {
  const subjects = { payer: flight.payer, token: flight.token, seller: flight.seller }
  const waits = standing.waits.flatMap(({ kind, subject, failures, failedAt }): Rationed[] => {
    if (subjects[kind] !== subject || (kind === 'token' && !flight.isForeignToken)) return []
    const end = addSeconds(failedAt, waitSeconds(kind, failures))
    const retrySeconds = Math.ceil((end.getTime() - at.getTime()) / 1000)
    return retrySeconds > 0 ? [{ code: `${kind}_waits`, retrySeconds }] : []
  })
  return waits.sort((a, b) => b.retrySeconds - a.retrySeconds)[0]
}

/** Seconds to wait after so many failures. */
export function waitSeconds(kind: WaitKind, failures: number): number {
  const { free, firstSeconds, mostSeconds } = WAITS[kind]
  const counted = failures - free
  return counted <= 0 ? 0 : Math.min(firstSeconds * 2 ** (counted - 1), mostSeconds)
}

const secondsToMidnight = (at: Date): number => Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1000)

/** Gives back what flights had reserved, once their outcome is known; failures on chain are counted. Safe to repeat. */
export async function release(tx: Tx, at: Date, ends: readonly FlightEnd[]): Promise<void> {
  if (ends.length === 0) return
  const failed = await deleteFlights(tx, at, ends)
  if (failed.length > 0) await countFailures(tx, at, failed)
}

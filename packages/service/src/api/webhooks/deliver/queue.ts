import type { Destination } from '../../../base/egress/keep-alive.ts'
import { BREAKER_FAILURES } from './schedule.ts'
import type { Due, Leased } from './store.ts'

/** Requests under way to one endpoint. */
const AT_ONCE = 8
/** An endpoint that answers sooner is quick. */
export const QUICK_MS = 1_000
/** Requests under way in a process: to quick endpoints, and to those that are not or not yet known to be. */
export const PLACES = { quick: 512, other: 512 }
/** An endpoint that is not quick may have this part of the free places. */
const SHARE = 8

export type Pace = keyof typeof PLACES
/** How many requests are under way, by pace. */
export type Load = Record<Pace, number>

/** A sender's knowledge of an endpoint that it sends to. */
export class EndpointQueue {
  leased: Leased
  secrets: readonly string[]
  /** The deliveries that are due, in order. */
  waiting: Due[] = []
  /** The events that wait, are under way, or have ended and are not written down yet. */
  readonly held = new Set<string>()
  /** The subjects whose first attempt is under way: the next one of the subject waits for its end. */
  readonly #busy = new Set<string>()
  inFlight = 0
  failures: number
  /** Sends nothing more until somebody has it again: the breaker opened, or it wants no more. */
  isResting = false
  pace: Pace = 'other'
  /** The database had no more when it was asked. */
  isDry = false
  destination: Destination | undefined
  resolvedAtMs = 0
  isResolving = false
  /** How many requests its host may be sent now. */
  turns = 0
  /** When its host has a turn again. */
  waitUntil: Date | null = null
  isUnproven = false

  constructor(leased: Leased, secrets: readonly string[]) {
    this.leased = leased
    this.secrets = secrets
    this.failures = leased.failures
  }

  get id(): string {
    return this.leased.id
  }
  get isProbing(): boolean {
    return this.failures >= BREAKER_FAILURES
  }
  /** Whether nothing of it is under way or unwritten. */
  get isQuiet(): boolean {
    return this.held.size === this.waiting.length
  }

  /** How many requests may be under way at once, as full as the process is. */
  allowance(load: Load): number {
    if (this.isProbing) return 1
    if (this.pace === 'quick') return AT_ONCE
    return Math.min(AT_ONCE, Math.max(1, Math.floor((PLACES.other - load.other) / SHARE)))
  }

  add(due: Due): void {
    this.waiting.push(due)
    this.held.add(due.eventId)
  }

  /** Takes the next delivery that may be sent now. */
  take(): Due | undefined {
    const index = this.waiting.findIndex(
      ({ attempts, subject }) => attempts > 0 || !this.#busy.has(subject),
    )
    if (index === -1) return undefined
    const [due] = this.waiting.splice(index, 1)
    if (due?.attempts === 0) this.#busy.add(due.subject)
    return due
  }

  /** The attempt of a delivery has ended. */
  end({ attempts, subject }: Due): void {
    if (attempts === 0) this.#busy.delete(subject)
  }

  /** Forgets what waits; the database still has it. */
  clear(): void {
    for (const { eventId } of this.waiting) this.held.delete(eventId)
    this.waiting = []
  }
}

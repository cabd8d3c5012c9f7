import { type Destination, SOCKETS_MAX } from '../../../base/egress/keep-alive.ts'
import { steadyNow } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import type { Uses } from '../../http/services.ts'
import { checkEndpoint } from '../endpoint.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { prove, takeTurns } from '../hosts/turns.ts'
import { liveSecrets } from '../secret.ts'
import { type Attempted, attempt } from './attempt.ts'
import { type Outcome, saveOutcomes } from './outcomes.ts'
import { EndpointQueue, type Load, type Pace, PLACES, QUICK_MS } from './queue.ts'
import { BREAKER_FAILURES } from './schedule.ts'
import {
  beat,
  type Due,
  deleteSender,
  exhaustWaiting,
  insertSender,
  type Leased,
  leaseDue,
  listLeased,
  readDue,
  release,
} from './store.ts'

const BEAT_MS = 2_000
const REFRESH_MS = 1_000
const RESOLVED_MS = 10_000
const ENDPOINTS_MAX = 512
/** Deliveries in memory: of one endpoint, and of all. */
const WAITING = { least: 8, most: 1_024, all: 8_192 }
const TURNS_MAX = 1_024
const EXHAUST_BATCH = 1_000

type Flight = { queue: EndpointQueue; pace: Pace; host: string; startedAtMs: number }

/** The parts of the services that deliver events. */
export type Here = Uses<'clock' | 'db' | 'egress' | 'log' | 'sealKey' | 'settings'>

/**
 * Sends deliveries, one turn after the other. A turn makes the deliveries of new events, writes down what has ended, takes
 * endpoints that are due, and starts what may start; requests go on between turns. An endpoint belongs to one sender at a
 * time (`webhooks.sender`), so its order and its limits need no lock. A sender that dies leaves its endpoints to others.
 */
export class Sender {
  readonly #services: Here
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #flights = new Set<Flight>()
  readonly #load: Load = { quick: 0, other: 0 }
  readonly #byHost = new Map<string, number>()
  #outcomes: Outcome[] = []
  #proven: Destination[] = []
  #id: string | undefined
  #beatAtMs = 0
  #refreshedAtMs = 0
  #isLeaving = false

  constructor(services: Here) {
    this.#services = services
  }

  /** Whether there is anything that the next turn has to go on with. */
  get isBusy(): boolean {
    return this.#queues.size > 0 || this.#outcomes.length > 0
  }
  get inFlight(): number {
    return this.#flights.size
  }

  /** One turn. Returns how many events were fanned out. */
  async turn(): Promise<number> {
    const at = this.#services.clock.now()
    await this.#beat()
    const events = this.#isLeaving ? 0 : await fanOut(this.#services, at)
    await this.#save(at)
    if (!this.#isLeaving) {
      await this.#lease(at)
      await this.#refresh(at)
      await this.#fill(at)
      this.#resolve()
      await this.#takeTurns(at)
      this.#startAll()
    }
    await this.#release(at)
    return events
  }

  /** Starts nothing more, waits for what is under way, and leaves. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    while (this.#flights.size > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await this.#save(this.#services.clock.now())
    const id = this.#id
    if (id) await this.#services.db.write((tx) => deleteSender(tx, id))
    this.#id = undefined
    this.#queues.clear()
  }

  async #beat(): Promise<void> {
    const nowMs = steadyNow()
    const id = this.#id
    if (id !== undefined && nowMs - this.#beatAtMs < BEAT_MS) return
    const isAlive = id !== undefined && (await this.#services.db.write((tx) => beat(tx, id)))
    this.#beatAtMs = nowMs
    if (isAlive) return
    // The outcomes of requests under way are still written down when they end.
    this.#queues.clear()
    const made = randomHex(16)
    await this.#services.db.write(async (tx) => {
      await insertSender(tx, made)
      await beat(tx, made)
    })
    this.#id = made
  }

  async #save(at: Date): Promise<void> {
    const [outcomes, proven] = [this.#outcomes, this.#proven]
    this.#outcomes = []
    this.#proven = []
    try {
      if (outcomes.length > 0) await saveOutcomes(this.#services, at, outcomes)
      for (const { due } of outcomes) this.#queues.get(due.webhookId)?.held.delete(due.eventId)
    } catch (error) {
      this.#outcomes = [...outcomes, ...this.#outcomes]
      this.#proven = [...proven, ...this.#proven]
      throw error
    }
    // If this fails the next 2xx says the same.
    if (proven.length > 0) await prove(this.#services, at, proven)
  }

  async #lease(at: Date): Promise<void> {
    const most = ENDPOINTS_MAX - this.#queues.size
    const sender = this.#id
    if (most <= 0 || sender === undefined) return
    const { db } = this.#services
    for (const leased of await db.write((tx) => leaseDue(tx, at, { sender, most })))
      this.#queues.set(leased.id, new EndpointQueue(leased, this.#secretsOf(leased, at)))
  }

  /** An owner's change of the URL, the secret or the state counts within a second. */
  async #refresh(at: Date): Promise<void> {
    const nowMs = steadyNow()
    if (this.#queues.size === 0 || nowMs - this.#refreshedAtMs < REFRESH_MS) return
    this.#refreshedAtMs = nowMs
    const rows = await listLeased(this.#services.db.reader, this.#id ?? '')
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const queue of this.#queues.values()) {
      const leased = byId.get(queue.id)
      if (!leased) {
        this.#queues.delete(queue.id)
        continue
      }
      if (leased.url !== queue.leased.url) queue.destination = undefined
      queue.secrets = this.#secretsOf(leased, at)
      queue.leased = leased
    }
  }

  #secretsOf(leased: Leased, at: Date): string[] {
    return liveSecrets(this.#services.sealKey, at, leased)
  }

  /** Reads what is due for all endpoints that have little left. What waits for a disabled one is ended. */
  async #fill(at: Date): Promise<void> {
    const { db } = this.#services
    const size = Math.floor(WAITING.all / Math.max(1, this.#queues.size))
    const most = Math.min(WAITING.most, Math.max(WAITING.least, size))
    const queues: EndpointQueue[] = []
    for (const queue of this.#queues.values()) {
      if (queue.leased.status === 'DISABLED') await this.#exhaust(queue, at)
      else if (!queue.isResting && queue.waiting.length < most / 2) queues.push(queue)
    }
    if (queues.length === 0) return
    const due = await readDue(db.reader, at, {
      wanted: queues.map(({ id }) => ({ webhookId: id, most })),
      held: queues.flatMap(({ id, held }) => [...held].map((eventId) => `${id}:${eventId}`)),
    })
    const found = Map.groupBy(due, ({ webhookId }) => webhookId)
    for (const queue of queues) {
      const more = found.get(queue.id) ?? []
      queue.isDry = more.length < most
      for (const one of more) queue.add(one)
    }
  }

  async #exhaust(queue: EndpointQueue, at: Date): Promise<void> {
    queue.clear()
    const of = { webhookId: queue.id, most: EXHAUST_BATCH }
    const ended = await this.#services.db.write((tx) => exhaustWaiting(tx, at, of))
    queue.isDry = ended < EXHAUST_BATCH
  }

  /** Names are resolved beside the turn: one that never answers holds up nobody. */
  #resolve(): void {
    const nowMs = steadyNow()
    for (const queue of this.#queues.values()) {
      const isFresh = queue.destination && nowMs - queue.resolvedAtMs < RESOLVED_MS
      if (isFresh || queue.isResolving || queue.isResting || queue.waiting.length === 0) continue
      queue.isResolving = true
      void this.#resolveOne(queue).finally(() => {
        queue.isResolving = false
      })
    }
  }

  async #resolveOne(queue: EndpointQueue): Promise<void> {
    const { url } = queue.leased
    try {
      queue.destination = await checkEndpoint(this.#services, url)
      queue.resolvedAtMs = steadyNow()
      this.#startFor(queue)
    } catch (error) {
      queue.destination = undefined
      const due = error instanceof Problem ? queue.take() : undefined
      if (!(error instanceof Problem)) this.#services.log.error({ err: error }, 'webhook')
      if (due) this.#ended(queue, due, { ended: refused(error as Problem), url })
    }
  }

  async #takeTurns(at: Date): Promise<void> {
    const asking = [...this.#queues.values()].flatMap((queue) => {
      const { destination, waiting, turns, waitUntil, isResting } = queue
      if (!destination || isResting || turns > 0 || waiting.length === 0) return []
      if (waitUntil && waitUntil > at) return []
      return [{ queue, destination, wanted: Math.min(waiting.length, TURNS_MAX) }]
    })
    if (asking.length === 0) return
    const given = await takeTurns(this.#services, at, asking)
    for (const [i, { queue }] of asking.entries()) {
      const { granted = 0, nextAt = at, isUnproven = true } = given[i] ?? {}
      queue.turns = granted
      queue.isUnproven = isUnproven
      queue.waitUntil = granted > 0 ? null : nextAt
    }
  }

  #startAll(): void {
    const nowMs = steadyNow()
    // A request that takes long leaves the places of the quick ones.
    for (const flight of this.#flights) {
      if (flight.pace === 'other' || nowMs - flight.startedAtMs < QUICK_MS) continue
      this.#load.quick--
      this.#load.other++
      flight.pace = 'other'
      flight.queue.pace = 'other'
    }
    for (const queue of this.#queues.values()) this.#startFor(queue)
  }

  #startFor(queue: EndpointQueue): void {
    while (this.#mayStart(queue)) {
      const due = queue.take()
      if (!due) return
      const { destination } = queue
      if (due.body === null || !destination)
        this.#ended(queue, due, { ended: { kind: 'lost' }, url: queue.leased.url })
      else void this.#send(queue, { ...due, body: due.body }, destination)
    }
  }

  #mayStart(queue: EndpointQueue): boolean {
    const { destination, turns, pace, inFlight } = queue
    return (
      !this.#isLeaving &&
      this.#queues.get(queue.id) === queue &&
      queue.leased.status === 'ACTIVE' &&
      !queue.isResting &&
      destination !== undefined &&
      turns > 0 &&
      inFlight < queue.allowance(this.#load) &&
      this.#load[pace] < PLACES[pace] &&
      (this.#byHost.get(destination.url.host) ?? 0) < SOCKETS_MAX
    )
  }

  async #send(queue: EndpointQueue, due: Due & { body: Buffer }, to: Destination): Promise<void> {
    const { host } = to.url
    const flight: Flight = { queue, host, pace: queue.pace, startedAtMs: steadyNow() }
    const { secrets, isProbing, leased } = queue
    queue.turns--
    this.#count(flight, 1)
    // After a recovery the schedule starts anew, and the attempts go on.
    const letter = { ...due, isRedelivery: due.attempts > due.step }
    try {
      const ended = await attempt(this.#services, { destination: to, secrets }, letter)
      this.#count(flight, -1)
      if (ended.fault === 'connect') queue.destination = undefined
      if (ended.kind === 'delivered' && queue.isUnproven) this.#prove(queue, to)
      this.#ended(queue, due, { ended, isProbe: isProbing, url: leased.url })
    } catch (error) {
      // A bug: the delivery stays due, and is taken up again when the endpoint is.
      this.#count(flight, -1)
      this.#services.log.error({ err: error }, 'webhook')
      queue.end(due)
      queue.held.delete(due.eventId)
      queue.isResting = true
    }
  }

  #count(flight: Flight, step: 1 | -1): void {
    if (step === 1) this.#flights.add(flight)
    else this.#flights.delete(flight)
    flight.queue.inFlight += step
    this.#load[flight.pace] += step
    const count = (this.#byHost.get(flight.host) ?? 0) + step
    if (count === 0) this.#byHost.delete(flight.host)
    else this.#byHost.set(flight.host, count)
  }

  #prove(queue: EndpointQueue, to: Destination): void {
    queue.isUnproven = false
    queue.waitUntil = null
    this.#proven.push(to)
  }

  #ended(
    queue: EndpointQueue,
    due: Due,
    of: Pick<Outcome, 'ended' | 'url'> & { isProbe?: boolean },
  ): void {
    const { ended } = of
    queue.end(due)
    this.#outcomes.push({ isProbe: false, ...of, due, at: this.#services.clock.now() })
    if (ended.kind === 'delivered') {
      queue.failures = 0
      queue.pace = ended.tookMs < QUICK_MS ? 'quick' : 'other'
    }
    if (ended.kind === 'failed') {
      queue.failures++
      queue.pace = 'other'
      queue.isResting ||= queue.failures >= BREAKER_FAILURES || ended.statusCode === 410
    }
    this.#startFor(queue)
  }

  /** Gives back endpoints to which nothing can be sent now. */
  async #release(at: Date): Promise<void> {
    const sender = this.#id
    const idle = [...this.#queues.values()].filter((queue) => {
      if (!queue.isQuiet || queue.inFlight > 0 || queue.isResolving) return false
      const waits = queue.waitUntil !== null && queue.waitUntil > at && queue.turns === 0
      return queue.isResting || waits || (queue.waiting.length === 0 && queue.isDry)
    })
    if (idle.length === 0 || sender === undefined) return
    for (const queue of idle) this.#queues.delete(queue.id)
    const endpoints = idle.map(({ id, waitUntil }) => ({ id, until: waitUntil }))
    await this.#services.db.write((tx) => release(tx, at, { sender, endpoints }))
  }
}

const refused = (problem: Problem): Attempted => ({
  kind: 'failed',
  statusCode: null,
  retryAfterSeconds: null,
  head: null,
  error: problem.message,
  fault: 'blocked',
  tookMs: 0,
})

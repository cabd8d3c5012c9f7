import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual as isEqual } from 'node:util'
import { isLost, type Reader } from '../../../base/db/sql.ts'
import type { TimeColumn } from '../../../base/jobs/set-back.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Caller } from '../../http/caller.ts'
import type { Uses } from '../../http/services.ts'
import type { Cursor } from '../cursor.ts'
import { readFeed } from '../feed.ts'
import { freeSlot, readChanges, renewSlots, STREAMS, takeSlot } from './store.ts'
import { createStream, type EventStream, PAGE } from './stream.ts'

const POLL_MS = 200
const LEASE_SECONDS = 20

export const streamTimes: readonly TimeColumn[] = Object.values(STREAMS).map(({ table }) => ({
  ...{ table, column: 'until', longestSeconds: LEASE_SECONDS },
}))
/** Leases are renewed with every so many polls: each five seconds. */
const RENEW_EVERY = 25

/** The credentials (hex hashes) that are good at `at`, each with the cards that it may see; null for all. */
export type FindLive = (on: Reader, at: Date, hashes: string[]) => Promise<Live>
type Live = ReadonlyMap<string, readonly string[] | null>
type Open = EventStream & { id: string; caller: Caller }
type Asked = {
  /** Unique: names the lease. */
  id: string
  caller: Caller
  after: Cursor
  /** The id of the event at that place. */
  lastId: string | undefined
  types: readonly string[] | undefined
  /** Ends the stream. */
  closing: AbortSignal
}

export type Hub = { open(at: Date, asked: Asked): Promise<EventStream> }

/**
 * The open streams of this process. One poll for all of them finds the wallets with new events, and the credentials that have
 * ended; a stream reads pages of its own only when it is woken.
 */
export function createHub(services: Uses<'clock' | 'db' | 'log'>, findLive: FindLive): Hub {
  const { db, clock, log } = services
  const readPage = pageReader(services, findLive)
  const streams = new Map<string, Open>()
  let isRunning = false
  let horizon: bigint | undefined

  async function open(
    at: Date,
    { id, caller, after, lastId, types, closing }: Asked,
  ): Promise<EventStream> {
    const { walletAddress, cardIds, kind } = caller
    const lease = { id, walletAddress, kind, until: addSeconds(at, LEASE_SECONDS) }
    if (!(await db.write((tx) => takeSlot(tx, at, lease)))) throw tooMany(STREAMS[kind].most)
    const ask = { walletAddress, cardIds, limit: PAGE, ...(types && { types }) }
    const stream = createStream({
      after,
      lastId,
      readPage: (cursor) => readPage(caller, { ...ask, after: cursor }),
      onClose() {
        streams.delete(id)
        closing.removeEventListener('abort', stream.end)
        db.write((tx) => freeSlot(tx, id)).catch(noted('the slot of a stream could not be freed'))
      },
    })
    closing.addEventListener('abort', stream.end)
    if (closing.aborted) stream.end()
    streams.set(id, { ...stream, id, caller })
    if (!isRunning) void run()
    return stream
  }

  async function run(): Promise<void> {
    isRunning = true
    horizon = undefined
    for (let polls = 1; streams.size > 0; polls++) {
      await look().catch((error) => {
        noted('new events could not be read for the streams of events')(error)
        // A stream that is open says that its reader hears of everything.
        if (isLost(error)) for (const stream of streams.values()) stream.end()
      })
      if (polls % RENEW_EVERY === 0)
        await renew().catch(noted('the slots of streams could not be renewed'))
      await sleep(POLL_MS)
    }
    isRunning = false
  }

  async function look(): Promise<void> {
    const asked = new Set(streams.values())
    const hashes = [...new Set([...asked].map(({ caller }) => caller.credentialHash))]
    const [changes, live] = await db.together((on) =>
      Promise.all([readChanges(on, horizon), findLive(on, clock.now(), hashes)]),
    )
    for (const stream of streams.values()) {
      if (asked.has(stream) && !mayRead(stream.caller, live)) stream.end()
      else if (!horizon || changes.wallets.has(stream.caller.walletAddress)) stream.wake()
    }
    horizon = changes.horizon
  }

  async function renew(): Promise<void> {
    const asked = [...streams.keys()]
    const until = addSeconds(clock.now(), LEASE_SECONDS)
    const kept = await db.write((tx) => renewSlots(tx, asked, until))
    for (const id of asked) if (!kept.has(id)) streams.get(id)?.end()
  }

  const noted = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  return { open }
}

/** Reads a page for a caller. The credential is read after the events: none that was recorded after its end is sent. */
const pageReader =
  ({ db, clock }: Uses<'clock' | 'db'>, findLive: FindLive) =>
  (caller: Caller, ask: Parameters<typeof readFeed>[1]) =>
    db.together(async (on) => {
      const [page, live] = await Promise.all([
        readFeed(on, ask),
        findLive(on, clock.now(), [caller.credentialHash]),
      ])
      return mayRead(caller, live) ? page : undefined
    })

/** A key that has lost a card since, because it was sold, sees no more of it: its reader connects again as what it is now. */
const mayRead = ({ credentialHash, cardIds }: Caller, live: Live): boolean =>
  live.has(credentialHash) && isEqual(live.get(credentialHash), cardIds)

const tooMany = (most: number): Problem =>
  new Problem(
    'rate_limited',
    `Your wallet has ${most} open streams, the most that it may have. Close one, or read GET /api/events.`,
    { headers: { 'retry-after': '5' } },
  )

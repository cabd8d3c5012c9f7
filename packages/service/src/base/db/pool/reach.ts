import pg from 'pg'
import { within } from '../../kernel/clock.ts'
import { readHosts } from './hosts.ts'

type Place = { host: string; port: number }
/** A server that takes writes. `startedAt` is the same for one that has two names. */
type Writer = Place & { startedAt: string }
type Kind = new (options?: pg.ClientConfig) => pg.Client

/** No server takes writes now: all are standbys, or do not answer. The code makes callers try again, as after any loss. */
const noneWrites = (): Error =>
  Object.assign(new Error('No server of the address takes writes: they are standbys.'), {
    code: 'ECONNREADONLY',
  })

/** One of them was promoted by accident, or is a former primary: what it takes may be thrown away, and nobody here knows which it is. */
const severalWrite = (): Error =>
  Object.assign(new Error('Several servers of the address take writes: only one of them may.'), {
    code: 'ECONNSEVERAL',
  })

/** So long an answer of the others is awaited: one that is cut off never gives one. */
const OTHERS_MS = 250

/**
 * The address for the driver, which knows one server, and the kind of client that goes to the server that takes writes. An
 * address of one server is left as it is.
 */
export function reaching<K extends Kind>(
  Base: K,
  url: string,
  timeoutMs: number,
): { connectionString: string; Client: K } {
  const hosts = readHosts(url)
  const [first = url] = hosts?.urls ?? []
  if (!hosts?.mustAsk) return { connectionString: first, Client: Base }
  const find = finderOf(hosts.urls, timeoutMs)
  class Reaching extends (Base as Kind) {
    override connect = ((done?: (error?: Error) => void) => {
      const reached = this.#reach()
      if (!done) return reached
      reached.then(() => done(), done)
      return undefined
    }) as pg.Client['connect']

    #open(): Promise<unknown> {
      return super.connect()
    }

    async #reach(): Promise<void> {
      Object.assign(this, await find())
      await this.#open()
      // It may have become a standby since it was asked.
      if (!(await isWritable(this))) {
        await this.end()
        throw noneWrites()
      }
    }
  }
  return { connectionString: first, Client: Reaching as unknown as K }
}

/** Asks all servers at once which of them takes writes: a dead one costs no time. Connections that are opened together ask once. */
function finderOf(urls: readonly string[], timeoutMs: number): () => Promise<Place> {
  let asking: Promise<Place> | undefined
  return () => {
    asking ??= oneOf(urls.map((url) => ask(url, timeoutMs))).finally(() => {
      asking = undefined
    })
    return asking
  }
}

async function oneOf(asked: Promise<Writer | undefined>[]): Promise<Place> {
  const writers = new Map<string, Place>()
  const answers = asked.map(async (one) => {
    const writer = await one
    if (!writer) throw noneWrites()
    const { startedAt, ...place } = writer
    writers.set(startedAt, place)
    return place
  })
  const first = await firstOf(answers)
  await within<unknown>(Promise.allSettled(answers), OTHERS_MS, () => undefined)
  if (writers.size > 1) throw severalWrite()
  return first
}

async function firstOf(answers: Promise<Place>[]): Promise<Place> {
  try {
    return await Promise.any(answers)
  } catch (error) {
    const causes = (error as AggregateError).errors as unknown[]
    // A wrong password is reported as such.
    throw causes.find((cause) => cause instanceof pg.DatabaseError) ?? noneWrites()
  }
}

/** The server, or undefined if it takes no writes. */
async function ask(url: string, timeoutMs: number): Promise<Writer | undefined> {
  const times = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }
  const client = new pg.Client({ connectionString: url, ...times })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { host, port } = client
    if (!(await isWritable(client))) return undefined
    const { rows } = await client.query<{ at: string }>(
      'select pg_postmaster_start_time()::text as at',
    )
    return { host, port, startedAt: rows[0]?.at ?? '' }
  } finally {
    // A server that is frozen never answers the goodbye.
    void client.end().catch(() => undefined)
  }
}

async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ writes: boolean }>(
    `select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as writes`,
  )
  return rows[0]?.writes === true
}

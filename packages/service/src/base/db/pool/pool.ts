import pg from 'pg'
import { LIMITS, type Purpose, settingsFor } from './limits.ts'
import { PINNED, pinTheRest } from './pinned.ts'
import { reaching } from './reach.ts'
import { schemaOf } from './schema.ts'
import { type CountingClient, endSilent, type Watch } from './silence.ts'

type Settings = Readonly<Record<string, string>>
type Client = new (options?: pg.ClientConfig) => CountingClient

/** How long the server may take to close the connections of a pool that ends. */
const PART_MS = 2_000
/**
 * Each connection by which a service works holds this advisory lock, shared, while it is open. A restore takes it alone, so that neither
 * runs beside the other, on whatever machine it was started.
 */
export const SERVICE_LOCK = 7_283_190_457
const SERVES: readonly Purpose[] = ['requests', 'jobs', 'queue']
/** The operating system probes idle connections. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** A pool whose connections have the limits of the purpose. It closes connections on which the server stays silent. */
export function poolOf(
  Kind: Client,
  options: pg.PoolConfig,
  purpose: Purpose,
  isShared = false,
): pg.Pool {
  const { connect, wait, read, unused } = LIMITS[purpose]
  const url = options.connectionString ?? ''
  const settings = setAll(sessionOf(purpose, url))
  const hold = SERVES.includes(purpose) ? `; select pg_advisory_lock_shared(${SERVICE_LOCK})` : ''
  const { connectionString, Client } = reaching(Kind, url, connect)
  const pool: pg.Pool = new pg.Pool({
    ...options,
    ...KEEP_ALIVE,
    connectionString,
    connectionTimeoutMillis: wait,
    idleTimeoutMillis: unused,
    Client: class extends Client {
      constructor(given?: pg.ClientConfig) {
        super({ ...given, connectionTimeoutMillis: connect })
      }
    } as unknown as typeof pg.Client,
    async onConnect(connected) {
      const client = connected as unknown as CountingClient
      watch.add(client)
      client.on('error', ignore)
      if (!isShared) await client.query(settings + hold)
    },
  })
  // The query that runs on a connection reports its end. The pool emits an error event too, which would end the process
  // without a listener.
  pool.on('error', ignore)
  // The queue's library warns if this listener is missing. Every connection has its error listener already.
  pool.on('connect', ignore)
  const watch = endSilent(pool, read)
  partInTime(pool, watch)
  return pool
}

const ignore = (): void => undefined

/** Bounds the end of a pool: a server that is out of reach never answers the goodbye. */
function partInTime(pool: pg.Pool, watch: Watch): void {
  const end = pool.end.bind(pool) as () => Promise<void>
  pool.end = (async () => {
    const timer = setTimeout(() => {
      for (const client of watch.all()) client.stream.destroy()
    }, PART_MS)
    await end().finally(() => clearTimeout(timer))
  }) as pg.Pool['end']
}

/** The settings of a session for this purpose, at the database of this address. */
export const sessionOf = (purpose: Purpose, url: string): Settings => ({
  ...PINNED,
  ...settingsFor(purpose),
  search_path: schemaOf(url),
})

export const setAll = (settings: Settings): string =>
  [
    ...Object.entries(settings).map(([name, value]) => `set ${name} = ${literal(value)}`),
    pinTheRest(false),
  ].join('; ')

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Begins a transaction with these settings. For connections that a pooler shares between clients. */
export const beginWith = (settings: Settings): string =>
  [
    'begin',
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${literal(value)}`),
    pinTheRest(true),
  ].join('; ')

import pg from 'pg'
import { PINNED, UNLIMITED } from './pinned.ts'
import { setAll } from './pool.ts'
import { reaching } from './reach.ts'
import { schemaOf } from './schema.ts'

const CONNECT_MS = 10_000

/** Opens one connection, to the server of `url` that takes writes. It has none of the pools' limits: for migrations and backups. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = await connectClient(url)
  await client.query(setAll({ ...PINNED, ...UNLIMITED, search_path: schemaOf(url) }))
  return client
}

/** Opens one connection and leaves its settings as they are: it may be one that a pooler lends to others too. */
export async function connectClient(
  url: string,
  options: Pick<pg.ClientConfig, 'query_timeout'> = {},
): Promise<pg.Client> {
  const { connectionString, Client } = reaching(pg.Client, url, CONNECT_MS)
  const times = { connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...options }
  const client = new Client({ connectionString, ...times })
  // The query that runs reports the loss of its connection.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

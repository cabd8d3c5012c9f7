import pg from 'pg'
import { setAll } from './pool.ts'
import { reaching } from './reach.ts'
import { schemaOf } from './schema.ts'

const CONNECT_MS = 10_000

/**
 * Opens one connection, to the server of `url` that takes writes. It has none of the pools' limits: for migrations, backups
 * and questions about the server.
 */
export async function openClient(
  url: string,
  options: Pick<pg.ClientConfig, 'query_timeout'> = {},
): Promise<pg.Client> {
  const { connectionString, Client } = reaching(pg.Client, url, CONNECT_MS)
  const times = { connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...options }
  const client = new Client({ connectionString, ...times })
  // The query that runs reports the loss of its connection.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(setAll({ search_path: schemaOf(url) }))
  return client
}

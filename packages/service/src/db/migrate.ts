import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { sha256Hex } from '../kernel/secrets.ts'
import { beginWith } from './pool/pool.ts'

const DIRECTORY = new URL('./migrations/', import.meta.url)
/** Two processes that start at once take turns on this advisory lock. */
const LOCK = 7_283_190_451
/** A process whose connection dies halfway keeps that lock no longer. */
const IDLE_MS = '30000'

const clientOf = (url: string): pg.Client =>
  new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })

/**
 * Brings the database at `url` to the newest schema: the numbered `.sql` files, each applied once in one
 * transaction, then the job queue's own. Throws if a file that was applied has changed since.
 */
export async function migrate(url: string): Promise<void> {
  const client = clientOf(url)
  await client.connect()
  try {
    await client.query(beginWith({ idle_in_transaction_session_timeout: IDLE_MS }))
    await client.query(`select pg_advisory_xact_lock(${LOCK})`)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migrations',
    )
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    for (const { name, text, hash } of await readMigrations()) {
      const before = applied.get(name)
      if (before === hash) continue
      if (before)
        throw new Error(`migration ${name} was applied in another version; add a new file`)
      await client.query(text)
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
        name,
        hash,
      ])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
  await runMigrations({ connectionString: url, noHandleSignals: true })
}

/** The migrations that the database has not seen, by name. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const client = clientOf(url)
  await client.connect()
  try {
    const table = await client.query(`select to_regclass('schema_migrations') as name`)
    const { rows } = table.rows[0]?.name
      ? await client.query<{ name: string }>('select name from schema_migrations')
      : { rows: [] }
    const applied = new Set(rows.map((row) => row.name))
    return (await readMigrations()).map((m) => m.name).filter((name) => !applied.has(name))
  } finally {
    await client.end()
  }
}

/** The numbered files, oldest first. */
export async function readMigrations(): Promise<{ name: string; text: string; hash: string }[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, DIRECTORY), 'utf8')
      return { name, text, hash: sha256Hex(text) }
    }),
  )
}

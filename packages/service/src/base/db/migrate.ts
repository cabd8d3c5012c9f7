import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { PACKAGE } from '../../places.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { beginWith } from './pool/pool.ts'

const DIRECTORY = new URL('src/base/db/migrations/', PACKAGE)
/** Two processes that start at once take turns on this advisory lock. */
export const MIGRATION_LOCK = 7_283_190_451
/** Bounds how long a process whose connection died halfway keeps that lock. */
const IDLE_MS = '30000'
/** A migration waits no longer for a table, because all later statements on that table wait behind it. */
const TABLE_LOCK = '5s'

type Migration = { name: string; text: string; hash: string }

/** The database was made by a version that was never released: no migration leads from its schema to this one. */
export class UnreleasedSchema extends Error {
  override readonly name = 'UnreleasedSchema'
}

const clientOf = (url: string): pg.Client =>
  new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })

/**
 * Brings the database at `url` to the newest schema: the numbered `.sql` files, each applied once and all in one
 * transaction, then the job queue's own. Throws `UnreleasedSchema` if an applied file is not as it was.
 */
export async function migrate(url: string): Promise<void> {
  const client = clientOf(url)
  await client.connect()
  try {
    await client.query(beginWith({ idle_in_transaction_session_timeout: IDLE_MS }))
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await client.query(`set local lock_timeout = '${TABLE_LOCK}'`)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
    for (const { name, text, hash } of await readPending(client)) {
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

/** The names of the migrations that `migrate` would apply. Throws `UnreleasedSchema` if `migrate` would. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const client = clientOf(url)
  await client.connect()
  try {
    const table = await client.query(`select to_regclass('schema_migrations') as name`)
    const pending = table.rows[0]?.name ? await readPending(client) : await readMigrations()
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/**
 * The files that the database has not seen. Names that are unknown here are no fault: a newer version may have migrated
 * the database while this one still runs.
 */
async function readPending(client: pg.Client): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const migrations = await readMigrations()
  const hasNoBaseline = applied.size > 0 && !applied.has(migrations[0]?.name ?? '')
  const isAltered = ({ name, hash }: Migration) => (applied.get(name) ?? hash) !== hash
  if (hasNoBaseline || migrations.some(isAltered))
    throw new UnreleasedSchema('the database was made by an unreleased version of Purser')
  return migrations.filter(({ name }) => !applied.has(name))
}

/** The numbered files, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, DIRECTORY), 'utf8')
      return { name, text, hash: sha256Hex(text) }
    }),
  )
}

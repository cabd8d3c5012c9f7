import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import manifest from '../../../package.json' with { type: 'json' }
import {
  BASELINE,
  fitting,
  type Migration,
  numberOf,
  readMigrations,
  VERSION,
} from './migrations.ts'
import { openClient } from './pool/client.ts'
import { PINNED, UNLIMITED } from './pool/pinned.ts'
import { beginWith } from './pool/pool.ts'
import { quoted, schemaOf } from './pool/schema.ts'
import { openPool, sqlState } from './sql.ts'

/** Two processes that start at once take turns on this advisory lock. */
export const MIGRATION_LOCK = 7_283_190_451
/** Bounds how long a process whose connection died halfway keeps that lock. */
const IDLE_MS = '30000'
/**
 * A migration waits no longer for a table, because all later statements on that table wait behind it. Below the time for
 * which requests wait for a lock, so that none of them is refused.
 */
const TABLE_LOCK = '2s'
/** So often a migration is tried that could not have its tables. Others get through in the pauses. */
const ATTEMPTS = 30
const PAUSE_MS = 1_000
/** A lock was not to be had in time, or two waited for each other. */
const IN_THE_WAY = ['55P03', '40P01']

/** The database was made by a version that was never released: no migration leads from its schema to this one. */
export class UnreleasedSchema extends Error {
  override readonly name = 'UnreleasedSchema'
}

/** A newer version has migrated the database further than this one can work with. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  readonly migrations: readonly string[]
  /** The version that applied the last of them; null if it noted none. */
  readonly version: string | null
  constructor(migrations: readonly string[], version: string | null) {
    super(`the schema is that of a newer version: ${migrations.join(', ')}`)
    this.migrations = migrations
    this.version = version
  }
}

/**
 * The schema of a database beside this program's: files to apply, those that wait for `purser migrate --contract`, and those of a
 * newer version that it may run on.
 */
export type SchemaState = { pending: string[]; waiting: string[]; newer: string[] }

/**
 * Brings the database at `url` to the newest schema: the numbered `.sql` files, each applied once, then the job queue's own.
 * Returns the names of those applied. Throws `UnreleasedSchema` if an applied file is not as it was, and `NewerSchema` if the
 * database is too new. Files that no older program can run beside are applied with `contract`, and in a new database unless it
 * is false.
 */
export async function migrate(
  url: string,
  { contract }: { contract?: boolean | undefined } = {},
): Promise<string[]> {
  const { pending, waiting } = await readSchema(url)
  // A start on a database that takes no writes now has nothing to write here.
  const isDone = pending.length === 0 && (!contract || waiting.length === 0)
  const applied = isDone ? [] : await applyAll(url, contract)
  await migrateQueue(url)
  return applied
}

async function applyAll(url: string, contract: boolean | undefined): Promise<string[]> {
  const client = await openClient(url)
  const applied: string[] = []
  let withContract = contract ?? false
  try {
    for (let attempt = 1; ; attempt++) {
      const done = await applyNext(client, { schema: schemaOf(url), withContract }).catch(
        async (error) => {
          await client.query('rollback').catch(() => undefined)
          if (!IN_THE_WAY.includes(sqlState(error) ?? '') || attempt >= ATTEMPTS) throw error
          await sleep(PAUSE_MS)
          return undefined
        },
      )
      if (!done) continue
      if (done.length === 0) break
      applied.push(...done)
      if (contract === undefined && numberOf(done[0] ?? '') === '001') withContract = true
      attempt = 0
    }
  } finally {
    await client.end()
  }
  return applied
}

/** Applies what is next in one transaction: the baseline in one piece, each later file by itself. */
async function applyNext(
  client: pg.Client,
  { schema, withContract }: { schema: string; withContract: boolean },
): Promise<string[]> {
  await client.query(
    beginWith({
      ...{ ...PINNED, ...UNLIMITED },
      ...{ idle_in_transaction_session_timeout: IDLE_MS, search_path: schema },
    }),
  )
  await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await client.query(`set local lock_timeout = '${TABLE_LOCK}'`)
  const known = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (known.rowCount === 0) await client.query(`create schema ${quoted(schema)}`)
  await client.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { pending: all } = await readState(client)
  const pending = all.filter(({ isContract }) => withContract || !isContract)
  const baseline = pending.filter(({ name }) => numberOf(name) <= BASELINE)
  const next = baseline.length > 0 ? baseline : pending.slice(0, 1)
  if (next.length > 0)
    await client.query(`alter table schema_migrations
      add column if not exists oldest text, add column if not exists makes text[],
      add column if not exists version text`)
  const { rows } = await client.query<{ version: number }>(VERSION)
  for (const { name, text, hash, oldest, makes } of next) {
    await client.query(fitting(text, rows[0]?.version ?? 0))
    await client.query(
      'insert into schema_migrations (name, sha256, oldest, makes, version) values ($1, $2, $3, $4, $5)',
      [name, hash, oldest, makes, manifest.version],
    )
  }
  await client.query('commit')
  return next.map(({ name }) => name)
}

async function migrateQueue(url: string): Promise<void> {
  const pgPool = openPool(url, 1, { purpose: 'verify' })
  try {
    await runMigrations({ pgPool, noHandleSignals: true })
  } finally {
    await pgPool.end()
  }
}

/** Reads the state that `migrate` would find, without a change. Throws as it does. */
export async function readSchema(url: string): Promise<SchemaState> {
  const client = await openClient(url)
  try {
    const table = await client.query(`select to_regclass('schema_migrations') as name`)
    const isNew = !table.rows[0]?.name
    const { pending, newer } = isNew
      ? { pending: await readMigrations(), newer: [] }
      : await readState(client)
    const namesOf = (files: Migration[]) => files.map(({ name }) => name)
    return {
      pending: namesOf(pending.filter(({ isContract }) => isNew || !isContract)),
      waiting: namesOf(pending.filter(({ isContract }) => !isNew && isContract)),
      newer,
    }
  } finally {
    await client.end()
  }
}

/** The names of the migrations that `migrate` would apply. Throws as it does. */
export const pendingMigrations = async (url: string): Promise<string[]> =>
  (await readSchema(url)).pending

type Applied = {
  name: string
  sha256: string
  oldest: string | null
  makes: string[] | null
  version: string | null
}

/** The last three columns are younger than the table. */
export const APPLIED = `select name, sha256, to_jsonb(m) ->> 'oldest' as oldest, to_jsonb(m) -> 'makes' as makes,
  to_jsonb(m) ->> 'version' as version from schema_migrations m`

async function readState(client: pg.Client): Promise<{ pending: Migration[]; newer: string[] }> {
  const { rows } = await client.query<Applied>(`${APPLIED} order by name`)
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const migrations = await readMigrations()
  const hasNoBaseline = applied.size > 0 && !applied.has(migrations[0]?.name ?? '')
  const isAltered = ({ name, hash }: Migration) => (applied.get(name) ?? hash) !== hash
  if (hasNoBaseline || migrations.some(isAltered))
    throw new UnreleasedSchema('the database was made by an unreleased version of Purser')
  const { newer, tooNew } = compareNewer(
    rows,
    migrations.map(({ name }) => name),
  )
  if (tooNew.length > 0) {
    const last = rows.findLast(({ name }) => tooNew.includes(name))
    throw new NewerSchema(tooNew, last?.version ?? null)
  }
  return { pending: migrations.filter(({ name }) => !applied.has(name)), newer }
}

/** The applied migrations that this program does not have: all of them, and those on which it must not start. */
export function compareNewer(
  applied: readonly Pick<Applied, 'name' | 'oldest'>[],
  own: readonly string[],
): { newer: string[]; tooNew: string[] } {
  const known = new Set(own)
  const newest = numberOf(own.at(-1) ?? '000')
  const newer = applied.filter(({ name }) => !known.has(name))
  const isTooNew = ({ name, oldest }: Pick<Applied, 'name' | 'oldest'>) =>
    (oldest ?? numberOf(name)) > newest
  const namesOf = (rows: typeof newer) => rows.map(({ name }) => name).sort()
  return { newer: namesOf(newer), tooNew: namesOf(newer.filter(isTooNew)) }
}

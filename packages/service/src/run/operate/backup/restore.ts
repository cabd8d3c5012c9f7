import type pg from 'pg'
import { readMigrations } from '../../../base/db/migrations.ts'
import { openClient } from '../../../base/db/pool/client.ts'
import { StartError } from '../start-error.ts'
import { bodyOf, type Head, type Line, type Sequences, type Table } from './format.ts'
import { ALL_TABLES, FOREIGN_KEYS, readNames, SEQUENCES, TABLES, TRIGGERS } from './tables.ts'

/** So many rows in a statement. */
const PART = 1_000

/** Throws a sentence if the backup is of another version: its rows would not fit the tables. */
export async function checkVersion({ migrations }: Head): Promise<void> {
  const here = new Map((await readMigrations()).map((file) => [file.name, file]))
  const there = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  // A contract that waited there changes how rows are kept, and nothing of the rows.
  const isSame =
    [...there].every(([name, sha256]) => here.get(name)?.hash === sha256) &&
    [...here].every(([name, { isContract }]) => isContract || there.has(name))
  if (!isSame)
    throw new StartError(
      'The backup is of another version of Purser: restore it with that version, and migrate then.',
    )
}

/** Throws a sentence if a service has ever worked on the database. */
export async function refuseUsed(databaseUrl: string, advice: string): Promise<void> {
  const client = await openClient(databaseUrl)
  try {
    const { rows } = await client.query(`select to_regclass('chain_identity') as found`)
    if (rows[0]?.found === null) return
    const used = await client.query('select 1 from chain_identity limit 1')
    if (used.rows.length > 0) throw new StartError(`The database is in use already: ${advice}`)
  } finally {
    await client.end()
  }
}

/** Fills a migrated, unused database from a backup, in one transaction. Returns the number of rows. */
export async function loadRows(databaseUrl: string, path: string): Promise<number> {
  const client = await openClient(databaseUrl)
  try {
    await client.query('begin')
    const names = await readNames(client)
    const back = await setAside(client, names)
    const rows = await load(client, path, new Set(await readTargets(client, names)))
    await back()
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Empties our tables, and takes their triggers and foreign keys away: rows come in the order of tables, and each was judged
 * when it was written. The result puts them back; a foreign key then checks every row.
 */
async function setAside(client: pg.Client, names: string[]): Promise<() => Promise<void>> {
  const { rows: tables } = await client.query<{ table: string }>(TABLES, [names])
  const { rows: withParts } = await client.query<{ table: string }>(ALL_TABLES, [names])
  const { rows: keys } = await client.query<Record<string, string>>(FOREIGN_KEYS, [names])
  const { rows: triggers } = await client.query<Record<string, string>>(TRIGGERS, [names])
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { table } of withParts) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${tables.map(({ table }) => table).join(', ')}`)
  return async () => {
    for (const { table, name, state } of triggers)
      await client.query(`alter table ${table} ${STATES[state ?? 'O']} trigger ${name}`)
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

const STATES: Record<string, string> = {
  O: 'enable',
  A: 'enable always',
  R: 'enable replica',
  D: 'disable',
}

/** The names under which a backup may write: it changes nothing else of the database. */
async function readTargets(client: pg.Client, names: string[]): Promise<string[]> {
  const { rows: tables } = await client.query<{ table: string }>(TABLES, [names])
  const { rows: sequences } = await client.query<{ sequence: string }>(SEQUENCES, [names])
  return [...tables.map(({ table }) => table), ...sequences.map(({ sequence }) => sequence)]
}

async function load(client: pg.Client, path: string, targets: Set<string>): Promise<number> {
  let into: Table | undefined
  let part: string[] = []
  let count = 0
  const flush = async () => {
    if (into && part.length > 0) await insert(client, into, part)
    count += part.length
    part = []
  }
  for await (const line of bodyOf(path)) {
    if (typeof line === 'string') part.push(line)
    if (typeof line !== 'string' || part.length === PART) await flush()
    for (const name of namesIn(line))
      if (!targets.has(name))
        throw new StartError(`${path} has ${name}, which this version does not know.`)
    if (isTable(line)) into = line
    if (isSequences(line))
      for (const [sequence, last] of Object.entries(line.sequences))
        await client.query('select setval($1::regclass, $2)', [sequence, last])
  }
  await flush()
  return count
}

function namesIn(line: Line): string[] {
  if (isTable(line)) return [line.table]
  return isSequences(line) ? Object.keys(line.sequences) : []
}

const isTable = (line: Line): line is Table => typeof line !== 'string' && 'table' in line
const isSequences = (line: Line): line is Sequences =>
  typeof line !== 'string' && 'sequences' in line

/** PostgreSQL reads a row as it wrote it: no value passes through another form. */
async function insert(client: pg.Client, { table, columns }: Table, rows: string[]): Promise<void> {
  const values = columns.map((column) => `(r).${column}`).join(', ')
  await client.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value
      select ${values} from (select line::${table} as r from unnest($1::text[]) with ordinality as l(line, n) order by n offset 0) rows`,
    [rows],
  )
}

import { CompiledQuery } from 'kysely'
import { readMigrations } from '../../../base/db/migrations.ts'
import type { Db, Tx } from '../../../base/db/sql.ts'
import { QUEUE_SCHEMA } from '../../../base/jobs/tables.ts'
import { StartError } from '../start-error.ts'
import {
  type BackupFile,
  bodyOf,
  type Head,
  type Line,
  type Sequences,
  type Table,
} from './format.ts'
import {
  ALL_TABLES,
  type Ask,
  FOREIGN_KEYS,
  readNames,
  SEQUENCES,
  TABLES,
  TRIGGERS,
} from './tables.ts'

/** So many rows in a statement. */
const PART = 1_000

/** Throws a sentence if the backup is of another version: its rows would not fit the tables. */
export async function checkVersion(head: Head): Promise<void> {
  if (await isOfThisVersion(head)) return
  const version =
    head.version === undefined ? 'another version of Purser' : `Purser ${head.version}`
  throw new StartError(
    `The backup was made by ${version}: restore it with that version, and migrate then.`,
  )
}

/** Whether the migrations are those of this version. */
export async function isOfThisVersion({ migrations }: Head): Promise<boolean> {
  const here = new Map((await readMigrations()).map((file) => [file.name, file]))
  const there = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  // A contract that waited there changes how rows are kept, and nothing of the rows.
  return (
    [...there].every(([name, sha256]) => here.get(name)?.hash === sha256) &&
    [...here].every(([name, { isContract }]) => isContract || there.has(name))
  )
}

/**
 * Fills a migrated, unused database from a backup, and does what `last` does, in one transaction. Returns the number of rows.
 */
export function loadRows(
  db: Db,
  file: BackupFile,
  last: (tx: Tx, rows: number) => Promise<void> = async () => undefined,
): Promise<number> {
  return db.write(async (tx) => {
    const ask: Ask = (text, values = []) =>
      tx.executeQuery(CompiledQuery.raw(text, values)) as never
    const names = await readNames(ask)
    const back = await setAside(ask, names)
    const rows = await load(ask, file, new Set(await readTargets(ask, names)))
    await back()
    await last(tx, rows)
    return rows
  })
}

/**
 * Empties our tables, and takes their triggers and foreign keys away: rows come in the order of tables, and each was judged
 * when it was written. The result puts them back; a foreign key then checks every row.
 */
async function setAside(ask: Ask, names: string[]): Promise<() => Promise<void>> {
  const { rows: tables } = await ask<{ table: string }>(TABLES, [names])
  const { rows: withParts } = await ask<{ table: string }>(ALL_TABLES, [names])
  const { rows: keys } = await ask<Record<string, string>>(FOREIGN_KEYS, [names])
  const { rows: triggers } = await ask<Record<string, string>>(TRIGGERS, [names])
  for (const { table, name } of keys) await ask(`alter table ${table} drop constraint ${name}`)
  for (const { table } of withParts) await ask(`alter table ${table} disable trigger user`)
  // Two programs may share this schema, which has the name that the library gives it.
  const { rows: jobs } = await ask(`select from ${QUEUE_SCHEMA}._private_jobs limit 1`)
  if (jobs.length > 0)
    throw new StartError(
      `The job queue of this database (schema ${QUEUE_SCHEMA}) has jobs already, of another program or of a Purser that was here: restore into another database.`,
    )
  await ask(`truncate ${tables.map(({ table }) => table).join(', ')}`)
  return async () => {
    for (const { table, name, state } of triggers)
      await ask(`alter table ${table} ${STATES[state ?? 'O']} trigger ${name}`)
    for (const { table, name, definition } of keys)
      await ask(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

const STATES: Record<string, string> = {
  O: 'enable',
  A: 'enable always',
  R: 'enable replica',
  D: 'disable',
}

/** The names under which a backup may write: it changes nothing else of the database. */
async function readTargets(ask: Ask, names: string[]): Promise<string[]> {
  const { rows: tables } = await ask<{ table: string }>(TABLES, [names])
  const { rows: sequences } = await ask<{ sequence: string }>(SEQUENCES, [names])
  return [...tables.map(({ table }) => table), ...sequences.map(({ sequence }) => sequence)]
}

async function load(ask: Ask, file: BackupFile, targets: Set<string>): Promise<number> {
  let into: Table | undefined
  let part: string[] = []
  let count = 0
  const flush = async () => {
    if (into && part.length > 0) await insert(ask, into, part)
    count += part.length
    part = []
  }
  for await (const line of bodyOf(file)) {
    if (typeof line === 'string') part.push(line)
    if (typeof line !== 'string' || part.length === PART) await flush()
    for (const name of namesIn(line))
      if (!targets.has(name))
        throw new StartError(`${file.path} has ${name}, which this version does not know.`)
    if (isTable(line)) into = line
    if (isSequences(line))
      for (const [sequence, last] of Object.entries(line.sequences))
        await ask('select setval($1::regclass, $2)', [sequence, last])
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
async function insert(ask: Ask, { table, columns }: Table, rows: string[]): Promise<void> {
  const values = columns.map((column) => `(r).${column}`).join(', ')
  await ask(
    `insert into ${table} (${columns.join(', ')}) overriding system value
      select ${values} from (select line::${table} as r from unnest($1::text[]) with ordinality as l(line, n) order by n offset 0) rows`,
    [rows],
  )
}

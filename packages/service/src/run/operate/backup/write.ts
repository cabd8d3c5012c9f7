import { link, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { openClient } from '../../../base/db/pool/client.ts'
import type { Secret } from '../../../base/kernel/secrets.ts'
import { readJson } from '../data-dir.ts'
import { codeOf, fileFaultOf, StartError } from '../start-error.ts'
import { encryptTo } from './age.ts'
import { type Head, type Line, markOf, Seal } from './format.ts'
import { askOn, COLUMNS, readNames, SEQUENCES, TABLES } from './tables.ts'

/** So many rows at once, so that neither side holds a table in memory. */
const PART = 2_000

type From = {
  databaseUrl: string
  secret: Secret
  chainFile: string | null
  at: Date
  version?: string
  /** Public keys that it is encrypted for; none for a file in clear. */
  recipients?: readonly string[]
}
export type Written = { file: string; made_at: string; rows: number }

/**
 * Writes all that is Purser's in the database, as it is at one moment, to a new file for its owner only. The service may run meanwhile. The
 * file has its name once it is complete and on the disk.
 */
export async function writeBackup(file: string, from: From): Promise<Written> {
  const unfinished = `${file}.unfinished`
  const seal = new Seal(from.secret)
  try {
    const out = await open(unfinished, 'wx', 0o600)
    const lines = Readable.from(linesOf(from, seal))
    const into = out.createWriteStream({ flush: true })
    await (from.recipients?.length
      ? pipeline(lines, createGzip(), encryptTo(from.recipients), into)
      : pipeline(lines, createGzip(), into))
    // Unlike a renamed file, a link never takes the place of another backup.
    await link(unfinished, file)
    await rm(unfinished)
    return { file, made_at: from.at.toISOString(), rows: seal.rows }
  } catch (error) {
    const isOurs = !(
      codeOf(error) === 'EEXIST' && (error as NodeJS.ErrnoException).syscall === 'open'
    )
    if (isOurs) await rm(unfinished, { force: true })
    const reason = codeOf(error) === 'EEXIST' ? 'it exists already' : fileFaultOf(error)
    if (!reason) throw error
    const path = isOurs ? file : unfinished
    throw new StartError(`${path} cannot be written: ${reason}.`, { cause: error })
  }
}

async function* linesOf({ databaseUrl, secret, chainFile, at, version }: From, seal: Seal) {
  const client = await openClient(databaseUrl)
  try {
    await client.query('begin isolation level repeatable read read only')
    // One moment for all statements: that of the first.
    const { rows: migrations } = await client.query<Head['migrations'][number]>(
      'select name, sha256 from schema_migrations order by name',
    )
    yield seal.add({
      purser_backup: 1,
      ...(version !== undefined && { version }),
      made_at: at.toISOString(),
      secret_mark: markOf(secret),
      migrations,
      // After the moment of the database: it may not know what the chain does, never the other way round.
      chain: chainFile === null ? null : await readChain(chainFile),
    })
    const names = await readNames(askOn(client))
    const { rows: tables } = await client.query<{ table: string }>(TABLES, [names])
    for (const { table } of tables)
      for await (const line of linesIn(client, table)) yield seal.add(line)
    yield seal.add(await readSequences(client, names))
    yield `${JSON.stringify(seal.end())}\n`
  } finally {
    await client.end()
  }
}

/** Anvil writes its state in place every second, so half of it may be there; then its copy is whole. */
async function readChain(file: string): Promise<string> {
  for (const path of [file, `${file}.previous`]) {
    const state = await readJson(path)
    if (state !== undefined) return JSON.stringify(state)
  }
  throw new StartError(`The development chain's state ${file} cannot be read: try again.`)
}

async function* linesIn(client: pg.Client, table: string): AsyncGenerator<Line> {
  const { rows } = await client.query<{ column: string }>(COLUMNS, [table])
  yield { table, columns: rows.map(({ column }) => column) }
  await client.query(`declare part no scroll cursor for select t::text as row from ${table} t`)
  for (;;) {
    const part = await client.query<{ row: string }>(`fetch ${PART} from part`)
    for (const { row } of part.rows) yield row
    if (part.rows.length < PART) break
  }
  await client.query('close part')
}

async function readSequences(client: pg.Client, names: string[]): Promise<Line> {
  const { rows } = await client.query<{ sequence: string; last: string | null }>(SEQUENCES, [names])
  const used = rows.flatMap(({ sequence, last }) => (last === null ? [] : [[sequence, last]]))
  return { sequences: Object.fromEntries(used) as Record<string, string> }
}

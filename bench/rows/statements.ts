/** The rows of an AP2 settlement: processor time and log of each statement, and the bytes that each table keeps of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../../packages/service/src/run/embedded/postgres/postgres.ts'
import { fire } from '../load/fire.ts'
import { startService } from '../stage/service.ts'
import { openShop, settleRequests } from '../stage/shop.ts'

const SIZE = { payers: 1_000, links: 200, cardLimit: 0.1 }
const CONNECTIONS = 64
const WARMING = 6_000
const REQUESTS = 12_000
/** A statement that writes less and takes less is of no settlement. */
const LEAST_MICROS = 0.5

/** Whole pages after a checkpoint are left out of the log, since their number depends on the time between checkpoints. */
const SETTINGS = [
  `alter system set shared_preload_libraries = 'pg_stat_statements'`,
  'alter system set full_page_writes = off',
  'alter system set autovacuum = off',
]

type Statement = { query: string; calls: number; micros: number; log: number }
type Table = { name: string; kept: number; indexes: number }

/** Prints two tables: statements, and tables with what they keep, each a settlement. */
export async function printStatements(print: (line: string) => void): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const databaseUrl = await startMeasured(stack)
  const service = await startService({ DATABASE_URL: databaseUrl })
  stack.defer(() => service.stop())
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  stack.defer(() => client.end())
  await client.query('create extension pg_stat_statements')
  const shop = await openShop(service, SIZE)
  const target = { ...service, pids: [service.pid] }
  const settle = async (count: number) =>
    fire(target, { connections: CONNECTIONS, requests: await settleRequests(shop, count, 0) })
  await settle(WARMING)
  const [before, indexesBefore] = [await readTables(client), await readIndexes(client)]
  const logBefore = await readLog(client)
  await client.query('select pg_stat_statements_reset()')
  const { perSecond } = await settle(REQUESTS)
  const statements = await readStatements(client)
  const log = (await readLog(client)) - logBefore
  const insert = statements.find(({ query }) => query.startsWith('insert into settlements'))
  print(
    `${REQUESTS} settlements, ${perSecond}/s, ${(REQUESTS / (insert?.calls ?? 1)).toFixed(1)} a batch\n`,
  )
  print(lineOf('statement', 'µs', 'log, bytes'))
  for (const { query, micros, log: bytes } of statements)
    if (micros > LEAST_MICROS || bytes > 1) print(lineOf(query.slice(0, 72), micros, bytes))
  const sum = (pick: (one: Statement) => number) =>
    statements.reduce((total, one) => total + pick(one), 0)
  print(
    lineOf(
      'all',
      sum((one) => one.micros),
      sum((one) => one.log),
    ),
  )
  print(`the whole log: ${Math.round(log / REQUESTS)} bytes\n`)
  print(lineOf('table', 'rows, bytes', 'indexes, bytes'))
  for (const { name, kept, indexes } of grown(before, await readTables(client)))
    print(lineOf(name, kept, indexes))
  print(`\n${lineOf('index', 'bytes')}`)
  for (const { name, kept } of grown(indexesBefore, await readIndexes(client)))
    print(lineOf(name, kept))
}

const lineOf = (what: string, ...figures: (string | number)[]): string =>
  [
    what.padEnd(74),
    ...figures.map((one) => (typeof one === 'number' ? one.toFixed(0) : one).padStart(15)),
  ].join('')

/** The embedded PostgreSQL with its counters of statements, which it loads when it starts. */
async function startMeasured(stack: AsyncDisposableStack): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'purser-rows-'))
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startPostgres({ dataDir })
  const client = new Client({ connectionString: first.url })
  await client.connect()
  for (const setting of SETTINGS) await client.query(setting)
  await client.end()
  await first.stop()
  const second = await startPostgres({ dataDir })
  stack.defer(() => second.stop())
  return second.url
}

async function readStatements(client: Client): Promise<Statement[]> {
  const { rows } = await client.query<Statement>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as query, calls::float8, (total_exec_time * 1000 / $1)::float8 as micros,
       (wal_bytes / $1)::float8 as log
     from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
     order by total_exec_time desc`,
    [REQUESTS],
  )
  return rows
}

async function readLog(client: Client): Promise<number> {
  const { rows } = await client.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
  return Number(rows[0].bytes)
}

async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, pg_table_size(relid)::float8 as kept, pg_indexes_size(relid)::float8 as indexes
     from pg_stat_user_tables where schemaname = 'public'`,
  )
  return rows
}

async function readIndexes(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select indexrelname as name, pg_relation_size(indexrelid)::float8 as kept, 0::float8 as indexes
     from pg_stat_user_indexes where schemaname = 'public'`,
  )
  return rows
}

/** The growth of each table, a settlement; the largest first. */
function grown(before: readonly Table[], after: readonly Table[]): Table[] {
  const was = new Map(before.map((table) => [table.name, table]))
  return after
    .map(({ name, kept, indexes }) => ({
      name,
      kept: (kept - (was.get(name)?.kept ?? 0)) / REQUESTS,
      indexes: (indexes - (was.get(name)?.indexes ?? 0)) / REQUESTS,
    }))
    .filter(({ kept, indexes }) => kept + indexes >= 1)
    .sort((a, b) => b.kept + b.indexes - a.kept - a.indexes)
}

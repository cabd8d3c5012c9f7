/** PostgreSQL's own TPC-B script, one bare debit-credit transaction, on the server that the service uses. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { openPool } from '../../packages/service/src/base/db/sql.ts'

const DATABASE = 'purser_bench_tpcb'
const SCALE = 50
const DEBIAN = '/usr/lib/postgresql'

/** The newest pgbench of Debian's PostgreSQL packages, if any is installed. */
function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  return versions
    .sort((a, b) => b - a)
    .map((version) => `${DEBIAN}/${version}/bin/pgbench`)
    .find((path) => existsSync(path))
}

/** TPC-B's tables in a database of their own. */
export type Tpcb = {
  /** Transactions a second. */
  run(of: TpcbLoad): Promise<number>
  close(): Promise<void>
}
export type TpcbLoad = { protocol: 'simple' | 'prepared'; clients: number; seconds: number }

/** Creates the database on the server, and its tables. */
export async function openTpcb(serverUrl: string): Promise<Tpcb> {
  const admin = openPool(serverUrl, 1)
  await admin.query(`drop database if exists ${DATABASE} with (force)`)
  await admin.query(`create database ${DATABASE}`)
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  const binary = findPgbench()
  if (binary) execFileSync(binary, ['-i', '-q', '-s', String(SCALE), url.href], { stdio: 'ignore' })
  else await fillByDriver(url.href)
  return {
    run: (of) => (binary ? runPgbench(binary, url.href, of) : driveTpcb(url.href, of)),
    async close() {
      await admin.query(`drop database if exists ${DATABASE} with (force)`)
      await admin.end()
    },
  }
}

async function runPgbench(
  binary: string,
  url: string,
  { protocol, clients, seconds }: TpcbLoad,
): Promise<number> {
  const size = ['-c', String(clients), '-j', '2', '-T', String(seconds), '-M', protocol]
  const { stdout } = await promisify(execFile)(binary, [...size, url])
  return Math.round(Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN))
}

/** Creates the same tables through the driver, on a machine without pgbench. */
async function fillByDriver(url: string): Promise<void> {
  const pool = openPool(url, 1)
  await pool.query(`
    create table pgbench_branches (bid int primary key, bbalance int) with (fillfactor = 100);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int);
    create table pgbench_accounts (aid int primary key, bid int, abalance int);
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp);
    insert into pgbench_branches select n, 0 from generate_series(1, ${SCALE}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${SCALE * 10}) n;
    insert into pgbench_accounts select n, (n - 1) / 100000 + 1, 0 from generate_series(1, ${SCALE * 100_000}) n;
    vacuum analyze`)
  await pool.end()
}

async function driveTpcb(url: string, { clients, seconds }: TpcbLoad): Promise<number> {
  const until = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = openPool(url, 1)
      for (; performance.now() < until; done++) await transact(client)
      await client.end()
    }),
  )
  return Math.round(done / seconds)
}

type Client = ReturnType<typeof openPool>

async function transact(client: Client): Promise<void> {
  const below = (limit: number) => 1 + Math.floor(Math.random() * limit)
  const [aid, tid, bid] = [below(SCALE * 100_000), below(SCALE * 10), below(SCALE)]
  const delta = below(10_000) - 5_000
  const run = (name: string, text: string, values: number[]) => client.query({ name, text, values })
  await client.query('begin')
  await run('a', 'update pgbench_accounts set abalance = abalance + $1 where aid = $2', [
    delta,
    aid,
  ])
  await run('b', 'select abalance from pgbench_accounts where aid = $1', [aid])
  await run('c', 'update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', [delta, tid])
  await run('d', 'update pgbench_branches set bbalance = bbalance + $1 where bid = $2', [
    delta,
    bid,
  ])
  await run('e', 'insert into pgbench_history values ($1, $2, $3, $4, current_timestamp)', [
    tid,
    bid,
    aid,
    delta,
  ])
  await client.query('commit')
}

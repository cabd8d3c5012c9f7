/** The yardstick: PostgreSQL's own TPC-B script, one bare debit-credit transaction, on the server that the service uses. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { openPool } from '../packages/service/src/db/sql.ts'

export type TpcbRun = { how: string; clients: number; perSecond: number; latencyMs: number }

const DATABASE = 'purser_bench_tpcb'
const SCALE = 50
const DEBIAN = '/usr/lib/postgresql'

/** pgbench as Debian's PostgreSQL package has it, the newest; undefined where there is none. */
function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  return versions
    .sort((a, b) => b - a)
    .map((version) => `${DEBIAN}/${version}/bin/pgbench`)
    .find((path) => existsSync(path))
}

/** Runs TPC-B in a database of its own with some numbers of clients, both with and without prepared statements. */
export async function runTpcb(
  serverUrl: string,
  options: { seconds: number; clients: number[] },
): Promise<TpcbRun[]> {
  const admin = openPool(serverUrl, 1)
  await admin.query(`drop database if exists ${DATABASE}`)
  await admin.query(`create database ${DATABASE}`)
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  try {
    const binary = findPgbench()
    return binary ? withPgbench(binary, url.href, options) : await withDriver(url.href, options)
  } finally {
    await admin.query(`drop database if exists ${DATABASE} with (force)`)
    await admin.end()
  }
}

function withPgbench(
  binary: string,
  url: string,
  { seconds, clients }: { seconds: number; clients: number[] },
): TpcbRun[] {
  execFileSync(binary, ['-i', '-q', '-s', String(SCALE), url], { stdio: 'ignore' })
  return ['simple', 'prepared'].flatMap((protocol) =>
    clients.map((count) => {
      const text = execFileSync(
        binary,
        ['-c', String(count), '-j', '2', '-T', String(seconds), '-M', protocol, url],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      )
      const read = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN)
      return {
        how: `pgbench TPC-B, ${protocol}`,
        clients: count,
        perSecond: Math.round(read(/tps = ([\d.]+)/)),
        latencyMs: read(/latency average = ([\d.]+)/),
      }
    }),
  )
}

/** The same script through the driver, where there is no pgbench. */
async function withDriver(
  url: string,
  { seconds, clients }: { seconds: number; clients: number[] },
): Promise<TpcbRun[]> {
  const setUp = openPool(url, 1)
  await setUp.query(`
    create table pgbench_branches (bid int primary key, bbalance int) with (fillfactor = 100);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int);
    create table pgbench_accounts (aid int primary key, bid int, abalance int);
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp);
    insert into pgbench_branches select n, 0 from generate_series(1, ${SCALE}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${SCALE * 10}) n;
    insert into pgbench_accounts select n, (n - 1) / 100000 + 1, 0 from generate_series(1, ${SCALE * 100_000}) n;
    vacuum analyze`)
  await setUp.end()
  const runs: TpcbRun[] = []
  for (const count of clients) runs.push(await driveTpcb(url, count, seconds))
  return runs
}

async function driveTpcb(url: string, count: number, seconds: number): Promise<TpcbRun> {
  const until = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: count }, async () => {
      const client = openPool(url, 1)
      for (; performance.now() < until; done++) await transact(client)
      await client.end()
    }),
  )
  const perSecond = Math.round(done / seconds)
  return {
    how: 'TPC-B through the driver (no pgbench here)',
    clients: count,
    perSecond,
    latencyMs: Math.round((count / perSecond) * 1e5) / 100,
  }
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

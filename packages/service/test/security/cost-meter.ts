import type { Services } from '../../src/api/http/services.ts'
import { CountingClient } from '../../src/base/db/pool/silence.ts'
import { openPool, type RawBuilder, sql } from '../../src/base/db/sql.ts'
import { runDueJobs, type Task } from '../../src/base/jobs/worker.ts'
import { tasks } from '../../src/run/app.ts'
import { until } from '../until.ts'
import type { World } from '../world.ts'
import type { Cost } from './exposed.ts'
import { createMemoryMeter } from './memory-meter.ts'
import { cpuOf, slownessNow } from './yardstick.ts'

type Counted = Pick<Cost, 'statements' | 'rpc' | 'dns' | 'requests'>
type Counters = Record<'rpc' | 'dns' | 'requests', () => number>
/** Everything that stays of calls. Reading it asks every table. */
export type Standing = { rows: Record<string, number>; jobs: number; gas: bigint }
/** One run of a job, with its task. */
export type Run = { task: Task<Services>; cost: Counted }

export type Meter = Awaited<ReturnType<typeof createMeter>>

export async function createMeter(w: World, counters: Counters) {
  const jobsPool = openPool(w.databaseUrl, 4)
  const memory = createMemoryMeter()
  const statements = countStatements()
  const readRows = await rowReader(w)
  const counted = (): Counted => ({
    statements: statements.sent(),
    rpc: counters.rpc(),
    dns: counters.dns(),
    requests: counters.requests(),
  })
  const countJobs = async () =>
    Number(await one(w, sql<{ n: bigint }>`select count(*) as n from graphile_worker.jobs`))

  /** Runs the jobs that are due, each once. */
  async function runJobs(): Promise<Run[]> {
    await stillness(statements.sent)
    const runs: Run[] = []
    const ran = new Set<string>()
    const once = tasks.map((task) => ({
      ...task,
      handle: async (services: Services, payload: unknown, at: Date) => {
        // On a slow machine a job that looks again in two seconds is due while others still run.
        const job = `${task.name} ${JSON.stringify(payload)}`
        if (ran.has(job)) return
        ran.add(job)
        const before = counted()
        await task.handle(services, payload, at)
        runs.push({ task, cost: difference(counted(), before) })
      },
    }))
    const { services, clock } = w
    await runDueJobs(jobsPool, { tasks: once, services, now: clock.now, log: services.log })
    return runs
  }

  return {
    /** The cost of the work in this process and to others. Its time is that of a machine of usual speed. */
    async count(work: () => Promise<void>): Promise<Counted & Pick<Cost, 'ms'>> {
      const earlier = await slownessNow()
      const before = counted()
      const spent = await cpuOf(work)
      const cost = difference(counted(), before)
      // Garbage of something else may be collected within either, so the lesser is believed.
      const slowness = Math.min(earlier, await slownessNow())
      return { ...cost, ms: Math.round(spent / slowness) }
    },
    memory,
    stand: async (): Promise<Standing> => ({
      rows: await readRows(),
      jobs: await countJobs(),
      gas: await readGas(w),
    }),
    runJobs,
    /** Empties the queue, so that the jobs in it are those of the next work. */
    async forgetJobs(): Promise<void> {
      await w.write((tx) =>
        sql`delete from graphile_worker._private_jobs where is_available`.execute(tx),
      )
    },
    async close() {
      statements.stop()
      await jobsPool.end()
    },
  }
}

/** The rows, jobs and gas between two standings, with the tables that have grown. */
export function grown(before: Standing, after: Standing) {
  const tables = Object.entries(after.rows)
    .map(([table, rows]) => [table, rows - (before.rows[table] ?? 0)] as const)
    .filter(([, rows]) => rows !== 0)
  return {
    rows: tables.reduce((sum, [, rows]) => sum + rows, 0),
    jobs: after.jobs - before.jobs,
    gas: Number(before.gas - after.gas),
    tables: Object.fromEntries(tables),
  }
}

const difference = (after: Counted, before: Counted): Counted => ({
  statements: after.statements - before.statements,
  rpc: after.rpc - before.rpc,
  dns: after.dns - before.dns,
  requests: after.requests - before.requests,
})

/** Counts the statements that this process sends to PostgreSQL. */
function countStatements() {
  const client = CountingClient.prototype as unknown as { ask(...args: unknown[]): unknown }
  const { ask } = client
  let sent = 0
  client.ask = function (...args) {
    sent++
    return ask.apply(this, args)
  }
  return {
    sent: () => sent,
    stop: () => {
      client.ask = ask
    },
  }
}

/** Waits until all is written that requests leave behind once a second, so that it is not counted with what comes next. */
async function stillness(sent: () => number): Promise<void> {
  let last = -1
  const isStill = () => {
    const before = last
    last = sent()
    return last === before
  }
  await until(isStill, Boolean, { everyMs: 1_200 })
}

/** The relayer's gas, read from the node directly so that the read is not counted. */
async function readGas(w: World): Promise<bigint> {
  const relayer = w.chain.relayers[0]!.address
  const ask = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [relayer, 'latest'] }
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(w.rpcUrl, { method: 'POST', headers, body: JSON.stringify(ask) })
  return BigInt(((await reply.json()) as { result: string }).result)
}

/**
 * Counts the rows of each table, by one statement that is planned once. Answers that are stored for a repeat are left out, and so is
 * how often a wallet asks, which is a row for each limit and ten seconds and gone after two minutes.
 */
async function rowReader(w: World): Promise<() => Promise<Record<string, number>>> {
  const { rows } = await sql<{ name: string; part: string }>`select tablename as name,
    format('(select count(*) from public.%I)', tablename) as part
    from pg_tables where schemaname = 'public' and tablename not in ('idempotency_keys', 'request_log', 'rate_counts')`.execute(
    w.db.reader,
  )
  const list = sql.raw(rows.map(({ part }) => part).join(', '))
  return async () => {
    const counts = await one(w, sql<{ n: string[] }>`select array[${list}]::text[] as n`)
    return Object.fromEntries(rows.map(({ name }, i) => [name, Number(counts[i])]))
  }
}

async function one<N>(w: World, statement: RawBuilder<{ n: N }>): Promise<N> {
  const { rows } = await w.write((tx) => statement.execute(tx))
  return rows[0]!.n
}

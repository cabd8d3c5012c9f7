import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Services } from '../../src/api/http/services.ts'
import type { Settings } from '../../src/api/http/settings.ts'
import { openPool, type RawBuilder, sql } from '../../src/base/db/sql.ts'
import { createEgress } from '../../src/base/egress/egress.ts'
import { createResolver } from '../../src/base/egress/guard/resolve.ts'
import { runDueJobs, type Task } from '../../src/base/jobs/worker.ts'
import { tasks } from '../../src/run/app.ts'
import { faultyRpc } from '../faults/faulty-rpc.ts'
import { nameServer } from '../faults/name-server.ts'
import { listening } from '../sellers/x402-sellers.ts'
import { testChain } from '../world/chain.ts'
import { type World, world } from '../world.ts'
import type { Cost } from './tables.ts'

/** Host names that resolve to the shop. */
export const HOSTS = Array.from({ length: 128 }, (_, i) => `s${i}.seller.test`)

/**
 * A service whose outgoing calls are all counted: its RPC, its name server, and a shop that any caller may make it
 * call. It is not embedded, so the development operations do not exist.
 */
export async function meteredWorld(settings: Partial<Settings> = {}) {
  const stack = new AsyncDisposableStack()
  const { rpcUrl } = testChain()
  const rpc = stack.use(await faultyRpc(rpcUrl))
  const names = stack.use(await nameServer(() => ['127.0.0.1']))
  const shop = stack.use(await openShop())
  const w = stack.use(
    await world({
      on: { rpcUrl, rpcUrls: [rpc.url], mine: async () => {} },
      settings: { embeddedRpcUrl: null, ...settings },
      pulls: true,
      identities: true,
    }),
  )
  const resolver = createResolver({ servers: names.servers })
  Object.assign(w.services, { egress: createEgress({ allow: HOSTS, resolver }) })
  const meter = createMeter(w, await rowCounter(w), {
    rpc: () => rpc.asked.length,
    dns: () => names.asked.length,
    requests: () => shop.requests.length,
  })
  return {
    w,
    shop,
    ...meter,
    async [Symbol.asyncDispose]() {
      await meter.close()
      await stack.disposeAsync()
    },
  }
}

/** A shop that asks every request for the same payment of a cent, by x402. */
async function openShop() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    request.resume()
    response.writeHead(402, { 'content-type': 'application/json', 'payment-required': DEMAND })
    response.end('{}')
  })
  const { url, ...shop } = await listening(server, { payTo: SELLER, paid: [], path: '/paid' })
  return { ...shop, requests, urlOf: (i: number) => url.replace('127.0.0.1', HOSTS[i] ?? '') }
}
const SELLER = '0x00000000000000000000000000000000000Be11e'
export const demandOf = (payTo: string) => ({
  x402Version: 2,
  error: 'payment required',
  resource: { url: 'http://seller.test/paid' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      amount: '10000',
      payTo,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
})
const DEMAND = Buffer.from(JSON.stringify(demandOf(SELLER))).toString('base64')

/** In bytes. Anything smaller is compilation noise, and below every limit. */
const SMALL = 12 * 2 ** 20

type Counters = Record<'rpc' | 'dns' | 'requests', () => number>

function createMeter(w: World, countRows: () => Promise<number>, counters: Counters) {
  const jobsPool = openPool(w.databaseUrl, 4)
  const memory = createMemoryMeter()
  const relayer = w.chain.relayers[0]!.address
  /** The relayer's gas, read from the node directly so that the read is not counted. */
  const readGas = async (): Promise<bigint> => {
    const ask = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [relayer, 'latest'] }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(w.rpcUrl, { method: 'POST', headers, body: JSON.stringify(ask) })
    return BigInt(((await reply.json()) as { result: string }).result)
  }
  const countJobs = async () =>
    Number((await one(w, sql`select count(*) as n from graphile_worker.jobs`)).n)
  const runJobs = () =>
    runDueJobs(jobsPool, {
      tasks: firstRuns(),
      services: w.services,
      now: w.clock.now,
      log: w.services.log,
    })
  const look = async () => ({
    rows: await countRows(),
    jobs: await countJobs(),
    gas: await readGas(),
    rpc: counters.rpc(),
    dns: counters.dns(),
    requests: counters.requests(),
  })
  return {
    /** The cost of the work, including the first run of the jobs that it queues. The jobs are removed afterwards. */
    async measure(work: () => Promise<void>): Promise<Cost> {
      const before = await look()
      await memory.begin()
      const cpu = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(cpu)
      const held = await memory.held()
      const jobs = (await countJobs()) - before.jobs
      if (jobs > 0) await runJobs()
      const after = await look()
      await one(
        w,
        sql`delete from graphile_worker._private_jobs where is_available returning 1 as n`,
      )
      return {
        rows: after.rows - before.rows,
        jobs,
        gas: Number(before.gas - after.gas),
        rpc: after.rpc - before.rpc,
        dns: after.dns - before.dns,
        requests: after.requests - before.requests,
        mib: Math.max(0, Math.round(held / 2 ** 20)),
        ms: Math.round((user + system) / 1000),
      }
    },
    close: () => jobsPool.end(),
  }
}

/** Every task, whose job runs once: on a slow machine, what looks again in two seconds is due while others still run. */
function firstRuns(): Task<Services>[] {
  const seen = new Set<string>()
  return tasks.map((task) => ({
    ...task,
    handle: async (services: Services, payload: unknown, at: Date) => {
      const job = `${task.name} ${JSON.stringify(payload)}`
      if (seen.has(job)) return
      seen.add(job)
      await task.handle(services, payload, at)
    },
  }))
}

/**
 * Measures how much memory the work holds, in bytes. A full garbage collection takes a fifth of a second of CPU. A small
 * one overstates the memory in use, so the full one follows only if the small one leaves much. What earlier work has held
 * since the last full one counts too: the answer is never too low.
 */
function createMemoryMeter() {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const inUse = async (collect: () => void): Promise<number> => {
    await sleep(0)
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  let floor: number | undefined
  return {
    async begin(): Promise<void> {
      floor ??= await inUse(() => gc())
    },
    async held(): Promise<number> {
      const before = floor ?? 0
      const atMost = (await inUse(() => gc({ type: 'minor' }))) - before
      if (atMost <= SMALL) return atMost
      floor = await inUse(() => gc())
      // Timers keep a closed connection in memory for a second or two.
      for (let tries = 0; floor - before > SMALL && tries < 8; tries++) {
        await sleep(500)
        floor = await inUse(() => gc())
      }
      return floor - before
    },
  }
}

/** Counts the rows in all tables of the service, by one statement that is planned once. */
async function rowCounter(w: World): Promise<() => Promise<number>> {
  const { rows } = await sql<{
    part: string
  }>`select format('(select count(*) from public.%I)', tablename) as part
    from pg_tables where schemaname = 'public'`.execute(w.db.reader)
  const sum = rows.map(({ part }) => part).join(' + ')
  return async () => Number((await one(w, sql`select ${0}::bigint + ${sql.raw(sum)} as n`)).n)
}

async function one(w: World, statement: RawBuilder<{ n: unknown }>): Promise<{ n: unknown }> {
  const { rows } = await w.write((tx) => statement.execute(tx))
  return rows[0] ?? { n: 0 }
}

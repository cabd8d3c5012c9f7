/**
 * `npm run bench`: AP2 settle whole over HTTP beside PostgreSQL's TPC-B on the same server in the same run, at an empty
 * database and at a million settlements. Prints a table and, last, one line of JSON. `--quick` leaves the million out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../packages/service/src/embedded/child.ts'
import { type CpuTimes, cpuBetween, readCpu } from './cpu.ts'
import { fillSettlements } from './fill.ts'
import type { FloorJob } from './floor.ts'
import { gasOfRefused } from './gas.ts'
import type { LoadJob, LoadResult } from './http-load.ts'
import { runTpcb, type TpcbRun } from './pgbench.ts'
import { type BenchService, startService } from './service.ts'
import { settleDirectly } from './settle-direct.ts'
import { cardRequests, openShop, type Shop, settleRequests } from './shop.ts'

const QUICK = process.argv.includes('--quick')
const SIZE = { payers: QUICK ? 1_000 : 5_000, links: 200, cardLimit: 0.1 }
const REPLAYS_PERCENT = 5
const MILLION = 1_000_000
const CONNECTIONS = [1, 64, 256]
const REQUESTS: Record<number, number> = { 1: 2_000, 64: 30_000, 256: 30_000 }
const TPCB = { seconds: QUICK ? 5 : 10, clients: [8, 16, 32, 64] }

type Row = {
  what: string
  connections: number
  perSecond: number
  p50Ms?: number
  p99Ms?: number
  /** Microseconds of processor time a request, by part. */
  cpuMicros?: Record<keyof CpuTimes | 'client', number>
}

/** Who is asked, and the processes whose time, with that of all they started, it takes. */
type Target = { port: number; apiKey: string; pids: number[] }

const readCpuOf = ({ pids }: Target): CpuTimes =>
  pids.map(readCpu).reduce((a, b) => ({
    service: a.service + b.service,
    database: a.database + b.database,
    chain: a.chain + b.chain,
  }))

/** Fires the requests from a process of its own. */
async function fire(
  target: Target,
  what: string,
  load: { connections: number; requests: string[] },
): Promise<Row> {
  const dir = mkdtempSync(join(tmpdir(), 'purser-load-'))
  const requestsFile = join(dir, 'requests')
  const job: LoadJob = {
    port: target.port,
    connections: load.connections,
    headers: { authorization: `Bearer ${target.apiKey}` },
    requestsFile,
  }
  writeFileSync(requestsFile, load.requests.join('\n'))
  writeFileSync(join(dir, 'job.json'), JSON.stringify(job))
  const before = readCpuOf(target)
  const result = await runLoad(join(dir, 'job.json'))
  const used = cpuBetween(before, readCpuOf(target))
  rmSync(dir, { recursive: true })
  if (result.refusals.length > 0) throw new Error(`${what}: ${result.refusals[0]}`)
  const micros = (seconds: number) => Math.round((seconds * 1e6) / result.requests)
  const row = {
    what,
    connections: load.connections,
    perSecond: result.perSecond,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicros: {
      service: micros(used.service),
      database: micros(used.database),
      chain: micros(used.chain),
      client: micros(result.cpuSeconds),
    },
  }
  tell(row)
  return row
}

function runLoad(jobFile: string): Promise<LoadResult> {
  const program = new URL('./http-load.ts', import.meta.url).pathname
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, jobFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(text))
      else reject(new Error(`the load ended with ${code}`))
    })
  })
}

const print = (line: string) => process.stdout.write(`${line}\n`)

function tell({ what, connections, perSecond, p50Ms, p99Ms, cpuMicros }: Row): void {
  const times = p50Ms === undefined ? '' : `  p50 ${p50Ms} ms  p99 ${p99Ms} ms`
  const cpu = cpuMicros
    ? `  CPU µs: service ${cpuMicros.service}, database ${cpuMicros.database}, client ${cpuMicros.client}`
    : ''
  print(
    `${what.padEnd(44)} ${String(connections).padStart(4)}  ${String(perSecond).padStart(6)}/s${times}${cpu}`,
  )
}

const tpcbRow = ({ how, clients, perSecond }: TpcbRun): Row => ({
  what: how,
  connections: clients,
  perSecond,
})

async function settleRows(target: Target, shop: Shop, when: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const connections of CONNECTIONS) {
    const requests = await settleRequests(shop, REQUESTS[connections] ?? 0, REPLAYS_PERCENT)
    rows.push(await fire(target, `AP2 settle, ${when}`, { connections, requests }))
  }
  return rows
}

/** The least that could be called a settlement, by a server that does nothing else (`floor.ts`). */
async function floorRows(service: BenchService, shop: Shop): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'purser-floor-'))
  const job: FloorJob = {
    databaseUrl: service.databaseUrl,
    port: await freePort(),
    processes: availableParallelism(),
    keys: Object.fromEntries(shop.payers.map(({ id, key }) => [id, key.publicJwk])),
  }
  writeFileSync(join(dir, 'floor.json'), JSON.stringify(job))
  const program = new URL('./floor.ts', import.meta.url).pathname
  const server = spawn(process.execPath, [program, join(dir, 'floor.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(server.stdout, 'data')
    const target = { ...job, apiKey: service.apiKey, pids: [service.pid, server.pid as number] }
    const rows: Row[] = []
    for (const connections of [64, 256]) {
      const requests = await settleRequests(shop, REQUESTS[connections] ?? 0, 0)
      rows.push(await fire(target, 'signature and one row', { connections, requests }))
    }
    return rows
  } finally {
    server.kill()
    rmSync(dir, { recursive: true })
  }
}

async function bench(service: BenchService): Promise<Row[]> {
  const rows: Row[] = []
  const shop = await openShop(service, SIZE)
  const best = { clients: 0, perSecond: 0 }
  for (const run of await runTpcb(service.databaseUrl, TPCB)) {
    tell(tpcbRow(run))
    rows.push(tpcbRow(run))
    if (run.perSecond > best.perSecond) Object.assign(best, run)
  }
  rows.push(...(await floorRows(service, shop)))
  const target = { ...service, pids: [service.pid] }
  // The first requests of a process compile it.
  await fire(target, 'warm-up', {
    connections: 64,
    requests: await settleRequests(shop, 4_000, 0),
  })
  rows.push(...(await settleRows(target, shop, 'empty')))
  const card = { connections: 64, requests: cardRequests(shop, 30_000) }
  rows.push(await fire(target, 'card pays a link', card))
  const code = shop.links[0]?.code
  const resolve = Array.from({ length: 60_000 }, () => `GET /api/pay/${code}/resolve`)
  rows.push(await fire(target, 'resolve', { connections: 64, requests: resolve }))
  const single = await settleDirectly(service.databaseUrl, shop, {
    count: 5_000,
    batch: 1,
    atOnce: 16,
  })
  rows.push({ what: 'one transaction a settlement, no HTTP', connections: 16, perSecond: single })
  tell(rows.at(-1) as Row)
  if (!QUICK) {
    const filled = await fillSettlements(service.databaseUrl, shop, MILLION)
    rows.push({ what: 'a million settlements by SQL', connections: 1, perSecond: filled })
    tell(rows.at(-1) as Row)
    rows.push(...(await settleRows(target, shop, 'a million')))
  }
  const settled = rows.filter(({ what }) => what === 'AP2 settle, empty')
  const most = Math.max(...settled.map(({ perSecond }) => perSecond))
  print(
    `\nAP2 settle ${most}/s at best is ${(most / best.perSecond).toFixed(2)} times TPC-B's best, ${best.perSecond}/s.`,
  )
  return rows
}

const service = await startService()
try {
  print(
    `${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.version}, fsync and synchronous_commit on\n`,
  )
  const rows = await bench(service)
  print(await gasOfRefused())
  print(JSON.stringify({ cores: availableParallelism(), node: process.version, rows }))
} finally {
  await service.stop()
}

/** AP2 settle, TPC-B on the same server, and the least that a settlement costs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../packages/service/src/run/embedded/child.ts'
import { alternate, type How, type Measure, type Row, rowOf } from '../alternate.ts'
import { fire, type Target } from '../load/fire.ts'
import type { FloorJob } from '../rivals/floor.ts'
import { openTpcb, type Tpcb, type TpcbLoad } from '../rivals/pgbench.ts'
import { openPgledger } from '../rivals/pgledger.ts'
import { type Side, settleMeasure } from '../sides.ts'
import { settleRequests } from '../stage/shop.ts'

type Bench = How & { sides: Side[]; stack: AsyncDisposableStack; pgledger?: string | undefined }

const CONNECTIONS = [64, 256]
const REQUESTS = 15_000
const TPCB_SECONDS = 5
const PROBE: Omit<TpcbLoad, 'seconds'>[] = [
  { protocol: 'simple', clients: 16 },
  { protocol: 'prepared', clients: 8 },
  { protocol: 'prepared', clients: 16 },
  { protocol: 'prepared', clients: 32 },
]
const PROBE_SECONDS = 3

/** Measures the rows and prints how they compare with their targets. */
export async function settleRows({ sides, runs, print, stack, pgledger }: Bench): Promise<Row[]> {
  const [ours] = sides
  if (!ours) return []
  const tpcb = await openTpcb(ours.service.databaseUrl)
  stack.defer(() => tpcb.close())
  const best = await bestOf(tpcb)
  print(`TPC-B is best with ${best.clients} clients, ${best.protocol}`)
  const floor = await startFloor(ours, stack)
  const measures: Measure[] = [
    {
      what: 'TPC-B',
      connections: best.clients,
      run: async () => ({ perSecond: await tpcb.run({ ...best, seconds: TPCB_SECONDS }) }),
    },
    ...(pgledger ? await pgledgerMeasures(ours, pgledger, stack) : []),
    ...CONNECTIONS.flatMap((connections) => [
      floorMeasure(floor, ours, connections),
      ...sides.map((side) => settleMeasure(side, { connections, count: REQUESTS })),
    ]),
  ]
  const rows = await alternate(measures, { runs, print })
  for (const line of verdicts(rows, ours)) print(line)
  return rows
}

/** One transfer a call from as many clients as suits TPC-B, and batches as large as ours from two. */
async function pgledgerMeasures(
  { service }: Side,
  file: string,
  stack: AsyncDisposableStack,
): Promise<Measure[]> {
  const ledger = await openPgledger(service.databaseUrl, file)
  stack.defer(() => ledger.close())
  return [
    { clients: 16, size: 1 },
    { clients: 2, size: 64 },
  ].map(({ clients, size }) => ({
    what: `pgledger, ${size} a call`,
    connections: clients,
    run: async () => ({
      perSecond: await ledger.run({ clients, size, seconds: TPCB_SECONDS }),
    }),
  }))
}

/** AP2 settle alone, to compare two versions of the project. */
export const ap2Rows = ({ sides, ...how }: Bench): Promise<Row[]> =>
  alternate(
    CONNECTIONS.flatMap((connections) =>
      sides.map((side) => settleMeasure(side, { connections, count: REQUESTS })),
    ),
    how,
  )

async function bestOf(tpcb: Tpcb): Promise<Omit<TpcbLoad, 'seconds'>> {
  let best = { load: PROBE[0] as Omit<TpcbLoad, 'seconds'>, perSecond: 0 }
  for (const load of PROBE) {
    const perSecond = await tpcb.run({ ...load, seconds: PROBE_SECONDS })
    if (perSecond > best.perSecond) best = { load, perSecond }
  }
  return best.load
}

function verdicts(rows: Row[], { who }: Side): string[] {
  const settled = CONNECTIONS.map((connections) => rowOf(rows, `AP2 settle, ${who}`, connections))
  const most = Math.max(...settled.map(({ perSecond }) => perSecond))
  const tpcb = rowOf(rows, 'TPC-B').perSecond
  return [
    `AP2 settle is ${(most / tpcb).toFixed(2)} times TPC-B's best (target 1)`,
    ...settled.map(({ perSecond, p99Ms, connections }) => {
      const floor = rowOf(rows, 'floor', connections).perSecond
      return `at ${connections} ${(perSecond / floor).toFixed(2)} of the floor (target 0.5), p99 ${p99Ms} ms`
    }),
  ]
}

const floorMeasure = (floor: Target, { shop }: Side, connections: number): Measure => ({
  what: 'floor',
  connections,
  run: async () => fire(floor, { connections, requests: await settleRequests(shop, REQUESTS, 0) }),
})

async function startFloor(side: Side, stack: AsyncDisposableStack): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-floor-'))
  const job: FloorJob = {
    databaseUrl: side.service.databaseUrl,
    port: await freePort(),
    processes: availableParallelism(),
    keys: Object.fromEntries(side.shop.payers.map(({ id, key }) => [id, key.publicJwk])),
  }
  writeFileSync(join(folder, 'floor.json'), JSON.stringify(job))
  const program = new URL('../rivals/floor.ts', import.meta.url).pathname
  const server = spawn(process.execPath, [program, join(folder, 'floor.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stack.defer(() => {
    server.kill()
    rmSync(folder, { recursive: true })
  })
  await once(server.stdout, 'data')
  const { apiKey, pid } = side.service
  return { port: job.port, apiKey, pids: [pid, server.pid as number] }
}

/**
 * `npm run bench:facilitator`: verify and settle of the protocol's own facilitator, in this process, beside ours whole
 * over HTTP with its database: on the same chain, in the same run. Prints a table and, last, one line of JSON. With
 * `--soak`, 5,000 settlements with the service killed by -9 in the middle instead, each counted on the chain.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sdkFacilitator } from '../packages/service/test/sdk-facilitator.ts'
import { cpuBetween, readCpu } from './cpu.ts'
import { soak } from './facilitator-soak.ts'
import {
  CHAIN_ID,
  openSeller,
  openStage,
  type Payment,
  type Stage,
  signPayments,
} from './facilitator-stage.ts'
import type { LoadJob, LoadResult } from './http-load.ts'

/** One chain mines each transaction at once, so that nobody waits for it; the other by the clock alone, as chains do. */
const CHAINS = {
  'at once': { blockTimeSeconds: 1, minesAtOnce: true },
  'every 50 ms': { blockTimeSeconds: 0.05 },
}
const CONCURRENCY = [16, 64]
const COUNTS = { verify: { sdk: 200, ours: 1_500 }, settle: { sdk: 300, ours: 1_500 } }
const WARMING = { sdk: 100, ours: 1_000 }
const TARGETS = { verify: 5, settle: 3 }

type Operation = keyof typeof COUNTS
const OPERATIONS = ['verify', 'settle'] as const
type Mining = keyof typeof CHAINS
type Row = {
  mining: Mining
  operation: Operation
  who: 'SDK' | 'ours'
  concurrency: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Microseconds of processor time each, of the facilitator alone. */
  cpuMicros: number
}

const print = (line: string) => process.stdout.write(`${line}\n`)

type Figures = Omit<Row, 'mining'>
type Load = { operation: Operation; concurrency: number; count: number }

async function measureSdk(stage: Stage, { operation, concurrency, count }: Load): Promise<Figures> {
  const facilitator = await sdkFacilitator({
    ...{ rpcUrl: stage.rpcUrl, chainId: CHAIN_ID, pollingIntervalMs: 20 },
  })
  const payments = await signPayments(stage, count)
  const latencies: number[] = []
  const left = [...payments]
  const work = async () => {
    for (let payment = left.pop(); payment; payment = left.pop()) {
      const { paymentPayload, paymentRequirements } = payment.body
      const from = performance.now()
      const outcome = await facilitator[operation](
        paymentPayload as never,
        paymentRequirements as never,
      )
      latencies.push(performance.now() - from)
      const isGood = 'isValid' in outcome ? outcome.isValid : outcome.success
      if (!isGood) throw new Error(`the SDK refused: ${JSON.stringify(outcome).slice(0, 300)}`)
    }
  }
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, work))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return {
    ...{ operation, who: 'SDK', concurrency, p50Ms: at(0.5), p99Ms: at(0.99) },
    perSecond: Math.round(payments.length / seconds),
    cpuMicros: Math.round((user + system) / payments.length),
  }
}

async function measureOurs(
  stage: Stage,
  key: string,
  { operation, concurrency, count }: Load,
): Promise<Figures> {
  const payments = await signPayments(stage, count)
  const before = readCpu(stage.pid)
  const result = await fire(stage, key, { operation, concurrency, payments })
  const used = cpuBetween(before, readCpu(stage.pid))
  if (result.refusals.length > 0) throw new Error(`refused: ${result.refusals[0]}`)
  return {
    ...{ operation, who: 'ours', concurrency, p50Ms: result.p50Ms, p99Ms: result.p99Ms },
    perSecond: result.perSecond,
    cpuMicros: Math.round((used.service * 1e6) / payments.length),
  }
}

/** Sends the requests from a process of its own. */
async function fire(
  stage: Stage,
  key: string,
  load: { operation: Operation; concurrency: number; payments: Payment[] },
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-load-'))
  const requestsFile = join(folder, 'requests')
  const job: LoadJob = {
    ...{ port: stage.port, connections: load.concurrency, requestsFile },
    headers: { authorization: `Bearer ${key}` },
  }
  const lines = load.payments.map(
    ({ body }) => `POST /api/x402/${load.operation} ${JSON.stringify(body)}`,
  )
  writeFileSync(requestsFile, lines.join('\n'))
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
  const program = new URL('./http-load.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, join(folder, 'job.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  rmSync(folder, { recursive: true })
  if (code !== 0) throw new Error(`the load ended with ${code}`)
  return JSON.parse(text)
}

/** Whether it was named on the command line, or nothing of its kind was. */
const isAsked = (word: string, among: readonly string[]): boolean =>
  process.argv.includes(word) || !process.argv.some((named) => among.includes(named))

async function compare(): Promise<void> {
  const rows: Row[] = []
  for (const mining of Object.keys(CHAINS) as Mining[])
    if (isAsked(mining, Object.keys(CHAINS))) rows.push(...(await compareOn(mining)))
  console.table(rows)
  print(JSON.stringify({ rows }))
}

async function compareOn(mining: Mining): Promise<Row[]> {
  const rows: Row[] = []
  for (const operation of OPERATIONS.filter((name) => isAsked(name, OPERATIONS)))
    for (const concurrency of CONCURRENCY) {
      const [sdk, ours] = await comparePair(mining, operation, concurrency)
      rows.push({ mining, ...sdk }, { mining, ...ours })
      const times = ours.perSecond / sdk.perSecond
      print(
        `blocks ${mining}, ${operation} at ${concurrency}: SDK ${sdk.perSecond}/s, ours ${ours.perSecond}/s: ${times.toFixed(1)} times (target ${TARGETS[operation]})`,
      )
    }
  return rows
}

/**
 * Both on one chain, which is new: anvil hashes all of its state for each block, so that what comes later is slower. Both
 * have settled some before, as what runs often is compiled.
 */
async function comparePair(mining: Mining, operation: Operation, concurrency: number) {
  // One process each: two would carry half as many payments together, which costs more of two cores than it brings.
  await using stage = await openStage({ ...CHAINS[mining], processes: 1 })
  await stage.start()
  const key = await openSeller(stage)
  const warming = { operation: 'settle', concurrency: 16 } as const
  await measureOurs(stage, key, { ...warming, count: WARMING.ours })
  await measureSdk(stage, { ...warming, count: WARMING.sdk })
  const [sdk, ours] = [COUNTS[operation].sdk, COUNTS[operation].ours]
  return [
    await measureSdk(stage, { operation, concurrency, count: sdk }),
    await measureOurs(stage, key, { operation, concurrency, count: ours }),
  ] as const
}

if (process.argv.includes('--soak')) process.exitCode = await soak(print)
else await compare()

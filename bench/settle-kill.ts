/**
 * `npm run load:settle -- --count 100000`: AP2 settlements from 64 connections, while API processes and PostgreSQL are
 * killed with -9. Every request is repeated until it has an answer. In the end each mandate has paid once, every
 * reported settlement is in the ledger, and the books verify.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { openPool } from '../packages/service/src/base/db/sql.ts'
import { type BenchService, startService } from './stage/service.ts'
import { openShop, settleRequests } from './stage/shop.ts'

export type KillResult = {
  requests: number
  seconds: number
  reported: Record<'settled' | 'already', number>
  repeated: number
  killed: string[]
  faults: string[]
}

const CONNECTIONS = 64
const MAIN = new URL('../packages/service/src/main.ts', import.meta.url).pathname
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Answer = { status: number; body: { settlement_id?: string; mandate_id?: string } }

function post(service: BenchService, agent: Agent, line: string): Promise<Answer> {
  const [, path] = line.split(' ', 2)
  const body = line.slice(line.indexOf('{'))
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port: service.port,
        path,
        method: 'POST',
        timeout: 20_000,
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          try {
            resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) })
          } catch (error) {
            reject(error)
          }
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.end(body)
  })
}

/** The processes below this one with `word` on their command line. */
function below(pid: number, word: string): number[] {
  const found: number[] = []
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      if (parent === pid && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(word))
        found.push(Number(entry))
    } catch {
      // The process ended between the two reads.
    }
  }
  return found
}

/** Kills one API process, or a backend of PostgreSQL, which then ends all others and recovers. */
function kill(service: BenchService, what: 'api' | 'postgres'): string | undefined {
  const [postmaster] = below(service.pid, 'postgres')
  const victims =
    what === 'api' ? below(service.pid, 'serve') : below(postmaster ?? 0, 'postgres: ')
  const victim = victims.at(-1)
  if (victim === undefined) return undefined
  process.kill(victim, 'SIGKILL')
  return `${what} ${victim}`
}

export async function settleUnderKills(count: number, kills: number): Promise<KillResult> {
  const service = await startService({ PURSER_PROCESSES: '2' })
  try {
    const shop = await openShop(service, { payers: 500, links: 100, cardLimit: 0.2 })
    const lines = await settleRequests(shop, count, 0)
    const result = await drive(service, lines, kills)
    result.faults.push(...(await check(service, lines.length)))
    return result
  } finally {
    await service.stop()
  }
}

async function drive(service: BenchService, lines: string[], kills: number): Promise<KillResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const result: KillResult = {
    requests: lines.length,
    seconds: 0,
    reported: { settled: 0, already: 0 },
    repeated: 0,
    killed: [],
    faults: [],
  }
  const startedAt = performance.now()
  let next = 0
  const every = Math.floor(lines.length / (kills + 1))
  const work = async () => {
    for (let i = next++; i < lines.length; i = next++) {
      if (i > 0 && i % every === 0 && result.killed.length < kills) {
        const killed = kill(service, result.killed.length % 3 === 1 ? 'postgres' : 'api')
        if (killed) result.killed.push(killed)
      }
      await settle(lines[i] as string)
    }
  }
  const settle = async (line: string) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await post(service, agent, line).catch(() => undefined)
      if (answer?.status === 201) result.reported.settled++
      else if (answer?.status === 200) result.reported.already++
      else if (answer && answer.status < 500) result.faults.push(JSON.stringify(answer))
      if (answer && answer.status < 500) return
      result.repeated++
      await pause(Math.min(50 * 2 ** attempt, 1_000))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  agent.destroy()
  result.seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return result
}

/** Compares the final database with the requests. */
async function check(service: BenchService, count: number): Promise<string[]> {
  const pool = openPool(service.databaseUrl, 1)
  const { rows } = await pool.query(`select
    (select count(*)::int from ap2_mandates) as mandates,
    (select count(*)::int from settlements where protocol = 'ap2' and state = 'settled') as settlements,
    (select count(*)::int from ledger_transfers where kind = 'settlement') as transfers,
    (select coalesce(sum(amount), 0)::text from settlements where protocol = 'ap2') as paid,
    (select coalesce(sum(spent), 0)::text from cards) as spent`)
  await pool.end()
  const faults: string[] = []
  const expected = { mandates: count, settlements: count, transfers: count }
  for (const [what, number] of Object.entries(expected))
    if (rows[0][what] !== number) faults.push(`${rows[0][what]} ${what}, not ${number}`)
  if (rows[0].paid !== rows[0].spent)
    faults.push(`${rows[0].paid} paid, ${rows[0].spent} spent by cards`)
  try {
    execFileSync(process.execPath, [MAIN, 'verify'], { env: service.env, encoding: 'utf8' })
  } catch (error) {
    faults.push(`verify: ${(error as { stdout?: string }).stdout}`)
  }
  return faults
}

if (import.meta.main) {
  const at = process.argv.indexOf('--count')
  const count = at > 0 ? Number(process.argv[at + 1]) : 100_000
  const result = await settleUnderKills(count, 6)
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  process.exitCode = result.faults.length > 0 ? 1 : 0
}

/** Sends requests to a server from a separate process, and counts the processor time that each part uses meanwhile. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CpuTimes, cpuBetween, readBusySeconds, readCpu } from './cpu.ts'
import type { LoadJob, LoadResult } from './http-load.ts'

/** A server, and the processes whose processor time counts; the time of their children is included. */
export type Target = { port: number; apiKey: string; pids: number[] }
export type Load = {
  connections: number
  requests: string[]
  /** Requests a second at most; by default as many as are answered. */
  perSecond?: number
  /** The machine of each request, of several of one service; by default all go to the target's port. */
  spread?: { ports: number[]; turns: number[] }
}
export type Fired = LoadResult & {
  /** Microseconds of processor time a request, by part. */
  cpuMicros: Record<keyof CpuTimes | 'client', number>
  /** The average number of cores that other programs of the machine used meanwhile. */
  othersCores: number
}

/** Sends every request once. Throws the first answer whose status is not 2xx. */
export async function fire(
  target: Target,
  { connections, requests, perSecond, spread }: Load,
): Promise<Fired> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-load-'))
  const requestsFile = join(folder, 'requests')
  const job: LoadJob = {
    ...{ ports: [target.port], ...spread, connections, requestsFile },
    ...(perSecond ? { perSecond } : {}),
    headers: { authorization: `Bearer ${target.apiKey}` },
  }
  writeFileSync(requestsFile, requests.join('\n'))
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
  const [before, busyBefore, startedAt] = [readCpuOf(target), readBusySeconds(), performance.now()]
  const result = await runLoad(join(folder, 'job.json'))
  const used = cpuBetween(before, readCpuOf(target))
  const seconds = (performance.now() - startedAt) / 1000
  const own = used.service + used.database + used.chain + result.cpuSeconds
  const othersCores = Math.max(0, (readBusySeconds() - busyBefore - own) / seconds)
  rmSync(folder, { recursive: true })
  if (result.refusals.length > 0) throw new Error(`refused: ${result.refusals[0]}`)
  const micros = (seconds: number) => Math.round((seconds * 1e6) / result.requests)
  return {
    ...result,
    othersCores: Math.round(othersCores * 100) / 100,
    cpuMicros: {
      service: micros(used.service),
      database: micros(used.database),
      chain: micros(used.chain),
      client: micros(result.cpuSeconds),
    },
  }
}

const readCpuOf = ({ pids }: Target): CpuTimes =>
  pids.map(readCpu).reduce((a, b) => ({
    service: a.service + b.service,
    database: a.database + b.database,
    chain: a.chain + b.chain,
  }))

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

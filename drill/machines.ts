/** Machines of Purser: real processes, each on a port that haproxy knows. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Stage } from '../packages/service/test/crash/stage.ts'
import { until } from '../packages/service/test/until.ts'
import { ended, launch } from './programs.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 90_000
const STARTS = 5
/** Longer than it drains, and than what it has begun may take. */
const STOP_MS = 60_000

/** It is stopped when its act ends. */
export type Machine = AsyncDisposable & {
  port: number
  child: ChildProcess
  log: string
  url: string
  /** Starts it once more as it was started. */
  again(): Promise<Machine>
}

/**
 * Starts a machine and waits until it is ready, or as `isUp` has it. One that does not become so is killed. `folder` is the tree
 * to run.
 */
export async function startMachine(
  stage: Stage,
  port: number,
  how: { env?: Record<string, string>; folder?: string; isUp?: typeof isReady } = {},
): Promise<Machine> {
  const { env = {}, folder = ROOT, isUp = isReady } = how
  const log = `${stage.folder}/machine-${port}.log`
  const child = launch(process.execPath, [`${folder}/packages/service/src/main.ts`], {
    log,
    // Not the clone, which may have a developer's .env.
    cwd: stage.folder,
    env: {
      ...stage.env,
      PORT: String(port),
      // All machines are reached at one address.
      PUBLIC_URL: stage.baseUrl,
      PURSER_PROCESSES: '1',
      PURSER_DRAIN_SECONDS: '4',
      ...env,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const machine: Machine = {
    ...{ port, child, log, url },
    again: () => startMachine(stage, port, how),
    [Symbol.asyncDispose]: async () => void (await hasStopped(child)),
  }
  const said = () => readFileSync(log, 'utf8').slice(-1500)
  try {
    await until(
      async () => {
        if (child.exitCode !== null)
          throw new Error(`a machine ended with ${child.exitCode}: ${said()}`)
        return isUp(machine)
      },
      Boolean,
      { everyMs: 100, longestMs: READY_MS },
    )
  } catch (error) {
    await killMachine(machine)
    throw error
  }
  return machine
}

/** The stage, once its database has the tables. */
export async function migrated(stage: Stage): Promise<Stage> {
  const { code, output } = await stage.command(['migrate'])
  if (code !== 0) throw new Error(output)
  return stage
}

export const isReady = async ({ url }: Pick<Machine, 'url'>): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(4_000) })).ok
  } catch {
    return false
  }
}

/** Whether it answers, ready or not. */
export const isServing = async ({ url }: Pick<Machine, 'url'>): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(4_000) })).ok
  } catch {
    return false
  }
}

/** Stops it as systemd does: it says that it leaves, serves on, ends its requests. One that has ended is left as it is. */
export async function stopMachine({ child, port }: Machine): Promise<void> {
  if (!(await hasStopped(child)))
    throw new Error(`the machine at ${port} did not stop within ${STOP_MS / 1000} s`)
}

/** Whether it ends by itself. Otherwise it is killed. */
async function hasStopped(child: ChildProcess): Promise<boolean> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended(child)
  clearTimeout(timer)
  return child.signalCode !== 'SIGKILL'
}

export async function killMachine({ child }: Machine): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

/** Starts it again as systemd does, which does not give up if the database is away. Puts it into the list in place of the other. */
export async function restart(machines: Machine[], machine: Machine): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      machines[machines.indexOf(machine)] = await machine.again()
      return
    } catch (error) {
      if (tries === STARTS) throw error
    }
}

/** Waits until the balancer has a machine that answers. */
export const untilServed = (stage: Stage): Promise<unknown> =>
  until(() => isReady({ url: stage.baseUrl }), Boolean, { everyMs: 100, longestMs: READY_MS })

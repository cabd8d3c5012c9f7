/** Machines of Purser: real processes, each on a port that haproxy knows. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Stage } from '../packages/service/test/crash/stage.ts'
import { until } from '../packages/service/test/until.ts'
import { ended, launch } from './programs.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 90_000

export type Machine = { port: number; child: ChildProcess; log: string; url: string }

/** Starts a machine and waits until it is ready, or as `isUp` has it. `folder` is the tree to run. */
export async function startMachine(
  stage: Stage,
  port: number,
  {
    env = {},
    folder = ROOT,
    isUp = isReady,
  }: { env?: Record<string, string>; folder?: string; isUp?: typeof isReady } = {},
): Promise<Machine> {
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
  const machine = { port, child, log, url }
  await until(
    async () => {
      if (child.exitCode !== null)
        throw new Error(
          `a machine ended with ${child.exitCode}: ${readFileSync(log, 'utf8').slice(-1500)}`,
        )
      return isUp(machine)
    },
    Boolean,
    { everyMs: 100, longestMs: READY_MS },
  )
  return machine
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

/** Stops it as systemd does: it says that it leaves, serves on, ends its requests. */
export async function stopMachine({ child }: Machine): Promise<void> {
  child.kill('SIGTERM')
  await ended(child)
}

export async function killMachine({ child }: Machine): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

/** Waits until the balancer has a machine that answers. */
export const untilServed = (stage: Stage): Promise<unknown> =>
  until(() => isReady({ url: stage.baseUrl }), Boolean, { everyMs: 100, longestMs: READY_MS })

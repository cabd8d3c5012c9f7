import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Clock } from '../../../base/kernel/clock.ts'
import { MAIN } from '../../../places.ts'
import type { DevClock } from '../../embedded/dev/clock.ts'
import { isDevClock } from '../../embedded/dev/clock.ts'
import { mergeMetrics, type ProcessMetrics } from '../../status/process-metrics.ts'
import { StartError } from '../start-error.ts'
import { type Talk, talkToChild } from './talk.ts'

/** The message from the parent to a process that serves the API. */
export type Handed = {
  databaseUrl: string
  /** A pooler lends its connections to the database for one transaction each. */
  isPooled: boolean
  rpcUrls: string[]
  embeddedRpcUrl: string | null
  /** How many it may have of its own. */
  connections: number
}
type Sibling = { name: string; worker: Worker; talk: Talk }

/** The least time between restarts of a process that keeps failing at its start. */
const RESTART_MS = { least: 200, most: 5_000 }
/** A process that lived this long has started successfully. */
const SETTLED_MS = 10_000
const STOP_MS = 20_000

/** The argument that makes `main.ts` one of several API processes. */
export const SERVE_COMMAND = 'serve'

/**
 * Starts `count` processes that serve the API on one port, and restarts any that ends. Resolves once all of them
 * listen, to a function that makes them announce that they are leaving. Throws the first process's sentence if they
 * cannot start. `stack` stops them, each after its open requests.
 */
export async function startApiProcesses(
  count: number,
  given: {
    handed: Handed
    clock: Clock
    log: Logger
    stack: AsyncDisposableStack
    /** The metrics of this process. */
    readOwn: () => Promise<object[]>
  },
): Promise<() => Promise<void>> {
  const { clock, log, stack } = given
  const siblings = new Set<Sibling>()
  let isStopping = false
  let delayMs = RESTART_MS.least

  const tellOthers = async (offsetMs: number, teller?: Sibling): Promise<void> => {
    if (isDevClock(clock)) clock.offsetMs = offsetMs
    const others = [...siblings].filter((sibling) => sibling !== teller)
    await Promise.allSettled(others.map(({ talk }) => talk.ask('clock', offsetMs)))
  }

  cluster.setupPrimary({ exec: MAIN, args: [SERVE_COMMAND] })

  function begin(name: string): Promise<void> {
    const worker = cluster.fork()
    const startedAt = performance.now()
    const sibling: Sibling = {
      name,
      worker,
      talk: talkToChild(lineTo(worker), {
        clock: (offsetMs) => tellOthers(offsetMs as number, sibling),
        metrics: async () =>
          mergeMetrics([
            { process: 'main', metrics: await given.readOwn() },
            ...(await readMetrics(siblings)),
          ]),
      }),
    }
    siblings.add(sibling)
    worker.once('exit', (code, signal) => {
      siblings.delete(sibling)
      if (isStopping) return
      log.error({ pid: worker.process.pid, code, signal }, 'an API process has ended')
      delayMs = performance.now() - startedAt > SETTLED_MS ? RESTART_MS.least : delayMs * 2
      setTimeout(
        () => {
          if (!isStopping)
            begin(name).catch((error) =>
              log.error({ err: error }, 'an API process could not start'),
            )
        },
        Math.min(delayMs, RESTART_MS.most),
      ).unref()
    })
    return sibling.talk.ask('serve', given.handed).then(() => undefined)
  }

  stack.defer(async () => {
    isStopping = true
    await Promise.all([...siblings].map(stop))
  })
  if (isDevClock(clock)) clock.moved = tellOthers
  try {
    await Promise.all(Array.from({ length: count }, (_, i) => begin(`api-${i + 1}`)))
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error })
  }
  return async () => {
    await Promise.allSettled([...siblings].map(({ talk }) => talk.ask('leave')))
  }
}

const lineTo = (worker: Worker) => ({
  send: (message: unknown) => {
    if (worker.isConnected()) worker.send(message as object)
  },
  onMessage: (heard: (message: unknown) => void) => worker.on('message', heard),
  onClosed: (closed: () => void) => worker.once('exit', closed),
})

/** The metrics of the processes that answer. */
async function readMetrics(siblings: Set<Sibling>): Promise<ProcessMetrics[]> {
  const read = await Promise.allSettled(
    [...siblings].map(async ({ name, talk }) => ({
      process: name,
      metrics: (await talk.ask('own metrics')) as object[],
    })),
  )
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

async function stop({ worker }: Sibling): Promise<void> {
  if (worker.isDead()) return
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
  worker.process.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}

/** Keeps the clocks of this process and its siblings in step. */
export function shareClock(clock: DevClock, talk: Talk): void {
  clock.moved = async (offsetMs) => {
    await talk.ask('clock', offsetMs)
  }
}

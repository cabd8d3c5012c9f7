import { armFault } from '../../../base/kernel/fault-points.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { type DevClock, isDevClock } from '../../embedded/dev/clock.ts'
import { logFile } from '../data-dir.ts'
import type { Host } from '../host.ts'
import { loadKeys } from '../keys.ts'
import { createLog } from '../log.ts'
import { type Handed, shareClock } from '../processes/api-processes.ts'
import { listen, withinDrainTime } from '../processes/listen.ts'
import { talkToParent } from '../processes/talk.ts'
import { startTracing } from '../tracing/start-tracing.ts'
import { openServices } from './open-services.ts'

/**
 * Serves the API as one of several processes on a port, until `signal` aborts. Reports to its parent once it listens.
 */
export async function serveApi(config: Config, host: Host, signal: AbortSignal): Promise<void> {
  await using stack = new AsyncDisposableStack()
  let sayLeaving = (): void => undefined
  let readOwnMetrics = async (): Promise<object[]> => []
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve())
  })
  const talk = talkToParent({
    serve: (handed) => serve(handed as Handed),
    'own metrics': () => readOwnMetrics(),
    leave: async () => sayLeaving(),
    clock: async (offsetMs) => {
      if (devClock) devClock.offsetMs = offsetMs as number
    },
  })
  let devClock: DevClock | undefined

  async function serve(handed: Handed): Promise<void> {
    const { log, flush } = createLog({
      level: config.logLevel,
      file: config.chain.kind === 'embedded' ? logFile(config.dataDir) : undefined,
      isShared: true,
      complain: host.complain,
    })
    stack.defer(flush)
    await startTracing(config, { log, stack })
    const keys = await loadKeys(config, host)
    const { services } = await openServices(config, {
      ...{ keys, parts: handed, connections: handed.connections },
      ...{ log, stack },
    })
    const { clock, leaving } = services
    sayLeaving = () => {
      leaving.isLeaving = true
    }
    if (isDevClock(clock)) {
      devClock = clock
      shareClock(clock, talk)
    }
    if (config.fault) armFault(config.fault)
    const app = await createApp({
      ...services,
      siblings: {
        readMetrics: async () => (await talk.ask('metrics')) as string,
        provideMetrics: (read) => {
          readOwnMetrics = read
        },
      },
    })
    stack.defer(() => withinDrainTime(app.close()))
    await listen(app, config)
  }

  await stopped
}

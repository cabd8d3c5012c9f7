import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C under npm arrives twice at once: from the terminal, and from npm. */
const IMPATIENCE_MS = 1_000
/** Well below the 10 s after which Docker kills. */
const START_ENDS_MS = 5_000

/**
 * Ends the process at a signal, and its children with it, as long as no command has taken the signals over. Without a
 * handler the first process of a container does not even receive them.
 */
export function endAtSignals(): void {
  for (const signal of SIGNALS)
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

/** The signals of a service that stops in order: `stopping` aborts at the first one, which `asked` resolves with. */
export function takeSignals(): { stopping: AbortSignal; asked: Promise<NodeJS.Signals> } {
  const stopping = new AbortController()
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    let askedAt = Number.POSITIVE_INFINITY
    for (const signal of SIGNALS) {
      process.removeAllListeners(signal)
      process.on(signal, () => {
        // A second signal means that somebody has waited long enough. The embedded parts end with this process.
        if (performance.now() - askedAt > IMPATIENCE_MS) process.exit(1)
        askedAt = Math.min(askedAt, performance.now())
        stopping.abort()
        resolve(signal)
      })
    }
  })
  return { stopping: stopping.signal, asked }
}

/** Throws if a start is not over some seconds after the signal: it may wait for a database, a lock or a disk. */
export async function cutOffStart(asked: Promise<NodeJS.Signals>): Promise<never> {
  const signal = await asked
  await sleep(START_ENDS_MS)
  throw new StartError(
    `The start was cut off: it had not stopped ${START_ENDS_MS / 1_000} s after ${signal}. The next start goes on from there.`,
  )
}

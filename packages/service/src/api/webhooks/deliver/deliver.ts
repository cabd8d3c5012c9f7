import { outageOf } from '../../../base/db/outage.ts'
import { steadyNow } from '../../../base/kernel/clock.ts'
import { type Here, Sender } from './sender.ts'

/** Between two turns: while there is something to do, and at most. */
const PAUSE_MS = { busy: 25, idle: 500, failed: 1_000 }
/**
 * A pause is so many times as long as the turn before. Turns take longer while payments use the machine, so deliveries then
 * take a smaller part of it.
 */
const PAUSE_PER_TURN = 8

/** Delivers events until it is stopped. `stop` waits for the requests that are under way. */
export function startDelivering(services: Here): { stop(): Promise<void> } {
  const sender = new Sender(services)
  let isStopping = false
  let wake = (): void => undefined
  let pauseMs = PAUSE_MS.busy

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (isStopping) wake()
    })

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        const startedAt = steadyNow()
        const events = await sender.turn()
        const tookMs = steadyNow() - startedAt
        const hasMore = events > 0 || sender.isBusy
        pauseMs = hasMore
          ? Math.max(PAUSE_MS.busy, PAUSE_PER_TURN * tookMs)
          : Math.min(PAUSE_MS.idle, Math.max(PAUSE_MS.busy, pauseMs * 1.5))
      } catch (error) {
        const level = outageOf(error) ? 'warn' : 'error'
        services.log[level]({ err: error }, 'webhooks could not be delivered')
        pauseMs = PAUSE_MS.failed
      }
      await pause()
    }
    await sender.leave()
  }

  const ended = run()
  return {
    async stop() {
      isStopping = true
      wake()
      await ended
    },
  }
}

/** Delivers everything that is due now, then returns. */
export async function deliverDue(services: Here): Promise<void> {
  const sender = new Sender(services)
  try {
    for (let events = 1; events > 0 || sender.isBusy; ) {
      events = await sender.turn()
      if (sender.inFlight > 0 || sender.isBusy) await new Promise((done) => setTimeout(done, 5))
    }
  } finally {
    await sender.leave()
  }
}

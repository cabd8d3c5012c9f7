/** The primary hands over again and again, while payments queue jobs, and an event for each is to be delivered. */
import { pause, until } from '../../packages/service/test/until.ts'
import { type Received, receiver } from '../../packages/service/test/webhooks/receiver.ts'
import { type Act, outcomeOf, overGoal } from '../act.ts'
import type { Cluster } from '../cluster.ts'
import { askAs, compare, startLoad } from '../load.ts'

const TIMES = 20
const GAP_GOAL_SECONDS = 15
const JOB_GOAL_SECONDS = 60
const LAST_MS = 120_000
/** The payers whose payments somebody is told of. */
const HEARD = 2
const BETWEEN_MS = 500
const LOOK_MS = 1_000

export const SWITCHOVERS: Act = {
  name: 'switchovers',
  summary: `${TIMES} switchovers one after the other, as at a rolling restart of the database, with jobs and deliveries queued`,
  goal: `longest gap ≤ ${GAP_GOAL_SECONDS} s, every job and delivery ≤ ${JOB_GOAL_SECONDS} s after it is due, 0 lost, 0 doubled`,
  async play(drill) {
    const { cluster } = drill
    const { shop } = await drill.open()
    await using hook = await receiver()
    for (let payer = 0; payer < HEARD; payer++) {
      const body = { url: hook.url, events: ['payment.sent'] }
      const reply = await askAs(shop, payer, { method: 'POST', path: '/api/webhooks', body })
      if (reply?.status !== 200) throw new Error(`a webhook: ${JSON.stringify(reply)}`)
    }
    await using load = startLoad({ ...shop, payers: shop.payers.slice(0, HEARD) })
    await using jobs = watchJobs(cluster)
    const seconds: number[] = []
    for (let i = 0; i < TIMES; i++) {
      const begunAt = performance.now()
      await cluster.switchover()
      await cluster.whole()
      seconds.push((performance.now() - begunAt) / 1000)
      await pause(BETWEEN_MS)
    }
    const measured = await load.stop()
    const stoppedAt = performance.now()
    const paid = new Map(load.answered().map(({ settlement, at }) => [settlement, at]))
    const toldAt = () => firstTold(hook.taken)
    const told = await until(toldAt, (seen) => [...paid.keys()].every((id) => seen.has(id)), {
      everyMs: 250,
      longestMs: LAST_MS,
    }).catch(toldAt)
    const untold = [...paid.keys()].filter((id) => !told.has(id)).length
    const lateness = [...paid].map(([id, at]) => (told.get(id) ?? stoppedAt) - at)
    const longest = Math.round(Math.max(0, ...lateness) / 100) / 10
    const waited = await jobs.stop()
    return outcomeOf(measured, await compare(shop), {
      note: `${TIMES} switchovers, each whole again within ${Math.round(Math.max(...seconds))} s; ${told.size} deliveries, the longest ${longest} s after its payment; the job that waited longest ran after ${waited} s`,
      own: [
        ...(untold > 0 ? [`nobody was told of ${untold} payments`] : []),
        ...(longest > JOB_GOAL_SECONDS ? [`a delivery came ${longest} s after its payment`] : []),
        ...(waited > JOB_GOAL_SECONDS ? [`a job waited for ${waited} s`] : []),
        ...overGoal(measured.gapSeconds, GAP_GOAL_SECONDS),
      ],
    })
  },
}

/** Looks every second for how long the first of the due jobs has waited, or runs. `stop` says the longest, in seconds. */
function watchJobs(cluster: Cluster) {
  const oldest = `select coalesce(extract(epoch from max(service_time() - run_at)), 0)::float8 as seconds
    from graphile_worker.jobs where run_at <= service_time() and attempts < max_attempts`
  let longest = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      // Between two primaries nobody answers.
      const [row] = await cluster.sql(oldest, 'purser').catch(() => [])
      longest = Math.max(longest, Number(row?.seconds ?? 0))
      await pause(LOOK_MS)
    }
  })()
  const end = async () => {
    isOver = true
    await watching
  }
  return {
    [Symbol.asyncDispose]: end,
    async stop(): Promise<number> {
      await end()
      return Math.round(longest * 10) / 10
    },
  }
}

/** When each payment's event came first, by the clock of answers. */
function firstTold(taken: readonly Received[]): Map<string | undefined, number> {
  const told = new Map<string | undefined, number>()
  for (const { event, at } of taken)
    if (!told.has(event.data.settlement_id))
      told.set(event.data.settlement_id, at - performance.timeOrigin)
  return told
}

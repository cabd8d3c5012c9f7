/** The primary takes no writes for a while, by its settings. Nobody fails over: it is alive, and leads. */
import { pause, until } from '../../packages/service/test/until.ts'
import { type Act, outcomeOf, pauseOf } from '../act.ts'
import { compare, startLoad } from '../load.ts'
import { isReady, isServing } from '../machines.ts'

const BEFORE_MS: [number, number] = [1_000, 4_000]
const HELD_MS: [number, number] = [8_000, 15_000]
const NOTICED_GOAL_MS = 15_000
const AGAIN_GOAL_MS = 15_000
const AFTER_ANSWERS = 50

export const READ_ONLY: Act = {
  name: 'read-only',
  summary: 'the primary is made read-only, and takes writes again',
  goal: `not ready ${NOTICED_GOAL_MS / 1000} s later, no machine ends, paid again within ${AGAIN_GOAL_MS / 1000} s, 0 lost, 0 doubled`,
  async play(drill) {
    const { cluster } = drill
    const { shop, machines } = await drill.open()
    const primary = await cluster.primary()
    await using load = startLoad(shop)
    await pauseOf(drill, BEFORE_MS)
    const readiness = () => Promise.all(machines.map(isReady))
    const struckAt = performance.now()
    await cluster.makeReadOnly(primary, true)
    await until(readiness, (seen) => !seen.some(Boolean), {
      everyMs: 250,
      longestMs: 2 * NOTICED_GOAL_MS,
    })
    const noticedMs = performance.now() - struckAt
    await pauseOf(drill, HELD_MS)
    const serving = await Promise.all(machines.map(isServing))
    const mendedAt = performance.now()
    await cluster.makeReadOnly(primary, false)
    await until(
      () => load.answered().filter(({ at }) => at > mendedAt).length,
      (count) => count > AFTER_ANSWERS,
      { everyMs: 100, longestMs: 4 * AGAIN_GOAL_MS },
    )
    const againMs = Math.min(
      ...load.answered().flatMap(({ at }) => (at > mendedAt ? [at - mendedAt] : [])),
    )
    await until(readiness, (seen) => seen.every(Boolean), { everyMs: 250, longestMs: 60_000 })
    await pause(1_000)
    const measured = await load.stop()
    const [noticed, again] = [noticedMs, againMs].map((ms) => Math.round(ms / 100) / 10)
    return outcomeOf(measured, await compare(shop), {
      note: `no machine was ready ${noticed} s later; paid again ${again} s after it took writes`,
      own: [
        ...(serving.every(Boolean) ? [] : ['a machine did not answer meanwhile']),
        ...(noticedMs > NOTICED_GOAL_MS ? [`a machine was ready for ${noticed} s more`] : []),
        ...(againMs > AGAIN_GOAL_MS ? [`nobody was paid for ${again} s more`] : []),
      ],
    })
  },
}

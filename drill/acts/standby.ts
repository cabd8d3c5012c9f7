/** The synchronous standby is frozen, and then the primary dies: what was answered in between must not be on it alone. */
import { pause, until } from '../../packages/service/test/until.ts'
import { type Act, outcomeOf, pauseOf } from '../act.ts'
import { compare, startLoad } from '../load.ts'

const BEFORE_MS: [number, number] = [2_000, 5_000]
/** As long as commits may wait for a standby that is gone: `wal_sender_timeout`, and Patroni's next look. */
const FROZEN_MS = 9_000
const WITHOUT_MS = 3_000
const AFTER_ANSWERS = 100
const AGAIN_MS = 120_000

export const STANDBY: Act = {
  name: 'frozen-standby',
  summary:
    'SIGSTOP of the synchronous standby, and kill -9 of the primary 9 s later; both come back',
  goal: '0 lost, 0 doubled',
  async play(drill) {
    const { cluster, open } = drill
    const { shop } = await open()
    const primary = await cluster.primary()
    const standby = await cluster.standby()
    await using load = startLoad(shop)
    await pauseOf(drill, BEFORE_MS)
    const frozenAt = performance.now()
    cluster.freeze(standby)
    await pause(FROZEN_MS)
    const between = load.answered().filter(({ at }) => at > frozenAt + 500).length
    cluster.kill(primary)
    await pause(WITHOUT_MS)
    cluster.wake(standby)
    // Needed if the primary died while it chose another standby: then nobody else is known to have all.
    cluster.begin(primary)
    const wokeAt = performance.now()
    await until(
      () => load.answered().filter(({ at }) => at > wokeAt).length,
      (count) => count > AFTER_ANSWERS,
      { everyMs: 100, longestMs: AGAIN_MS },
    )
    const after = await cluster.primary()
    const measured = await load.stop()
    await cluster.whole()
    return outcomeOf(measured, await compare(shop), {
      note: `${primary.name} to ${after.name}; ${between} answered while ${standby.name} was frozen`,
    })
  },
}

/** The primary of the database is lost in four ways. */
import { pause, until } from '../../packages/service/test/until.ts'
import {
  type Act,
  type Drill,
  FAILOVER_GOAL_SECONDS,
  type Outcome,
  outcomeOf,
  overGoal,
  pauseOf,
} from '../act.ts'
import type { Cluster } from '../cluster.ts'
import { compare, startLoad } from '../load.ts'

type Member = Cluster['members'][number]
const BEFORE_MS: [number, number] = [2_000, 5_000]
const AFTER_ANSWERS = 200
const AGAIN_MS = 90_000
/** How long a former primary that is back is asked whether it confirms a write. */
const LOOK_MS = 12_000

/** Pays, loses the primary, waits for answers again, has the member back, and compares. */
async function lose(
  drill: Drill,
  how: { strike(member: Member): void; mend(member: Member): void },
): Promise<Outcome> {
  const { cluster } = drill
  const { shop } = await drill.open()
  const before = await cluster.primary()
  await using load = startLoad(shop)
  await pauseOf(drill, BEFORE_MS)
  const struckAt = performance.now()
  how.strike(before)
  await until(
    () => load.answered().filter(({ at }) => at > struckAt + 2_000).length,
    (count) => count > AFTER_ANSWERS,
    { everyMs: 100, longestMs: AGAIN_MS },
  )
  const after = await cluster.primary()
  const faults: string[] = []
  if (after.name === before.name) faults.push('the primary that was lost is the primary again')
  how.mend(before)
  if (await confirms(cluster, before))
    faults.push(`${before.name} came back and confirmed a write as a second primary`)
  const measured = await load.stop()
  // What was lost is counted also if the members do not find together again.
  await cluster.whole().catch((error: Error) => faults.push(error.message))
  const last = await cluster.primary()
  if (last.name !== after.name) faults.push(`${last.name} took the lead from ${after.name}`)
  return outcomeOf(measured, await compare(shop), {
    note: `${before.name} to ${after.name}; ${before.name} follows again`,
    own: [...faults, ...overGoal(measured.gapSeconds, FAILOVER_GOAL_SECONDS)],
  })
}

/** Asks the member itself, past haproxy, until it is a standby. */
async function confirms(cluster: Cluster, member: Member): Promise<boolean> {
  const end = performance.now() + LOOK_MS
  while (performance.now() < end) {
    if (await cluster.confirmsWrite(member, 1_500)) return true
    await pause(300)
  }
  return false
}

const LOSES = `longest gap ≤ ${FAILOVER_GOAL_SECONDS} s, 0 lost, 0 doubled`

export const PRIMARY_ACTS: Act[] = [
  {
    name: 'kill-primary',
    summary: 'kill -9 of all that runs on the primary of the database',
    goal: LOSES,
    play: (drill) =>
      lose(drill, {
        strike: drill.cluster.kill,
        mend: (member) => void drill.cluster.begin(member),
      }),
  },
  {
    name: 'freeze-primary',
    summary: 'SIGSTOP of the primary; it wakes, and is no second primary',
    goal: LOSES,
    play: (drill) => lose(drill, { strike: drill.cluster.freeze, mend: drill.cluster.wake }),
  },
  {
    name: 'partition-primary',
    summary: 'the cable of the primary is pulled: it runs on and reaches nobody',
    goal: LOSES,
    play: (drill) => lose(drill, { strike: drill.cluster.cut, mend: drill.cluster.mend }),
  },
  {
    name: 'isolate-primary',
    summary: 'the primary reaches neither etcd nor its standbys, and machines still reach it',
    goal: LOSES,
    play: (drill) => lose(drill, { strike: drill.cluster.isolate, mend: drill.cluster.unite }),
  },
]

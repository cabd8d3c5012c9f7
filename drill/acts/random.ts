/** Faults that the seed chooses, one after the other, each mended before the members have found together after the one before. */
import { until } from '../../packages/service/test/until.ts'
import { type Act, chosenBy, type Drill, outcomeOf, pauseOf } from '../act.ts'
import { compare, type Load, startLoad } from '../load.ts'
import { killMachine, type Machine, restart } from '../machines.ts'

const FAULTS = 6
const BEFORE_MS: [number, number] = [500, 4_000]
const HELD_MS: [number, number] = [500, 12_000]
const AFTER_ANSWERS = 20
const AGAIN_MS = 180_000

type Scene = { drill: Drill; machines: Machine[] }
/** Strikes, and returns how it is mended. */
type Strike = (scene: Scene) => Promise<() => unknown>

const STRIKES: Record<string, Strike> = {
  async 'primary killed'({ drill: { cluster } }) {
    const primary = await cluster.primary()
    cluster.kill(primary)
    return () => cluster.begin(primary)
  },
  async 'primary frozen'({ drill: { cluster } }) {
    const primary = await cluster.primary()
    cluster.freeze(primary)
    return () => cluster.wake(primary)
  },
  async 'primary cut off'({ drill: { cluster } }) {
    const primary = await cluster.primary()
    cluster.cut(primary)
    return () => cluster.mend(primary)
  },
  async 'primary isolated'({ drill: { cluster } }) {
    const primary = await cluster.primary()
    cluster.isolate(primary)
    return () => cluster.unite(primary)
  },
  async 'standby killed'({ drill }) {
    const standby = await anyStandby(drill)
    drill.cluster.kill(standby)
    return () => drill.cluster.begin(standby)
  },
  async 'standby cut off'({ drill }) {
    const standby = await anyStandby(drill)
    drill.cluster.cut(standby)
    return () => drill.cluster.mend(standby)
  },
  async 'machine killed'({ drill, machines }) {
    const machine = chosenBy(drill, machines)
    await killMachine(machine)
    return () => restart(machines, machine)
  },
  async 'machine frozen'({ drill, machines }) {
    const { child } = chosenBy(drill, machines)
    child.kill('SIGSTOP')
    return () => child.kill('SIGCONT')
  },
  async 'read-only'({ drill: { cluster } }) {
    const primary = await cluster.primary()
    await cluster.makeReadOnly(primary, true)
    return () => cluster.makeReadOnly(primary, false)
  },
}

async function anyStandby(drill: Drill) {
  const primary = await drill.cluster.primary()
  return chosenBy(
    drill,
    drill.cluster.members.filter((member) => member !== primary),
  )
}

export const RANDOM: Act = {
  name: 'random',
  summary: `${FAULTS} faults of members and machines, chosen by the seed`,
  goal: 'paid again after each, 0 lost, 0 doubled',
  async play(drill) {
    const { shop, machines } = await drill.open()
    await using load = startLoad(shop)
    const struck: string[] = []
    for (let i = 0; i < FAULTS; i++) {
      await pauseOf(drill, BEFORE_MS)
      const name = chosenBy(drill, Object.keys(STRIKES))
      struck.push(name)
      const mend = await (STRIKES[name] as Strike)({ drill, machines })
      await pauseOf(drill, HELD_MS)
      await mend()
      await untilPaid(load, struck)
    }
    const measured = await load.stop()
    const anew = await drill.cluster.together().catch((error: Error) => {
      throw new Error(`after ${struck.join(', ')}: ${error.message}`)
    })
    const made = anew.map(({ name }) => `; ${name} made anew`).join('')
    return outcomeOf(measured, await compare(shop), { note: `${struck.join(', ')}${made}` })
  },
}

async function untilPaid(load: Load, names: readonly string[]): Promise<void> {
  const mendedAt = performance.now()
  await until(
    () => load.answered().filter(({ at }) => at > mendedAt).length,
    (count) => count > AFTER_ANSWERS,
    { everyMs: 100, longestMs: AGAIN_MS },
  ).catch((error: Error) => {
    throw new Error(`nobody paid after ${names.join(', ')}: ${error.message}`)
  })
}

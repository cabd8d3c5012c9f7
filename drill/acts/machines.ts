/** One machine of Purser is lost, or only its connection to the database. */
import { darkWay } from '../../packages/service/test/faults/dark-way.ts'
import { pause, until } from '../../packages/service/test/until.ts'
import {
  type Act,
  chosenBy,
  outcomeOf,
  overGoal,
  overWait,
  pauseOf,
  SILENT_GOAL_SECONDS,
} from '../act.ts'
import { compare, type Load, longestWait, startLoad } from '../load.ts'
import { killMachine, startMachine } from '../machines.ts'

const KILL_GOAL_SECONDS = 5
const BEFORE_MS: [number, number] = [1_000, 4_000]
const DARK_MS = 8_000
const CUTS_MAX = 6
/** A payment that takes longer than this has waited for a row. */
const HELD_MS = 1_500

const untilAnswered = async (load: Load): Promise<void> => {
  const known = load.answered().length
  await until(
    () => load.answered().length,
    (count) => count > known + 3,
  )
}

const killMachineAct: Act = {
  name: 'kill-machine',
  summary: 'kill -9 of one of three machines, which starts again',
  goal: `longest gap ≤ ${KILL_GOAL_SECONDS} s, 0 lost, 0 doubled`,
  async play(drill) {
    const { shop, machines } = await drill.open()
    await using load = startLoad(shop)
    await pauseOf(drill, BEFORE_MS)
    const killed = chosenBy(drill, machines)
    await killMachine(killed)
    await pause(2_000)
    machines[machines.indexOf(killed)] = await killed.again()
    await pause(1_000)
    const measured = await load.stop()
    return outcomeOf(measured, await compare(shop), {
      note: 'what it had begun was repeated by its payers, who wait until its claim has ended',
      own: overGoal(measured.gapSeconds, KILL_GOAL_SECONDS),
    })
  },
}

const silent: Act = {
  name: 'silent-connection',
  summary: "one machine's connection to the database falls silent in a transaction",
  goal: `the others' longest wait ≤ ${SILENT_GOAL_SECONDS} s`,
  async play(drill) {
    const { stage, shop } = await drill.open()
    using way = await darkWay(stage.env.DATABASE_URL)
    // Not behind haproxy: its own payer pays at it alone. Without jobs each transaction is one of a payment.
    await using cut = await startMachine(stage, drill.ports.at(-1) as number, {
      env: { DATABASE_URL: way.url, PURSER_ROLES: 'api' },
    })
    // Both loads pay by this card.
    const aside = {
      ...shop,
      stage: { ...stage, baseUrl: cut.url },
      payers: shop.payers.slice(0, 1),
    }
    await using load = startLoad(shop)
    await using own = startLoad(aside)
    let cuts = 0
    // A transaction that holds no row that others want, as that of a key, is no trial.
    while (cuts < CUTS_MAX && longestWait(load.all()) < HELD_MS) {
      cuts++
      await untilAnswered(own)
      await way.cutBeforeCommit({ newAreDark: true })
      await pause(DARK_MS)
      way.heal()
    }
    await untilAnswered(own)
    const others = await load.stop()
    const { faults } = await own.stop()
    const held = longestWait(load.all()) < HELD_MS ? 'and none held' : 'until it held'
    return outcomeOf(others, await compare(shop), {
      note: `silent for ${DARK_MS / 1000} s before a COMMIT, ${cuts} times ${held} a row of the others for long`,
      own: [...faults, ...overWait(others.waitSeconds, SILENT_GOAL_SECONDS)],
    })
  },
}

export const MACHINE_ACTS: Act[] = [killMachineAct, silent]

/** Money that comes and goes on chain, while the primary of the database and a machine are lost. */
import { openWorld } from '../../packages/service/test/crash/acts/players.ts'
import { checkAll, waitUntilFinal } from '../../packages/service/test/crash/check.ts'
import type { Act as Move } from '../../packages/service/test/crash/load.ts'
import { startCallers } from '../../packages/service/test/crash/rounds.ts'
import { pause } from '../../packages/service/test/until.ts'
import { type Act, chosenBy, pauseOf } from '../act.ts'
import {
  killMachine,
  type Machine,
  migrated,
  restart,
  startMachine,
  untilServed,
} from '../machines.ts'

const MACHINES = 2
const CALLERS = 6
const BEFORE_MS: [number, number] = [4_000, 8_000]
const DOWN_MS = 3_000
const AFTER_MS = 10_000
const FINAL_MS = 240_000
const MOVES: Move[] = [
  'withdraw',
  'depositByAuthorization',
  'depositOnChain',
  'depositByHash',
  'linkByX402',
  'linkByMpp',
  'linkOnChain',
  'facilitate',
  'pay',
  'linkByCard',
]

export const CHAIN_MONEY: Act = {
  name: 'chain-money',
  summary:
    'deposits, withdrawals, x402 and MPP on chain while the primary of the database is killed, and a machine',
  goal: 'each promise kept once, all final, the chain holds what the books owe',
  async play(drill) {
    await drill.close()
    const { cluster } = drill
    const stage = await migrated(await drill.ownStage('chain_money'))
    const machines: Machine[] = []
    await using stack = new AsyncDisposableStack()
    stack.defer(async () => {
      for (const machine of machines) await machine[Symbol.asyncDispose]()
    })
    for (const port of drill.ports.slice(0, MACHINES))
      machines.push(await startMachine(stage, port))
    await untilServed(stage)
    const world = await openWorld(stage, { players: 3, sellerTimeoutSeconds: 20 })
    stack.defer(() => world.seller.close())
    await using load = startCallers(world, {
      random: drill.random,
      callers: CALLERS,
      acts: MOVES,
    })

    await pauseOf(drill, BEFORE_MS)
    const primary = await cluster.primary()
    cluster.kill(primary)
    await pauseOf(drill, BEFORE_MS)
    await cluster.primary()
    cluster.begin(primary)
    await pause(AFTER_MS)
    const machine = chosenBy(drill, machines)
    await killMachine(machine)
    await pause(DOWN_MS)
    await restart(machines, machine)
    await pause(AFTER_MS)
    await load.stop(FINAL_MS)
    await cluster.whole()

    const open = await waitUntilFinal(world, FINAL_MS)
    const faults = [...open.map((what) => `not final: ${what}`), ...(await checkAll(world))]
    const { claims } = world
    const kinds = new Set(claims.map(({ act }) => act)).size
    return {
      answered: claims.length,
      failed: claims.reduce((sum, { outcome }) => sum + outcome.failed + outcome.lost, 0),
      waitSeconds: Math.round(Math.max(...claims.map(({ outcome }) => outcome.tookMs)) / 100) / 10,
      note: `${kinds} kinds of requests that move money on chain or to it; ${primary.name} killed, and one of ${MACHINES} machines`,
      faults,
    }
  },
}

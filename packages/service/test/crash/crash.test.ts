import { afterAll, beforeAll, expect, test } from 'vitest'
import type { World } from './acts/moves.ts'
import { openWorld } from './acts/players.ts'
import { checkAll, waitUntilFinal } from './check.ts'
import { soak } from './rounds.ts'
import { openStage, type Stage } from './stage.ts'
import { walk } from './walk.ts'

/** Far more than it takes, even on a busy machine: anything unfinished by then will never finish. */
const FINAL_MS = 300_000
const TEST_MS = 900_000

let stage: Stage
let world: World

beforeAll(async () => {
  stage = await openStage({ blockTimeSeconds: 0.5, processes: 1 })
  await stage.launch('api,worker').ready()
  world = await openWorld(stage, { players: 2, sellerTimeoutSeconds: 8 })
}, TEST_MS)

afterAll(async () => {
  await world?.seller.close()
  await stage?.[Symbol.asyncDispose]()
}, TEST_MS)

// `npm run soak` tests all fault points; this test covers those at which money, or a figure of it, is half-way.
test('a process that kills itself at a fault point loses nothing and does nothing twice', {
  timeout: TEST_MS,
}, async () => {
  await stage.killAll()
  const missed = await walk(world, [
    'withdrawals.after_queue',
    'chain.batch_written',
    'pay_links.claimed',
    'payments.after_store',
    'pulls.before_confirm',
    'direct.before_settle',
    'stats.counted',
  ])
  expect(missed).toEqual([])
  expect(await waitUntilFinal(world, FINAL_MS)).toEqual([])
  expect(await checkAll(world)).toEqual([])
})

test('service, worker and database are killed at random under load, and every promise is kept once', {
  timeout: TEST_MS,
}, async () => {
  await stage.killAll()
  const lines: string[] = []
  const faults = await soak(world, {
    ...{ rounds: 3, seed: 21, callers: 3 },
    ...{ verifyEvery: 2, checkEvery: 3, finalMs: FINAL_MS },
    report: (line) => lines.push(line),
  })
  expect(faults, lines.join('\n')).toEqual([])
  expect(lines).toHaveLength(4)
})

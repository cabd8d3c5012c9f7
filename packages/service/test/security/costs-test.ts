import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileAnswers } from '../world/declared.ts'
import { grown, type Standing } from './cost-meter.ts'
import { classOf, type Exposed, mostOf } from './exposed.ts'
import { MOST_MIB } from './memory-meter.ts'
import { openStage, type Stage } from './stage.ts'
import { aim, type Caller, expectQuick, expectWhole, type Round } from './walk.ts'

/**
 * Leaves neither rows nor jobs. These routes are compared together: to ask every table before and after each would take
 * as long as their calls.
 */
const leavesNothing = (route: Exposed): boolean => {
  const { rows, jobs, gas } = mostOf(route.costs)
  return rows + jobs + gas === 0 && classOf(route) !== 'gas'
}

/** Opens a stage for the tests of this file. */
export function stageOfFile(): { current: Stage } {
  const stage = {} as { current: Stage }
  beforeAll(async () => {
    stage.current = await openStage()
  })
  afterAll(() => stage.current[Symbol.asyncDispose]())
  return stage
}

/** Tests that a hundred calls of each route, by the costliest caller of a kind, cost no more than it declares. */
export function testCosts(
  stage: { current: Stage },
  routes: readonly Exposed[],
  callerOf: (stage: Stage) => Caller,
): void {
  beforeAll(async () => {
    compileAnswers()
    // Loaded by the first call of /mcp, and not held by any caller.
    await import('@purser/mcp')
    return stage.current.memory.begin()
  })

  describe('nothing stays of', () => {
    const quiet = routes.filter(leavesNothing)
    const rounds = new Map<string, Round[]>()
    let before: Standing
    beforeAll(async () => {
      const { current } = stage
      for (const route of quiet)
        rounds.set(route.name, await aim(current, route, callerOf(current)))
      before = await current.stand()
    })
    afterAll(() => rounds.clear())
    test.each(quiet)('$name', async ({ name }) => {
      for (const round of rounds.get(name) ?? []) await expectQuick(stage.current, round)
    })
    test('all of these together: no row, no job, no gas', async () => {
      const left = grown(before, await stage.current.stand())
      expect(left).toEqual({ rows: 0, jobs: 0, gas: 0, tables: {} })
    })
  })

  test.each(routes.filter((route) => !leavesNothing(route)))('$name', async (route) => {
    const { current } = stage
    for (const round of await aim(current, route, callerOf(current)))
      await expectWhole(current, round)
  })

  test('all calls together hold no memory', async () => {
    expect(await stage.current.memory.held()).toBeLessThanOrEqual(MOST_MIB)
  })
}

import { afterAll, beforeAll, describe, test } from 'vitest'
import { ATTACKS } from './route-attacks.ts'
import { openStage, type Stage } from './stage.ts'
import { expectWithin, measure, namedRoutes, rowOf } from './walk.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

// A public route looks at no key: `open-route-costs.test.ts` calls it without one.
const routes = namedRoutes.filter(({ auth }) => auth === 'key')

describe('a hundred calls of a wallet without money cause no more than the table says', () => {
  test.each(routes)('$name', async ({ name: route }) => {
    for (const make of ATTACKS[route] ?? [() => ({})])
      expectWithin(
        route,
        await measure(stage, { route, key: stage.poor.key }, make),
        rowOf(route).most,
      )
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { ATTACKS } from './route-attacks.ts'
import { openStage, type Stage } from './stage.ts'
import { OTHER_ROUTES } from './tables.ts'
import { burst, expectWithin, measure, namedRoutes, rowOf } from './walk.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

const NOTHING = { rows: 0, jobs: 0, gas: 0, rpc: 0, dns: 0, requests: 0, mib: 16 }
const routesFor = (auth: 'public' | 'key'): string[] =>
  namedRoutes.filter((route) => route.auth === auth).map(({ name }) => name)

describe('a hundred calls of an anonymous caller cause no more than the table says', () => {
  test.each([...routesFor('public'), ...OTHER_ROUTES])('%s', async (route) => {
    for (const make of ATTACKS[route] ?? [() => ({})])
      expectWithin(route, await measure(stage, { route }, make), rowOf(route).most)
  })

  test('and nothing where a key is asked for', async () => {
    const guessed = { headers: { authorization: `Bearer ${randomHex(32)}` } }
    const cost = await stage.measure(async () => {
      for (const route of routesFor('key')) {
        const statuses = await burst(stage, { route }, (i) => (i % 2 ? guessed : {}))
        for (const status of statuses) expect(status).toMatch(/^401 /)
      }
    })
    expectWithin('without a key', cost, { ...NOTHING, ms: 4_000 })
  })
})

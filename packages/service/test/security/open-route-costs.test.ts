import { describe, expect, test } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { grown } from './cost-meter.ts'
import { stageOfFile, testCosts } from './costs-test.ts'
import { exposed } from './exposed.ts'
import { burst } from './walk.ts'

const stage = stageOfFile()

describe('a hundred calls of an anonymous caller cost no more than the route declares', () => {
  testCosts(
    stage,
    exposed.filter(({ auth }) => auth === 'public'),
    () => ({}),
  )
})

test('a key that was guessed costs a statement, and leaves nothing', async () => {
  const guessed = { headers: { authorization: `Bearer ${randomHex(32)}` } }
  const keyed = exposed.filter(({ auth }) => auth === 'key')
  const before = await stage.current.stand()
  const cost = await stage.current.count(async () => {
    for (const route of keyed)
      for (const status of await burst(stage.current, route, (i) => (i % 2 ? guessed : {})))
        expect(status).toMatch(/^401 /)
  })
  expect(cost.statements).toBeLessThanOrEqual(5 * keyed.length)
  expect(cost).toMatchObject({ rpc: 0, dns: 0, requests: 0 })
  expect(cost.ms).toBeLessThanOrEqual(4_000)
  const { tables, jobs, gas } = grown(before, await stage.current.stand())
  expect({ tables, jobs, gas }).toEqual({ tables: {}, jobs: 0, gas: 0 })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { randomHex } from '../../src/kernel/secrets.ts'
import { ATTACKS, type Attack, fillOf, type Shot } from './route-attacks.ts'
import { openStage, type Stage } from './stage.ts'
import { type Cost, type CostRow, MEASURES, OTHER_ROUTES, readCosts } from './tables.ts'

/** Every route is called a hundred times by each of two attackers, and what that causes is held against SECURITY.md. */
const CALLS = 100
const AT_ONCE = 10
const costs = readCosts()
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

const NOTHING = { rows: 0, jobs: 0, gas: 0, rpc: 0, dns: 0, requests: 0, mib: 16 }
const rowOf = (route: string): CostRow => {
  const row = costs.find((one) => one.routes.includes(route))
  if (!row) throw new Error(`SECURITY.md has no costs of ${route}`)
  return row
}

async function shoot(route: string, shot: Shot, key?: string) {
  const [method = '', path = ''] = route.split(' ')
  const values = { ...fillOf(stage, path, 0), ...shot.fill }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...shot.headers }
  const { query, body } = shot
  return stage.w.call(method, query ? `${filled}?${query}` : filled, body, { headers })
}

/** Makes the hundred calls; answers how often each status came. */
async function attack(route: string, make: (i: number) => Shot, key?: string) {
  const statuses: Record<string, number> = {}
  for (let start = 0; start < CALLS; start += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
        const { status, body } = await shoot(route, make(start + i), key)
        const seen = `${status} ${body?.code ?? ''}`.trim()
        statuses[seen] = (statuses[seen] ?? 0) + 1
        expect(status, route).not.toBe(500)
      }),
    )
  return statuses
}

function expectWithin(route: string, cost: Cost, most: Cost): void {
  for (const measure of MEASURES)
    expect(cost[measure], `${route}: ${measure}`).toBeLessThanOrEqual(most[measure])
}

/** Signatures are made before anything is measured. */
const load = (make: Attack): Promise<Shot[]> =>
  Promise.all(Array.from({ length: CALLS + 1 }, async (_, i) => make(stage, i)))

async function measure(route: string, make: Attack, key?: string): Promise<Cost> {
  const shots = await load(make)
  // The first call compiles what the route needs; it is no cost of an attack.
  await shoot(route, shots[CALLS] ?? {}, key)
  let statuses: object = {}
  const cost = await stage.measure(async () => {
    statuses = await attack(route, (i) => shots[i] ?? {}, key)
  })
  if (process.env.SHOW_COSTS) console.log(route, JSON.stringify(cost), JSON.stringify(statuses))
  return cost
}

const open = named.filter(([, { auth }]) => auth === 'public').map(([name]) => name)
const keyed = named.filter(([, { auth }]) => auth === 'key').map(([name]) => name)

describe('a hundred calls of an anonymous caller cause no more than the table says', () => {
  test.each([...open, ...OTHER_ROUTES])('%s', async (name) => {
    for (const make of ATTACKS[name] ?? [() => ({})])
      expectWithin(name, await measure(name, make), rowOf(name).most)
  })

  test('and nothing where a key is asked for', async () => {
    const guessed = { headers: { authorization: `Bearer ${randomHex(32)}` } }
    const cost = await stage.measure(async () => {
      for (const name of keyed) {
        const statuses = await attack(name, (i) => (i % 2 ? guessed : {}))
        for (const status of Object.keys(statuses)) expect(status).toMatch(/^401 /)
      }
    })
    expectWithin('without a key', cost, { ...NOTHING, ms: 20_000 })
  })
})

describe('a hundred calls of a wallet without money cause no more than the table says', () => {
  test.each(named.map(([name]) => name))('%s', async (name) => {
    for (const make of ATTACKS[name] ?? [() => ({})])
      expectWithin(name, await measure(name, make, stage.poor.key), rowOf(name).most)
  })
})

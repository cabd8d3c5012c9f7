import { expect } from 'vitest'
import { routes } from '../../src/run/app.ts'
import { type Attack, fillOf, type Shot } from './route-attacks.ts'
import type { Stage } from './stage.ts'
import { type Cost, type CostRow, MEASURES, readCosts } from './tables.ts'

const CALLS = 100
const AT_ONCE = 10
const costs = readCosts()

/** Every route with its name in SECURITY.md. */
export const namedRoutes = routes.map((route) => ({
  name: `${route.method} ${route.path}`,
  auth: route.auth,
}))

export function rowOf(route: string): CostRow {
  const row = costs.find((one) => one.routes.includes(route))
  if (!row) throw new Error(`SECURITY.md has no costs of ${route}`)
  return row
}

async function shoot(stage: Stage, { route, key }: Target, shot: Shot) {
  const [method = '', path = ''] = route.split(' ')
  const values = { ...fillOf(stage, path, 0), ...shot.fill }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...shot.headers }
  const { query, body } = shot
  return stage.w.call(method, query ? `${filled}?${query}` : filled, body, { headers })
}

type Target = { route: string; key?: string | undefined }

/** Makes ten calls at once. Returns the status of each. */
export const burst = (stage: Stage, target: Target, make: (i: number) => Shot): Promise<string[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const { status, body } = await shoot(stage, target, make(i))
      expect(status, target.route).not.toBe(500)
      return `${status} ${body?.code ?? ''}`.trim()
    }),
  )

/** Makes a hundred calls. Returns how often each status came. */
async function attack(stage: Stage, target: Target, make: (i: number) => Shot) {
  const statuses: Record<string, number> = {}
  for (let start = 0; start < CALLS; start += AT_ONCE)
    for (const seen of await burst(stage, target, (i) => make(start + i)))
      statuses[seen] = (statuses[seen] ?? 0) + 1
  return statuses
}

export function expectWithin(route: string, cost: Cost, most: Cost): void {
  for (const measure of MEASURES)
    expect(cost[measure], `${route}: ${measure}`).toBeLessThanOrEqual(most[measure])
}

/** Signatures are made before the measurement. */
const load = (stage: Stage, make: Attack): Promise<Shot[]> =>
  Promise.all(Array.from({ length: CALLS + 1 }, async (_, i) => make(stage, i)))

/** Measures the cost of a hundred calls. */
export async function measure(stage: Stage, target: Target, make: Attack): Promise<Cost> {
  const shots = await load(stage, make)
  // The first call compiles the route's code, which is not a cost of the attack.
  await shoot(stage, target, shots[CALLS] ?? {})
  let statuses: object = {}
  const cost = await stage.measure(async () => {
    statuses = await attack(stage, target, (i) => shots[i] ?? {})
  })
  if (process.env.SHOW_COSTS)
    console.log(target.route, JSON.stringify(cost), JSON.stringify(statuses))
  return cost
}

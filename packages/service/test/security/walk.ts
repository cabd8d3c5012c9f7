import { expect } from 'vitest'
import { grown, type Run, type Standing } from './cost-meter.ts'
import { type Cost, classOf, type Exposed, MEASURES, mostOf } from './exposed.ts'
import { ATTACKS, type Attack, fillOf, plainly, type Shot } from './route-attacks.ts'
import type { Stage } from './stage.ts'

const CALLS = 100
const AT_ONCE = 10

/** The caller: a wallet by its key, or nobody. */
export type Caller = { key?: string | undefined }
/** An attack that is ready: signatures are made before the measurement. */
export type Round = { route: Exposed; caller: Caller; shots: readonly Shot[] }

/**
 * Makes the requests of each attack on the route, and sends one: the first call compiles the route's code, which is not
 * a cost of the attack.
 */
export async function aim(stage: Stage, route: Exposed, caller: Caller): Promise<Round[]> {
  const rounds = await Promise.all(
    (ATTACKS[route.name] ?? [plainly(route)]).map(async (make: Attack) => ({
      route,
      caller,
      shots: await Promise.all(Array.from({ length: CALLS + 1 }, async (_, i) => make(stage, i))),
    })),
  )
  for (const { shots } of rounds) await shoot(stage, route, caller, shots[CALLS] ?? {})
  return rounds
}

async function shoot(stage: Stage, { name, tag }: Exposed, { key }: Caller, shot: Shot) {
  const [method = '', path = ''] = name.split(' ')
  const values = { ...fillOf(stage, path, 0), ...shot.fill }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...shot.headers }
  const { query, body } = shot
  const url = query ? `${filled}?${query}` : filled
  // Operations that move the clock or mine are left out: other tests share the chain.
  if (tag === 'Development' && method === 'GET')
    return stage.callEmbedded(method, url, body as object | undefined)
  return stage.w.call(method, url, body, { headers })
}

/** Makes ten calls at once. Returns the status of each. */
export const burst = (
  stage: Stage,
  route: Exposed,
  shotOf: (i: number) => Shot,
  caller: Caller = {},
): Promise<string[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const { status, body } = await shoot(stage, route, caller, shotOf(i))
      expect(status, route.name).not.toBe(500)
      return status < 400 ? `${status}` : `${status} ${body?.code ?? ''}`.trim()
    }),
  )

/** Makes a hundred calls. Returns how often each status came. */
async function attack(stage: Stage, { route, caller, shots }: Round) {
  const statuses: Record<string, number> = {}
  for (let start = 0; start < CALLS; start += AT_ONCE)
    for (const seen of await burst(stage, route, (i) => shots[start + i] ?? {}, caller))
      statuses[seen] = (statuses[seen] ?? 0) + 1
  return statuses
}

/** Compares a hundred calls with what the route declares, by all that is counted without asking the database. */
export async function expectQuick(stage: Stage, round: Round): Promise<void> {
  expectWithin(round.route, await fire(stage, round))
}

/**
 * Compares a hundred calls, and each job that they cause, with what route and tasks declare. Where rows are capped, a
 * hundred more calls leave no more of them.
 */
export async function expectWhole(stage: Stage, round: Round): Promise<void> {
  const { route } = round
  await stage.forgetJobs()
  const before = await stage.stand()
  const cost = await fire(stage, round)
  const after = await stage.stand()
  const { tables, ...left } = grown(before, after)
  expectWithin(route, { ...cost, ...left }, JSON.stringify(tables))
  if (left.jobs > 0) await expectJobs(stage, route, after)
  if (classOf(route) !== 'capped' || left.rows === 0) return
  const capped = await stage.stand()
  await fire(stage, round)
  expect(grown(capped, await stage.stand()).tables, `${route.name}: beyond its cap`).toEqual({})
}

async function expectJobs(stage: Stage, { name }: Exposed, before: Standing): Promise<void> {
  const runs = await stage.runJobs()
  const { rows, gas } = grown(before, await stage.stand())
  for (const run of runs) expectRun(run)
  const most = (measure: 'rows' | 'gas') =>
    runs.reduce((sum, { task }) => sum + (task.costs?.[measure] ?? 0), 0)
  expect(rows, `${name}: rows of its jobs`).toBeLessThanOrEqual(most('rows'))
  expect(gas, `${name}: gas of its jobs`).toBeLessThanOrEqual(most('gas'))
}

async function fire(stage: Stage, round: Round) {
  let statuses: object = {}
  const cost = await stage.count(async () => {
    statuses = await attack(stage, round)
  })
  show(round.route.name, cost, statuses)
  return cost
}

function expectWithin({ name, costs }: Exposed, cost: Partial<Cost>, grown = ''): void {
  const most = mostOf(costs)
  for (const measure of MEASURES)
    expect(cost[measure] ?? 0, `${name}: ${measure} ${grown}`).toBeLessThanOrEqual(most[measure])
}

function expectRun({ task: { name, costs }, cost }: Run): void {
  show(name, cost)
  expect(costs, `a caller without money causes ${name}: its task declares costs`).toBeDefined()
  for (const measure of ['statements', 'rpc', 'dns', 'requests'] as const)
    expect(cost[measure], `${name}: ${measure}`).toBeLessThanOrEqual(costs?.[measure] ?? 0)
}

/** With SHOW_COSTS a run prints what it counts. */
const show = (...seen: unknown[]): void => {
  if (process.env.SHOW_COSTS) console.log(...seen.map((one) => JSON.stringify(one)))
}

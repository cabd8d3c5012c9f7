import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  endByHand,
  type HeldByHand,
  holdByHand,
  settleByHand,
} from '../../../../test/actors/payments-by-hand.ts'
import { randomOf } from '../../../../test/crash/rounds.ts'
import { type Card, type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { newId } from '../../../base/kernel/ids.ts'

let w: World
let user: User
let wallets: string[]
beforeAll(async () => {
  w = await world()
  user = await w.user()
  const payees = await Promise.all([w.user(), w.user(), w.user()])
  wallets = payees.map(({ wallet }) => wallet)
})
afterAll(() => w[Symbol.asyncDispose]())

type Random = () => number
const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/** Some rules of each kind, tight enough that each refuses something. */
function someRules(random: Random): Record<string, unknown> {
  const limits = { hourly_limit: 3, daily_limit: 8, weekly_limit: 20, monthly_limit: 40 }
  return Object.fromEntries(
    Object.entries({
      ...limits,
      max_transaction: 2,
      allowed_merchants: ['*.shop.example', wallets[0], wallets[1]],
      mcc_locks: '5734,7372',
    }).filter(() => random() < 0.5),
  )
}

type Asked = { at: Date; units: bigint; wallet: string; mcc: string | null }
/** Steps of a history: the same payments are asked of every card that it is played on. */
type Step =
  | ({ do: 'settle' } & Asked)
  | ({ do: 'hold' } & Asked)
  | { do: 'end'; at: Date; hold: number; part: number }
  | { do: 'switch'; at: Date; status: 'FROZEN' | 'ACTIVE' }

function someSteps(random: Random, count: number): Step[] {
  // An evening before the end of a month that is no week's end.
  let at = Date.parse('2027-01-28T18:00:00.000Z')
  const open: number[] = []
  return Array.from({ length: count }, (_, i): Step => {
    at += 1 + Math.floor(10 ** (random() * 7.5))
    const step = { at: new Date(at) }
    const kind = random()
    if (kind < 0.2 && open.length > 0) {
      const [hold = 0] = open.splice(Math.floor(random() * open.length), 1)
      return { ...step, do: 'end', hold, part: pick(random, [0, 0.3, 1]) }
    }
    if (kind > 0.97)
      return { ...step, do: 'switch', status: pick(random, ['FROZEN', 'ACTIVE', 'ACTIVE']) }
    const isHold = random() < 0.4
    if (isHold) open.push(i)
    return {
      ...step,
      do: isHold ? 'hold' : 'settle',
      units: BigInt(1 + Math.floor(random() * 3_000_000)),
      wallet: pick(random, wallets),
      mcc: pick(random, ['5734', '7372', '5999', null]),
    }
  })
}

/** Plays the steps on the card, and answers the steps that held money. Of holds those alone end that are among `ends`. */
async function play(card: Card, steps: readonly Step[], ends?: Set<number>): Promise<Set<number>> {
  const holds = new Map<number, HeldByHand>()
  for (const [i, step] of steps.entries()) {
    if (step.do === 'switch')
      await w.write((tx) =>
        run(tx, sql`update cards set status = ${step.status} where id = ${card.id}`),
      )
    else if (step.do === 'settle')
      await settleByHand(w, card.id, [{ ...step, rail: i % 2 === 0 ? 'card' : 'mpp' }])
    else if (step.do === 'hold') {
      const held = await holdByHand(w, card.id, { ...step, rail: 'x402' })
      if (typeof held !== 'string') holds.set(i, held)
    } else {
      const held = holds.get(step.hold)
      if (!held || ends?.has(step.hold) === false) continue
      const used = BigInt(Math.floor(Number(held.units) * step.part))
      await endByHand(w, step.at, { ...held, used })
    }
  }
  return new Set(holds.keys())
}

const SPAN = { since: '2027-01-01T00:00:00Z', until: '2028-01-01T00:00:00Z' }
const backtest = async (card: Card, controls: object) => {
  const made = await user.post(`/api/cards/${card.id}/controls/backtest`, { ...SPAN, controls })
  expect(made.status, made.text).toBe(200)
  return made.body
}

type Decided = { id: string; allowed: boolean; rule: string; amount: number; created_at: string }

/** The decisions on a card, oldest first, as the API lists them. */
async function decisionsOf(card: Card): Promise<Decided[]> {
  const listed: Decided[] = []
  for (;;) {
    const after = listed.at(-1)
    const query = `limit=100${after ? `&after=${after.id}` : ''}`
    const { body } = await user.get(`/api/cards/${card.id}/decisions?${query}`)
    listed.push(...body.decisions)
    if (!body.has_more) return listed.toReversed()
  }
}

const SEEDS = [1, 2, 3, 4]

test.each(SEEDS)('the active rules decide the past as it was decided (%i)', async (seed) => {
  const random = randomOf(seed)
  const card = await user.card({ limit: 50, ...someRules(random) })
  await play(card, someSteps(random, 150))
  const decisions = await decisionsOf(card)
  const declined = decisions.filter(({ allowed }) => !allowed)
  // Otherwise nothing is shown.
  expect(declined.length).toBeGreaterThan(5)
  const made = await backtest(card, {})
  expect(made).toMatchObject({
    decisions: decisions.length,
    truncated: false,
    was_allowed: { payments: decisions.length - declined.length },
    would_allow: made.was_allowed,
    would_decline: made.was_declined,
    newly_allowed: { payments: 0, amount: 0 },
    newly_declined: { payments: 0, amount: 0 },
    not_judged: { payments: 0, amount: 0 },
    differing: [],
  })
  expect(made.reasons.toSorted(byRule)).toEqual(reasonsOf(declined))
})

/** The declines by rule and window. */
function reasonsOf(declined: readonly Decided[]) {
  const sums = new Map<
    string,
    { rule: string; window: string | null; payments: number; amount: number }
  >()
  for (const { rule, amount, created_at } of declined) {
    const window =
      CARD_LIMITS.find(({ code }) => code === rule)?.windowOf(new Date(created_at)) ?? null
    const sum = sums.get(`${rule} ${window}`) ?? { rule, window, payments: 0, amount: 0 }
    sums.set(`${rule} ${window}`, {
      ...sum,
      payments: sum.payments + 1,
      amount: Math.round((sum.amount + amount) * 1e6) / 1e6,
    })
  }
  return [...sums.values()].toSorted(byRule)
}
const byRule = (a: { rule: string; window: string | null }, b: typeof a): number =>
  `${a.rule} ${a.window}` < `${b.rule} ${b.window}` ? -1 : 1

test.each(SEEDS)('other rules decide it as a card that had them did (%i)', async (seed) => {
  const random = randomOf(100 + seed)
  const [rules, others] = [someRules(random), someRules(random)]
  const steps = someSteps(random, 150)
  const unset = {
    ...Object.fromEntries([
      ...CARD_LIMITS.map(({ name }) => [name, null]),
      ['max_transaction', null],
    ]),
    ...{ allowed_merchants: [], mcc_locks: '' },
  }
  const [card, twin] = [
    await user.card({ limit: 50, ...rules }),
    await user.card({ limit: 50, ...others }),
  ]
  // No backtest knows what would have come back of a hold that was never made.
  await play(twin, steps, await play(card, steps))
  const [was, would] = [await decisionsOf(card), await decisionsOf(twin)]
  expect(was.length).toBe(would.length)
  const made = await backtest(card, { ...unset, ...others })
  const differing = was.flatMap(({ id, allowed, rule }, i) =>
    allowed === would[i]?.allowed
      ? []
      : [{ id, rule, would_be: would[i]?.allowed ? 'allowed' : would[i]?.rule }],
  )
  expect(made.differing.map(({ id, rule, would_be }: any) => ({ id, rule, would_be }))).toEqual(
    differing,
  )
  expect(differing.length).toBeGreaterThan(5)
  const declined = would.filter(({ allowed }) => !allowed)
  expect(made.would_decline.payments).toBe(declined.length)
  expect(made.reasons.toSorted(byRule)).toEqual(reasonsOf(declined))
})

test('of more decisions than one backtest reads it tells the oldest, and says so', async () => {
  const card = await user.card({ limit: 50 })
  await play(card, someSteps(randomOf(1), 1))
  const [first] = await decisionsOf(card)
  const start = Date.parse('2027-02-01T00:00:00.000Z')
  const times = Array.from({ length: 11_999 }, (_, i) => new Date(start + i * 1000))
  // The service made one decision of 12,000.
  await w.write((tx) =>
    run(
      tx,
      sql`insert into card_decision_rows (id, card_id, allowed, rule, amount, merchant, merchants, request, rail, inputs,
          ref, owner_no, created_at)
        select n.id, d.card_id, false, 'limit_exceeded', 60000000, '', '{}', '', 'x402', d.inputs, n.id, 0, n.at
        from card_decisions d, unnest(${times.map((at) => newId('dec', at))}::text[], ${times}::timestamptz[]) n (id, at)
        where d.id = ${first?.id}`,
    ),
  )
  const from = process.cpuUsage()
  const made = await backtest(card, {})
  expect(made).toMatchObject({
    decisions: 10_000,
    truncated: true,
    read_until: '2027-02-01T02:46:38.000Z',
    was_declined: { payments: 9_999 },
    newly_allowed: { payments: 0 },
  })
  const { user: ran, system } = process.cpuUsage(from)
  expect((ran + system) / 1000, 'milliseconds').toBeLessThan(5_000)
  const rest = await user.post(`/api/cards/${card.id}/controls/backtest`, {
    ...{ ...SPAN, since: made.read_until, controls: {} },
  })
  expect(rest.body).toMatchObject({ decisions: 2_001, truncated: false })
})

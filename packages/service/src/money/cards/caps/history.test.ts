/** Counters of limits against what a history of payments makes, whatever the clock did meanwhile. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { check, keepState } from '../../../../test/books.ts'
import { type Card, type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'
import { perLimit } from '../../../base/kernel/card-limits.ts'
import { sha256Hex } from '../../../base/kernel/secrets.ts'

let w: World
let shop: User
let till: Card
let code: string
beforeAll(async () => {
  w = await world()
  shop = await w.user({ treasury: 10 })
  till = await shop.card({ limit: 1 })
  code = (await open(shop, till, { max_uses: 0 })).code
})
afterAll(() => w[Symbol.asyncDispose]())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Moves the clock of the service alone, also back. */
const moveBy = (ms: number) => {
  const clock = w.services.clock as { offsetMs?: number }
  clock.offsetMs = (clock.offsetMs ?? 0) + ms
}
/** No window ends during what is done next. */
const awayFromTheMinute = () => {
  const left = MINUTE - (w.now().getTime() % MINUTE)
  if (left < 15_000) moveBy(left)
}
/** The counters as the version before leaves them. */
const forgetCounters = () =>
  w.write(async (tx) => {
    await run(tx, sql`update cards set counted_to = null, hour_used = 0, month = '2020-01'`)
    await run(tx, sql`update spending_caps set counted_to = null, day_used = 0`)
  })
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A payment as the model knows it: what of it has not come back. */
type Fact = { card: string; at: number; amount: number }
type Hold = { id: string; fact: Fact }

/** A wallet with limits that count without refusing: over all, on a card with a child, and on another by a key. */
async function stage() {
  const user = await w.user({ treasury: 400 })
  const root = await user.card({ limit: 150, rolling_30d_limit: 150 })
  const other = await user.card({ limit: 150, max_payments_per_minute: 100 })
  const sliced = { purpose: 'x', limit_amount: 40 }
  const child: Card = (await user.post(`/api/cards/${root.id}/children`, sliced)).body.card
  const named = { name: 'agent', scopes: ['payments:write'], card_ids: [other.id] }
  const hash = sha256Hex((await user.post('/api/keys/restricted', named)).body.api_key)
  const limits = { monthly_limit: 400, rolling_30d_limit: 400, max_payments_per_minute: 100 }
  await user.send('PATCH', '/api/limits', limits)
  await user.send('PATCH', `/api/keys/${hash}/limits`, { ...limits, hourly_limit: 400 })
  return {
    user,
    cards: [root, child, other] as const,
    hash,
    facts: [] as Fact[],
    holds: [] as Hold[],
  }
}
type Stage = Awaited<ReturnType<typeof stage>>

type Act =
  | { do: 'pay' | 'hold'; card: number }
  | { do: 'end'; ticks: number }
  | { do: 'move'; ms: number }
  | { do: 'refund' | 'verify' | 'upgrade' }

/** Does it, and notes what it makes of the facts. */
async function perform(s: Stage, act: Act): Promise<void> {
  const { user } = s
  if (act.do === 'move') return moveBy(act.ms)
  if (act.do === 'verify') return keepState(w)
  if (act.do === 'upgrade') return forgetCounters()
  awayFromTheMinute()
  if (act.do === 'pay') {
    const card = s.cards[act.card] as Card
    const paid = await payWith(w, code, card)
    expect(paid.status, paid.text).toBe(200)
    s.facts.push({ card: card.id, at: w.now().getTime(), amount: 1 })
  } else if (act.do === 'hold') {
    const card = s.cards[act.card] as Card
    const asked = { card_id: card.id, card_token: card.token, receiver_card_id: till.id }
    const opened = await user.post('/api/mpp/stream/open', {
      ...{ ...asked, budget: 2, tick_amount: 1, expires_in: 720 },
    })
    expect(opened.status, opened.text).toBe(200)
    const fact = { card: card.id, at: w.now().getTime(), amount: 2 }
    s.facts.push(fact)
    s.holds.push({ id: opened.body.id, fact })
  } else if (act.do === 'end') {
    const hold = s.holds.shift()
    if (!hold) return
    const card = s.cards.find(({ id }) => id === hold.fact.card) as Card
    const by = { stream_id: hold.id, card_id: card.id, card_token: card.token }
    for (let n = 0; n < act.ticks; n++) await user.post('/api/mpp/stream/tick', by)
    const closed = await user.post('/api/mpp/stream/close', { stream_id: hold.id })
    expect(closed.status, closed.text).toBe(200)
    hold.fact.amount = closed.body.final_amount
  } else {
    const { payments } = (await shop.get('/api/payments?direction=received&limit=1')).body
    if (payments[0]) await shop.post(`/api/payments/${payments[0].id}/refund`, { amount: '0.2' })
  }
}

/** The part of each window of now that these facts have used. */
function usedOf(facts: readonly Fact[]) {
  const now = w.now()
  const sum = (of: (fact: Fact) => boolean) =>
    facts.filter(of).reduce((total, { amount }) => total + amount, 0)
  return {
    ...perLimit('usedName', ({ windowOf }) =>
      sum(({ at }) => windowOf(new Date(at)) === windowOf(now)),
    ),
    minute_payments: facts.filter(
      ({ at, amount }) =>
        amount > 0 && Math.floor(at / MINUTE) === Math.floor(now.getTime() / MINUTE),
    ).length,
    rolling_30d_used: sum(
      ({ at }) => dayOf(at) <= dayOf(now.getTime()) && dayOf(at) > dayOf(now.getTime() - 30 * DAY),
    ),
  }
}

async function compare(s: Stage): Promise<void> {
  awayFromTheMinute()
  const [root, child, other] = s.cards
  const of = (...cards: Card[]) => s.facts.filter(({ card }) => cards.some(({ id }) => id === card))
  expect((await s.user.get('/api/limits')).body.limits).toMatchObject(usedOf(s.facts))
  const byKey = await s.user.get(`/api/keys/${s.hash}/limits`)
  expect(byKey.body.limits).toMatchObject(usedOf(of(other)))
  const { rolling_30d_used: _, minute_payments: __, ...windows } = usedOf(of(root, child))
  expect((await s.user.get(`/api/cards/${root.id}`)).body.card).toMatchObject(windows)
}

const card = fc.integer({ min: 0, max: 2 })
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), card }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), card }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      ticks: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      ms: fc.constantFrom(MINUTE, HOUR, DAY, 8 * DAY, 31 * DAY, -MINUTE, -HOUR, -DAY, -31 * DAY),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('refund' as const, 'verify' as const, 'upgrade' as const),
    }),
  },
)

test('every counter is the sum of its payments, less what came back of them, whatever the clock does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 20, maxLength: 30 }), async (plan) => {
      const s = await stage()
      for (const act of plan) {
        await perform(s, act)
        if (act.do === 'move') await compare(s)
      }
      await compare(s)
      expect(await w.faults()).toEqual([])
      expect((await check(w, { from: 'state' })).faults).toEqual([])
    }),
    { numRuns: 4, seed: 20_261_129, endOnFailure: true },
  )
})

test('payments of one moment by clocks an hour apart are counted each in its own, and nothing is forged', async () => {
  const user = await w.user({ treasury: 60 })
  const cards = [await user.card({ limit: 20 }), await user.card({ limit: 20 })] as const
  await user.send('PATCH', '/api/limits', { hourly_limit: 12, max_payments_per_minute: 100 })
  awayFromTheMinute()
  const paid = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      moveBy(n % 2 ? HOUR : -HOUR)
      return payWith(w, code, cards[n % 4 > 1 ? 0 : 1])
    }),
  )
  const codes = paid.map(({ body }) => body.code ?? 'paid')
  expect(codes.filter((one) => one !== 'paid' && one !== 'wallet_cap_exceeded')).toEqual([])
  for (const ms of [0, HOUR, -HOUR]) {
    moveBy(ms)
    const { hour_used: used } = (await user.get('/api/limits')).body.limits
    expect(used).toBeLessThanOrEqual(12)
  }
  expect(await w.faults()).toEqual([])
})

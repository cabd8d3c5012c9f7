/** A membership ends with what was paid for it: no second clock and no second request gives it more. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, run, sql } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { subscribe } from '../change/subscribe.ts'
import { enrolByBalance } from '../enrol/auto-renew.ts'
import type { BillingPeriod, Tier } from '../plan.ts'
import { houseOf } from '../state/state.ts'
import { readStandings } from '../store.ts'
import { endPeriod } from './end-period.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const days = (at: Date, count: number) => addHours(at, 24 * count)
const of = (u: User) => ({ walletAddress: u.wallet as Address, house: houseOf(w.services) })
const work = (u: User, at: Date) => w.write((tx) => endPeriod(tx, at, of(u)))
const enrol = (u: User, at: Date, tier: Tier = 'starter', billingPeriod: BillingPeriod = 'month') =>
  w.write((tx) =>
    enrolByBalance(tx, at, { ...of(u), tier, billingPeriod, periods: 1, checkAmount: () => {} }),
  )
const join = (u: User, at: Date) =>
  w.write((tx) =>
    subscribe(tx, at, { ...of(u), tier: 'starter', billingPeriod: 'month', asset: w.chain.asset }),
  )
const paidUntil = async (u: User): Promise<Date> => {
  const [row] = await all<{ end: Date }>(
    w.db.reader,
    sql`select max(period_end) as end from membership_payments where wallet_address = ${u.wallet}`,
  )
  return row!.end
}
const isLive = async (u: User, at: Date) =>
  (await readStandings(w.db.reader, [u.wallet], at)).get(u.wallet)?.isLive

test.each([
  ['2026-01-30T20:00:00Z', '2026-01-31T09:00:00Z'],
  ['2027-11-29T23:59:00Z', '2027-11-30T00:01:00Z'],
  ['2028-01-29T18:30:00Z', '2028-01-31T06:15:00Z'],
  ['2026-08-31T23:59:59Z', '2026-09-01T00:00:00Z'],
  ['2024-02-29T12:00:00Z', '2024-03-31T11:59:59Z'],
])(
  'an intent at %s and a subscription at %s: every month is charged, under its own number',
  async (intent, joined) => {
    const u = await w.user()
    await enrol(u, new Date(intent))
    await w.credit(u.wallet, 19_000_000n * 27n)
    await join(u, new Date(joined))
    for (let month = 1; month <= 26; month++) {
      const end = await paidUntil(u)
      await work(u, end)
      expect((await paidUntil(u)).getTime(), `month ${month}`).toBeGreaterThan(end.getTime())
    }
    const { agreements } = (await u.get('/api/billing/agreements')).body
    const { charges } = (await u.get(`/api/billing/agreements/${agreements[0].id}`)).body
    const numbers = charges.map(({ period_key }: { period_key: string }) => period_key)
    expect(numbers).toEqual(Array.from({ length: 26 }, (_, i) => `p${27 - i}`))
  },
)

// Twelve intents, one after the other, each of another plan, kept the gate open for months.
test('asking again while PAST_DUE earns no further day: the retries count from the first failure', async () => {
  const u = await w.user({ treasury: 19 })
  const joined = new Date('2026-03-31T10:00:00Z')
  await join(u, joined)
  await enrol(u, days(joined, 1))
  const end = await paidUntil(u)
  await work(u, end)
  const plans: [Tier, BillingPeriod][] = [
    ['growth', 'year'],
    ['starter', 'year'],
    ['growth', 'month'],
    ['starter', 'month'],
  ]
  for (let hour = 5; hour < 168; hour += 5) {
    const at = addHours(end, hour)
    await enrol(u, at, ...plans[hour % 4]!)
    await work(u, at)
    expect(await isLive(u, at)).toBe(true)
  }
  const shown = (await u.get('/api/billing/agreements')).body.agreements[0]
  expect(shown).toMatchObject({
    status: 'PAST_DUE',
    failure_count: 4,
    next_attempt_at: days(end, 7).toISOString(),
  })
  await work(u, days(end, 7))
  expect(await isLive(u, days(end, 7))).toBe(false)
  // Enrolled anew it waits for a payment.
  await enrol(u, days(end, 7.1), 'growth', 'year')
  await work(u, days(end, 7.2))
  expect(await isLive(u, days(end, 7.2))).toBe(false)
  const { membership } = (await u.get('/api/membership')).body
  expect(membership.status).toBe('EXPIRED')
  // Money pays at once, and the old failures are forgotten.
  await w.credit(u.wallet, 19_000_000n)
  await join(u, days(end, 8))
  expect(await isLive(u, days(end, 8))).toBe(true)
})

// A month, seven days unpaid, a month bought anew, seven days unpaid: every paid month had a free week.
test('days that nobody paid for are given once: not to the next membership before it is renewed', async () => {
  const u = await w.user({ treasury: 19 })
  const joined = new Date('2026-04-10T10:00:00Z')
  await join(u, joined)
  await enrol(u, joined)
  const end = await paidUntil(u)
  for (const day of [0, 1, 3, 5, 7]) await work(u, days(end, day))
  expect(await isLive(u, days(end, 7))).toBe(false)

  await w.credit(u.wallet, 19_000_000n)
  await join(u, days(end, 8))
  await enrol(u, days(end, 8))
  const second = await paidUntil(u)
  expect(await isLive(u, addHours(second, -1))).toBe(true)
  expect(await isLive(u, second)).toBe(false)
  await work(u, second)
  expect((await u.get('/api/membership')).body).toMatchObject({
    membership: { status: 'EXPIRED' },
    auto_renew: null,
  })

  await w.credit(u.wallet, 38_000_000n)
  await join(u, days(second, 1))
  await enrol(u, days(second, 1))
  await work(u, await paidUntil(u))
  const renewed = await paidUntil(u)
  await work(u, renewed)
  expect(await isLive(u, days(renewed, 6))).toBe(true)
})

test('money that comes in the days of retries pays at once, by a reserve that is asked for', async () => {
  const u = await w.user({ treasury: 19 })
  const joined = new Date('2026-05-05T10:00:00Z')
  await join(u, joined)
  await enrol(u, joined)
  const end = await paidUntil(u)
  await work(u, end)
  await w.credit(u.wallet, 19_000_000n)
  await enrol(u, days(end, 2))
  await work(u, days(end, 2))
  expect((await paidUntil(u)).getTime()).toBeGreaterThan(end.getTime())
  const shown = (await u.get('/api/billing/agreements')).body.agreements[0]
  expect(shown).toMatchObject({ status: 'ACTIVE', failure_count: 0 })
})

test('a renewal that no job can make ends with what was paid: it is shown as EXPIRED, and closes the gate', async () => {
  const u = await w.user({ treasury: 19 })
  await u.post('/api/membership/subscribe', { tier: 'starter', billing_period: 'month' })
  await u.post('/api/membership/auto-renew', {})
  const { membership } = (await u.get('/api/membership')).body
  const end = new Date(membership.current_period_end)
  for (const [day, isPaid] of [
    [0, true],
    [7, true],
    [7.1, false],
    [400, false],
  ] as const) {
    expect(await isLive(u, days(end, day))).toBe(isPaid)
    w.clock.offsetMs = days(end, day).getTime() - Date.now() + 1
    const shown = (await u.get('/api/membership')).body.membership
    expect([day, shown.status]).toEqual([day, isPaid ? 'ACTIVE' : 'EXPIRED'])
  }
  w.clock.offsetMs = 0
})

test('what is paid until later owes nothing: a charge that came due in error waits for the end', async () => {
  const u = await w.user({ treasury: 60 })
  const joined = new Date('2026-06-30T10:00:00Z')
  await join(u, joined)
  await enrol(u, joined)
  const end = await paidUntil(u)
  const early = days(joined, 3)
  await w.write((tx) =>
    run(tx, sql`update agreements set next_attempt_at = ${early} where payer_wallet = ${u.wallet}`),
  )
  await work(u, early)
  expect(await paidUntil(u)).toEqual(end)
  await work(u, end)
  expect((await paidUntil(u)).getTime()).toBeGreaterThan(end.getTime())
})

test('the database lets nothing but a payment make a membership ACTIVE or move its dates', async () => {
  const u = await w.user({ treasury: 60 })
  const joined = new Date('2026-01-31T10:00:00Z')
  await join(u, joined)
  await enrol(u, joined)
  await work(u, await paidUntil(u))
  const mine = sql`wallet_address = ${u.wallet}`
  for (const change of [
    sql`update memberships set months = months + 1, current_period_start = months_after(anchor, months + 1),
      current_period_end = months_after(anchor, months + 2) where ${mine}`,
    sql`update memberships set current_period_end = current_period_end + interval '1 day' where ${mine}`,
    sql`update memberships set tier = 'growth' where ${mine}`,
    sql`update memberships set counts_until = now() where ${mine}`,
    sql`insert into membership_payments select (jsonb_populate_record(p, jsonb_build_object('id', 'stl_second', 'charge_id',
      null, 'source', 'treasury', 'card_id', null, 'months', p.months + 5))).* from membership_payments p where ${mine} limit 1`,
    sql`update agreements set first_month = first_month + 1 where payer_wallet = ${u.wallet}`,
  ])
    await expect(w.write((tx) => run(tx, change as never))).rejects.toThrow()
  await w.write((tx) => run(tx, sql`update memberships set status = 'PAST_DUE' where ${mine}`))
  for (const change of [
    sql`update memberships set status = 'EXPIRED' where ${mine}`,
    sql`update memberships set status = 'ACTIVE' where ${mine}`,
  ])
    await expect(w.write((tx) => run(tx, change))).rejects.toThrow('cannot change like this')
  const lapse = sql`update memberships set status = 'EXPIRED', lapsed = true where ${mine}`
  await w.write((tx) => run(tx, lapse))
  for (const change of [
    sql`update memberships set status = 'ACTIVE' where ${mine}`,
    sql`update memberships set lapsed = false where ${mine}`,
    sql`update memberships set lapsed = false, last_payment_id = 'stl_other' where ${mine}`,
  ])
    await expect(w.write((tx) => run(tx, change))).rejects.toThrow('cannot change like this')
})

/** Time and races: each period is paid once or not at all, whatever the jobs, the clock and the wallet do. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventsOf } from '../../../../test/events-of.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, run, sql } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { periodStart } from '../../agreements/periods.ts'
import { subscribe } from '../change/subscribe.ts'
import { enrolByBalance } from '../enrol/auto-renew.ts'
import { houseOf } from '../state/state.ts'
import { endPeriod } from './end-period.ts'

let w: World
let other: World
beforeAll(async () => {
  w = await world()
  other = await w.machine()
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})
beforeEach(() => {
  w.clock.offsetMs = 0
})

const PATH = '/api/membership/auto-renew'
const STARTER = { tier: 'starter', billing_period: 'month' }
const available = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const read = async (u: User) => (await u.get('/api/membership')).body
const days = (at: Date, count: number) => addHours(at, 24 * count)
/** The work of the job for this wallet at this time, as any worker does it. */
const work = (u: User, at: Date, on: World = w) =>
  on.write((tx) =>
    endPeriod(tx, at, { walletAddress: u.wallet as Address, house: houseOf(on.services) }),
  )
const payments = (u: User) =>
  all<{ periodStart: Date; periodEnd: Date; source: string }>(
    w.db.reader,
    sql`select period_start, period_end, source from membership_payments where wallet_address = ${u.wallet}
      order by period_start`,
  )

async function member(treasury: number, enrol?: object): Promise<{ u: User; end: Date }> {
  const u = await w.user({ treasury: treasury + 19 })
  const paid = await u.post('/api/membership/subscribe', STARTER)
  expect(paid.status, paid.text).toBe(200)
  if (enrol) expect((await u.post(PATH, enrol)).status).toBe(200)
  const { current_period_end } = paid.body.membership
  return { u, end: new Date(current_period_end) }
}

test('two machines, twice each, renew once; then the reserve is used up and the balance pays', async () => {
  const { u, end } = await member(57, { periods: 2 })
  expect(await available(u)).toBe(19)
  await work(u, addHours(end, -1))
  expect(await payments(u)).toHaveLength(1)
  await Promise.all([work(u, end), work(u, end, other), work(u, end), work(u, end, other)])
  expect(await payments(u)).toHaveLength(2)
  const second = (await payments(u))[1]!
  expect(second).toMatchObject({ source: 'autopay', periodStart: end })
  await work(u, second.periodEnd)
  await work(u, (await payments(u))[2]!.periodEnd)
  expect((await payments(u)).map(({ source }) => source)).toEqual([
    ...['treasury', 'autopay', 'autopay', 'treasury'],
  ])
  expect(await available(u)).toBe(0)
})

test('the dates stay on the anchor: the 31st, and the last day of shorter months', async () => {
  const u = await w.user({ treasury: 19 * 4 })
  const walletAddress = u.wallet as Address
  const house = houseOf(w.services)
  const at = new Date('2026-01-31T10:00:00Z')
  const asked = { walletAddress, house, billingPeriod: 'month', tier: 'starter' } as const
  await w.write((tx) => subscribe(tx, at, { ...asked, asset: w.chain.asset }))
  const wish = { ...asked, periods: 3, checkAmount: () => {} }
  await w.write((tx) => enrolByBalance(tx, at, wish))
  for (const at of ['2026-02-28', '2026-03-31', '2026-04-30'])
    await work(u, new Date(`${at}T10:00:00Z`))
  const ends = (await payments(u)).map(({ periodEnd }) => periodEnd.toISOString())
  expect(ends).toEqual([
    '2026-02-28T10:00:00.000Z',
    '2026-03-31T10:00:00.000Z',
    '2026-04-30T10:00:00.000Z',
    '2026-05-31T10:00:00.000Z',
  ])
})

test('an outage of a week leaves no backlog, and one of three months pays for the month it ends in', async () => {
  const { u, end } = await member(19 * 3, { periods: 3 })
  await work(u, days(end, 7))
  expect((await payments(u))[1]).toMatchObject({ periodStart: end })
  const { periodEnd } = (await payments(u))[1]!
  await work(u, days(periodEnd, 95))
  await work(u, days(periodEnd, 95))
  const paid = await payments(u)
  expect(paid).toHaveLength(3)
  expect(paid[2]!.periodStart.getTime()).toBeGreaterThan(days(periodEnd, 60).getTime())
  expect(paid[2]!.periodEnd.getTime()).toBeGreaterThan(days(periodEnd, 95).getTime())
  const { auto_renew } = await read(u)
  const { charges } = (await u.get(`/api/billing/agreements/${auto_renew.agreement_id}`)).body
  expect(charges.map(({ period_key }: { period_key: string }) => period_key)).toEqual(['p5', 'p1'])
})

test('a clock that was set back pays nothing twice', async () => {
  const { u, end } = await member(38, { periods: 2 })
  await work(u, end)
  await work(u, days(end, -3))
  await work(u, end)
  expect(await payments(u)).toHaveLength(2)
  expect((await read(u)).auto_renew).toMatchObject({ reserve: 19, periods_funded: 1 })
})

test('what is not renewed ends with its period, by the job and before it', async () => {
  const { u, end } = await member(40)
  w.clock.offsetMs = end.getTime() - Date.now() + 1_000
  expect((await read(u)).membership.status).toBe('EXPIRED')
  await w.runJobs()
  expect((await read(u)).membership).toMatchObject({ status: 'EXPIRED', auto_renew: false })
  expect((await eventsOf(w.db.reader, u.wallet)).map(({ type }) => type)).toContain(
    'membership.expired',
  )
  const again = await u.post('/api/membership/subscribe', STARTER)
  expect(again.body.membership).toMatchObject({ status: 'ACTIVE' })
  expect(Date.parse(again.body.membership.current_period_start)).toBeGreaterThan(end.getTime())
})

test('an intent that the balance does not cover is past due, is tried after 1, 3, 5 and 7 days, and ends', async () => {
  const { u, end } = await member(0, {})
  await work(u, end)
  expect((await read(u)).membership).toMatchObject({ status: 'PAST_DUE', auto_renew: true })
  const due = (await eventsOf(w.db.reader, u.wallet)).find(
    ({ type }) => type === 'membership.payment_due',
  )
  expect(due?.data).toMatchObject({ amount: 19, due_at: end.toISOString(), status: 'PAST_DUE' })
  for (const day of [0.5, 1, 2, 3, 5]) await work(u, days(end, day))
  const { agreement_id } = (await read(u)).auto_renew
  const before = (await u.get(`/api/billing/agreements/${agreement_id}`)).body
  expect(before.agreement).toMatchObject({ status: 'PAST_DUE', failure_count: 4 })
  expect(before.agreement.next_attempt_at).toBe(days(end, 7).toISOString())
  expect(before.charges).toEqual([
    expect.objectContaining({ period_key: 'p1', status: 'FAILED', error: 'insufficient_balance' }),
  ])
  await work(u, days(end, 7))
  expect(await read(u)).toMatchObject({
    membership: { status: 'EXPIRED', auto_renew: false },
    auto_renew: null,
  })
  const ended = (await u.get(`/api/billing/agreements/${agreement_id}`)).body.agreement
  expect(ended).toMatchObject({ status: 'CANCELLED', status_reason: 'payment_failed' })
})

test('a retry that is covered, or a subscription, pays the due period on its old dates', async () => {
  const { u, end } = await member(0, {})
  await work(u, end)
  await w.credit(u.wallet, 19_000_000n)
  await work(u, days(end, 1))
  expect((await payments(u))[1]).toMatchObject({ periodStart: end })
  const second = (await payments(u))[1]!.periodEnd
  await work(u, second)
  expect((await read(u)).membership.status).toBe('PAST_DUE')
  await w.credit(u.wallet, 19_000_000n)
  w.clock.offsetMs = days(second, 2).getTime() - Date.now()
  const paid = await u.post('/api/membership/subscribe', STARTER)
  expect(paid.body.membership).toMatchObject({
    status: 'ACTIVE',
    current_period_start: second.toISOString(),
    auto_renew: true,
  })
  await work(u, days(second, 3))
  expect(await payments(u)).toHaveLength(3)
  expect((await read(u)).auto_renew.next_charge_at).toBe(paid.body.membership.current_period_end)
})

test('subscriptions race with each other and with a late renewal: one of them pays', async () => {
  const fresh = await w.user({ treasury: 100 })
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => fresh.post('/api/membership/subscribe', STARTER)),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  expect(await available(fresh)).toBe(81)
  const { u, end } = await member(60, { periods: 1 })
  w.clock.offsetMs = end.getTime() - Date.now() + 60_000
  const [late] = await Promise.all([
    u.post('/api/membership/subscribe', STARTER),
    work(u, w.now()),
    work(u, w.now(), other),
  ])
  expect(late.status).toBe(409)
  expect(await payments(u)).toHaveLength(2)
  expect(await available(u)).toBe(41)
})

test('a cancel, or the end of auto-renew, races with the renewal: nothing is charged after the answer', async () => {
  for (const [method, path] of [
    ['POST', '/api/membership/cancel'],
    ['DELETE', PATH],
  ] as const) {
    const { u, end } = await member(38, { periods: 2 })
    w.clock.offsetMs = end.getTime() - Date.now() - 5_000
    const [reply] = await Promise.all([u.send(method, path), work(u, end), work(u, end, other)])
    const paid = (await payments(u)).length
    const status = reply.status
    // Answered first, or refused because the new period had begun: never charged behind the answer.
    expect([200, 409], reply.text).toContain(status)
    await work(u, days(end, 1))
    if (method === 'DELETE') expect((await payments(u)).length).toBe(paid)
    expect((await payments(u)).length).toBeLessThanOrEqual(2)
  }
})

test('a cancelled membership keeps its period, is resumed in it, and else ends with its reserve returned', async () => {
  const { u, end } = await member(38, { periods: 2 })
  const cancelled = await u.post('/api/membership/cancel')
  expect(cancelled.body).toMatchObject({
    success: true,
    membership: { status: 'ACTIVE', cancel_at_period_end: true },
  })
  expect((await u.post('/api/membership/cancel')).status).toBe(200)
  expect((await read(u)).auto_renew.next_charge_at).toBeNull()
  const resumed = await u.post('/api/membership/resume')
  expect(resumed.body).toMatchObject({
    success: true,
    membership: { cancel_at_period_end: false },
  })
  const twice = await u.post('/api/membership/resume')
  expect([twice.status, twice.body.code]).toEqual([409, 'invalid_state'])
  expect((await read(u)).auto_renew.next_charge_at).toBe(end.toISOString())
  await u.post('/api/membership/cancel')
  w.clock.offsetMs = end.getTime() - Date.now()
  const late = await u.post('/api/membership/resume')
  expect([late.status, late.body.code]).toEqual([409, 'invalid_state'])
  await work(u, end)
  expect(await read(u)).toMatchObject({ membership: { status: 'EXPIRED' }, auto_renew: null })
  expect(await available(u)).toBe(38)
  expect(await payments(u)).toHaveLength(1)
})

test('another tier counts from the next period on, at the price that was agreed', async () => {
  const { u, end } = await member(990, { tier: 'growth', billing_period: 'year' })
  expect((await read(u)).membership.tier).toBe('starter')
  await w.write((tx) =>
    run(tx, sql`update plans set price = 1 where tier = 'growth' and billing_period = 'year'`),
  )
  await work(u, end)
  const { membership, auto_renew } = await read(u)
  expect(membership).toMatchObject({ tier: 'growth', billing_period: 'year', price: 990 })
  expect(membership.current_period_start).toBe(end.toISOString())
  const [first] = await payments(u)
  expect(auto_renew.next_charge_at).toBe(
    periodStart(first!.periodStart, { months: 1 }, 14).toISOString(),
  )
  await w.write((tx) =>
    run(
      tx,
      sql`update plans set price = 990000000 where tier = 'growth' and billing_period = 'year'`,
    ),
  )
})

test('every debit and change of an autopay card is refused, and the database refuses them too', async () => {
  const { u } = await member(38, { periods: 2 })
  const { card_id: id, agreement_id } = (await read(u)).auto_renew
  const token = `tok_${'x'.repeat(43)}`
  const asked: [string, string, object?][] = [
    ...['freeze', 'unfreeze', 'cancel', 'rotate-token'].map((verb): [string, string] => [
      'POST',
      `/api/cards/${id}/${verb}`,
    ]),
    ['POST', `/api/cards/${id}/claim`, { token }],
    ['POST', `/api/cards/${id}/fund`, { amount: 1 }],
    ['PATCH', `/api/cards/${id}/controls`, { daily_limit: 1 }],
    ['POST', '/api/paylinks', { card_id: id, amount: 1 }],
    ['POST', '/api/pay', { card_id: id, card_token: token, url: 'https://example.com/' }],
    ['POST', '/api/mpp/session', { card_id: id, card_token: token, merchant: 'x' }],
    ['POST', `/api/billing/agreements/${agreement_id}/cancel`, {}],
    ['POST', `/api/billing/agreements/${agreement_id}/pause`],
  ]
  for (const [method, path, body] of asked) {
    const reply = await u.send(method, path, body)
    expect([path, reply.status, reply.body.code], reply.text).toEqual([path, 409, 'invalid_state'])
  }
  const change = (statement: ReturnType<typeof sql>) => w.write((tx) => run(tx, statement as never))
  await expect(
    change(sql`update cards set token_hash = sha256('x') where id = ${id}`),
  ).rejects.toThrow('autopay_has_no_token')
  await expect(change(sql`update cards set kind = 'spending' where id = ${id}`)).rejects.toThrow()
  const pay = (kind: string) =>
    change(sql`with batch as (select nextval('ledger_batch_ids') as id)
      insert into ledger_transfer_rows (id, kind, ref, digest, accounts, amounts, batch, created_at)
      select ${`trf_${kind}`}, ${kind}, 'x', sha256('x'), array[c.account_id, f.id], array[-1, 1]::numeric[], batch.id, now()
      from batch, cards c, ledger_accounts f where c.id = ${id} and f.kind = 'membership_revenue'`)
  await expect(pay('settlement')).rejects.toThrow('reserve of a membership')
  await expect(
    change(sql`insert into agreements select (jsonb_populate_record(a, jsonb_build_object('id', 'agr_second'))).*
      from agreements a where a.id = ${agreement_id}`),
  ).rejects.toThrow('one_live_membership_agreement')
})

test('the books explain all of it', async () => {
  w.clock.offsetMs = 0
  expect(await w.faults()).toEqual([])
})

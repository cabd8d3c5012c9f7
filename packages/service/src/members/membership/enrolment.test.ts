/** The enrolment table: each mode, balance, allowance, and what was there before. Through HTTP, on the real chain. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'

let w: World
beforeAll(async () => {
  w = await world({ pulls: true })
  await w.withGas()
})
afterAll(() => w[Symbol.asyncDispose]())

const PATH = '/api/membership/auto-renew'
const STARTER = { tier: 'starter', billing_period: 'month' }
const SOFT = { success: true, enrolled: true, soft: true }
const available = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const read = async (u: User) => (await u.get('/api/membership')).body
const enrol = async (u: User, body: object = {}) => {
  const reply = await u.post(PATH, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
async function member(treasury: number, usdc = 0): Promise<User> {
  const u = await w.user({ treasury: treasury + 19, usdc })
  const paid = await u.post('/api/membership/subscribe', STARTER)
  expect(paid.status, paid.text).toBe(200)
  return u
}
const allow = async (u: User, value: bigint, spender = w.chain.settler!) => {
  const hash = await w.approve(u.account, { spender, value })
  await w.mined(hash)
  return hash
}
const untilPaid = (u: User) =>
  until(
    async () => {
      await w.block()
      await w.runJobs()
      return (await read(u)).membership
    },
    (membership) => membership?.status === 'ACTIVE',
  )

test('a request without a body asks for one period', async () => {
  const u = await member(19)
  expect((await u.post(PATH)).body).toMatchObject({ mode: 'funded', periods_funded: 1 })
})

test.each([
  { asked: {}, balance: 19, funded: 1 },
  { asked: { periods: 2 }, balance: 40, funded: 2 },
  { asked: { periods: 24 }, balance: 60, funded: 3 },
  { asked: { tier: 'growth' }, balance: 100, funded: 1, price: 99 },
])('a balance of $balance reserves $funded periods for $asked', async (row) => {
  const { asked, balance, funded, price = 19 } = row
  const u = await member(balance)
  const before = await read(u)
  const body = await enrol(u, asked)
  const reserve = funded * price
  expect(body).toEqual({
    success: true,
    enrolled: true,
    mode: 'funded',
    reserve,
    periods_funded: funded,
    price,
    card_id: expect.stringMatching(/^card_/),
    next_charge_at: before.membership.current_period_end,
    agreement: expect.objectContaining({
      status: 'ACTIVE',
      amount: price,
      funding_source: 'CARD',
      charges_made: 0,
      payer_card_id: body.card_id,
    }),
  })
  expect(await available(u)).toBe(balance - reserve)
  const { membership, auto_renew } = await read(u)
  expect([membership.auto_renew, membership.tier]).toEqual([true, 'starter'])
  expect(auto_renew).toEqual({
    mode: 'funded',
    agreement_id: body.agreement.id,
    card_id: body.card_id,
    reserve,
    periods_funded: funded,
    next_charge_at: body.next_charge_at,
  })
  // Enrolled already: the present enrolment, whatever is asked, and no money.
  for (const again of [{}, { mode: 'wallet' }, { periods: 5, tier: 'growth' }])
    expect(await enrol(u, again)).toEqual({ ...body, already_enrolled: true })
  expect(await available(u)).toBe(balance - reserve)
  const shown = await u.get(`/api/cards/${body.card_id}`)
  expect(shown.body.card).toMatchObject({ kind: 'autopay', token: '', balance: reserve })
  const agreement = await u.get(`/api/billing/agreements/${body.agreement.id}`)
  expect(agreement.body).toMatchObject({ agreement: { id: body.agreement.id }, charges: [] })
  const ended = await u.send('DELETE', PATH)
  expect(ended.body).toMatchObject({ success: true, returned: reserve })
  expect(await available(u)).toBe(balance)
  const twice = await u.send('DELETE', PATH)
  expect([twice.status, twice.body.code]).toEqual([409, 'invalid_state'])
})

test('a balance below one price records an intent without money, and a repetition upgrades it', async () => {
  const u = await member(18)
  expect(await enrol(u)).toEqual(SOFT)
  expect(await enrol(u, { periods: 3 })).toEqual(SOFT)
  const soft = (await read(u)).auto_renew
  expect(soft).toMatchObject({ mode: 'soft', card_id: null, reserve: 0, periods_funded: 0 })
  const agreement = await u.get(`/api/billing/agreements/${soft.agreement_id}`)
  expect(agreement.body.agreement).toMatchObject({
    funding_source: 'WALLET',
    funding_spender: null,
    payer_card_id: null,
    status: 'ACTIVE',
  })
  expect(await available(u)).toBe(18)
  await w.credit(u.wallet, 2_000_000n)
  const upgraded = await enrol(u)
  expect(upgraded).toMatchObject({ mode: 'funded', reserve: 19, periods_funded: 1 })
  const replaced = await u.get(`/api/billing/agreements/${soft.agreement_id}`)
  expect(replaced.body.agreement).toMatchObject({ status: 'CANCELLED', status_reason: 'replaced' })
})

test('an intent without a membership waits for a subscription, whose plan it then follows', async () => {
  const u = await w.user()
  expect(await enrol(u)).toEqual(SOFT)
  expect(await read(u)).toMatchObject({
    membership: null,
    auto_renew: { mode: 'soft', next_charge_at: null },
  })
  await w.credit(u.wallet, 99_000_000n)
  const paid = await u.post('/api/membership/subscribe', { ...STARTER, tier: 'growth' })
  const end = paid.body.membership.current_period_end
  expect(paid.body.membership).toMatchObject({ auto_renew: true, tier: 'growth' })
  const { auto_renew } = await read(u)
  expect(auto_renew).toMatchObject({ mode: 'soft', next_charge_at: end })
  const agreement = await u.get(`/api/billing/agreements/${auto_renew.agreement_id}`)
  expect(agreement.body.agreement.amount).toBe(99)
})

test('a reserve without a membership pays its first period at once', async () => {
  const u = await w.user({ treasury: 40 })
  const body = await enrol(u, { periods: 2 })
  expect(body).toMatchObject({ mode: 'funded', reserve: 38, periods_funded: 2 })
  expect(Date.parse(body.next_charge_at)).toBeLessThanOrEqual(w.now().getTime())
  const membership = await untilPaid(u)
  expect((await read(u)).auto_renew).toMatchObject({
    reserve: 19,
    periods_funded: 1,
    next_charge_at: membership.current_period_end,
  })
  const listed = await u.get(`/api/cards/${body.card_id}/transactions`)
  expect(listed.body.transactions).toEqual([
    expect.objectContaining({ amount: 19, merchant: 'membership_revenue', status: 'SETTLED' }),
  ])
})

test.each([
  { approved: 0n, usdc: 50 },
  { approved: 18_999_999n, usdc: 50 },
])('an allowance of $approved asks for an approval', async ({ approved, usdc }) => {
  const u = await member(50, usdc)
  if (approved) await allow(u, approved)
  const reply = await u.post(PATH, { mode: 'wallet' })
  expect([reply.status, reply.body]).toEqual([
    403,
    {
      error: expect.any(String),
      code: 'approval_required',
      request_id: expect.any(String),
      required: 19,
      allowance: Number(approved) / 1e6,
      operator: w.chain.settler,
    },
  ])
  expect((await read(u)).auto_renew).toBeNull()
})

test.each([
  { approved: 19_000_000n, allowance: 19 },
  { approved: 2n ** 256n - 1n, allowance: 1e9 },
])('an allowance of $approved enrols by the wallet', async ({ approved, allowance }) => {
  const u = await member(50, 50)
  const end = (await read(u)).membership.current_period_end
  await allow(u, approved)
  const body = await enrol(u, { mode: 'wallet' })
  expect(body).toEqual({
    success: true,
    enrolled: true,
    mode: 'wallet',
    price: 19,
    allowance,
    next_charge_at: end,
    agreement: expect.objectContaining({
      funding_source: 'WALLET',
      funding_spender: w.chain.settler,
      payer_card_id: null,
    }),
  })
  const { allowance: _, ...rest } = body
  for (const again of [{}, { mode: 'wallet' }, { periods: 2 }])
    expect(await enrol(u, again)).toEqual({ ...rest, already_enrolled: true })
  expect(await available(u)).toBe(50)
})

test('an approval that is still on its way is waited for; one for somebody else is not', async () => {
  const u = await member(0, 50)
  const stranger = (await w.user()).account.address
  const other = await allow(u, 50_000_000n, stranger)
  const refused = await u.post(PATH, { mode: 'wallet', approve_tx: other })
  expect([refused.status, refused.body.allowance]).toEqual([403, 0])
  const approve_tx = await w.approve(u.account, { spender: w.chain.settler!, value: 19_000_000n })
  expect(await enrol(u, { mode: 'wallet', approve_tx })).toMatchObject({ allowance: 19 })
})

test('an allowance without a membership is pulled at once, exactly once', async () => {
  const u = await w.user({ usdc: 50 })
  await allow(u, 38_000_000n)
  await enrol(u, { mode: 'wallet' })
  const membership = await untilPaid(u)
  expect(await readAssetBalance(w.chain, u.wallet as Address)).toBe(31_000_000n)
  const { auto_renew } = await read(u)
  expect(auto_renew.next_charge_at).toBe(membership.current_period_end)
  const { charges } = (await u.get(`/api/billing/agreements/${auto_renew.agreement_id}`)).body
  expect(charges).toEqual([
    expect.objectContaining({
      period_key: 'p1',
      status: 'SUCCEEDED',
      settlement_id: membership.last_payment_id,
    }),
  ])
  for (let round = 0; round < 2; round++) await w.runJobs()
  expect(await readAssetBalance(w.chain, u.wallet as Address)).toBe(31_000_000n)
})

test.each([
  [{ mode: 'card' }],
  [{ periods: 0 }],
  [{ periods: 25 }],
  [{ periods: 1.5 }],
  [{ mode: 'wallet', periods: 1 }],
  [{ approve_tx: `0x${'1'.repeat(64)}` }],
  [{ mode: 'wallet', approve_tx: '0x1' }],
  [{ tier: 'gold' }],
  [{ billing_period: 'week' }],
  [{ payment_asset: 'USDC' }],
])('%j is refused with 400', async (body) => {
  const u = await w.user({ treasury: 20 })
  expect((await u.post(PATH, body)).status).toBe(400)
  expect(await available(u)).toBe(20)
})

test('a membership that is scheduled to end is resumed before it is renewed', async () => {
  const u = await member(40)
  await u.post('/api/membership/cancel')
  for (const body of [{}, { mode: 'wallet' }]) {
    if ('mode' in body) await allow(u, 19_000_000n)
    const reply = await u.post(PATH, body)
    expect([reply.status, reply.body.code], reply.text).toEqual([409, 'invalid_state'])
  }
  expect(await available(u)).toBe(40)
})

test('ten enrolments at once make one agreement and one reserve', async () => {
  const u = await member(40)
  const replies = await Promise.all(Array.from({ length: 10 }, () => enrol(u)))
  expect(replies.filter((reply) => !reply.already_enrolled)).toHaveLength(1)
  expect(new Set(replies.map((reply) => reply.agreement.id)).size).toBe(1)
  expect(await available(u)).toBe(21)
})

test('the books explain every reserve, renewal and pull', async () => {
  expect(await w.faults()).toEqual([])
})

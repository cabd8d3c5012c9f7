import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { balanceOf, cardOf } from '../actors/attack-kit.ts'
import { eventsOf } from '../events-of.ts'
import { type User, type World, world } from '../world.ts'
import {
  agree,
  type Billing,
  change,
  create,
  days,
  issueFor,
  monthly,
  openBilling,
  prepare,
  shown,
  signedFor,
} from './kit.ts'

let w: World
let b: Billing
let stranger: User
beforeAll(async () => {
  w = await world()
  b = await openBilling(w)
  stranger = await w.user({ treasury: 10 })
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

test('an agreement charges its first period at once, and both parties see it', async () => {
  const before = await cardOf(b.seller, b.till.id)
  const asked = monthly(b.link, { plan_ref: 'gold', description: 'Monthly plan' })
  const mandate = await signedFor(b.payer, b.card, asked)
  const made = await create(b.payer, b.card, asked, mandate)
  expect(made.status, made.text).toBe(200)
  const { agreement } = made.body
  expect(agreement).toMatchObject({
    id: expect.stringMatching(/^agr_/),
    merchant_wallet: b.seller.wallet,
    payer_wallet: b.payer.wallet,
    payer_card_id: b.card.id,
    pay_link_code: b.link,
    plan_ref: 'gold',
    description: 'Monthly plan',
    amount: 10,
    asset: 'USDC',
    trigger_type: 'interval',
    period_days: 30,
    period_months: 1,
    threshold_metric: null,
    threshold_floor: null,
    funding_source: 'CARD',
    funding_spender: null,
    status: 'ACTIVE',
    charges_made: 1,
    total_charged: 10,
    failure_count: 0,
    cancel_at_period_end: false,
    last_charge_at: agreement.created_at,
  })
  const { agreement: mine, charges } = await shown(b.payer, agreement.id)
  expect(mine).toEqual(agreement)
  expect(charges).toEqual([
    {
      id: expect.stringMatching(/^chg_/),
      period_key: 'p1',
      amount: 10,
      status: 'SUCCEEDED',
      settlement_id: expect.stringMatching(/^stl_/),
      error: null,
      created_at: agreement.created_at,
    },
  ])
  const theirs = await shown(b.seller, agreement.id)
  expect(theirs.agreement).toEqual({
    ...agreement,
    payer_card_id: `card_…${b.card.id.slice(-4)}`,
  })
  const after = await cardOf(b.seller, b.till.id)
  expect(after.received - before.received).toBeCloseTo(9.95)

  // The charge is a payment by mandate as any other: in the history, by its own id, with a receipt for both.
  const { payments } = (await b.payer.get(`/api/payments?card_id=${b.card.id}&protocol=ap2`)).body
  expect(payments[0]).toMatchObject({ amount: 10, merchant: b.link })
  const { mandates } = (await b.payer.get(`/api/ap2/mandates/${b.card.id}`)).body
  expect(mandates[0]).toMatchObject({ mandate_id: charges[0].id, status: 'SETTLED' })
  for (const user of [b.payer, b.seller])
    expect((await user.get(`/api/ap2/receipts/${charges[0].settlement_id}`)).status).toBe(200)
  expect((await stranger.get(`/api/ap2/receipts/${charges[0].settlement_id}`)).status).toBe(404)

  const events = await eventsOf(w.db.reader, agreement.id)
  expect(events.map(({ type, data }) => [type, data.payer_card_id])).toEqual([
    ['agreement.created', b.card.id],
    ['agreement.created', null],
    ['agreement.charged', b.card.id],
    ['agreement.charged', null],
  ])
  const [sent] = await eventsOf(w.db.reader, charges[0].settlement_id)
  expect(sent?.data).toMatchObject({ agreement_id: agreement.id })
})

test('the open mandate is stored encrypted and answered by nothing', async () => {
  const asked = monthly(b.link)
  const mandate = await signedFor(b.payer, b.card, asked)
  const { agreement } = (await create(b.payer, b.card, asked, mandate)).body
  const [jwt = ''] = mandate.split('~')
  const signature = jwt.split('.').at(-1)
  const tables = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(w.db.reader)
  const holding: string[] = []
  for (const { name } of tables.rows) {
    const found = await sql<{ n: bigint }>`select count(*) as n from ${sql.table(name)} t
      where t::text like ${`%${signature}%`}`.execute(w.db.reader)
    if (found.rows[0]?.n !== 0n) holding.push(name)
  }
  expect(holding).toEqual([])
  const list = await b.payer.get(`/api/ap2/mandates/${b.card.id}?kind=open&limit=1`)
  expect(list.body.mandates).toMatchObject([{ merchant: b.link, amount: 10, spent: 10, uses: 1 }])
  for (const user of [b.payer, b.seller]) {
    const { text } = await user.get(`/api/billing/agreements/${agreement.id}`)
    expect(text).not.toContain(signature)
    expect(text).not.toMatch(/mandate|sealed|kid/)
  }
})

test('the wallet of a merchant is paid to its balance', async () => {
  const asked = {
    merchant_wallet: b.seller.wallet,
    amount: '2.5',
    trigger_type: 'interval',
    period_days: 7,
  }
  const before = await balanceOf(b.seller)
  const agreement = await agree(b.payer, b.card, asked)
  expect(agreement).toMatchObject({ pay_link_code: null, period_days: 7, period_months: null })
  expect((await balanceOf(b.seller)) - before).toBeCloseTo(2.4875)
  const { charges } = await shown(b.payer, agreement.id)
  for (const user of [b.payer, b.seller])
    expect((await user.get(`/api/ap2/receipts/${charges[0].settlement_id}`)).status).toBe(200)
  await days(w, 7)
  expect((await shown(b.payer, agreement.id)).agreement).toMatchObject({
    charges_made: 2,
    total_charged: 5,
  })
})

test('what is proposed fits what is asked for', async () => {
  const contentOf = async (more: object) =>
    (await prepare(b.payer, { payer_card_id: b.card.id, ...monthly(b.link), ...more })).body
  const of = (content: any, type: string) =>
    content.constraints.find((one: any) => one.type === `payment.${type}`)
  const first = await contentOf({})
  expect(first).toMatchObject({
    audience: w.services.settings.publicUrl,
    billing_key: { crv: 'P-256' },
  })
  expect(first.content.cnf.jwk).toEqual(first.billing_key)
  expect(of(first.content, 'amount_range')).toMatchObject({ currency: 'USD', min: 1000, max: 1000 })
  // A year and a day hold twelve months, or thirteen charges.
  expect(of(first.content, 'budget')).toMatchObject({ max: 130, currency: 'USD' })
  expect(of(first.content, 'agent_recurrence')).toEqual({
    type: 'payment.agent_recurrence',
    frequency: 'MONTHLY',
  })
  const fine = await contentOf({
    pay_link_code: undefined,
    merchant_wallet: b.seller.wallet,
    amount: '0.000001',
    max_occurrences: 3,
  })
  expect(of(fine.content, 'budget')).toMatchObject({ max: 0.000003, currency: 'USDC' })
  expect(of(fine.content, 'agent_recurrence')).toMatchObject({ max_occurrences: 3 })
  for (const [cadence, frequency] of [
    [{ period_months: 2 }, 'MONTHLY'],
    [{ period_months: 6 }, 'QUARTERLY'],
    [{ period_months: 12 }, 'ANNUALLY'],
    [{ period_days: 1 }, 'DAILY'],
    [{ period_days: 13 }, 'WEEKLY'],
    [{ period_days: 30 }, 'BIWEEKLY'],
    [{ period_days: 31 }, 'MONTHLY'],
    [{ period_days: 365 }, 'QUARTERLY'],
  ] as const) {
    const { content } = await contentOf({ period_months: undefined, ...cadence })
    expect([cadence, of(content, 'agent_recurrence').frequency]).toEqual([cadence, frequency])
  }
})

test('each refusal names its cause, and leaves nothing behind', async () => {
  const own = await open(b)
  const single = await b.newLink(10, { type: 'SINGLE', max_uses: 1 })
  const byCard = await b.newLink(10, { accepted_protocols: ['card'] })
  const gone = await b.newLink()
  await b.seller.send('DELETE', `/api/paylinks/${gone}`)
  const cases: [object, number, string][] = [
    [{ amount: 11 }, 400, 'invalid_amount'],
    [{ amount: 0 }, 400, 'invalid_amount'],
    [{ amount: '10.0000001' }, 400, 'invalid_amount'],
    [{ amount: 2e9 }, 400, 'invalid_amount'],
    [{ period_months: 13 }, 400, 'invalid_field'],
    [{ period_months: undefined }, 400, 'missing_field'],
    [{ period_days: 7 }, 400, 'invalid_field'],
    [{ trigger_type: 'never' }, 400, 'invalid_field'],
    [{ threshold_floor: 1 }, 400, 'invalid_field'],
    [{ trigger_type: 'threshold' }, 400, 'invalid_field'],
    [{ pay_link_code: 'PL_ZZZZZZZZZZ' }, 404, 'not_found'],
    [{ pay_link_code: undefined }, 400, 'missing_field'],
    [{ merchant_wallet: b.seller.wallet }, 400, 'invalid_field'],
    [{ pay_link_code: single }, 400, 'invalid_payment'],
    [{ pay_link_code: byCard }, 400, 'protocol_not_accepted'],
    [{ pay_link_code: gone }, 410, 'pay_link_cancelled'],
    [{ pay_link_code: own }, 400, 'invalid_payment'],
    [{ pay_link_code: undefined, merchant_wallet: b.payer.wallet }, 400, 'invalid_payment'],
    [{ pay_link_code: undefined, merchant_wallet: w.chain.treasury.address }, 404, 'not_found'],
    [{ pay_link_code: undefined, merchant_wallet: '0x12' }, 400, 'invalid_address'],
    [{ payer_card_id: b.till.id }, 404, 'not_found'],
    [{ payer_card_id: 'card_x' }, 404, 'not_found'],
    [{ plan_ref: 'x'.repeat(256) }, 400, 'invalid_field'],
    [{ description: 'x'.repeat(501) }, 400, 'invalid_field'],
    [{ card_token: 'x' }, 401, 'invalid_card_token'],
    [{ open_mandate: 'junk' }, 422, 'mandate_malformed'],
  ]
  const asked = monthly(b.link)
  const mandate = await signedFor(b.payer, b.card, asked)
  const before = (await b.payer.get('/api/billing/agreements?limit=100')).body.agreements.length
  for (const [more, status, code] of cases) {
    const reply = await create(b.payer, b.card, { ...asked, ...more }, mandate)
    expect([more, reply.status, reply.body.code]).toEqual([more, status, code])
    const isOfPrepare = !(
      'plan_ref' in more ||
      'description' in more ||
      'card_token' in more ||
      'open_mandate' in more
    )
    if (!isOfPrepare) continue
    const first = await prepare(b.payer, { payer_card_id: b.card.id, ...asked, ...more })
    expect([more, first.status, first.body.code]).toEqual([more, status, code])
  }
  expect((await create(stranger, b.card, asked, mandate)).status).toBe(404)
  const list = (await b.payer.get('/api/billing/agreements?limit=100')).body.agreements
  expect(list.length).toBe(before)
  // The mandate is as good as before.
  expect((await create(b.payer, b.card, asked, mandate)).status).toBe(200)
})

const open = async ({ payer, card }: Billing) =>
  (
    await payer.post('/api/paylinks', {
      card_id: card.id,
      amount: 10,
      type: 'RECURRING',
      max_uses: 0,
    })
  ).body.code

test('a first charge that is refused leaves no agreement, and the same mandate can be tried again', async () => {
  const card = await issueFor(b.payer, 12)
  const asked = monthly(b.link)
  const mandate = await signedFor(b.payer, card, asked)
  await b.payer.post(`/api/cards/${card.id}/freeze`)
  expect((await create(b.payer, card, asked, mandate)).body).toMatchObject({ code: 'card_frozen' })
  await b.payer.post(`/api/cards/${card.id}/unfreeze`)
  await b.payer.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 5 })
  const refused = await create(b.payer, card, asked, mandate)
  expect([refused.status, refused.body.code]).toEqual([403, 'daily_limit_exceeded'])
  expect(
    (await b.payer.get('/api/billing/agreements?limit=100')).body.agreements.filter(
      (one: any) => one.payer_card_id === card.id,
    ),
  ).toEqual([])
  // A decline is written down as any other.
  const { decisions } = (await b.payer.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions.map((one: any) => one.rule)).toEqual(['daily_limit_exceeded', 'card_frozen'])
  await b.payer.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: null })
  expect((await create(b.payer, card, asked, mandate)).status).toBe(200)
  expect(await cardOf(b.payer, card.id)).toMatchObject({ spent: 10, balance: 2 })
})

test('an open mandate that does not fit is refused as any other', async () => {
  const asked = monthly(b.link)
  const at = (type: string) => (content: any) =>
    content.constraints.find((one: any) => one.type === `payment.${type}`)
  const other = await b.newLink()
  const cases: [(content: any) => void, string][] = [
    [
      (c) => Object.assign(at('amount_range')(c), { min: 0, max: 999 }),
      'mandate_constraint_violated',
    ],
    [(c) => Object.assign(at('budget')(c), { max: 9.99 }), 'mandate_constraint_violated'],
    [(c) => (at('allowed_payees')(c).allowed[0].id = other), 'mandate_constraint_violated'],
    [(c) => Object.assign(at('amount_range')(c), { currency: 'EUR' }), 'mandate_currency_mismatch'],
  ]
  for (const [spoil, code] of cases) {
    const mandate = await signedFor(b.payer, b.card, asked, (content) => {
      spoil(content)
      return content
    })
    const reply = await create(b.payer, b.card, asked, mandate)
    expect([reply.status, reply.body.code]).toEqual([422, code])
  }
  // Cents cannot hold a charge in millionths.
  const fine = {
    merchant_wallet: b.seller.wallet,
    amount: '1.000001',
    trigger_type: 'interval',
    period_days: 7,
  }
  const mandate = await signedFor(b.payer, b.card, fine, (content) => {
    Object.assign(at('amount_range')(content), { currency: 'USD', min: 0, max: 101 })
    Object.assign(at('budget')(content), { currency: 'USD', max: 1000 })
    return content
  })
  expect((await create(b.payer, b.card, fine, mandate)).body.code).toBe('mandate_currency_mismatch')
  const revoked = await signedFor(b.payer, b.card, asked)
  const [{ mandate_id: id }] = (
    await b.payer.get(`/api/ap2/mandates/${b.card.id}?kind=open&limit=1`)
  ).body.mandates
  expect((await b.payer.post(`/api/ap2/mandates/${id}/revoke`)).status).toBe(200)
  expect((await create(b.payer, b.card, asked, revoked)).body.code).toBe('mandate_revoked')
})

test('the key must be one that was prepared for this card, a day ago at most, and funds one agreement', async () => {
  const asked = monthly(b.link)
  const mandate = await signedFor(b.payer, b.card, asked)
  const second = await issueFor(b.payer, 50)
  expect((await create(b.payer, second, asked, mandate)).body.code).toBe('mandate_key_untrusted')
  const replies = await Promise.all([1, 2, 3, 4].map(() => create(b.payer, b.card, asked, mandate)))
  expect(replies.map(({ status, body }) => [status, body.code]).sort()).toEqual([
    [200, undefined],
    [422, 'mandate_already_used'],
    [422, 'mandate_already_used'],
    [422, 'mandate_already_used'],
  ])
  const late = await signedFor(b.payer, b.card, asked)
  await w.advance(86_401)
  expect((await create(b.payer, b.card, asked, late)).body.code).toBe('mandate_key_untrusted')

  const many = await w.user({ treasury: 10 })
  const card = await issueFor(many, 1)
  const made = await Promise.all(
    Array.from({ length: 25 }, () => prepare(many, { payer_card_id: card.id, ...asked })),
  )
  expect(made.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(made.find(({ status }) => status !== 200)?.body.code).toBe('limit_reached')
  await w.advance(86_401)
  expect((await prepare(many, { payer_card_id: card.id, ...asked })).status).toBe(200)
})

test('lists are by side and status, and an agreement of others does not exist', async () => {
  const agreement = await agree(b.payer, b.card, monthly(b.link))
  for (const path of ['', '/cancel', '/pause', '/resume']) {
    const reply = await stranger.send(
      path ? 'POST' : 'GET',
      `/api/billing/agreements/${agreement.id}${path}`,
    )
    expect([path, reply.status, reply.body.code]).toEqual([path, 404, 'not_found'])
  }
  const list = async (user: User, query: string) =>
    (await user.get(`/api/billing/agreements?${query}`)).body
  expect((await list(b.payer, 'role=merchant')).agreements).toEqual([])
  expect((await list(b.seller, 'role=payer')).agreements).toEqual([])
  expect((await list(b.seller, 'role=merchant&limit=1')).agreements).toMatchObject([
    { id: agreement.id, payer_card_id: `card_…${b.card.id.slice(-4)}` },
  ])
  expect(
    (await list(b.payer, `after=${agreement.id}&limit=1`)).agreements[0].id < agreement.id,
  ).toBe(true)
  expect((await b.payer.get('/api/billing/agreements?after=agr_x')).status).toBe(400)
  expect((await stranger.get(`/api/billing/agreements?after=${agreement.id}`)).status).toBe(400)
  expect((await b.payer.get('/api/billing/agreements?status=DONE')).status).toBe(400)
  await change(b.seller, agreement.id, 'cancel')
  expect((await list(b.payer, 'status=CANCELLED&limit=1')).agreements).toMatchObject([
    { id: agreement.id, status_reason: 'merchant', next_charge_at: null },
  ])
  // A key that is restricted to other cards sees nothing of it, and one with an amount makes none.
  const other = await issueFor(b.payer, 1)
  const restricted = async (limits: object) =>
    (
      await b.payer.post('/api/keys/restricted', {
        name: 'x',
        scopes: ['billing:read', 'billing:write'],
        ...limits,
      })
    ).body.api_key
  const key = await restricted({ card_ids: [other.id] })
  expect((await b.payer.get(`/api/billing/agreements/${agreement.id}`, { key })).status).toBe(404)
  expect((await b.payer.get('/api/billing/agreements', { key })).body.agreements).toEqual([])
  const small = await restricted({ max_amount: 1 })
  const asked = monthly(b.link)
  const reply = await b.payer.post(
    '/api/billing/agreements',
    { payer_card_id: b.card.id, card_token: b.card.token, open_mandate: 'x', ...asked },
    { key: small },
  )
  expect([reply.status, reply.body.code]).toEqual([403, 'forbidden_scope'])
})

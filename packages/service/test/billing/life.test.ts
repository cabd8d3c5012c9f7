import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { addKey, kidOf, newKey, signOpen } from '../actors/ap2/shop.ts'
import { eventsOf } from '../events-of.ts'
import { type Card, type User, type World, world } from '../world.ts'
import {
  type Asked,
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
} from './kit.ts'

let w: World
let b: Billing
beforeAll(async () => {
  w = await world()
  b = await openBilling(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const weekly = (more: Asked = {}): Asked => ({
  merchant_wallet: b.seller.wallet,
  amount: 10,
  trigger_type: 'interval',
  period_days: 7,
  ...more,
})
/** An agreement of a card that has money for its first charge alone. */
async function short(asked: Asked = weekly()) {
  const card = await issueFor(b.payer, 10)
  return { card, ...(await agree(b.payer, card, asked)) }
}
const fund = (id: string, amount: number) => b.payer.post(`/api/cards/${id}/fund`, { amount })
const namesOf = async (id: string, to: User = b.payer) =>
  (await eventsOf(w.db.reader, id))
    .filter(({ data }) => (data.payer_card_id === null) === (to === b.seller))
    .map(({ type }) => type.replace('agreement.', ''))

test('a charge that fails is retried after 1, 3, 5 and 7 days, then the agreement ends', async () => {
  const { id, card } = await short()
  await w.advance(7 * 86_400)
  await w.runJobs()
  const first = await shown(b.payer, id)
  expect(first.agreement).toMatchObject({ status: 'PAST_DUE', failure_count: 1, charges_made: 1 })
  const failedAt = Date.parse(first.charges[0].created_at)
  const inDays = (iso: string) => Math.round((Date.parse(iso) - failedAt) / 86_400_000)
  expect(inDays(first.agreement.next_attempt_at)).toBe(1)
  expect(inDays(first.agreement.next_charge_at)).toBe(7)
  expect(first.charges).toMatchObject([
    { period_key: 'p2', status: 'FAILED', error: 'limit_exceeded', settlement_id: null },
    { period_key: 'p1', status: 'SUCCEEDED' },
  ])
  // The merchant learns that it failed, and not what is on the card.
  expect((await shown(b.seller, id)).charges[0].error).toBe('payment_failed')
  // Between retries nothing is tried, whatever the job does.
  await days(w, 0)
  await days(w, 0.5)
  expect((await shown(b.payer, id)).agreement.failure_count).toBe(1)
  for (const [wait, next] of [
    [0.6, 3],
    [2, 5],
    [2, 7],
  ] as const) {
    await days(w, wait)
    expect(inDays((await shown(b.payer, id)).agreement.next_attempt_at)).toBe(next)
  }
  await days(w, 2)
  const { agreement, charges } = await shown(b.payer, id)
  expect(agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'payment_failed',
    failure_count: 5,
    next_attempt_at: null,
    next_charge_at: null,
  })
  // The last retry was in the next period, whose charge it was.
  expect(charges.map((one) => [one.period_key, one.status])).toEqual([
    ['p3', 'FAILED'],
    ['p2', 'FAILED'],
    ['p1', 'SUCCEEDED'],
  ])
  await fund(card.id, 100)
  await days(w, 30)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(1)
  for (const user of [b.payer, b.seller])
    expect(await namesOf(id, user)).toEqual([
      'created',
      'charged',
      ...Array(5).fill('charge_failed'),
      'cancelled',
    ])
})

test('a retry that succeeds charges its own period, and the dates stay on the anchor', async () => {
  const { id, card, created_at: anchor } = await short()
  await days(w, 7)
  await fund(card.id, 100)
  await days(w, 1)
  const { agreement, charges } = await shown(b.payer, id)
  expect(agreement).toMatchObject({ status: 'ACTIVE', failure_count: 0, charges_made: 2 })
  expect(charges[0]).toMatchObject({ period_key: 'p2', status: 'SUCCEEDED', error: null })
  expect(Date.parse(agreement.next_charge_at) - Date.parse(anchor)).toBe(14 * 86_400_000)
  await days(w, 6)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(3)
})

test('an outage leaves no backlog: the period that is current is charged, once', async () => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, weekly())
  await days(w, 24)
  await days(w, 0)
  const { agreement, charges } = await shown(b.payer, id)
  expect(charges.map((one) => one.period_key)).toEqual(['p4', 'p1'])
  expect(agreement.charges_made).toBe(2)
  await days(w, 4)
  expect((await shown(b.payer, id)).charges[0].period_key).toBe('p5')
})

test('a paused agreement is not charged; the party that paused resumes it, from the next period', async () => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, weekly())
  expect((await change(b.seller, id, 'pause')).body.agreement).toMatchObject({
    status: 'PAUSED',
    paused_by: 'merchant',
    next_charge_at: null,
    payer_card_id: `card_…${card.id.slice(-4)}`,
  })
  expect((await change(b.payer, id, 'pause')).status).toBe(409)
  expect((await change(b.payer, id, 'resume')).body.code).toBe('invalid_state')
  await days(w, 10)
  const resumed = (await change(b.seller, id, 'resume')).body.agreement
  expect(resumed).toMatchObject({ status: 'ACTIVE', paused_by: null, charges_made: 1 })
  expect((await change(b.seller, id, 'resume')).status).toBe(409)
  await days(w, 0)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(1)
  await days(w, 4)
  expect((await shown(b.payer, id)).charges.map((one) => one.period_key)).toEqual(['p3', 'p1'])
  expect(await namesOf(id)).toEqual(['created', 'charged', 'paused', 'resumed', 'charged'])
  await change(b.payer, id, 'cancel')
})

// A payer who pauses and resumes after each failed charge would else be shown as ACTIVE for ever, and pay nothing.
test('a pause while PAST_DUE stops the retries, and resuming goes on with them: the last one is reached', async () => {
  const { id } = await short()
  await days(w, 7)
  const failed = (await shown(b.payer, id)).agreement
  expect(failed).toMatchObject({ status: 'PAST_DUE', failure_count: 1 })
  for (const [wait, failures] of [
    [0.5, 1],
    [0.6, 2],
    [2, 3],
    [2, 4],
  ] as const) {
    await change(b.payer, id, 'pause')
    const paused = (await shown(b.seller, id)).agreement
    expect(paused).toMatchObject({ status: 'PAUSED', next_attempt_at: null })
    expect((await change(b.payer, id, 'resume')).body.agreement.status).toBe('PAST_DUE')
    await days(w, wait)
    expect((await shown(b.seller, id)).agreement).toMatchObject({
      status: 'PAST_DUE',
      failure_count: failures,
    })
  }
  const { agreement } = await shown(b.payer, id)
  const lastRetry = Date.parse(failed.next_attempt_at) + 6 * 86_400_000
  expect(Date.parse(agreement.next_attempt_at)).toBe(lastRetry)
  await days(w, 2)
  expect((await shown(b.payer, id)).agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'payment_failed',
    failure_count: 5,
  })
})

test('while paused nothing is tried; if all retries have passed by then, the last is made after the resume', async () => {
  for (const [money, after] of [
    [0, { status: 'CANCELLED', status_reason: 'payment_failed', failure_count: 2 }],
    [100, { status: 'ACTIVE', failure_count: 0, charges_made: 2 }],
  ] as const) {
    const { id, card } = await short()
    await days(w, 7)
    await change(b.seller, id, 'pause')
    await days(w, 20)
    const paused = (await shown(b.payer, id)).agreement
    expect(paused).toMatchObject({ status: 'PAUSED', failure_count: 1 })
    if (money) await fund(card.id, money)
    const resumed = (await change(b.seller, id, 'resume')).body.agreement
    expect(resumed).toMatchObject({ status: 'PAST_DUE', charges_made: 1 })
    await days(w, 0)
    expect((await shown(b.payer, id)).agreement).toMatchObject(after)
    if (money) await change(b.payer, id, 'cancel')
  }
})

test('either party ends it, at once or with the period; it stays ended', async () => {
  const card = await issueFor(b.payer, 100)
  const [one, two] = [await agree(b.payer, card, weekly()), await agree(b.payer, card, weekly())]
  expect((await change(b.payer, one.id, 'cancel')).body.agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'payer',
  })
  for (const verb of ['cancel', 'pause', 'resume'])
    expect((await change(b.payer, one.id, verb)).body.code).toBe('invalid_state')
  const scheduled = (await change(b.seller, two.id, 'cancel', { at_period_end: true })).body
    .agreement
  expect(scheduled).toMatchObject({
    status: 'ACTIVE',
    cancel_at_period_end: true,
    next_charge_at: null,
  })
  expect((await change(b.payer, two.id, 'cancel', { at_period_end: true })).status).toBe(409)
  await days(w, 6.9)
  expect((await shown(b.payer, two.id)).agreement.status).toBe('ACTIVE')
  await days(w, 0.2)
  expect((await shown(b.payer, two.id)).agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'merchant',
    charges_made: 1,
  })
  expect(await namesOf(two.id)).toEqual(['created', 'charged', 'cancel_scheduled', 'cancelled'])
})

type Made = { id: string; card: Card; link: string; userKid: string }
async function revokeMandate({ card }: Made) {
  const { mandates } = (await b.payer.get(`/api/ap2/mandates/${card.id}?kind=open`)).body
  return b.payer.post(`/api/ap2/mandates/${mandates[0].mandate_id}/revoke`)
}
const revokeKey = ({ userKid }: Made) => b.payer.send('DELETE', `/api/ap2/keys/${userKid}`)
const cancelLink = ({ link }: Made) => b.seller.send('DELETE', `/api/paylinks/${link}`)
async function sellCard({ card }: Made): Promise<undefined> {
  await w.write((tx) =>
    sql`update cards set wallet_address = ${b.seller.wallet}, owner_no = owner_no + 1,
      keys_version = keys_version + 1, token_hash = sha256(token_hash) where id = ${card.id}`.execute(
      tx,
    ),
  )
}

test.each([
  ['the open mandate is revoked', 'mandate_revoked', revokeMandate],
  ['the user key that signed it is revoked', 'key_revoked', revokeKey],
  ['the link is cancelled', 'pay_link_closed', cancelLink],
  [
    'the card is closed',
    'card_closed',
    (of: Made) => b.payer.post(`/api/cards/${of.card.id}/cancel`),
  ],
  ['the card belongs to another wallet', 'card_sold', sellCard],
])('it ends at once if %s', async (_, reason, spoil) => {
  const link = await b.newLink()
  const card = await issueFor(b.payer, 100)
  const asked = monthly(link)
  const prepared = await prepare(b.payer, { payer_card_id: card.id, ...asked })
  const userKey = newKey()
  await addKey(w, card.id, userKey, 'user')
  const mandate = await signOpen(prepared.body.content, userKey)
  const made = await create(b.payer, card, asked, mandate)
  expect(made.status, made.text).toBe(200)
  const { id } = made.body.agreement
  const done = await spoil({ id, card, link, userKid: kidOf(userKey) })
  if (done && 'status' in done) expect(done.status).toBe(200)
  await days(w, 31)
  const { agreement, charges } = await shown(b.payer, id)
  expect(agreement).toMatchObject({ status: 'CANCELLED', status_reason: reason, charges_made: 1 })
  expect(charges[0]).toMatchObject({ period_key: 'p2', status: 'FAILED' })
  expect((await namesOf(id)).slice(-2)).toEqual(['charge_failed', 'cancelled'])
  await sql`update cards set wallet_address = ${b.payer.wallet}, owner_no = owner_no + 1,
    keys_version = keys_version + 1, token_hash = sha256(token_hash) where id = ${card.id}`.execute(
    w.db.reader,
  )
})

test.each([
  ['occurrences', { max_occurrences: 2 }],
  ['budget', { budget: '29.99' }],
])('it is COMPLETED once what is left of the %s pays no further charge', async (reason, limits) => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, weekly(limits))
  await days(w, 7)
  expect((await shown(b.payer, id)).agreement).toMatchObject({
    status: 'COMPLETED',
    status_reason: reason,
    charges_made: 2,
    next_charge_at: null,
  })
  expect((await namesOf(id)).slice(-2)).toEqual(['charged', 'completed'])
  await days(w, 7)
  expect((await shown(b.payer, id)).charges).toHaveLength(2)
  expect((await change(b.payer, id, 'pause')).status).toBe(409)
})

test('an open mandate that ends, ends the agreement at the next charge', async () => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, weekly({ expires_in: 24 * 6, budget: 100 }))
  await days(w, 7)
  expect((await shown(b.payer, id)).agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'mandate_expired',
  })
})

// The open mandate counts weeks, and the agreement ten days: p3 is due on day 20, and the third week begins on day 21.
test('a charge before the time of its open mandate waits for it, and that is no failure', async () => {
  const card = await issueFor(b.payer, 10)
  const asked = weekly({ period_days: 10 })
  const { id } = await agree(b.payer, card, asked)
  await days(w, 10)
  expect((await shown(b.payer, id)).agreement.status).toBe('PAST_DUE')
  await fund(card.id, 100)
  await days(w, 5)
  expect((await shown(b.payer, id)).agreement).toMatchObject({ status: 'ACTIVE', charges_made: 2 })
  await days(w, 5.5)
  const early = (await shown(b.payer, id)).agreement
  expect(early).toMatchObject({ status: 'ACTIVE', charges_made: 2, failure_count: 0 })
  expect(Date.parse(early.next_attempt_at) - Date.parse(early.created_at)).toBe(21 * 86_400_000)
  await days(w, 1)
  expect((await shown(b.payer, id)).charges[0]).toMatchObject({
    period_key: 'p3',
    status: 'SUCCEEDED',
  })
})

test('a clock a week ahead, then set back, charges no period twice', async () => {
  const card = await issueFor(b.payer, 1000)
  const { id } = await agree(b.payer, card, weekly())
  await days(w, 7)
  await days(w, 7)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(3)
  const back = async (count: number) => {
    w.clock.offsetMs -= count * 86_400_000
    await days(w, 0)
  }
  await back(14)
  // Made due by hand: even then the period that is behind the clock is not charged.
  await sql`update agreements set next_attempt_at = ${w.now()} where id = ${id}`.execute(
    w.db.reader,
  )
  await days(w, 0)
  for (const _ of [1, 2, 3]) await days(w, 3)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(3)
  await change(b.payer, id, 'pause')
  await change(b.payer, id, 'resume')
  await days(w, 5)
  expect((await shown(b.payer, id)).agreement.charges_made).toBe(3)
  await days(w, 7)
  expect((await shown(b.payer, id)).charges.map((one) => one.period_key)).toEqual([
    'p4',
    'p3',
    'p2',
    'p1',
  ])
})

test('an agreement whose key is gone fails by itself, and the others of its batch are charged', async () => {
  const card = await issueFor(b.payer, 100)
  const [lost, sound] = [await agree(b.payer, card, weekly()), await agree(b.payer, card, weekly())]
  await sql`update agreements set sealed_key = decode('00', 'hex') where id = ${lost.id}`.execute(
    w.db.reader,
  )
  await days(w, 7)
  expect((await shown(b.payer, lost.id)).charges[0]).toMatchObject({
    status: 'FAILED',
    error: 'signer_unavailable',
  })
  expect((await shown(b.payer, sound.id)).agreement.charges_made).toBe(2)
})

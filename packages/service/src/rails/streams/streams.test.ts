import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, type Held, issue } from '../../../test/actors/attack-kit.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

let w: World
let payer: User
let seller: User
beforeAll(async () => {
  w = await world()
  payer = await w.user({ treasury: 100 })
  seller = await w.user({ treasury: 10 })
})
afterAll(() => w[Symbol.asyncDispose]())

const open = (card: Held, ask: Record<string, unknown>) =>
  payer.post('/api/mpp/stream/open', { card_id: card.id, card_token: card.token, ...ask })
const opened = async (card: Held, ask: Record<string, unknown>) => {
  const made = await open(card, ask)
  expect(made.status, made.text).toBe(200)
  return made.body as { id: string; expires_at: string }
}
const tick = (card: Held, streamId: string, by: User = payer) =>
  by.post('/api/mpp/stream/tick', {
    stream_id: streamId,
    card_id: card.id,
    card_token: card.token,
  })
const close = (streamId: string, by: User = payer) =>
  by.post('/api/mpp/stream/close', { stream_id: streamId })
const streamOf = async (id: string, by: User = payer) =>
  (await by.get(`/api/mpp/stream/${id}`)).body
const refusalOf = ({ status, body }: Awaited<ReturnType<User['post']>>) => [status, body.code]

test('a stream holds its budget, counts ticks, and pays at its end what was ticked and no more', async () => {
  const [card, till] = [await issue(payer, 2), await issue(seller, 1)]
  const session = await payer.post('/api/mpp/session', {
    card_id: card.id,
    card_token: card.token,
    merchant: 'api.example.com',
  })
  expect(session.body, session.text).toEqual({ session_id: expect.stringMatching(/^ses_/) })
  const { id } = await opened(card, {
    budget: '0.5',
    tick_amount: 0.1,
    receiver_card_id: till.id,
    session_id: session.body.session_id,
  })
  expect(await streamOf(id)).toMatchObject({
    id,
    card_id: card.id,
    budget: 0.5,
    tick_amount: 0.1,
    total_ticked: 0,
    remaining: 0.5,
    status: 'OPEN',
    receiver_card_id: till.id,
    merchant: 'api.example.com',
    final_amount: null,
  })
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0.5, spent: 0, balance: 1.5 })
  for (const total of [0.1, 0.2, 0.3]) {
    const { body } = await tick(card, id)
    expect(body).toEqual({ total_ticked: total, remaining: Number((0.5 - total).toFixed(6)) })
  }
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0.5, spent: 0 })
  expect(await w.faults()).toEqual([])

  expect((await close(id)).body).toEqual({ final_amount: 0.3, status: 'CLOSED' })
  expect((await close(id)).body).toEqual({ final_amount: 0.3, status: 'CLOSED' })
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0, spent: 0.3, balance: 1.7 })
  expect(await cardOf(seller, till.id)).toMatchObject({ received: 0.2985, balance: 1.2985 })
  const [sent] = (await payer.get(`/api/payments?card_id=${card.id}&protocol=mpp`)).body.payments
  const [got] = (await seller.get(`/api/payments?card_id=${till.id}&protocol=mpp`)).body.payments
  expect(sent).toMatchObject({
    direction: 'sent',
    amount: 0.3,
    merchant: seller.wallet,
    memo: 'api.example.com',
    status: 'SETTLED',
    settlement_id: id,
  })
  expect(got).toMatchObject({ direction: 'received', amount: 0.2985, settlement_id: id })
  const { timeline } = (await seller.get(`/api/payments/${got.id}`)).body.payment
  expect(timeline).toMatchObject([
    { type: 'payment.settled', data: { protocol: 'mpp', amount: 0.3, fee: 0.0015 } },
  ])
  const { decisions } = (await payer.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions).toMatchObject([{ allowed: true, amount: 0.5, merchant: seller.wallet }])
  expect(await w.faults()).toEqual([])
})

test('of many ticks at once exactly as many succeed as the budget has room for', async () => {
  const [card, till] = [await issue(payer, 2), await issue(seller, 1)]
  // 33 ticks of 0.003 fit in a tenth; a thousandth is left.
  const ask = { budget: 0.1, tick_amount: 0.003, receiver_card_id: till.id }
  const { id } = await opened(card, ask)
  const answers = await Promise.all(Array.from({ length: 60 }, () => tick(card, id)))
  const good = answers.filter(({ status }) => status === 200)
  expect(good).toHaveLength(33)
  const totals = good.map(({ body }) => Math.round(body.total_ticked * 1000) / 3)
  expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 33 }, (_, i) => i + 1))
  for (const answer of answers.filter((each) => each.status !== 200))
    expect(answer.body).toMatchObject({ code: 'stream_budget_exceeded', remaining: 0.001 })
  expect((await close(id)).body).toEqual({ final_amount: 0.099, status: 'CLOSED' })
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0, spent: 0.099, balance: 1.901 })
})

test('ticks that race the end are paid if and only if they were answered with 200', async () => {
  const [card, till] = [await issue(payer, 2), await issue(seller, 1)]
  for (let round = 0; round < 5; round++) {
    const ask = { budget: 0.1, tick_amount: 0.001, receiver_card_id: till.id }
    const { id } = await opened(card, ask)
    const race = Array.from({ length: 12 }, () => tick(card, id))
    const ends = [close(id), close(id, seller)]
    const ticks = (await Promise.all(race)).filter(({ status }) => status === 200)
    const late = (await Promise.all(race)).filter(({ status }) => status !== 200)
    for (const answer of late) expect(refusalOf(answer)).toEqual([410, 'stream_closed'])
    for (const end of await Promise.all(ends))
      expect(end.body).toEqual({
        final_amount: Number((ticks.length * 0.001).toFixed(6)),
        status: 'CLOSED',
      })
  }
  expect((await cardOf(payer, card.id)).held).toBe(0)
  expect(await w.faults()).toEqual([])
})

test('a tick whose answer was lost counts once with its key', async () => {
  const card = await issue(payer, 1)
  const { id } = await opened(card, { budget: 0.1, tick_amount: 0.01 })
  const body = { stream_id: id, card_id: card.id, card_token: card.token }
  const send = () =>
    payer.post('/api/mpp/stream/tick', body, { headers: { 'idempotency-key': `tick ${id}` } })
  const [first, again] = [await send(), await send()]
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(again.body).toEqual(first.body)
  expect((await streamOf(id)).total_ticked).toBe(0.01)
  await close(id)
})

test('without a receiver nobody has earned the ticks: all of it goes back', async () => {
  const card = await issue(payer, 1, { daily_limit: 0.6 })
  const { id } = await opened(card, { budget: 0.5, tick_amount: 0.25 })
  await tick(card, id)
  expect((await close(id)).body).toEqual({ final_amount: 0, status: 'CLOSED' })
  expect(await streamOf(id)).toMatchObject({ total_ticked: 0.25, final_amount: 0 })
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0, spent: 0, balance: 1 })
  // The day's allowance is back too, so half a dollar fits again.
  const again = await opened(card, { budget: 0.5, tick_amount: 0.25 })
  await close(again.id)
})

test('the whole budget passes the policy of the card, and a decline is written down', async () => {
  const till = await issue(seller, 1)
  const controls = { daily_limit: 0.5, allowed_merchants: ['api.example.com', till.id] }
  const card = await issue(payer, 1, controls)
  const ask = { tick_amount: 0.1, receiver_card_id: till.id }
  expect(refusalOf(await open(card, { ...ask, budget: 0.6 }))).toEqual([
    403,
    'daily_limit_exceeded',
  ])
  const key = { headers: { 'idempotency-key': `open ${card.id}` } }
  const other = { card_id: card.id, card_token: card.token, budget: 0.5, tick_amount: 0.1 }
  for (const hit of [undefined, 'true']) {
    const refused = await payer.post('/api/mpp/stream/open', other, key)
    expect(refusalOf(refused)).toEqual([403, 'merchant_not_allowed'])
    expect(refused.headers['idempotency-hit']).toBe(hit)
  }
  const { decisions } = (await payer.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions.map(({ rule }: { rule: string }) => rule)).toEqual([
    'merchant_not_allowed',
    'daily_limit_exceeded',
  ])
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0, balance: 1 })
  const { id } = await opened(card, { ...ask, budget: 0.5 })
  await close(id)
})

test('a card that may not spend ticks no more, and what was ticked before is owed', async () => {
  const [card, till] = [await issue(payer, 1), await issue(seller, 1)]
  const { id } = await opened(card, { budget: 0.5, tick_amount: 0.1, receiver_card_id: till.id })
  expect((await tick(card, id)).status).toBe(200)
  const wrong = await tick({ ...card, token: `tok_${'A'.repeat(43)}` }, id)
  expect(refusalOf(wrong)).toEqual([401, 'invalid_card_token'])
  await payer.post(`/api/cards/${card.id}/freeze`)
  expect(refusalOf(await tick(card, id))).toEqual([403, 'card_frozen'])
  await payer.post(`/api/cards/${card.id}/unfreeze`)
  expect((await tick(card, id)).body.total_ticked).toBe(0.2)
  await payer.post(`/api/cards/${card.id}/cancel`)
  expect(refusalOf(await tick(card, id))).toEqual([403, 'card_closed'])
  expect((await close(id, seller)).body).toEqual({ final_amount: 0.2, status: 'CLOSED' })
  expect(await cardOf(payer, card.id)).toMatchObject({ held: 0, spent: 0.2, balance: 0.3 })
  const { body } = await payer.post(`/api/cards/${card.id}/claim`, { token: card.token })
  expect(body.claimed).toBe(0.3)
})

test('a stream is seen by the two who pay and earn it, and by nobody else', async () => {
  const [card, till] = [await issue(payer, 1), await issue(seller, 1)]
  const { id } = await opened(card, { budget: 0.5, tick_amount: 0.1, receiver_card_id: till.id })
  const stranger = await w.user({ treasury: 1 })
  const theirs = await issue(stranger, 1)
  expect((await streamOf(id, seller)).id).toBe(id)
  for (const reply of [
    await stranger.get(`/api/mpp/stream/${id}`),
    await close(id, stranger),
    await tick(theirs, id, stranger),
    await tick(card, id, stranger),
    // The seller may read and end the stream, but not spend the payer's money.
    await tick(till, id, seller),
    await tick(card, id, seller),
    await payer.get('/api/mpp/stream/str_zzzzzzzzzzzzzzzzzzzzzzzzzz'),
  ])
    expect(refusalOf(reply)).toEqual([404, 'not_found'])
  const made = await payer.post('/api/keys/restricted', {
    name: 'one card',
    scopes: ['payments:read', 'payments:write'],
    card_ids: [(await issue(payer, 1)).id],
  })
  const narrow = { key: made.body.api_key }
  expect(refusalOf(await payer.get(`/api/mpp/stream/${id}`, narrow))).toEqual([404, 'not_found'])
  const ask = { stream_id: id, card_id: card.id, card_token: card.token }
  expect(refusalOf(await payer.post('/api/mpp/stream/tick', ask, narrow))[0]).toBe(404)
  expect((await payer.get('/api/mpp/streams', narrow)).body.streams).toEqual([])
  const { streams } = (await payer.get(`/api/mpp/streams?card_id=${card.id}&status=OPEN`)).body
  expect(streams).toMatchObject([{ id }])
  expect((await seller.get('/api/mpp/streams')).body.streams).toEqual([])
  await close(id)
})

test.each([
  [{ budget: 0.1, tick_amount: 0.2 }, 'invalid_amount'],
  [{ budget: 0, tick_amount: 0.2 }, 'invalid_amount'],
  [{ budget: 0.1, tick_amount: '0.0000001' }, 'invalid_amount'],
  [{ budget: 0.1, tick_amount: 0.1, expires_in: 0 }, 'invalid_field'],
  [{ budget: 0.1, tick_amount: 0.1, receiver_card_id: 'card_x' }, 'not_found'],
  [{ budget: 0.1, tick_amount: 0.1, session_id: 'ses_x' }, 'not_found'],
])('what makes no stream is refused and holds nothing: %j', async (ask, code) => {
  const card = await issue(payer, 1)
  const refused = await open(card, ask)
  expect(refused.body.code, refused.text).toBe(code)
  expect((await cardOf(payer, card.id)).held).toBe(0)
})

test('a card does not stream to itself, nor to one that is closed when it begins', async () => {
  const [card, till] = [await issue(payer, 1), await issue(seller, 1)]
  const ask = { budget: 0.1, tick_amount: 0.1 }
  const self = await open(card, { ...ask, receiver_card_id: card.id })
  expect(refusalOf(self)).toEqual([400, 'invalid_field'])
  const { id } = await opened(card, { ...ask, receiver_card_id: till.id })
  await tick(card, id)
  await seller.post(`/api/cards/${till.id}/cancel`)
  const late = await open(card, { ...ask, receiver_card_id: till.id })
  expect(refusalOf(late)).toEqual([409, 'invalid_state'])
  // The earlier ticks are earned. The money waits on the closed card to be claimed.
  expect((await close(id)).body.final_amount).toBe(0.1)
  expect((await cardOf(seller, till.id)).balance).toBe(0.0995)
})

test('a session is of its card alone', async () => {
  const [card, other] = [await issue(payer, 1), await issue(payer, 1)]
  const ask = { card_id: card.id, card_token: card.token, merchant: 'api.example.com' }
  const made = await payer.post('/api/mpp/session', ask)
  const session_id = made.body.session_id
  const stolen = await open(other, { budget: 0.1, tick_amount: 0.1, session_id })
  expect(refusalOf(stolen)).toEqual([404, 'not_found'])
  expect(refusalOf(await seller.post('/api/mpp/session', ask))).toEqual([404, 'not_found'])
  const wrong = await payer.post('/api/mpp/session', { ...ask, card_token: 'tok_no' })
  expect(refusalOf(wrong)).toEqual([401, 'invalid_card_token'])
})

test('a card for a single use is used by the stream that earns, and not by one that gives all back', async () => {
  const till = await issue(seller, 1)
  const card = await issue(payer, 1, { single_use: true })
  const ask = { budget: 0.2, tick_amount: 0.1, receiver_card_id: till.id }
  const empty = await opened(card, ask)
  expect(refusalOf(await open(card, ask))).toEqual([403, 'card_used'])
  await close(empty.id)
  const { id } = await opened(card, ask)
  expect((await tick(card, id)).status).toBe(200)
  expect((await tick(card, id)).status).toBe(200)
  await close(id)
  expect((await cardOf(payer, card.id)).status).toBe('USED')
})

test('a stream that everybody left ends by itself: what was ticked is paid, the rest is free', async () => {
  await using own = await world()
  const [buyer, shop] = [await own.user({ treasury: 5 }), await own.user({ treasury: 1 })]
  const [card, till] = [await issue(buyer, 2), await issue(shop, 1)]
  const ask = { card_id: card.id, card_token: card.token, receiver_card_id: till.id }
  const start = async (more: object) =>
    (await buyer.post('/api/mpp/stream/open', { ...ask, budget: 0.5, tick_amount: 0.1, ...more }))
      .body.id
  const [left, later] = [await start({ expires_in: 1 }), await start({})]
  expect((await tick(card, left, buyer)).status).toBe(200)
  await own.advance(3601)
  expect(refusalOf(await tick(card, left, buyer))).toEqual([410, 'stream_expired'])
  await own.runJobs()
  expect(await streamOf(left, buyer)).toMatchObject({ status: 'EXPIRED', final_amount: 0.1 })
  expect(await streamOf(later, buyer)).toMatchObject({ status: 'OPEN' })
  expect((await close(left, buyer)).body).toEqual({ final_amount: 0.1, status: 'EXPIRED' })
  expect(await cardOf(buyer, card.id)).toMatchObject({ held: 0.5, spent: 0.1 })
  expect((await cardOf(shop, till.id)).received).toBe(0.0995)
  // A payer who closes the stream before the job runs gets the same answer.
  await own.advance(24 * 3600)
  expect((await close(later, buyer)).body).toEqual({ final_amount: 0, status: 'EXPIRED' })
  expect(await own.faults()).toEqual([])
})

test('the database refuses a total that shrinks or passes the budget, and a second end', async () => {
  const card = await issue(payer, 1)
  const { id } = await opened(card, { budget: 0.2, tick_amount: 0.1 })
  await tick(card, id)
  const change = (set: string) =>
    w.write((tx) => sql`${sql.raw(`update mpp_streams set ${set} where id = '${id}'`)}`.execute(tx))
  await expect(change('total_ticked = 0')).rejects.toThrow(/only grows/)
  await expect(change('total_ticked = 200001')).rejects.toThrow(/within_budget/)
  await expect(change('budget = 400000')).rejects.toThrow(/only grows/)
  const end = `status = 'CLOSED', ended_at = now(), final_amount = 0`
  await expect(change(end)).rejects.toThrow(/like its hold/)
  await close(id)
  await expect(change(`status = 'EXPIRED'`)).rejects.toThrow(/ends once/)
})

type Step = 'tick' | 'freeze' | 'unfreeze' | 'close'
const steps = fc.array(
  fc.constantFrom<Step>('tick', 'tick', 'tick', 'tick', 'freeze', 'unfreeze', 'close'),
  { minLength: 4, maxLength: 16 },
)

test('whatever is done to it, a stream pays the ticks that were granted', async () => {
  const till = await issue(seller, 1)
  const inUnits = (amount: number) => Math.round(amount * 1e6)
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 90_000 }),
      fc.integer({ min: 1, max: 30_000 }),
      async (plan, budget, size) => {
        const card = await issue(payer, 0.1)
        const tickUnits = Math.min(size, budget)
        const before = inUnits((await cardOf(seller, till.id)).received)
        const { id } = await opened(card, {
          budget: budget / 1e6,
          tick_amount: tickUnits / 1e6,
          receiver_card_id: till.id,
        })
        let [granted, isFrozen, isOpen] = [0, false, true]
        for (const step of plan) {
          if (step === 'tick') {
            const reply = await tick(card, id)
            const hasRoom = granted + tickUnits <= budget
            expect(reply.status === 200).toBe(isOpen && !isFrozen && hasRoom)
            if (reply.status === 200) granted += tickUnits
          } else if (step === 'close') {
            expect(inUnits((await close(id)).body.final_amount)).toBe(granted)
            isOpen = false
          } else {
            await payer.post(`/api/cards/${card.id}/${step}`)
            isFrozen = step === 'freeze'
          }
        }
        await close(id)
        const after = await cardOf(payer, card.id)
        expect([inUnits(after.spent), after.held]).toEqual([granted, 0])
        expect(inUnits(after.balance)).toBe(100_000 - granted)
        // Rounded half up, and at least one base unit.
        const fee = granted && Math.max(Math.floor((granted * 50 + 5_000) / 10_000), 1)
        expect(inUnits((await cardOf(seller, till.id)).received) - before).toBe(granted - fee)
      },
    ),
    { numRuns: 12 },
  )
  expect(await w.faults()).toEqual([])
})

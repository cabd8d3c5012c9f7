import { expect, test } from 'vitest'
import { type User, type World, world } from '../../../test/world.ts'
import { readMigrations } from '../../base/db/migrations.ts'
import { all, sql } from '../../base/db/sql.ts'

async function issueCard(user: User, limit: number) {
  const made = await user.post('/api/issue', { purpose: 'test', limit_amount: limit })
  expect(made.status, made.text).toBe(200)
  return made.body.card as { id: string; token: string }
}

const cardOf = async (user: User, id: string) => (await user.get(`/api/cards/${id}`)).body.card

/** A buyer whose card has paid a seller's link 10 USDC: 9.95 arrived, 0.05 was the fee. */
async function sale(w: World) {
  const [buyer, seller] = await Promise.all([w.user({ treasury: 20 }), w.user({ treasury: 20 })])
  const [payer, receiver] = [await issueCard(buyer, 10), await issueCard(seller, 1)]
  const link = await seller.post('/api/paylinks', { card_id: receiver.id, amount: 10 })
  expect(link.status, link.text).toBe(200)
  const settled = await w.call('POST', `/api/pay/${link.body.code}/settle`, {
    protocol: 'card',
    payer_card_id: payer.id,
    payer_card_token: payer.token,
  })
  expect(settled.status, settled.text).toBe(200)
  const { payments } = (await seller.get('/api/payments?direction=received')).body
  expect(payments).toHaveLength(1)
  return { buyer, seller, payer, receiver, id: payments[0].id as string }
}

test('a refund in parts adds up to what was received, and the payer may spend it again', async () => {
  await using w = await world()
  const { buyer, seller, payer, receiver, id } = await sale(w)
  expect(await cardOf(buyer, payer.id)).toMatchObject({ spent: 10, remaining: 0 })

  const part = await seller.post(`/api/payments/${id}/refund`, { amount: '4.5' })
  expect(part.status, part.text).toBe(200)
  expect(part.body).toMatchObject({ success: true, amount: 4.5, refunded: 4.5, status: 'SETTLED' })
  const above = await seller.post(`/api/payments/${id}/refund`, { amount: 5.46 })
  expect([above.status, above.body.code]).toEqual([400, 'invalid_amount'])
  expect(above.body.refundable).toBe(5.45)
  const rest = await seller.post(`/api/payments/${id}/refund`)
  expect(rest.body, rest.text).toMatchObject({ amount: 5.45, refunded: 9.95, status: 'REFUNDED' })
  const again = await seller.post(`/api/payments/${id}/refund`)
  expect([again.status, again.body.code]).toEqual([409, 'already_refunded'])

  expect(await cardOf(buyer, payer.id)).toMatchObject({ spent: 0.05, remaining: 9.95 })
  expect(await cardOf(seller, receiver.id)).toMatchObject({ balance: 1, received: 0 })
  const { payments } = (await buyer.get('/api/payments?direction=sent')).body
  expect(payments).toMatchObject([{ direction: 'sent', status: 'REFUNDED', refunded: 9.95 }])
  const status = await buyer.get(`/api/settlement/status/${payments[0].id}`)
  expect(status.body.status).toBe('SETTLED')
  for (const [user, its] of [
    [buyer, payments[0].id],
    [seller, id],
  ] as const) {
    const { timeline } = (await user.get(`/api/payments/${its}`)).body.payment
    const refunds = timeline.filter((fact: { type: string }) => fact.type === 'payment.refunded')
    expect(refunds).toMatchObject([{ data: { amount: 4.5 } }, { data: { amount: 5.45 } }])
  }
  expect(await w.faults()).toEqual([])
})

/** The sum of a list, in base units. */
const sumOf = (rows: { direction: string; amount: number }[]) =>
  rows.reduce((sum, { direction, amount }) => {
    const units = Math.round(amount * 1e6)
    return direction === 'received' ? sum + units : sum - units
  }, 0)

test('a refund is an entry of its own on both sides, and the month of the payment stays as it was', async () => {
  await using w = await world()
  const { buyer, seller, payer, receiver, id } = await sale(w)
  const list = async (user: User, query = '') => {
    const { status, body, text } = await user.get(`/api/payments${query}`)
    expect(status, text).toBe(200)
    return body.payments
  }
  const sides = [
    { user: buyer, card: payer, left: -50_000, direction: 'received' },
    { user: seller, card: receiver, left: 0, direction: 'sent' },
  ]
  const paid = await Promise.all(sides.map(async ({ user }) => (await list(user))[0]))
  await w.advance(40 * 24 * 3600)
  const month = w.now().toISOString()
  await seller.post(`/api/payments/${id}/refund`, { amount: 4.5 })
  await seller.post(`/api/payments/${id}/refund`)

  for (const [i, { user, card, left, direction }] of sides.entries()) {
    const { status, refunded, refunded_atomic, ...stays } = paid[i]
    expect(await list(user, `?before=${month}`)).toMatchObject([{ ...stays, status: 'REFUNDED' }])
    const entries = await list(user, `?since=${month}`)
    const entry = { direction, card_id: card.id, refund_of: paid[i].id, fee: 0, fee_kept: 0.05 }
    expect(entries).toMatchObject([
      { ...entry, amount: 5.45, status: 'SETTLED', refunded: 0, merchant: stays.merchant },
      { ...entry, amount: 4.5, status: 'SETTLED', refunded: 0, merchant: stays.merchant },
    ])
    expect(sumOf(await list(user))).toBe(left)
    expect(await list(user, `?direction=${direction}`)).toEqual(entries)
    expect(await list(user, '?status=REFUNDED')).toMatchObject([{ id: paid[i].id }])
    const [first] = await list(user, '?limit=1')
    expect(await list(user, `?limit=1&after=${first.id}`)).toEqual([entries[1]])
    expect((await user.get(`/api/cards/${card.id}/transactions`)).body.transactions).toMatchObject([
      { id: entries[0].id },
      { id: entries[1].id },
      { id: paid[i].id },
    ])
    const one = await user.get(`/api/payments/${entries[0].id}`)
    expect(one.body.payment.timeline, one.text).toMatchObject([
      {
        type: 'payment.refunded',
        data: { refund_id: entries[0].id, amount: 5.45, fee_kept: 0.05 },
      },
    ])
    const standing = await user.get(`/api/settlement/status/${entries[0].id}`)
    expect(standing.body.status).toBe('SETTLED')
    const again = await user.post(`/api/payments/${entries[0].id}/refund`)
    expect([again.status, again.body.code]).toEqual([409, 'invalid_state'])
    const { events } = (await user.get('/api/events?limit=100')).body
    const reported = events.filter(({ type }: { type: string }) => type === 'payment.refunded')
    expect(
      reported.map(({ data }: any) => [data.refund_id, data.refund_of, data.fee_kept]),
    ).toEqual(entries.toReversed().map((each: any) => [each.id, each.refund_of, 0.05]))
  }
  expect(await w.faults()).toEqual([])
})

// A program of the version before writes the refund alone, and what it wrote before the upgrade has its entries from a migration.
test('refunds from before there were entries have the same ones', async () => {
  await using w = await world()
  const { seller, id } = await sale(w)
  await seller.post(`/api/payments/${id}/refund`, { amount: 4.5 })
  await seller.post(`/api/payments/${id}/refund`, { amount: 1 })
  const read = () => all(w.db.reader, sql`select * from refund_entries order by id`)
  const made = await read()
  expect(made).toHaveLength(4)
  const tamper = (text: string) =>
    w.write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql.raw(text).execute(tx)
    })
  await tamper('update refund_entries set refunded = refunded + 1 where amount = 1000000')
  expect(JSON.stringify(await w.faults())).toMatch(
    /refund_entries txn_\w+ has no transfer of kind refund/,
  )
  await tamper('delete from refund_entries')
  expect(JSON.stringify(await w.faults())).toMatch(
    /5500000 refunded, the entries of txn_\w+ make 0/,
  )
  const migration = (await readMigrations()).find(
    ({ name }) => name === '081-card-entries-filled.sql',
  )
  await tamper(migration?.text ?? '')
  expect(await read()).toEqual(made)
  expect(await w.faults()).toEqual([])
})

test('refunds at once never give back more than was received', async () => {
  await using w = await world()
  const { buyer, seller, payer, receiver, id } = await sale(w)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => seller.post(`/api/payments/${id}/refund`, { amount: 2 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
  expect(new Set(codes)).toEqual(new Set(['invalid_amount']))
  const whole = await Promise.all(
    Array.from({ length: 5 }, () => seller.post(`/api/payments/${id}/refund`)),
  )
  expect(whole.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  expect(await cardOf(buyer, payer.id)).toMatchObject({ balance: 9.95, spent: 0.05 })
  expect((await cardOf(seller, receiver.id)).balance).toBe(1)
  expect(await w.faults()).toEqual([])
})

test('one Idempotency-Key refunds once', async () => {
  await using w = await world()
  const { buyer, seller, payer, id } = await sale(w)
  const send = () =>
    seller.post(
      `/api/payments/${id}/refund`,
      { amount: 1 },
      { headers: { 'idempotency-key': 'refund 1' } },
    )
  const first = await send()
  const second = await send()
  expect(second.body).toEqual(first.body)
  expect((await cardOf(buyer, payer.id)).balance).toBe(1)
})

test('only the receiver may refund, with money that is there, from a card that is not frozen', async () => {
  await using w = await world()
  const { buyer, seller, receiver, id } = await sale(w)
  const sent = (await buyer.get('/api/payments')).body.payments[0].id
  const foreign = await buyer.post(`/api/payments/${id}/refund`)
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
  const wrongSide = await buyer.post(`/api/payments/${sent}/refund`)
  expect([wrongSide.status, wrongSide.body.code]).toEqual([409, 'invalid_state'])

  await seller.post(`/api/cards/${receiver.id}/freeze`)
  const frozen = await seller.post(`/api/payments/${id}/refund`)
  expect([frozen.status, frozen.body.code]).toEqual([403, 'card_frozen'])
  await seller.post(`/api/cards/${receiver.id}/unfreeze`)

  const claimed = await seller.post(`/api/cards/${receiver.id}/claim`, { token: receiver.token })
  expect(claimed.body, claimed.text).toMatchObject({ claimed: 9.95 })
  const poor = await seller.post(`/api/payments/${id}/refund`)
  expect([poor.status, poor.body.code]).toEqual([403, 'insufficient_funds'])
  expect(poor.body.available).toBe(1)
  const small = await seller.post(`/api/payments/${id}/refund`, { amount: 1 })
  expect(small.status, small.text).toBe(200)
  expect(await w.faults()).toEqual([])
})

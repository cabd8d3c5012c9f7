import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

test('issuing allocates the limit from the treasury balance and shows the token once', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 100 })
  const issued = await u.post('/api/issue', {
    purpose: 'research',
    limit_amount: 25,
    network: 'eip155:84532',
  })
  expect(issued.status).toBe(200)
  const { card } = issued.body
  expect(issued.body).toMatchObject({
    success: true,
    card: {
      status: 'ACTIVE',
      purpose: 'research',
      limit_amount: 25,
      balance: 25,
      remaining: 25,
      single_use: 0,
      mcc_locks: '',
      funding_asset: 'USDC',
      funding_network: 'eip155:84532',
      wallet_address: u.wallet,
      settlement_mode: 'CUSTODIAL',
      custody_mode: 'CUSTODIAL',
      chain_status: 'NONE',
      balance_source: 'ledger',
      expires_at: null,
    },
  })
  expect(card.token).toMatch(/^tok_[\w-]{43}$/)
  const listed = await u.get('/api/cards')
  expect(listed.body.cards[0].token).toBe(`tok_…${card.token.slice(-4)}`)
  const [balance] = (await u.get('/api/balance')).body.balances
  expect(balance).toMatchObject({
    total_funded: 100,
    total_allocated: 25,
    available: 75,
    total_spent: 0,
    network: 'eip155:84532',
    asset: 'USDC',
  })
  expect(await w.faults()).toEqual([])
})

test('an issue that the balance does not cover says what is available and changes nothing', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const refused = await u.post('/api/issue', { purpose: 'x', limit_amount: 10.000001 })
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({
    code: 'insufficient_balance',
    available: 10,
    requested: 10.000001,
    network: 'eip155:84532',
    asset: 'USDC',
  })
  expect((await u.get('/api/cards')).body.cards).toEqual([])
})

test('N issues at once at the edge of the balance give exactly as many cards as it covers', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const replies = await Promise.all(
    Array.from({ length: 25 }, () => u.post('/api/issue', { purpose: 'x', limit_amount: 1 })),
  )
  expect(replies.filter((r) => r.status === 200)).toHaveLength(10)
  expect(replies.filter((r) => r.status === 403)).toHaveLength(15)
  expect(await w.faults()).toEqual([])
})

test('one Idempotency-Key many times at once issues one card, and gives the same answer after', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const order = { purpose: 'x', limit_amount: 1 }
  const headers = { 'idempotency-key': 'once' }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => u.post('/api/issue', order, { headers })),
  )
  const first = replies.filter((r) => r.status === 200)
  expect(first.length).toBeGreaterThan(0)
  expect(new Set(first.map((r) => r.body.card.id)).size).toBe(1)
  expect(
    replies.filter((r) => r.status !== 200).every((r) => r.body.code === 'idempotency_in_progress'),
  ).toBe(true)
  const again = await u.post('/api/issue', order, { headers })
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(again.body).toEqual(first[0]!.body)
  expect((await u.get('/api/cards')).body.cards).toHaveLength(1)
  const other = await u.post('/api/issue', { ...order, limit_amount: 2 }, { headers })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
})

test('funding grows limit and balance together, only on ACTIVE cards', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 4 })).body
  expect((await u.post(`/api/cards/${card.id}/fund`, { amount: 2.5 })).body).toEqual({
    success: true,
    card_id: card.id,
    added: 2.5,
    new_limit: 6.5,
  })
  const short = await u.post(`/api/cards/${card.id}/fund`, { amount: 3.6 })
  expect([short.status, short.body.available, short.body.requested]).toEqual([403, 3.5, 3.6])
  await u.post(`/api/cards/${card.id}/freeze`)
  expect((await u.post(`/api/cards/${card.id}/fund`, { amount: 1 })).body.code).toBe(
    'invalid_state',
  )
  expect(await w.faults()).toEqual([])
})

test("another wallet's card looks like one that does not exist, on every operation", async () => {
  await using w = await world()
  const [mine, theirs] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10 })]
  const { card } = (await mine.post('/api/issue', { purpose: 'x', limit_amount: 1 })).body
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/transactions'],
    ['GET', '/decisions'],
    ['POST', '/fund', { amount: 1 }],
    ['POST', '/freeze'],
    ['POST', '/unfreeze'],
    ['PATCH', '/controls', {}],
    ['POST', '/claim', { token: card.token }],
    ['POST', '/cancel'],
    ['POST', '/rotate-token'],
  ]
  for (const [method, path, body] of calls) {
    const foreign = await theirs.send(method, `/api/cards/${card.id}${path}`, body)
    const unknown = await theirs.send(
      method,
      `/api/cards/card_00000000000000000000000000${path}`,
      body,
    )
    expect([foreign.status, foreign.body.code, foreign.body.error]).toEqual([
      404,
      'not_found',
      unknown.body.error,
    ])
  }
})

test('a bulk issue that the balance does not cover tells the whole balance, and the whole order', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 1000 })
  const cards = [600, 300, 200, 50].map((limit_amount) => ({ purpose: 'x', limit_amount }))
  const refused = await u.post(
    '/api/issue/bulk',
    { cards },
    { headers: { 'idempotency-key': 'b' } },
  )
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_balance'])
  expect(refused.body).toMatchObject({ available: 1000, requested: 1150 })
  expect(refused.body.error).toContain('1000 USDC')
  expect((await u.get('/api/balance')).body.balances[0].available).toBe(1000)
})

test('bulk issue is all or nothing', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const cards = [
    { purpose: 'a', limit_amount: 6 },
    { purpose: 'b', limit_amount: 5 },
  ]
  expect((await u.post('/api/issue/bulk', { cards })).body.code).toBe('invalid_idempotency_key')
  const refused = await u.post(
    '/api/issue/bulk',
    { cards },
    { headers: { 'idempotency-key': 'k1' } },
  )
  expect([refused.status, refused.body.requested]).toEqual([403, 11])
  expect((await u.get('/api/cards')).body.cards).toEqual([])
  const many = Array.from({ length: 100 }, (_, i) => ({ purpose: `c${i}`, limit_amount: '0.1' }))
  const issued = await u.post(
    '/api/issue/bulk',
    { cards: many },
    { headers: { 'idempotency-key': 'k2' } },
  )
  expect(issued.body.total_allocated).toBe(10)
  expect(new Set(issued.body.cards.map((c: any) => c.token)).size).toBe(100)
  expect((await u.get('/api/cards?limit=60')).body).toMatchObject({ has_more: true })
})

test('cancel returns the money and is final; claim empties what ended', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const one = (await u.post('/api/issue', { purpose: 'x', limit_amount: 4, expires_in: 1 })).body
    .card
  const two = (await u.post('/api/issue', { purpose: 'y', limit_amount: 3 })).body.card
  const cancelled = await u.post(`/api/cards/${two.id}/cancel`)
  expect(cancelled.body.card).toMatchObject({ status: 'CLOSED', balance: 0 })
  expect((await u.post(`/api/cards/${two.id}/unfreeze`)).status).toBe(409)
  await w.advance(3601)
  await w.runJobs()
  expect((await u.get(`/api/cards/${one.id}`)).body.card.status).toBe('EXPIRED')
  expect((await u.post(`/api/cards/${one.id}/claim`, { token: 'tok_wrong' })).body.code).toBe(
    'invalid_card_token',
  )
  const claimed = await u.post(`/api/cards/${one.id}/claim`, { token: one.token })
  expect(claimed.body).toMatchObject({ success: true, claimed: 4, card: { balance: 0 } })
  expect((await u.post(`/api/cards/${one.id}/claim`, { token: one.token })).body.code).toBe(
    'nothing_to_claim',
  )
  expect((await u.get('/api/balance')).body.balances[0].available).toBe(10)
  expect(await w.faults()).toEqual([])
})

test('a rotated token stops at once', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 4 })).body
  const rotated = (await u.post(`/api/cards/${card.id}/rotate-token`)).body.card
  expect(rotated.token).not.toBe(card.token)
  const seller = (await u.post('/api/issue', { purpose: 'seller', limit_amount: 1 })).body.card
  const link = (await u.post('/api/paylinks', { card_id: seller.id, amount: 1 })).body
  const pay = (token: string) =>
    u.post(`/api/pay/${link.code}/settle`, {
      protocol: 'card',
      payer_card_id: card.id,
      payer_card_token: token,
    })
  expect((await pay(card.token)).body.code).toBe('invalid_card_token')
  expect((await pay(rotated.token)).status).toBe(200)
})

test('pay-and-issue: the card waits for its transaction, and takes what it needs of it', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const hash = await w.transfer(u.account, w.chain.treasury.address, 12_000_000n)
  const issued = await u.post('/api/issue', { purpose: 'x', limit_amount: 10, tx_hash: hash })
  expect(issued.body.card).toMatchObject({ status: 'PENDING_FUNDING', balance: 0 })
  const again = await u.post('/api/issue', {
    purpose: 'y',
    limit_amount: 1,
    tx_hash: hash.toUpperCase().replace('0X', '0x'),
  })
  expect([again.status, again.body.code]).toEqual([409, 'already_credited'])
  await w.safe()
  await w.runJobs()
  expect((await u.get(`/api/cards/${issued.body.card.id}`)).body.card).toMatchObject({
    status: 'ACTIVE',
    balance: 10,
  })
  expect((await u.get('/api/balance')).body.balances[0]).toMatchObject({
    available: 2,
    total_funded: 12,
  })
  expect(await w.faults()).toEqual([])
})

test("pay-and-issue fails with its reason when the transaction is somebody else's or too small", async () => {
  await using w = await world()
  const [payer, thief] = [await w.user({ usdc: 50 }), await w.user()]
  const hash = await w.transfer(payer.account, w.chain.treasury.address, 5_000_000n)
  const stolen = (await thief.post('/api/issue', { purpose: 'x', limit_amount: 5, tx_hash: hash }))
    .body.card
  const short = (await payer.post('/api/issue', { purpose: 'x', limit_amount: 6, tx_hash: hash }))
    .body.card
  await w.safe()
  await w.runJobs()
  expect((await thief.get(`/api/cards/${stolen.id}`)).body.card).toMatchObject({
    status: 'FUNDING_FAILED',
    balance: 0,
  })
  const failed = (await payer.get(`/api/cards/${short.id}`)).body.card
  expect(failed).toMatchObject({ status: 'FUNDING_FAILED', balance: 0 })
  expect(failed.status_reason).toContain('brought 5 of 6 USDC')
  expect((await payer.get('/api/balance')).body.balances[0].available).toBe(5)
  expect((await thief.get('/api/balance')).body.balances[0].available).toBe(0)
})

test('a card cancelled before its funding arrived: the money is credited to the treasury balance', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const hash = await w.transfer(u.account, w.chain.treasury.address, 12_000_000n)
  const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 10, tx_hash: hash }))
    .body
  await u.post(`/api/cards/${card.id}/cancel`)
  await w.safe()
  await w.runJobs()
  expect((await u.get(`/api/cards/${card.id}`)).body.card).toMatchObject({
    status: 'CLOSED',
    balance: 0,
  })
  expect((await u.get('/api/balance')).body.balances[0].available).toBe(12)
  expect(await w.faults()).toEqual([])
})

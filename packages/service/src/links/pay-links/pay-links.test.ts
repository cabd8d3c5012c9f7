import { expect, test } from 'vitest'
import { type User, type World, world } from '../../../test/world.ts'

/** A seller with a link of `amount`, and a payer with a card of `limit`. */
async function shop(
  w: World,
  options: { amount?: number | null; limit?: number; link?: object } = {},
) {
  const seller = await w.user({ treasury: 10 })
  const payer = await w.user({ treasury: 1000 })
  const sellerCard = (await seller.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body
    .card
  const payerCard = (
    await payer.post('/api/issue', { purpose: 'agent', limit_amount: options.limit ?? 100 })
  ).body.card
  const amount = options.amount === undefined ? 10 : options.amount
  const link = (
    await seller.post('/api/paylinks', {
      card_id: sellerCard.id,
      amount,
      memo: 'tea',
      ...options.link,
    })
  ).body
  return { seller, payer, sellerCard, payerCard, link }
}
const cardOf = async (u: User, id: string) => (await u.get(`/api/cards/${id}`)).body.card
const payWith = (w: World, code: string, card: { id: string; token: string }, extra: object = {}) =>
  w.call('POST', `/api/pay/${code}/settle`, {
    protocol: 'card',
    payer_card_id: card.id,
    payer_card_token: card.token,
    ...extra,
  })

test('a link is created, listed, shown and resolved in the shapes of the specification', async () => {
  await using w = await world()
  const { seller, link } = await shop(w, { link: { expires_in: 1 } })
  expect(link.code).toMatch(/^PL_[0-9A-HJKMNP-TV-Z]{10}$/)
  expect(link.pay_link).toMatchObject({
    code: link.code,
    amount: '10',
    asset: 'USDC',
    memo: 'tea',
    status: 'ACTIVE',
    uses: 0,
    max_uses: 1,
  })
  expect(link.url).toBe(`http://127.0.0.1:4021/pay/${link.code}`)
  expect(link.qr_svg).toContain('<svg')
  expect((await seller.get('/api/paylinks')).body.links.map((l: any) => l.code)).toEqual([
    link.code,
  ])
  const shown = await w.call('GET', `/api/paylinks/${link.code.toLowerCase()}`)
  expect(shown.body).toMatchObject({ id: link.id, amount: '10', network: 'eip155:84532' })
  const resolved = await w.call('GET', `/api/pay/${link.code}/resolve`)
  expect(resolved.body).toMatchObject({
    type: 'receive',
    link_type: 'SINGLE',
    amount: 10,
    status: 'ACTIVE',
    accepted_protocols: ['x402', 'ap2', 'mpp', 'card', 'onchain'],
  })
  expect(resolved.body).not.toHaveProperty('qr_svg')
  const prepared = await w.call('GET', `/api/pay/${link.code}/prepare`)
  expect(prepared.body.x402.accepts[0]).toMatchObject({
    scheme: 'exact',
    amount: '10000000',
    payTo: prepared.body.treasury_address,
  })
  expect(prepared.body.eip681).toContain('uint256=10000000')
  await w.advance(3601)
  const expired = await w.call('GET', `/api/pay/${link.code}/resolve`)
  expect(expired.body).toMatchObject({
    type: 'receive',
    status: 'EXPIRED',
    code: 'pay_link_expired',
  })
  expect(expired.body.error).toBeTruthy()
  expect((await w.call('GET', '/api/pay/PL_0000000000/resolve')).status).toBe(404)
})

test('a card pays a link: payer, seller and house agree to the unit', async () => {
  await using w = await world()
  const { seller, payer, sellerCard, payerCard, link } = await shop(w, { amount: 10.000001 })
  const paid = await payWith(w, link.code, payerCard)
  expect(paid.status).toBe(200)
  expect(paid.body).toMatchObject({
    success: true,
    status: 'SETTLED',
    protocol: 'card',
    amount: 10.000001,
    fee: 0.05,
    net_amount: 9.950001,
  })
  expect(await cardOf(payer, payerCard.id)).toMatchObject({
    balance: 89.999999,
    spent: 10.000001,
    remaining: 89.999999,
  })
  expect(await cardOf(seller, sellerCard.id)).toMatchObject({
    balance: 10.950001,
    received: 9.950001,
    remaining: 1,
  })
  const sent = (await payer.get(`/api/cards/${payerCard.id}/transactions`)).body.transactions
  expect(sent).toMatchObject([
    {
      id: paid.body.transaction_id,
      direction: 'sent',
      amount: 10.000001,
      protocol: 'card',
      status: 'SETTLED',
      merchant: link.code,
      card_purpose: 'agent',
      card_status: 'ACTIVE',
    },
  ])
  const received = (await seller.get(`/api/cards/${sellerCard.id}/transactions`)).body.transactions
  expect(received).toMatchObject([{ direction: 'received', amount: 9.950001 }])
  expect((await w.call('GET', `/api/paylinks/${link.code}/status`)).status).toBe(410)
  expect((await payWith(w, link.code, payerCard)).body.code).toBe('pay_link_completed')
  const claimed = await seller.post(`/api/cards/${sellerCard.id}/claim`, {
    token: sellerCard.token,
  })
  expect(claimed.body).toMatchObject({ claimed: 9.950001 })
  expect(await w.faults()).toEqual([])
})

test('N payers at once on a one-use link give one credit and clear refusals', async () => {
  await using w = await world()
  const { seller, payer, sellerCard, link } = await shop(w)
  const cards = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await payer.post('/api/issue', { purpose: 'x', limit_amount: 20 })).body.card,
    ),
  )
  const replies = await Promise.all(cards.map((card) => payWith(w, link.code, card)))
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  expect(replies.filter((r) => r.body.code === 'pay_link_completed')).toHaveLength(19)
  expect(await cardOf(seller, sellerCard.id)).toMatchObject({ received: 9.95 })
  expect(await w.faults()).toEqual([])
})

test('N spends at the limit of a card give exactly floor(limit / amount)', async () => {
  await using w = await world()
  const { payer, payerCard, link } = await shop(w, {
    amount: 3,
    limit: 20,
    link: { max_uses: 0, type: 'RECURRING' },
  })
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => payWith(w, link.code, payerCard)),
  )
  expect(replies.filter((r) => r.status === 200)).toHaveLength(6)
  expect(replies.filter((r) => r.body.code === 'limit_exceeded')).toHaveLength(24)
  expect(await cardOf(payer, payerCard.id)).toMatchObject({ spent: 18, balance: 2 })
  const decisions = (await payer.get(`/api/cards/${payerCard.id}/decisions?limit=100`)).body
    .decisions
  expect(decisions.filter((d: any) => d.allowed)).toHaveLength(6)
  expect(decisions.filter((d: any) => d.rule === 'limit_exceeded')).toHaveLength(24)
  expect(await w.faults()).toEqual([])
})

test('a freeze against spends in flight: after its answer nothing leaves the card', async () => {
  await using w = await world()
  const { payer, payerCard, link } = await shop(w, { amount: 1, link: { max_uses: 0 } })
  const spends = Array.from({ length: 20 }, () => payWith(w, link.code, payerCard))
  const frozen = await payer.post(`/api/cards/${payerCard.id}/freeze`)
  expect(frozen.body).toMatchObject({ success: true, status: 'FROZEN' })
  const { spent } = await cardOf(payer, payerCard.id)
  const after = await Promise.all(Array.from({ length: 5 }, () => payWith(w, link.code, payerCard)))
  expect(after.map((r) => r.body.code)).toEqual(Array(5).fill('card_frozen'))
  const replies = await Promise.all(spends)
  expect(replies.filter((r) => r.status === 200)).toHaveLength(spent)
  expect((await cardOf(payer, payerCard.id)).spent).toBe(spent)
})

test.each([
  ['daily_limit_exceeded', { daily_limit: 15 }, 2],
  ['max_transaction_exceeded', { max_transaction: 9.99 }, 1],
  ['mcc_blocked', { mcc_locks: '5734,7372' }, 1],
  ['merchant_not_allowed', { allowed_merchants: ['api.example.com'] }, 1],
])('a control refuses with its own code: %s', async (code, controls, tries) => {
  await using w = await world()
  const { payer, payerCard, link } = await shop(w, { link: { max_uses: 0 } })
  expect((await payer.send('PATCH', `/api/cards/${payerCard.id}/controls`, controls)).status).toBe(
    200,
  )
  let last: any
  for (let i = 0; i < tries; i++) last = await payWith(w, link.code, payerCard)
  expect([last.status, last.body.code]).toEqual([403, code])
})

test('a daily limit counts anew the next UTC day, and one lowered below what is used stops at once', async () => {
  await using w = await world()
  const { payer, payerCard, link } = await shop(w, { amount: 10, link: { max_uses: 0 } })
  expect((await payWith(w, link.code, payerCard)).status).toBe(200)
  expect(
    (await payer.send('PATCH', `/api/cards/${payerCard.id}/controls`, { daily_limit: 5 })).status,
  ).toBe(200)
  const refused = await payWith(w, link.code, payerCard)
  expect(refused.body.code).toBe('daily_limit_exceeded')
  expect(new Date(refused.body.passes_at).getUTCHours()).toBe(0)
  await payer.send('PATCH', `/api/cards/${payerCard.id}/controls`, { daily_limit: 10 })
  expect((await payWith(w, link.code, payerCard)).body.code).toBe('daily_limit_exceeded')
  await w.advance(24 * 3600)
  expect((await payWith(w, link.code, payerCard)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})

test('a single-use card is USED by its first payment', async () => {
  await using w = await world()
  const { payer, link } = await shop(w, { link: { max_uses: 0 } })
  const card = (
    await payer.post('/api/issue', { purpose: 'once', limit_amount: 50, single_use: true })
  ).body.card
  const replies = await Promise.all(Array.from({ length: 5 }, () => payWith(w, link.code, card)))
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  expect(replies.filter((r) => r.body.code === 'card_used')).toHaveLength(4)
  expect(await cardOf(payer, card.id)).toMatchObject({ status: 'USED', balance: 40 })
})

test('the payer chooses the amount where the link has none, and must name it', async () => {
  await using w = await world()
  const { payerCard, link } = await shop(w, { amount: null })
  expect((await payWith(w, link.code, payerCard)).body).toMatchObject({
    code: 'missing_field',
    param: 'amount',
  })
  expect((await payWith(w, link.code, payerCard, { amount: 0 })).body.code).toBe('invalid_amount')
  expect((await payWith(w, link.code, payerCard, { amount: '7.5' })).body).toMatchObject({
    amount: 7.5,
    fee: 0.0375,
  })
})

test('one Idempotency-Key many times at once pays a link of many uses once', async () => {
  await using w = await world()
  const { payer, payerCard, link } = await shop(w, { link: { max_uses: 0 } })
  const body = { protocol: 'card', payer_card_id: payerCard.id, payer_card_token: payerCard.token }
  const headers = { 'idempotency-key': 'pay-1' }
  await Promise.all(
    Array.from({ length: 10 }, () =>
      w.call('POST', `/api/pay/${link.code}/settle`, body, { headers }),
    ),
  )
  const again = await w.call('POST', `/api/pay/${link.code}/settle`, body, { headers })
  expect(again.headers['idempotency-hit']).toBe('true')
  expect((await cardOf(payer, payerCard.id)).spent).toBe(10)
})

test("a cancelled link takes nothing more, and cancelling is the owner's alone", async () => {
  await using w = await world()
  const { seller, payer, payerCard, link } = await shop(w)
  expect((await payer.send('DELETE', `/api/paylinks/${link.code}`)).status).toBe(404)
  expect((await seller.send('DELETE', `/api/paylinks/${link.code}`)).body).toEqual({
    success: true,
  })
  expect((await payWith(w, link.code, payerCard)).body.code).toBe('pay_link_cancelled')
})

test('a transfer on chain settles once, from whoever and however often it is reported', async () => {
  await using w = await world()
  await w.withGas()
  const { seller, sellerCard, link } = await shop(w)
  const payer = await w.user({ usdc: 50 })
  const { treasury_address } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
  const hash = await w.transfer(payer.account, treasury_address, 10_000_000n)
  const report = () =>
    w.call('POST', `/api/pay/${link.code}/settle`, {
      tx_hash: hash,
      from_address: payer.wallet,
      amount: 10,
    })
  await w.safe()
  const replies = await Promise.all(Array.from({ length: 8 }, report))
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  expect(replies.filter((r) => r.body.code === 'already_settled')).toHaveLength(7)
  expect(await cardOf(seller, sellerCard.id)).toMatchObject({ received: 9.95 })
  const before = await w.treasuryOnChain()
  await w.runJobs()
  expect((await w.treasuryOnChain()) - before).toBe(10_000_000n)
  expect(await w.faults()).toEqual([])
})

test.each([
  // Less the fee that a payment of as much would have paid.
  ['short', 4_000_000n, 3.98],
  ['over', 13_000_000n, 2.985],
])(
  "money on chain that does not fit is the seller's, as an exception: %s",
  async (reason, value, exception) => {
    await using w = await world()
    await w.withGas()
    const { seller, link } = await shop(w)
    const payer = await w.user({ usdc: 50 })
    const { treasury_address } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
    const hash = await w.transfer(payer.account, treasury_address, value)
    await w.safe()
    const reply = await w.call('POST', `/api/pay/${link.code}/settle`, {
      tx_hash: hash,
      from_address: payer.wallet,
    })
    expect(reply.status).toBe(reason === 'short' ? 422 : 200)
    expect((await seller.get('/api/balance')).body.balances[0].available).toBe(9 + exception)
    expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.status).toBe(
      reason === 'short' ? 'ACTIVE' : 'COMPLETED',
    )
    expect(await w.faults()).toEqual([])
  },
)

test("a transfer to the treasury pays no link, and a transfer to one link's address pays no other", async () => {
  await using w = await world()
  const { seller, sellerCard, link } = await shop(w)
  const other = (await seller.post('/api/paylinks', { card_id: sellerCard.id, amount: 10 })).body
  const payer = await w.user({ usdc: 50 })
  const toTreasury = await w.transfer(payer.account, w.chain.treasury.address, 10_000_000n)
  const toOther = await w.transfer(payer.account, other.deposit_address, 10_000_000n)
  await w.safe()
  for (const tx_hash of [toTreasury, toOther])
    expect((await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash })).body.code).toBe(
      'invalid_transaction',
    )
})

test('a request may name the type of a link as answers do, and not two types', async () => {
  await using w = await world()
  const { seller, sellerCard } = await shop(w)
  const open = (more: object) => seller.post('/api/paylinks', { card_id: sellerCard.id, ...more })
  const types = { type: 'RECURRING', link_type: 'RECURRING' }
  for (const given of [{ type: 'RECURRING' }, { link_type: 'RECURRING' }, types]) {
    const { code } = (await open(given)).body
    const { body } = await w.call('GET', `/api/pay/${code}/resolve`)
    expect(body.link_type).toBe('RECURRING')
  }
  const both = await open({ type: 'SINGLE', link_type: 'RECURRING' })
  expect([both.status, both.body.code]).toEqual([400, 'invalid_request'])
})

test('a seller lists the links of a card, in a state, or of one code, and none of another wallet', async () => {
  await using w = await world()
  const [seller, other] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10 })]
  const [tea, books] = [await seller.card({ limit: 1 }), await seller.card({ limit: 1 })]
  const open = async (user: typeof seller, order: object) => {
    const made = await user.post('/api/paylinks', { amount: 1, ...order })
    expect(made.status, made.text).toBe(200)
    return made.body.code as string
  }
  const short = await open(seller, { card_id: tea.id, expires_in: 1 })
  const long = await open(seller, { card_id: tea.id })
  const ended = await open(seller, { card_id: books.id })
  await seller.send('DELETE', `/api/paylinks/${ended}`)
  const theirs = await open(other, { card_id: (await other.card({ limit: 1 })).id })
  const listed = async (query: string) =>
    (await seller.get(`/api/paylinks?${query}`)).body.links.map(({ code }: any) => code)
  expect(await listed(`card_id=${tea.id}`)).toEqual([long, short])
  expect(await listed('status=ACTIVE')).toEqual([long, short])
  expect(await listed('status=CANCELLED')).toEqual([ended])
  expect(await listed(`code=${long.toLowerCase()}`)).toEqual([long])
  expect(await listed(`code=${theirs}`)).toEqual([])
  // The row of a link whose time is over says that it is active until a job has looked.
  await w.advance(3_601)
  expect(await listed('status=ACTIVE')).toEqual([long])
  expect(await listed('status=EXPIRED')).toEqual([short])
  await w.runJobs()
  expect(await listed('status=EXPIRED')).toEqual([short])
  expect((await seller.get('/api/paylinks?status=PAID')).status).toBe(400)
})

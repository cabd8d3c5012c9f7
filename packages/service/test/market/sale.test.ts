/** A custodial sale: the money, the card, what moves with it, and what dies with its owner. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { setFees } from '../../src/run/operate/commands/fees.ts'
import { eventsOf } from '../events-of.ts'
import { freshAccount } from '../world/chain.ts'
import { type User, type World, world } from '../world.ts'
import { balanceOf, bought, buy, linkOf, listed, offerCard, payLink } from './kit.ts'

let w: World
let buyer: User
beforeAll(async () => {
  w = await world()
  buyer = await w.user({ treasury: 1_000 })
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

test('the buyer pays the price, the seller gets it less the fee, and the card with its money is the buyer’s', async () => {
  const { seller, card, listing } = await offerCard(w)
  const before = [await balanceOf(buyer), await balanceOf(seller)] as const
  const { card: mine, listing: sold } = await bought(buyer, listing, { version: listing.version })
  expect(mine).toMatchObject({
    ...{
      id: card.id,
      wallet_address: buyer.wallet,
      balance: 50,
      limit_amount: 50,
      status: 'ACTIVE',
    },
    token: expect.stringMatching(/^tok_.{43}$/),
  })
  expect(mine.token).not.toBe(card.token)
  expect(sold).toMatchObject({
    ...{
      status: 'SOLD',
      buyer: buyer.wallet,
      seller: seller.wallet,
      sellable: false,
      settled_tx: null,
    },
    settled_at: expect.any(String),
  })
  expect([await balanceOf(buyer), await balanceOf(seller)]).toEqual([
    before[0] - 20,
    before[1] + 19.9,
  ])
  expect((await buyer.get(`/api/cards/${card.id}`)).status).toBe(200)
  expect((await seller.get(`/api/cards/${card.id}`)).status).toBe(404)
  const [event] = await eventsOf(w.db.reader, card.id).then((all) =>
    all.filter(({ type }) => type === 'credential.transferred'),
  )
  expect(event?.data).toMatchObject({
    ...{ from_wallet: seller.wallet, to_wallet: buyer.wallet, listing_id: listing.id, price: 20 },
  })
  const sales = (await eventsOf(w.db.reader, listing.id)).filter(
    ({ type }) => type === 'listing.sold',
  )
  expect(sales.map(({ data }) => [data.fee, data.net_amount])).toEqual([
    [0.1, 19.9],
    [null, null],
  ])
  expect((await buyer.get('/api/balance')).body.balances[0].total_spent).toBeGreaterThanOrEqual(20)
})

test('the fee of a sale is the rule of the seller, kind sale, and not that of settlements', async () => {
  const standard = { bps: 50n, flat: amount(0n) }
  const set = (...words: string[]) =>
    setFees({ db: w.db, chain: w.chain }, w.now(), { words, note: 'x' }, standard)
  const { seller, listing } = await offerCard(w)
  await set(seller.wallet, 'sale', '1000', '0.5')
  const before = await balanceOf(seller)
  await bought(buyer, listing)
  expect(await balanceOf(seller)).toBeCloseTo(before + 17.5, 6)
})

test('what is refused: the own listing, a closed one, no money, a key that may not', async () => {
  const { seller, listing, card } = await offerCard(w)
  expect((await buy(seller, listing)).body.code).toBe('own_listing')
  const poor = await w.user({ treasury: 5 })
  const refused = await buy(poor, listing)
  expect([refused.status, refused.body]).toMatchObject([
    403,
    {
      code: 'insufficient_balance',
      available: 5,
      requested: 20,
      network: w.chain.network,
      asset: 'USDC',
    },
  ])
  const keyOf = async (limits: object) =>
    (await buyer.post('/api/keys/restricted', { name: 'x', scopes: ['market:write'], ...limits }))
      .body.api_key
  const other = await buyer.card()
  for (const limits of [{ max_amount: 19.99 }, { card_ids: [other.id] }]) {
    const key = await keyOf(limits)
    const asked = await w.call('POST', `/api/listings/${listing.id}/buy`, {}, { key })
    expect([asked.status, asked.body.code]).toEqual([403, 'forbidden_scope'])
  }
  expect((await buy(buyer, listing, { authorization: {} })).body.param).toBe('authorization.from')
  const authorization = {
    from: buyer.wallet,
    to: seller.wallet,
    value: '20000000',
    valid_after: '0',
    valid_before: '9999999999',
    nonce: `0x${'1'.repeat(64)}`,
    signature: `0x${'1'.repeat(130)}`,
  }
  expect((await buy(buyer, listing, { authorization })).body.param).toBe('authorization')
  const key = await keyOf({ max_amount: 20 })
  const asked = await w.call('POST', `/api/listings/${listing.id}/buy`, undefined, { key })
  expect(asked.status, asked.text).toBe(200)
  const again = await buy(await w.user({ treasury: 50 }), listing)
  expect([again.status, again.body]).toMatchObject([
    409,
    { code: 'listing_closed', status: 'SOLD' },
  ])
  expect((await buyer.send('DELETE', `/api/listings/${listing.id}`)).status).toBe(404)
  expect((await seller.send('DELETE', `/api/listings/${listing.id}`)).body.code).toBe(
    'listing_closed',
  )
  expect((await buyer.get(`/api/cards/${card.id}`)).status).toBe(200)
})

test('the version changes with all that a buyer relies on, and not with money received', async () => {
  const { seller, card, listing } = await offerCard(w, { limit: 10 })
  const shop = await seller.card({ limit: 5 })
  const shopLink = await linkOf(seller, shop, { max_uses: 0 })
  const payer = await w.user()
  const purse = await payer.card({ limit: 100 })
  await seller.post('/api/paylinks', { card_id: card.id, amount: 2 })
  const single = (await seller.post('/api/paylinks', { card_id: card.id, amount: 2 })).body
  const version = async (): Promise<string> =>
    (await w.call('GET', `/api/listings/${listing.id}`)).body.listing.version
  let seen = await version()
  const changes: [string[], () => Promise<unknown>][] = [
    [[], () => payLink(w, single.code, purse)],
    [['links'], () => linkOf(seller, card)],
    [
      ['limit'],
      async () => {
        await w.credit(seller.wallet, 1_000_000n)
        await seller.post(`/api/cards/${card.id}/fund`, { amount: 1 })
      },
    ],
    [
      ['controls'],
      () => seller.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 5 }),
    ],
    [['spent'], () => payLink(w, shopLink.code, card)],
    [
      ['claimed'],
      () => seller.post(`/api/cards/${card.id}/claim`, { token: card.token, amount: 0.5 }),
    ],
    [
      ['refunds'],
      async () => {
        const [{ id }] = (
          await seller.get(`/api/cards/${card.id}/transactions`)
        ).body.transactions.filter((t: any) => t.direction === 'received')
        const refunded = await seller.post(`/api/payments/${id}/refund`, { amount: 0.25 })
        expect(refunded.status, refunded.text).toBe(200)
      },
    ],
  ]
  for (const [changed, change] of changes) {
    await change()
    const now = await version()
    if (changed.length === 0) expect(now).toBe(seen)
    else {
      const refused = await buy(buyer, listing, { version: seen })
      expect([refused.status, refused.body], changed.join()).toMatchObject([
        409,
        { code: 'listing_changed', changed, version: now },
      ])
    }
    seen = now
  }
  await seller.post(`/api/cards/${card.id}/freeze`)
  expect((await buy(buyer, listing, { version: seen })).body.code).toBe('invalid_state')
  expect((await w.call('GET', `/api/listings/${listing.id}`)).body.listing.sellable).toBe(false)
  await seller.post(`/api/cards/${card.id}/unfreeze`)
  expect((await buy(buyer, listing, { version: seen })).status).toBe(200)
})

test('a repeated purchase with its key gets the same answer, and pays once', async () => {
  const { listing } = await offerCard(w)
  const before = await balanceOf(buyer)
  const headers = { 'idempotency-key': 'buy once' }
  const path = `/api/listings/${listing.id}/buy`
  const [first, second] = [
    await buyer.post(path, {}, { headers }),
    await buyer.post(path, {}, { headers }),
  ]
  expect(second.headers['idempotency-hit']).toBe('true')
  expect(second.body).toEqual(first.body)
  expect(await balanceOf(buyer)).toBe(before - 20)
})

test('open holds keep a card from being sold, and its end sets it free', async () => {
  const { seller, card, listing } = await offerCard(w)
  const receiver = await buyer.card()
  const of = { card_id: card.id, card_token: card.token }
  const stream = await seller.post('/api/mpp/stream/open', {
    ...of,
    budget: 1,
    tick_amount: 0.5,
    receiver_card_id: receiver.id,
  })
  expect(stream.status, stream.text).toBe(200)
  const refused = await buy(buyer, listing)
  expect([refused.status, refused.body.code]).toEqual([409, 'card_has_holds'])
  expect(
    (await seller.post(`/api/cards/${card.id}/transfer`, { to_wallet: buyer.wallet })).body.code,
  ).toBe('card_has_holds')
  await seller.post('/api/mpp/stream/close', { stream_id: stream.body.id })
  expect((await buy(buyer, listing)).status).toBe(200)
})

test('received history goes with the card, spending stays; a refund is owed by the new owner', async () => {
  const { seller, card, listing } = await offerCard(w)
  const link = await linkOf(seller, card, { amount: 3 })
  const payer = await w.user()
  const purse = await payer.card({ limit: 100 })
  const paid = await payLink(w, link.code, purse)
  expect(paid.status, paid.text).toBe(200)
  const other = await seller.card({ limit: 5 })
  await payLink(w, (await linkOf(seller, other)).code, card)
  await bought(buyer, listing)
  const of = async (user: User) =>
    (await user.get(`/api/payments?card_id=${card.id}`)).body.payments.map((p: any) => p.direction)
  expect(await of(buyer)).toEqual(['received'])
  const wide = async (user: User) =>
    (await user.get('/api/payments?limit=100')).body.payments
      .filter((p: any) => p.card_id === card.id)
      .map((p: any) => p.direction)
  expect(await wide(buyer)).toEqual(['received'])
  expect(await wide(seller)).toEqual(['sent'])
  expect(
    (await buyer.get(`/api/cards/${card.id}/transactions`)).body.transactions.map(
      (t: any) => t.direction,
    ),
  ).toEqual(['received'])
  expect((await buyer.get(`/api/cards/${card.id}/decisions`)).body.decisions).toEqual([])
  const [received] = (await buyer.get(`/api/payments?card_id=${card.id}`)).body.payments
  expect((await seller.get(`/api/payments/${received.id}`)).status).toBe(404)
  expect((await seller.post(`/api/payments/${received.id}/refund`, {})).status).toBe(404)
  const refunded = await buyer.post(`/api/payments/${received.id}/refund`, { amount: 1 })
  expect(refunded.status, refunded.text).toBe(200)
  // The link pays the new owner's card from now on.
  expect((await payLink(w, link.code, purse)).status).toBe(200)
  // The refund is an entry between the two.
  expect(await of(buyer)).toEqual(['received', 'sent', 'received'])
  expect((await buyer.get('/api/paylinks?limit=100')).body.links.map((l: any) => l.code)).toContain(
    link.code,
  )
  expect(
    (await seller.get('/api/paylinks?limit=100')).body.links.map((l: any) => l.code),
  ).not.toContain(link.code)
  expect((await seller.send('DELETE', `/api/paylinks/${link.code}`)).status).toBe(404)
})

test('late money to an old link is the new owner’s; what came before stays with the seller', async () => {
  const { seller, card, listing } = await offerCard(w)
  const link = await linkOf(seller, card, { amount: 2 })
  await seller.send('DELETE', `/api/paylinks/${link.code}`)
  const payer = await freshAccount({ usdc: 10_000_000n })
  const sendLate = async () => {
    const tx_hash = await w.transfer(payer, link.deposit_address, 1_000_000n)
    await w.safe()
    const body = { protocol: 'onchain', tx_hash, from_address: payer.address, amount: 1 }
    const reply = await w.call('POST', `/api/pay/${link.code}/settle`, body)
    expect([reply.status, reply.body.code]).toEqual([422, 'payment_exception'])
  }
  await sendLate()
  await bought(buyer, listing)
  await sendLate()
  for (const user of [seller, buyer]) {
    const { exceptions } = (await user.get('/api/exceptions?limit=100')).body
    expect(exceptions.filter((e: any) => e.pay_link_code === link.code)).toHaveLength(1)
  }
  expect(await w.faults()).toEqual([])
})

test('a transfer is the same without a price; the new owner makes the token', async () => {
  const { seller, card, listing } = await offerCard(w)
  const to = await w.user()
  const transfer = (to_wallet: string, by = seller) =>
    by.post(`/api/cards/${card.id}/transfer`, { to_wallet })
  expect((await transfer(seller.wallet)).body.code).toBe('invalid_field')
  expect(
    (await transfer('0x00000000000000000000000000000000000000aB')).status,
  ).toBeGreaterThanOrEqual(400)
  expect((await transfer(buyer.wallet, buyer)).status).toBe(404)
  const done = await transfer(to.wallet.toLowerCase())
  expect(done.body).toEqual({ success: true, card_id: card.id, to_wallet: to.wallet })
  expect((await w.call('GET', `/api/listings/${listing.id}`)).body.listing).toMatchObject({
    status: 'CANCELLED',
    reason: 'card_transferred',
  })
  expect((await transfer(to.wallet)).status).toBe(404)
  const { card: mine } = (await to.post(`/api/cards/${card.id}/rotate-token`)).body
  expect(mine.wallet_address).toBe(to.wallet)
  const link = await linkOf(to, await to.card({ limit: 1 }))
  expect((await payLink(w, link.code, card)).body.code).toBe('invalid_card_token')
  expect((await payLink(w, link.code, mine)).status).toBe(200)
})

test('a card that ends is taken off the market', async () => {
  const { seller, card, listing } = await offerCard(w)
  await seller.post(`/api/cards/${card.id}/cancel`)
  await w.runJobs()
  expect((await w.call('GET', `/api/listings/${listing.id}`)).body.listing).toMatchObject({
    status: 'CANCELLED',
    reason: 'card_closed',
  })
  expect((await buy(buyer, listing)).body.code).toBe('listing_closed')
})

test('a card sold twice has its third owner, and what the first received', async () => {
  const { seller, card, listing } = await offerCard(w)
  const link = await linkOf(seller, card, { amount: 1 })
  const purse = await (await w.user()).card({ limit: 10 })
  await payLink(w, link.code, purse)
  const middle = await w.user({ treasury: 100 })
  await bought(middle, listing)
  await payLink(w, link.code, purse)
  await w.credit(seller.wallet, 1_000_000n)
  await bought(seller, await listed(middle, card))
  const payments = (await seller.get('/api/payments?limit=100')).body.payments.filter(
    (p: any) => p.card_id === card.id,
  )
  expect(payments).toHaveLength(2)
  expect((await middle.get('/api/payments?limit=100')).body.payments).toEqual([])
  expect(await w.faults()).toEqual([])
})

// One statement for all of them would meet its time limit.
test('a card with more links than one statement moves changes hands with them all', async () => {
  await using own = await world()
  const [seller, heir] = await Promise.all([own.user(), own.user()])
  const card = await seller.card()
  const link = await linkOf(seller, card)
  await own.write((tx) =>
    sql`insert into pay_links (id, code, wallet_address, card_id, network, asset, link_type, accepted_protocols, max_uses,
        deposit_address, created_at)
      select 'pl_' || lpad(n::text, 26, '0'), 'PL_' || upper(lpad(to_hex(n), 10, '0')), wallet_address, card_id, network,
        asset, link_type, accepted_protocols, max_uses, '0x' || md5('a' || n) || substr(md5('b' || n), 1, 8), created_at
      from pay_links, generate_series(1, 10001) n where code = ${link.code}`.execute(tx),
  )
  const given = await seller.post(`/api/cards/${card.id}/transfer`, { to_wallet: heir.wallet })
  expect(given.status, given.text).toBe(200)
  const { rows } =
    await sql`select wallet_address, count(*)::integer as links from pay_links where card_id = ${card.id}
    group by 1`.execute(own.db.reader)
  expect(rows).toEqual([{ walletAddress: heir.wallet, links: 10_002 }])
})

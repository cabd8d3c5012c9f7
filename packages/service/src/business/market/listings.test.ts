/** Listing a card, browsing, and taking it back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../../test/events-of.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

let w: World
let seller: User
beforeAll(async () => {
  w = await world()
  seller = await w.user()
})
afterAll(async () => {
  await w[Symbol.asyncDispose]()
})

const list = (of: User, cardId: string, price: number | string = 10) =>
  of.post('/api/listings', { card_id: cardId, price })
const browse = async (query = '', at: World = w) => {
  const { status, body } = await at.call('GET', `/api/listings${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

test('a listing is shown to anybody as the specification writes it', async () => {
  const card = await seller.card({ limit: 7 })
  const made = await list(seller, card.id, '12.5')
  expect(made.status, made.text).toBe(200)
  const { listing } = made.body
  expect(listing).toMatchObject({
    id: expect.stringMatching(/^lst_[0-9a-z]{26}$/),
    card_id: card.id,
    seller: seller.wallet,
    price: 12.5,
    currency: 'USDC',
    status: 'LISTED',
    buyer: null,
    settled_tx: null,
    settled_at: null,
    sellable: true,
    mode: 'custodial',
  })
  expect(listing.stats).toMatchObject({ rxCount: 0, rxLifetime: 0, balance: 7, ageDays: 0 })
  expect((await w.call('GET', `/api/listings/${listing.id}`)).body.listing).toMatchObject({
    id: listing.id,
    sellable: true,
  })
  const ofCard = await w.call('GET', `/api/cards/${card.id}/listing`)
  expect(ofCard.body.listing.id).toBe(listing.id)
  const page = await browse()
  expect(page).toMatchObject({
    explorerBase: expect.stringMatching(/\/explorer$/),
    total: 1,
    page: 1,
    pages: 1,
    limit: 50,
    sort: 'newest',
  })
  expect(page.listings).toHaveLength(1)
  expect(await eventsOf(w.db.reader, listing.id)).toMatchObject([
    {
      type: 'listing.created',
      data: { card_id: card.id, price: 12.5, currency: 'USDC', status: 'LISTED' },
    },
  ])
})

test('a card that was never listed, or that is not there, has no listing', async () => {
  const card = await seller.card()
  for (const id of [card.id, `card_${'z'.repeat(26)}`, 'x'])
    expect((await w.call('GET', `/api/cards/${id}/listing`)).status).toBe(404)
  expect((await w.call('GET', `/api/listings/lst_${'z'.repeat(26)}`)).body.code).toBe('not_found')
})

test('a card has one open listing, however many ask at once', async () => {
  const card = await seller.card()
  const asked = await Promise.all(Array.from({ length: 8 }, (_, i) => list(seller, card.id, i + 1)))
  expect(asked.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  const refused = asked.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'already_listed', listing_id: expect.any(String) })
})

test('what cannot be listed is refused with its reason', async () => {
  const stranger = await w.user()
  const card = await seller.card()
  expect((await list(stranger, card.id)).body.code).toBe('not_found')
  for (const price of [0, -1, 'x', 0.0000001])
    expect((await list(seller, card.id, price)).body.code).toBe('invalid_amount')
  const onchain = await seller.post('/api/listings', {
    card_id: card.id,
    price: 1,
    mode: 'onchain',
  })
  expect(onchain.body).toMatchObject({ code: 'missing_field', param: 'seller_signature' })
  await seller.post(`/api/cards/${card.id}/freeze`)
  expect((await list(seller, card.id)).body.code).toBe('invalid_state')
  const limited = await seller.post('/api/keys/restricted', {
    ...{ name: 'x', scopes: ['market:write'], max_amount: 5 },
  })
  const other = await seller.card()
  const asked = await w.call(
    'POST',
    '/api/listings',
    { card_id: other.id, price: 1 },
    { key: limited.body.api_key },
  )
  expect([asked.status, asked.body.code]).toEqual([403, 'forbidden_scope'])
})

test('a seller takes a listing back once, and may list the card again', async () => {
  const card = await seller.card()
  const { listing } = (await list(seller, card.id, 3)).body
  const stranger = await w.user()
  expect((await stranger.send('DELETE', `/api/listings/${listing.id}`)).status).toBe(404)
  for (let i = 0; i < 2; i++) {
    const taken = await seller.send('DELETE', `/api/listings/${listing.id}`)
    expect(taken.body).toMatchObject({
      success: true,
      listing: { status: 'CANCELLED', reason: 'seller', sellable: false },
    })
  }
  const again = (await list(seller, card.id, 4)).body.listing
  expect((await w.call('GET', `/api/cards/${card.id}/listing`)).body.listing.id).toBe(again.id)
  const types = (await eventsOf(w.db.reader, listing.id)).map(({ type }) => type)
  expect(types).toEqual(['listing.created', 'listing.cancelled'])
})

test('pages are stable in every order, and a walk by id neither misses nor repeats under inserts', async () => {
  await using own = await world()
  const user = await own.user()
  const prices = [5, 1, 5, 3, 5, 2, 9, 5]
  const ids: string[] = []
  const cards = []
  for (const _ of prices) cards.push(await user.card({ limit: 1 }))
  // The newest listing is of the oldest card: ties are those of listings.
  for (const price of prices) ids.push((await list(user, cards.pop()!.id, price)).body.listing.id)
  const expected = {
    newest: ids.toReversed(),
    price_asc: [1, 5, 3, 7, 4, 2, 0, 6].map((i) => ids[i]),
    price_desc: [6, 7, 4, 2, 0, 3, 5, 1].map((i) => ids[i]),
    revenue_desc: ids.toReversed(),
  }
  for (const [sort, order] of Object.entries(expected)) {
    const pages = []
    for (let page = 1; page <= 4; page++) {
      const shown = await browse(`?sort=${sort}&limit=3&page=${page}`, own)
      expect(shown).toMatchObject({ total: 8, pages: 3, page, limit: 3, sort })
      pages.push(...shown.listings.map(({ id }: { id: string }) => id))
    }
    expect(pages).toEqual(order)
  }
  for (const [sort, order] of Object.entries(expected)) {
    const walked: string[] = []
    let after = ''
    for (let i = 0; i < 40; i++) {
      const { listings } = await browse(`?sort=${sort}&limit=4${after}`, own)
      if (listings.length === 0) break
      walked.push(...listings.map(({ id }: { id: string }) => id))
      after = `&after=${walked.at(-1)}`
      await list(user, (await user.card({ limit: 1 })).id, 5)
    }
    expect(walked.filter((id) => ids.includes(id))).toEqual(order)
    expect(new Set(walked).size).toBe(walked.length)
  }
  for (const bad of ['?page=2&after=x', '?after=lst_x', '?sort=dearest', '?limit=101', '?page=0'])
    expect((await own.call('GET', `/api/listings${bad}`)).status, bad).toBe(400)
  expect(await own.faults()).toEqual([])
})

test('a deployment shows the listings of its own network, and a mainnet one never those of a testnet', async () => {
  await using testnet = await world()
  await using mainnet = await testnet.machine({
    settings: { network: 'eip155:8453', mode: 'live' },
  })
  const user = await testnet.user()
  const card = await user.card()
  const { listing } = (await list(user, card.id)).body
  expect(await browse('', testnet)).toMatchObject({ total: 1 })
  for (const sort of ['newest', 'price_asc', 'price_desc', 'revenue_desc'])
    expect(await browse(`?sort=${sort}`, mainnet)).toMatchObject({
      total: 0,
      pages: 0,
      listings: [],
    })
  for (const path of [`/api/listings/${listing.id}`, `/api/cards/${card.id}/listing`])
    expect((await mainnet.call('GET', path)).status, path).toBe(404)
  expect((await mainnet.call('GET', `/api/listings?after=${listing.id}`)).status).toBe(400)
})

test('the database keeps the terms, the ends and the count of listings', async () => {
  const card = await seller.card()
  const { listing } = (await list(seller, card.id, 3)).body
  const { total } = await browse()
  const refused = (statement: ReturnType<typeof sql>) =>
    expect(w.write((tx) => statement.execute(tx))).rejects.toThrow()
  await refused(sql`update listings set price = 1 where id = ${listing.id}`)
  await refused(sql`update listings set status = 'SOLD', ended_at = now() where id = ${listing.id}`)
  await refused(sql`delete from listings where id = ${listing.id}`)
  await refused(sql`update listing_counts set listed = 0`)
  await seller.send('DELETE', `/api/listings/${listing.id}`)
  await refused(
    sql`update listings set status = 'LISTED', reason = null, ended_at = null where id = ${listing.id}`,
  )
  expect((await browse()).total).toBe(total - 1)
  expect(await w.faults()).toEqual([])
})

import { expect, test } from 'vitest'
import { issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { followAll } from '../../../test/stats/scan.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { markListed } from '../stats/store.ts'

/** A seller whose card two buyers have paid, one of them twice, and the seller once. */
async function business(w: World) {
  const [seller, one, two, stranger] = await Promise.all(
    [20, 20, 20, 0].map((treasury) => w.user({ treasury })),
  )
  const till = await issue(seller!, 1)
  const link = await open(seller!, till, { type: 'RECURRING', max_uses: 0 })
  const [first, second, own] = [await issue(one!, 5), await issue(two!, 5), await issue(seller!, 5)]
  for (const card of [first, first, second, own])
    expect((await payWith(w, link.code, card)).status).toBe(200)
  await followAll(w)
  return { seller: seller!, one: one!, stranger: stranger!, till, first, link }
}
const pathOf = (ref: string): string => `/api/v1/credentials/${ref}`

test('the root says what there is, to anybody', async () => {
  await using w = await world()
  const { status, body } = await w.call('GET', '/api/v1')
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Purser credential API', version: '1' })
  expect(body.auth).toContain('Bearer')
  expect(body.endpoints.credential).toBe(
    `${w.services.settings.publicUrl}/api/v1/credentials/{ref}`,
  )
  expect(Object.keys(body.endpoints)).toEqual(['credential', 'proof', 'registration'])
  expect(body.metering).toContain('1000 lookups a UTC day')
})

test('any key reads a credential: its performance, its trust, and how far they go', async () => {
  await using w = await world()
  const { till, stranger } = await business(w)
  const { status, body } = await stranger.get(pathOf(till.id))
  expect(status).toBe(200)
  const { credential } = body
  expect(credential).toMatchObject({
    id: till.id,
    status: 'ACTIVE',
    asset: 'USDC',
    onchain: {
      network: w.chain.asset.network,
      attested: false,
      holder_address: null,
      chain_status: 'NONE',
      holder_explorer_url: null,
      crt: null,
    },
    performance: {
      revenue_lifetime: 3,
      revenue_30d: 3,
      payments_lifetime: 3,
      payments_30d: 3,
      distinct_protocols: 1,
      age_days: 0,
    },
    links: { self: `${w.services.settings.publicUrl}${pathOf(till.id)}`, market: null },
    trust: {
      payers: 2,
      top_payer_share: 0.666666,
      repeat_rate: 0.5,
      payers_funded_by_holder: 0,
      payers_funded_through_others: 0,
      self_payments_excluded: 1,
      refunded: 0,
      exceptions: 0,
      other_assets: 0,
      as_of: { sequence: expect.stringMatching(/^\d+$/), method: 'purser-counted-payments/1' },
    },
  })
  expect(credential.performance.balance).toBeCloseTo(1 + 4 * 0.995, 6)
  expect(credential.performance.first_active <= credential.performance.last_active).toBe(true)
})

test('money that a holder gave a payer shows, also as a card, as its price, and through others', async () => {
  await using w = await world()
  const { seller, one, till, link, stranger } = await business(w)
  const funded = async () => {
    await followAll(w)
    const { trust } = (await stranger.get(pathOf(till.id))).body.credential
    return [trust.payers, trust.payers_funded_by_holder, trust.payers_funded_through_others]
  }
  const give = async (from: User, id: string, to: User) => {
    const given = await from.post(`/api/cards/${id}/transfer`, { to_wallet: to.wallet })
    expect(given.status, given.text).toBe(200)
  }
  expect(await funded()).toEqual([2, 0, 0])
  await seller.post('/api/withdraw', { amount: 2, to_address: one.wallet })
  expect(await funded()).toEqual([2, 1, 0])
  // A payer that pays by a card that it was given.
  const [heir, dealer, last] = [await w.user(), await w.user({ treasury: 9 }), await w.user()]
  const gift = await issue(seller, 4)
  await give(seller, gift.id, heir)
  const { token } = (await heir.post(`/api/cards/${gift.id}/rotate-token`)).body.card
  expect((await payWith(w, link.code, { ...gift, token })).status).toBe(200)
  expect(await funded()).toEqual([3, 2, 0])
  // A payer that got the money by selling a worthless card.
  const junk = await issue(dealer, 1)
  const listed = await dealer.post('/api/listings', { card_id: junk.id, price: 3 })
  expect((await payWith(w, link.code, await issue(dealer, 4))).status).toBe(200)
  expect(await funded()).toEqual([4, 2, 0])
  const bought = await seller.post(`/api/listings/${listed.body.listing.id}/buy`)
  expect(bought.status, bought.text).toBe(200)
  expect(await funded()).toEqual([4, 3, 0])
  // A payer that got its card from one that got money.
  const passed = await issue(dealer, 2)
  await give(dealer, passed.id, last)
  const rotated = (await last.post(`/api/cards/${passed.id}/rotate-token`)).body.card
  expect((await payWith(w, link.code, { ...passed, token: rotated.token })).status).toBe(200)
  expect(await funded()).toEqual([5, 3, 1])
  // The next owner takes over what the figures owe to earlier ones, and counts among its own payers.
  await give(seller, till.id, await w.user())
  expect(await funded()).toEqual([5, 3, 1])
})

test('an owner that was a payer before shows as one', async () => {
  await using w = await world()
  const { seller, one, till, stranger } = await business(w)
  await seller.post(`/api/cards/${till.id}/transfer`, { to_wallet: one.wallet })
  const { trust } = (await stranger.get(pathOf(till.id))).body.credential
  expect([trust.payers, trust.payers_funded_by_holder]).toEqual([2, 1])
})

test('a card that is no credential is found by its owner alone, and looks like none to others', async () => {
  await using w = await world()
  const { seller, one, stranger, till } = await business(w)
  const plain = await issue(seller, 1)
  expect((await seller.get(pathOf(plain.id))).body.credential.performance.first_active).toBe(null)
  const hidden = await stranger.get(pathOf(plain.id))
  const missing = await stranger.get(pathOf(`card_${'0'.repeat(26)}`))
  const { request_id: _, ...shown } = hidden.body
  const { request_id: __, ...absent } = missing.body
  expect([hidden.status, shown]).toEqual([404, absent])
  expect((await w.call('GET', `${pathOf(plain.id)}/registration`)).status).toBe(404)
  expect((await stranger.get(pathOf(`0x${'1'.repeat(40)}`))).status).toBe(404)
  const { api_key } = (
    await seller.post('/api/keys/restricted', {
      name: 'x',
      scopes: ['market:read'],
      card_ids: [till.id],
    })
  ).body
  expect((await w.call('GET', pathOf(plain.id), undefined, { key: api_key })).status).toBe(404)
  expect((await w.call('GET', pathOf(till.id), undefined, { key: api_key })).status).toBe(200)
  expect((await w.call('GET', pathOf(till.id))).status).toBe(401)
  const narrow = await one.post('/api/keys/restricted', { name: 'x', scopes: ['cards:read'] })
  const refused = await w.call('GET', pathOf(till.id), undefined, { key: narrow.body.api_key })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden_scope'])
})

test('the registration is public, once the card is a credential', async () => {
  await using w = await world()
  const { till } = await business(w)
  const { status, body } = await w.call('GET', `${pathOf(till.id)}/registration`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    active: true,
    registrations: [],
    services: [{ name: 'credential' }, { name: 'proof' }],
  })
})

test('of many that race for the last lookup one gets it, misses count, and the next day is new', async () => {
  await using w = await world({ settings: { credentialLookups: 7 } })
  const { till, stranger, one } = await business(w)
  expect((await stranger.get(pathOf('card_x'))).status).toBe(404)
  const racing = await Promise.all(Array.from({ length: 16 }, () => stranger.get(pathOf(till.id))))
  expect(racing.filter(({ status }) => status === 200)).toHaveLength(6)
  const refused = racing.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['429 rate_limited']),
  )
  const { headers } = refused[0]!
  expect(headers).toMatchObject({ 'ratelimit-limit': '7', 'ratelimit-remaining': '0' })
  const seconds = Number(headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(86_400)
  expect((await stranger.get(`${pathOf(till.id)}/proof`)).status).toBe(429)
  expect((await one.get(pathOf(till.id))).status).toBe(200)
  await w.advance(seconds)
  expect((await stranger.get(pathOf(till.id))).status).toBe(200)
})

test('a card that is listed without a payment is a credential only by its listing', async () => {
  await using w = await world()
  const seller = await w.user({ treasury: 5 })
  const stranger = await w.user()
  const till = await issue(seller, 1)
  await w.write((tx) => markListed(tx, { cardId: till.id, listingId: 'lst_x' }))
  expect((await stranger.get(pathOf(till.id))).status).toBe(404)
  const listed = await seller.post('/api/listings', { card_id: till.id, price: 3 })
  expect(listed.status, listed.text).toBe(200)
  const { credential } = (await stranger.get(pathOf(till.id))).body
  expect(credential.links.market).toBe(
    `${w.services.settings.publicUrl}/api/cards/${till.id}/listing`,
  )
})

import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

test('a link keeps the addresses that it leads back to, for its owner alone', async () => {
  await using w = await world()
  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  const urls = {
    success_url: 'https://shop.example/done/{PAYMENT_ID}?all=%7BPAYMENT_ID%7D#top',
    cancel_url: 'https://shop.example:8443/basket',
  }
  const made = await seller.post('/api/paylinks', { card_id: id, amount: 1, ...urls })
  expect(made.body).toMatchObject(urls)
  expect((await seller.get('/api/paylinks')).body.links[0]).toMatchObject(urls)
  const shown = (await w.call('GET', `/api/paylinks/${made.body.code}`)).body
  expect(shown).not.toHaveProperty('success_url')
  const plain = (await seller.post('/api/paylinks', { card_id: id, amount: 1 })).body
  expect(plain).not.toHaveProperty('success_url')
  // A host that the operator lists may be reached by http, as for every other address that callers name.
  const local = { card_id: id, amount: 1, success_url: 'http://127.0.0.1:3000/done' }
  expect((await seller.post('/api/paylinks', local)).status).toBe(200)
})

test.each([
  ['a script', 'javascript:alert(1)//{PAYMENT_ID}'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['plain http', 'http://shop.example/done'],
  ['a line break', 'https://shop.example/done\r\nSet-Cookie: a=b'],
  ['a tab in its scheme', 'java\tscript:alert(1)'],
  ['a space', 'https://shop.example/a b'],
  ['a backslash', 'https:\\\\evil.example'],
  ['a name and password', 'https://shop.example@evil.example/'],
  ['no host', 'https:///done'],
  ['a path alone', '/done'],
  ['no scheme', '//evil.example/done'],
  ['a private host', 'https://192.168.0.1/done'],
  ['the id as its host', 'https://{PAYMENT_ID}.evil.example/'],
  ['the id as its port', 'https://shop.example:{PAYMENT_ID}/'],
  ['nothing', ''],
  ['too much', `https://shop.example/${'a'.repeat(2_048)}`],
])('an address with %s is refused', async (_, url) => {
  await using w = await world()
  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  for (const name of ['success_url', 'cancel_url']) {
    const refused = await seller.post('/api/paylinks', { card_id: id, amount: 1, [name]: url })
    expect([refused.status, refused.body.param], `${name} ${refused.text}`).toEqual([400, name])
  }
  expect((await seller.get('/api/paylinks')).body.links).toEqual([])
})

// The buyer's payers would be led to the seller's shop.
test('a link that goes to another wallet with its card leads to no page of the old owner', async () => {
  await using w = await world()
  const [seller, buyer] = [await w.user(), await w.user()]
  const card = await seller.card({ limit: 1 })
  const urls = { success_url: 'https://a.example/', cancel_url: 'https://a.example/' }
  await seller.send('PATCH', '/api/profile', { name: 'Tea & Co' })
  await buyer.send('PATCH', '/api/profile', { name: 'Coffee' })
  const link = (await seller.post('/api/paylinks', { card_id: card.id, amount: 1, ...urls })).body
  const given = await seller.post(`/api/cards/${card.id}/transfer`, { to_wallet: buyer.wallet })
  expect(given.status, given.text).toBe(200)
  const [moved] = (await buyer.get('/api/paylinks')).body.links
  expect(moved.code).toBe(link.code)
  expect(moved).not.toHaveProperty('success_url')
  expect(moved).not.toHaveProperty('cancel_url')
  const page = await w.call('GET', `/pay/${link.code}`, undefined, {
    headers: { accept: 'text/html' },
  })
  expect(page.text).toContain('Coffee')
  expect(page.text).not.toMatch(/Tea|a\.example/)
})

test('a cancel_url names no payment: there is none', async () => {
  await using w = await world()
  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  const refused = await seller.post('/api/paylinks', {
    card_id: id,
    amount: 1,
    cancel_url: 'https://shop.example/{PAYMENT_ID}',
  })
  expect(refused.body).toMatchObject({ code: 'url_not_allowed', param: 'cancel_url' })
})

test('the status says how long is left by the clock of the service, while the link is open', async () => {
  await using w = await world()
  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  const open = async (more: object) =>
    (await seller.post('/api/paylinks', { card_id: id, amount: 1, ...more })).body.code
  const [ending, endless] = [await open({ expires_in: 2 }), await open({})]
  await w.advance(3_600)
  const left = (await w.call('GET', `/api/paylinks/${ending}/status`)).body.seconds_left
  expect(left).toBeGreaterThan(3_500)
  expect(left).toBeLessThanOrEqual(3_600)
  expect((await w.call('GET', `/api/paylinks/${endless}/status`)).body).toEqual({
    status: 'ACTIVE',
    confirmed_at: null,
    seen: null,
  })
  await w.advance(3_600)
  expect((await w.call('GET', `/api/paylinks/${ending}/status`)).body).toEqual({
    status: 'EXPIRED',
    confirmed_at: null,
    seen: null,
  })
})

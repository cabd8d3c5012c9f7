import { expect, test } from 'vitest'
import { issue, open, report } from './actors/attack-kit.ts'
import { freshAccount } from './world/chain.ts'
import { world } from './world.ts'

/** The prefix of every id in a response. */
const PREFIXES = [
  'card',
  'txn',
  'stl',
  'pl',
  'wd',
  'exc',
  'evt',
  'req',
  'dec',
  'ses',
  'str',
  'fst',
  'tkn',
]
const IDS = new RegExp(`(?<=")(?:${PREFIXES.join('|')})_[0-9a-z]{16,}(?=")`, 'g')

test('every id over HTTP is its prefix and 26 characters, a code PL_ and ten', async () => {
  await using w = await world()
  await w.withGas()
  const [seller, payer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const [till, card] = [await issue(seller, 1), await issue(payer, 10)]
  const texts: string[] = []
  const kept = (reply: { text: string }) => texts.push(reply.text)
  const link = await open(seller, till, { max_uses: 0 })
  const byCard = await w.call('POST', `/api/pay/${link.code}/settle`, {
    payer_card_id: card.id,
    payer_card_token: card.token,
  })
  kept(byCard)
  const hash = await w.transfer(
    await freshAccount({ usdc: 5_000_000n }),
    link.deposit_address,
    400_000n,
  )
  await w.safe()
  kept(await report(w, link.code, hash))
  const spent = { card_id: card.id, card_token: card.token }
  kept(await payer.post('/api/mpp/session', { ...spent, merchant: 'shop' }))
  kept(await payer.post('/api/mpp/stream/open', { ...spent, budget: 1, tick_amount: 0.1 }))
  kept(await payer.post('/api/withdraw', { amount: 1 }))
  kept(await w.call('GET', '/api/no/such'))
  for (const path of [
    '/api/cards',
    `/api/cards/${card.id}/transactions`,
    `/api/cards/${card.id}/decisions`,
    '/api/payments',
    '/api/withdrawals',
  ])
    kept(await payer.get(path))
  for (const path of ['/api/paylinks', '/api/exceptions', '/api/payments'])
    kept(await seller.get(path))
  const sent = (await payer.get('/api/payments')).body.payments[0]
  const received = (await seller.get('/api/payments')).body.payments[0]
  expect(sent.id).toBe(byCard.body.transaction_id)
  expect(sent.id).not.toBe(received.id)
  for (const [user, { id }] of [
    [payer, sent],
    [seller, received],
  ] as const) {
    const shown = await user.get(`/api/payments/${id}`)
    expect([shown.status, shown.body.payment.id]).toEqual([200, id])
    kept(shown)
  }
  const ids = new Set(texts.flatMap((text) => text.match(IDS) ?? []))
  for (const kind of ['card', 'txn', 'stl', 'pl', 'wd', 'exc', 'req', 'dec', 'ses', 'str'])
    expect(
      [...ids].some((id) => id.startsWith(`${kind}_`)),
      kind,
    ).toBe(true)
  for (const id of ids) expect(id).toMatch(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/)
  for (const code of texts.flatMap((text) => text.match(/PL_\w+/g) ?? []))
    expect(code).toMatch(/^PL_[0-9A-HJKMNP-TV-Z]{10}$/)
})

test('an id of an earlier version still names its transaction', async () => {
  await using w = await world()
  const [seller, payer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const [till, card] = [await issue(seller, 1), await issue(payer, 10)]
  const link = await open(seller, till)
  const { settlement_id } = (
    await w.call('POST', `/api/pay/${link.code}/settle`, {
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
  ).body
  const tail = settlement_id.slice(4)
  expect((await payer.get(`/api/payments/txn_${tail}s`)).body.payment.direction).toBe('sent')
  const refunded = await seller.post(`/api/payments/txn_${tail}r/refund`, { amount: 0.4 })
  expect(refunded.status, refunded.text).toBe(200)
  const id = (await seller.get('/api/payments?direction=received')).body.payments[0].id
  const rest = await seller.post(`/api/payments/${id}/refund`)
  expect(rest.status, rest.text).toBe(200)
  expect((await seller.get(`/api/payments/${id}`)).body.payment.status).toBe('REFUNDED')
  expect(await w.faults()).toEqual([])
})

test('both sides of many payments between two cards of one wallet are listed once each, page by page', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 20 })
  const [till, card] = [await issue(user, 1), await issue(user, 10)]
  const link = await open(user, till, { amount: 0.1, max_uses: 0 })
  for (let i = 0; i < 20; i++)
    await w.call('POST', `/api/pay/${link.code}/settle`, {
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
  for (const limit of [1, 3, 7]) {
    const ids: string[] = []
    for (let after = ''; ; after = `&after=${ids.at(-1)}`) {
      const { body } = await user.get(`/api/payments?limit=${limit}${after}`)
      ids.push(...body.payments.map((payment: any) => payment.id))
      if (!body.has_more) break
    }
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
    expect(ids).toEqual(ids.toSorted().reverse())
  }
})

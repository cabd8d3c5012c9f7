import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  balanceOf,
  closeUnder,
  directMandate,
  openShop,
  openTerms,
  type Shop,
  secondsFrom,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { type World, world } from '../../../../test/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

/** A link that one mandate of the user has paid. */
async function paid() {
  const shop = await openShop(w)
  const terms = { ...termsFor(w, shop.link, shop.card), expiresAt: secondsFrom(w.now(), 60) }
  const closed = await directMandate(terms, shop.userKey)
  const body = settleBody(shop, closed)
  const first = await settleWith(shop.payer, body)
  expect(first.status, first.text).toBe(201)
  return { shop, closed, body, first: first.body }
}

const AFTERMATHS: Record<string, (shop: Shop) => Promise<unknown>> = {
  'its key was revoked': ({ payer, userKid }) => payer.send('DELETE', `/api/ap2/keys/${userKid}`),
  'its link was cancelled': ({ seller, link }) =>
    seller.send('DELETE', `/api/paylinks/${link.code}`),
  'its card was frozen': ({ payer, card }) => payer.post(`/api/cards/${card.id}/freeze`),
  'its card was closed': ({ payer, card }) => payer.post(`/api/cards/${card.id}/cancel`),
  'the receiver card was closed': ({ seller, sellerCard }) =>
    seller.post(`/api/cards/${sellerCard.id}/cancel`),
  'a year has passed': () => w.advance(366 * 86_400),
}

test.each(Object.keys(AFTERMATHS))(
  'a mandate that has paid is answered ALREADY_SETTLED though %s',
  async (name) => {
    const { shop, body, first } = await paid()
    await AFTERMATHS[name]!(shop)
    const before = await balanceOf(shop.payer, shop.card.id)
    const again = await settleWith(shop.payer, body)
    expect(again.status, again.text).toBe(200)
    expect(again.body).toEqual({ ...first, status: 'ALREADY_SETTLED' })
    expect(await balanceOf(shop.payer, shop.card.id)).toBe(before)
    const { card_token: _, ...presented } = body
    expect((await shop.payer.post('/api/ap2/verify', presented)).body).toMatchObject({
      ok: true,
      already_settled: true,
    })
  },
)

test('after a rotation the new token of the card learns of the payment, the old one nothing', async () => {
  const { shop, body } = await paid()
  await shop.payer.send('DELETE', `/api/ap2/keys/${shop.userKid}`)
  const { card } = (await shop.payer.post(`/api/cards/${shop.card.id}/rotate-token`)).body
  expect((await settleWith(shop.payer, body)).body.code).toBe('invalid_card_token')
  expect((await settleWith(shop.payer, { ...body, card_token: card.token })).status).toBe(200)
})

test('only the same bytes for the same link, by a key that may use the card, are a replay', async () => {
  const { shop, body, closed } = await paid()
  await shop.payer.send('DELETE', `/api/ap2/keys/${shop.userKid}`)
  const other = await shop.openLink()
  expect((await settleWith(shop.payer, { ...body, pay_link_code: other.code })).body.code).toBe(
    'mandate_key_untrusted',
  )
  const [jwt = '', ...rest] = closed.split('~')
  const signature = jwt.slice(jwt.lastIndexOf('.') + 1)
  const flipped = jwt.replace(signature, Buffer.alloc(64, 7).toString('base64url'))
  const changed = { ...body, closed_mandate: [flipped, ...rest].join('~') }
  expect((await settleWith(shop.payer, changed)).body.code).toBe('mandate_key_untrusted')
  const restricted = async (more: object) => {
    const order = { name: 'r', scopes: ['payments:write'], ...more }
    return (await shop.payer.post('/api/keys/restricted', order)).body.api_key as string
  }
  const by = async (key: string) =>
    (await settleWith(shop.payer, body, { authorization: `Bearer ${key}` })).status
  const { card } = (await shop.payer.post('/api/issue', { purpose: 'b', limit_amount: 1 })).body
  expect(await by(await restricted({ card_ids: [card.id] }))).toBe(404)
  // It moves nothing, so a key for less than was paid gets the answer too.
  expect(await by(await restricted({ max_amount: 1 }))).toBe(200)
})

test('a payment under an open mandate is answered so though the open mandate and its keys are revoked', async () => {
  const shop = await openShop(w)
  const terms = openTerms(w, { shop })
  const open = await signOpen(terms, shop.userKey)
  const closed = await closeUnder(w, open, {
    terms: termsFor(w, shop.link, shop.card),
    key: shop.agentKey,
  })
  const body = settleBody(shop, closed, { open_mandate: open })
  expect((await settleWith(shop.payer, body)).status).toBe(201)
  await shop.payer.post(`/api/ap2/mandates/${terms.jti}/revoke`, {
    card_id: shop.card.id,
    open_mandate: open,
  })
  await shop.payer.send('DELETE', `/api/ap2/keys/${shop.userKid}`)
  expect((await settleWith(shop.payer, body)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})

/** A sale ends each way to spend or command a card that its seller had; each is tried with the new token too. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeChallenge } from '../../src/base/protocols/mpp/headers/challenge.ts'
import {
  addKey,
  closeUnder,
  directMandate,
  newKey,
  openShop,
  openTerms,
  type Shop,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../actors/ap2/shop.ts'
import { askForToken, challengeIn, withCredential } from '../actors/mpp-payers.ts'
import { agree, days, monthly, openBilling, shown } from '../billing/kit.ts'
import { eventsOf } from '../events-of.ts'
import { until } from '../until.ts'
import { type User, type World, world } from '../world.ts'
import { bought, buy, linkOf, listed, offerCard, payLink } from './kit.ts'

let w: World
let buyer: User
let shop: Shop
/** The payer's card, sold; and its new token. */
let sold: { id: string; token: string }
/** Made before the sale, each good until then. */
let made: Record<'direct' | 'agent' | 'service' | 'issued', { closed: string; open?: string }>
const at = () => shop.payer

async function signedByService(): Promise<string> {
  const reply = await at().post('/api/ap2/mandate', {
    ...{ card_id: shop.card.id, card_token: shop.card.token },
    ...{ pay_link_code: shop.link.code, amount: 25, currency: 'USD' },
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.mandate
}

beforeAll(async () => {
  w = await world()
  buyer = await w.user({ treasury: 1_000 })
  shop = await openShop(w, { link: { type: 'RECURRING', max_uses: 0 } })
  const open = await signOpen(openTerms(w, { shop }), shop.userKey)
  const terms = () => termsFor(w, shop.link, shop.card)
  const issued = await at().post('/api/ap2/open-mandate', {
    ...{ card_id: shop.card.id, card_token: shop.card.token },
    content: openTerms(w, { shop, instruments: [{ id: shop.card.id, type: 'card' }] }),
  })
  expect(issued.status, issued.text).toBe(200)
  made = {
    direct: { closed: await directMandate(terms(), shop.userKey) },
    agent: { closed: await closeUnder(w, open, { terms: terms(), key: shop.agentKey }), open },
    service: { closed: await signedByService() },
    issued: {
      closed: await closeUnder(w, issued.body.mandate, { terms: terms(), key: shop.agentKey }),
      open: issued.body.mandate,
    },
  }
  // Each kind settles while the card is its owner's.
  const dry = await settleWith(at(), settleBody(shop, await directMandate(terms(), shop.userKey)))
  expect(dry.status, dry.text).toBe(201)
  const { card } = await bought(buyer, await listed(at(), shop.card))
  sold = { id: card.id, token: card.token }
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

test('the old card token spends nothing, on any rail', async () => {
  const link = shop.link.code
  expect((await payLink(w, link, shop.card)).body.code).toBe('invalid_card_token')
  const of = { card_id: shop.card.id, card_token: shop.card.token }
  for (const user of [at(), buyer]) {
    const settled = await settleWith(user, settleBody(shop, made.direct.closed))
    expect([settled.status, settled.body.code]).toEqual([401, 'invalid_card_token'])
    for (const [path, body] of [
      ['/api/pay', { ...of, url: 'http://127.0.0.1:9', method: 'GET' }],
      ['/api/mpp/stream/open', { ...of, budget: 1, tick_amount: 1 }],
      ['/api/ap2/mandate', { ...of, pay_link_code: link, amount: 25, currency: 'USD' }],
    ] as const) {
      const { status } = await user.post(path, body)
      expect([401, 404], path).toContain(status)
    }
  }
})

test('keys, open mandates and what the service signed are refused with the new token too', async () => {
  for (const [kind, { closed, open }] of Object.entries(made)) {
    const body = settleBody(shop, closed, { card_token: sold.token })
    const settled = await settleWith(buyer, { ...body, ...(open && { open_mandate: open }) })
    expect([kind, settled.status], settled.text).toEqual([kind, 422])
    expect(['mandate_key_untrusted', 'mandate_revoked'], kind).toContain(settled.body.code)
  }
  const keys = (await buyer.get(`/api/ap2/keys?card_id=${sold.id}`)).body.keys
  expect(keys.filter((key: any) => !key.revoked_at)).toEqual([])
  expect((await buyer.get(`/api/ap2/mandates/${sold.id}`)).body.mandates).toEqual([])
  expect((await buyer.get(`/api/ap2/mandates/${sold.id}?kind=open`)).body.mandates).toEqual([])
})

test('the new owner signs anew, by the service and by a key of its own', async () => {
  const { mandate } = (
    await buyer.post('/api/ap2/mandate', {
      ...{ card_id: sold.id, card_token: sold.token },
      ...{ pay_link_code: shop.link.code, amount: 25, currency: 'USD' },
    })
  ).body
  const own = newKey()
  await addKey(w, sold.id, own, 'user')
  const direct = await directMandate(termsFor(w, shop.link, sold), own)
  for (const closed of [mandate, direct]) {
    const settled = await settleWith(buyer, settleBody(shop, closed, { card_token: sold.token }))
    expect(settled.status, settled.text).toBe(201)
  }
})

test('a restricted key loses its right to the card for good, also if its wallet buys the card back', async () => {
  const { seller, card, listing } = await offerCard(w)
  const other = await seller.card()
  const keyOf = async (card_ids: string[]) =>
    (
      await seller.post('/api/keys/restricted', {
        ...{ name: 'x', scopes: ['cards:read', 'cards:write'], card_ids },
      })
    ).body.api_key
  const [alone, both] = [await keyOf([card.id]), await keyOf([card.id, other.id])]
  const see = (key: string, id: string) =>
    w.call('GET', `/api/cards/${id}`, undefined, { key }).then(({ status }) => status)
  expect([await see(alone, card.id), await see(both, card.id)]).toEqual([200, 200])
  await bought(buyer, listing)
  expect([await see(alone, card.id), await see(both, card.id), await see(both, other.id)]).toEqual([
    401, 404, 200,
  ])
  await w.credit(seller.wallet, 100_000_000n)
  await bought(seller, await listed(buyer, card))
  expect([await see(alone, card.id), await see(both, card.id)]).toEqual([401, 404])
  expect((await seller.get(`/api/cards/${card.id}`)).status).toBe(200)
})

test('agreements that the card pays end; those that pay its links have a new merchant', async () => {
  const b = await openBilling(w)
  const toLink = await agree(b.payer, b.card, monthly(b.link))
  const paysOut = await agree(b.payer, b.card, monthly(await b.newLink(3), { amount: 3 }))
  const till = await listed(b.seller, b.till)
  // The seller's till is sold, and then the payer's card.
  await bought(buyer, till)
  expect((await shown(b.payer, toLink.id)).agreement).toMatchObject({
    status: 'ACTIVE',
    merchant_wallet: buyer.wallet,
  })
  expect((await b.seller.get(`/api/billing/agreements/${toLink.id}`)).status).toBe(404)
  const changed = (await eventsOf(w.db.reader, toLink.id)).filter(
    ({ type }) => type === 'agreement.merchant_changed',
  )
  expect(changed.map(({ data }) => data)).toMatchObject(
    Array(3).fill({
      previous_merchant_wallet: b.seller.wallet,
      merchant_wallet: buyer.wallet,
      payer_wallet: b.payer.wallet,
    }),
  )
  const balance = async () => (await buyer.get(`/api/cards/${b.till.id}`)).body.card.balance
  const before = await balance()
  await days(w, 32)
  expect(await balance()).toBeCloseTo(before + 12.935, 6)
  expect((await shown(b.payer, toLink.id)).agreement.charges_made).toBe(2)
  const third = await w.user({ treasury: 100 })
  await bought(third, await listed(b.payer, b.card))
  for (const { id } of [toLink, paysOut])
    expect((await shown(b.payer, id)).agreement).toMatchObject({
      status: 'CANCELLED',
      status_reason: 'card_sold',
    })
  const spent = (await third.get(`/api/cards/${b.card.id}`)).body.card.spent
  await days(w, 32)
  expect((await third.get(`/api/cards/${b.card.id}`)).body.card.spent).toBe(spent)
})

test('a buyer never pays itself: its own agreement to the card that it buys ends', async () => {
  const b = await openBilling(w)
  const { id } = await agree(b.payer, b.card, monthly(b.link))
  const till = await listed(b.seller, b.till)
  // An agreement is bought as it was shown.
  for (const [act, body] of [
    ['pause', undefined],
    ['resume', undefined],
    ['cancel', { at_period_end: true }],
  ] as const) {
    const { version } = (await w.call('GET', `/api/listings/${till.id}`)).body.listing
    const acted = await b.seller.post(`/api/billing/agreements/${id}/${act}`, body)
    expect(acted.status, acted.text).toBe(200)
    const refused = await buy(b.payer, till, { version })
    expect([act, refused.body.changed]).toEqual([act, ['agreements']])
  }
  await bought(b.payer, till)
  expect((await shown(b.payer, id)).agreement).toMatchObject({
    status: 'CANCELLED',
    status_reason: 'card_sold',
  })
})

test('events of the card go to its new owner alone, and the seller’s feed keeps its own', async () => {
  const { seller, card, listing } = await offerCard(w)
  const link = await linkOf(seller, card, { amount: 1 })
  const purse = await (await w.user()).card({ limit: 10 })
  await payLink(w, link.code, purse)
  await bought(buyer, listing)
  expect((await payLink(w, link.code, purse)).status).toBe(200)
  const settled = async (user: User) =>
    (await user.get('/api/events?limit=100&type=payment.settled')).body.events.filter(
      (event: any) => event.data.receiver_card_id === card.id || event.data.card_id === card.id,
    ).length
  // The feed shows an event once no transaction before it is open, in any database of the server.
  await until(
    () => settled(buyer),
    (seen) => expect(seen).toBe(1),
  )
  expect(await settled(seller)).toBe(1)
})

test('a session of streams that the seller opened is none of the new owner’s', async () => {
  const { seller, card, listing } = await offerCard(w)
  const of = { card_id: card.id, card_token: card.token }
  const { session_id } = (await seller.post('/api/mpp/session', { ...of, merchant: 'shop' })).body
  const { card: mine } = await bought(buyer, listing)
  const opened = await buyer.post('/api/mpp/stream/open', {
    ...{ card_id: mine.id, card_token: mine.token, budget: 1, tick_amount: 1, session_id },
  })
  expect([opened.status, opened.body.code]).toEqual([404, 'not_found'])
})

test('a stream that the seller paid does not exist for the new owner', async () => {
  const { seller, card, listing } = await offerCard(w)
  const till = await buyer.card()
  const opened = await seller.post('/api/mpp/stream/open', {
    ...{ card_id: card.id, card_token: card.token, receiver_card_id: till.id },
    ...{ budget: 1, tick_amount: 1 },
  })
  const { id } = opened.body
  await seller.post('/api/mpp/stream/close', { stream_id: id })
  const owner = await w.user({ treasury: 50 })
  const { card: mine } = await bought(owner, listing)
  const of = { stream_id: id, card_id: card.id, card_token: mine.token }
  const ticked = await owner.post('/api/mpp/stream/tick', of)
  expect([ticked.status, ticked.body.code]).toEqual([404, 'not_found'])
})

// The key of a payment without an API key belongs to the card, which proves itself by its token.
test('an Idempotency-Key that the seller used with the card is free for its new owner', async () => {
  const { card, listing } = await offerCard(w)
  const { code } = await linkOf(shop.seller, await shop.seller.card({ limit: 1 }))
  const pay = (token: string) =>
    w.call(
      'POST',
      `/api/pay/${code}/settle`,
      { payer_card_id: card.id, payer_card_token: token },
      { headers: { 'idempotency-key': 'order 1' } },
    )
  const first = await pay(card.token)
  const { card: mine } = await bought(buyer, listing)
  const second = await pay(mine.token)
  expect([first.status, second.status], second.text).toEqual([200, 200])
  expect(second.body.settlement_id ?? second.body.settlement).not.toEqual(
    first.body.settlement_id ?? first.body.settlement,
  )
})

test('a challenge that the seller paid with the card is not answered with its token to the new owner', async () => {
  const { card, listing } = await offerCard(w)
  const base = await w.listen()
  const { code } = await linkOf(shop.seller, await shop.seller.card({ limit: 1 }))
  const url = `${base}/pay/${code}`
  const challenge = writeChallenge(challengeIn(await fetch(url), 'agentcard'))
  const issued = await askForToken(base, card, challenge)
  expect(issued.status).toBe(200)
  expect((await withCredential(url, issued.body.credential)).status).toBe(200)
  const { card: mine } = await bought(buyer, listing)
  const again = await askForToken(base, mine, challenge)
  expect([again.status, again.body.code]).toEqual([409, 'invalid_state'])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addKey,
  balanceOf,
  closeUnder,
  directMandate,
  newKey,
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
import { verifyReceipt } from '../../../base/protocols/ap2/issue/receipt.ts'

let w: World
let shop: Shop
beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: 5, link: { type: 'RECURRING' } })
})
afterAll(() => w[Symbol.asyncDispose]())

const direct = async (over: object = {}, key = shop.userKey) =>
  directMandate({ ...termsFor(w, shop.link, shop.card), ...over }, key)
const settle = (closed: string, over: object = {}) =>
  settleWith(shop.payer, settleBody(shop, closed, over))

test.each([
  ['pay_link_code', 'missing_field'],
  ['closed_mandate', 'missing_field'],
  ['card_token', 'missing_field'],
])('400: %s is required', async (name, code) => {
  const body = { ...settleBody(shop, await direct()), [name]: undefined }
  expect(await settleWith(shop.payer, body)).toMatchObject({
    status: 400,
    body: { code, param: name },
  })
})

test.each([
  ['an empty closed_mandate', { closed_mandate: '' }, 'invalid_field'],
  ['a closed_mandate that is no string', { closed_mandate: 7 }, 'invalid_field'],
  ['an open_mandate that is no string', { open_mandate: {} }, 'invalid_field'],
  ['a field that nobody knows', { amount: 5 }, 'unknown_field'],
])('400: %s', async (_, over, code) => {
  const body = { ...settleBody(shop, await direct()), ...over }
  expect(await settleWith(shop.payer, body)).toMatchObject({ status: 400, body: { code } })
})

test('401: without a key, whatever the mandate says', async () => {
  const answer = await w.call('POST', '/api/ap2/settle', settleBody(shop, await direct()))
  expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test('404: a link that is not there, before anything of the mandate is looked at', async () => {
  expect(await settle('rubbish', { pay_link_code: 'PL_0000000000' })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
})

test('400: a link that does not take AP2, before anything of the mandate is looked at', async () => {
  const other = await shop.openLink({ accepted_protocols: ['card'] })
  expect(other.ap2).toBeNull()
  expect(await settle('rubbish', { pay_link_code: other.code })).toMatchObject({
    status: 400,
    body: { code: 'protocol_not_accepted' },
  })
})

test('422: what is no mandate, before the card is looked for', async () => {
  expect(await settle('rubbish', { card_token: 'wrong' })).toMatchObject({
    status: 422,
    body: { code: 'mandate_malformed', ap2_error: 'invalid_credential' },
  })
})

test('404: a payer card that is not there, before the token and the signature', async () => {
  const closed = await direct({ instrument: { id: 'card_nobody', type: 'card' } }, newKey())
  expect(await settle(closed)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test("401: another card's token, before the signature is looked at", async () => {
  const other = (await shop.payer.post('/api/issue', { purpose: 'x', limit_amount: 1 })).body.card
  for (const card_token of [other.token, 'tok_nonsense', shop.sellerCard.token])
    expect(await settle(await direct({}, newKey()), { card_token })).toMatchObject({
      status: 401,
      body: { code: 'invalid_card_token' },
    })
})

test('401: a token that was rotated away', async () => {
  const { card, payer } = await openShop(w, { amount: 5 })
  const own = { ...shop, card }
  await addKey(w, card.id, shop.userKey, 'user')
  const closed = await directMandate(termsFor(w, shop.link, card), shop.userKey)
  const rotated = await payer.post(`/api/cards/${card.id}/rotate-token`)
  expect(rotated.status).toBe(200)
  expect(await settleWith(payer, settleBody(own, closed))).toMatchObject({ status: 401 })
  const card_token = rotated.body.card?.token ?? rotated.body.token
  expect(await settleWith(payer, settleBody(own, closed, { card_token }))).toMatchObject({
    status: 201,
  })
})

test.each([
  ['another signature', 'mandate_invalid_signature', {}, 'invalid_credential'],
  ['time is up', 'mandate_expired', { expiresAt: -1 }, 'invalid_credential'],
  ['it is not time yet', 'mandate_not_yet_valid', { issuedAt: 120 }, 'invalid_credential'],
  [
    'another payee',
    'mandate_scope_mismatch',
    { payee: { id: 'PL_0000000000', name: 'x' } },
    'invalid_mandate',
  ],
  [
    'another amount',
    'mandate_amount_mismatch',
    { amount: { amount: 501n, currency: 'USD' } },
    'invalid_mandate',
  ],
  [
    'another currency',
    'mandate_currency_mismatch',
    { amount: { amount: 500n, currency: 'EUR' } },
    'invalid_mandate',
  ],
])('422 with a signed error receipt: %s', async (what, code, over, ap2Error) => {
  const times = Object.fromEntries(
    Object.entries(over).map(([name, value]) => [
      name,
      typeof value === 'number' ? secondsFrom(w.now(), value) : value,
    ]),
  )
  const terms = { ...termsFor(w, shop.link, shop.card), ...times }
  // Names the user's key, and is signed by another.
  const signed = await directMandate(terms, shop.userKey)
  const forged = await directMandate(terms, newKey(), shop.userKid)
  const answer = await settle(what === 'another signature' ? forged : signed)
  expect(answer).toMatchObject({ status: 422, body: { code, ap2_error: ap2Error } })
  const signer = (await w.services.signing.current(w.now())).kid
  const key = await w.services.signing.keyOf(signer)
  if (!key) throw new Error('no key')
  expect(verifyReceipt(answer.body.receipt, key)).toMatchObject({
    status: 'Error',
    error: ap2Error,
    issuer: w.services.settings.publicUrl,
    paymentId: terms.id,
  })
})

test('422 names every check that failed', async () => {
  const answer = await settle(
    await direct({ payee: { id: 'x', name: 'x' }, amount: { amount: 1n, currency: 'USD' } }),
  )
  expect(answer.body.violations).toEqual([
    expect.stringMatching(/^payee: /),
    expect.stringMatching(/^amount: /),
  ])
})

test('422: a decline of the card keeps its own code, and may be tried again after', async () => {
  const { card, payer, userKey, ...rest } = await openShop(w, { amount: 50, limit: 40 })
  const own = { ...shop, ...rest, card, userKey }
  const body = settleBody(own, await directMandate(termsFor(w, own.link, card), userKey))
  expect(await settleWith(payer, body)).toMatchObject({
    status: 422,
    body: { code: 'limit_exceeded', ap2_error: 'invalid_mandate' },
  })
  await payer.post(`/api/cards/${card.id}/fund`, { amount: 20 })
  await payer.post(`/api/cards/${card.id}/freeze`)
  expect(await settleWith(payer, body)).toMatchObject({
    status: 422,
    body: { code: 'card_frozen' },
  })
  await payer.post(`/api/cards/${card.id}/unfreeze`)
  expect(await settleWith(payer, body)).toMatchObject({ status: 201 })
  expect(await balanceOf(payer, card.id)).toBe(10)
})

test('422: a link that is cancelled, has expired or is paid; a replay of its payment stays 200', async () => {
  const [cancelled, expiring, single] = [
    await shop.openLink(),
    await shop.openLink({ expires_in: 0.01 }),
    await shop.openLink({ type: 'SINGLE' }),
  ]
  const payFor = async (link: typeof single) =>
    settleBody(shop, await directMandate(termsFor(w, link, shop.card), shop.userKey), {
      pay_link_code: link.code,
    })
  const paid = await payFor(single)
  expect((await settleWith(shop.payer, paid)).status).toBe(201)
  expect(await settleWith(shop.payer, await payFor(single))).toMatchObject({
    status: 422,
    body: { code: 'pay_link_completed' },
  })
  await shop.seller.send('DELETE', `/api/paylinks/${cancelled.code}`)
  expect(await settleWith(shop.payer, await payFor(cancelled))).toMatchObject({
    status: 422,
    body: { code: 'pay_link_cancelled' },
  })
  await w.advance(60)
  expect(await settleWith(shop.payer, await payFor(expiring))).toMatchObject({
    status: 422,
    body: { code: 'pay_link_expired' },
  })
  await w.advance(86_400)
  expect(await settleWith(shop.payer, paid)).toMatchObject({
    status: 200,
    body: { status: 'ALREADY_SETTLED' },
  })
})

test("422: a card does not pay the seller's link into itself", async () => {
  const { sellerCard } = shop
  await addKey(w, sellerCard.id, shop.userKey, 'user')
  const closed = await directMandate(termsFor(w, shop.link, sellerCard), shop.userKey)
  expect(await settle(closed, { card_token: sellerCard.token })).toMatchObject({
    status: 422,
    body: { code: 'invalid_payment' },
  })
})

test('an Idempotency-Key gives the same 201 again; a mandate of another wallet settles with its token', async () => {
  const closed = await direct()
  const body = settleBody(shop, closed)
  const headers = { 'idempotency-key': 'once' }
  const first = await settleWith(shop.seller, body, headers)
  expect(first.status).toBe(201)
  const again = await settleWith(shop.seller, body, headers)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers['idempotency-hit']).toBe('true')
  expect((await settleWith(shop.seller, body)).status).toBe(200)
})

test('the receipt of a settlement is signed once, for payer and seller alone', async () => {
  const { body } = await settle(await direct())
  const path = new URL(body.receipt_url).pathname
  const [mine, theirs] = [await shop.payer.get(path), await shop.seller.get(path)]
  expect(mine).toMatchObject({ status: 200, body: { settlement_id: body.settlement_id } })
  expect(theirs.body).toEqual(mine.body)
  const stranger = await w.user()
  expect(await stranger.get(path)).toMatchObject({ status: 404 })
  expect(await shop.payer.get('/api/ap2/receipts/stl_none')).toMatchObject({ status: 404 })
  const key = await w.services.signing.keyOf((await w.services.signing.current(w.now())).kid)
  if (!key) throw new Error('no key')
  expect(verifyReceipt(mine.body.receipt, key)).toMatchObject({
    status: 'Success',
    paymentId: body.settlement_id,
    pspConfirmationId: body.settlement_id,
    networkConfirmationId: expect.stringMatching(/^trf_/),
  })
})

test('amounts: whole cents are USD, or USDC; finer ones USDC alone; the payer may choose', async () => {
  const fine = await shop.openLink({ amount: '0.012345' })
  expect(fine.ap2.payment_amount).toEqual({ amount: 12_345, currency: 'USDC' })
  const free = await shop.openLink({ amount: null })
  expect(free.ap2.payment_amount).toEqual({ amount: null, currency: 'USD' })
  const pay = async (link: typeof fine, amount: bigint, currency: string) =>
    settleWith(
      shop.payer,
      settleBody(
        shop,
        await directMandate(
          { ...termsFor(w, link, shop.card), amount: { amount, currency } },
          shop.userKey,
        ),
        { pay_link_code: link.code },
      ),
    )
  expect(await pay(fine, 12_345n, 'USDC')).toMatchObject({
    status: 201,
    body: { amount: 0.012345 },
  })
  expect(await pay(fine, 1n, 'USD')).toMatchObject({
    body: { code: 'mandate_currency_mismatch' },
  })
  expect(await pay(shop.link, 5_000_000n, 'USDC')).toMatchObject({
    status: 201,
    body: { amount: 5 },
  })
  expect(await pay(free, 123n, 'USD')).toMatchObject({ status: 201, body: { amount: 1.23 } })
  expect(await pay(free, 1n, 'USDC')).toMatchObject({ status: 201, body: { amount: 0.000001 } })
  expect(await w.faults()).toEqual([])
})

test('the wallet of the seller is a payee too; the checkout is required where the link says so', async () => {
  const payee = { id: shop.seller.wallet, name: 'x' }
  expect(await settle(await direct({ payee }))).toMatchObject({
    status: 201,
    body: { payee: shop.seller.wallet },
  })
  expect(await settle(await direct({ transactionId: 'of-the-seller-itself' }))).toMatchObject({
    status: 201,
  })
  const strict = await shop.openLink({ require_checkout: true })
  const of = async (link: typeof strict, transactionId: string) =>
    settleWith(
      shop.payer,
      settleBody(
        shop,
        await directMandate({ ...termsFor(w, link, shop.card), transactionId }, shop.userKey),
        { pay_link_code: link.code },
      ),
    )
  const mismatch = { status: 422, body: { code: 'mandate_checkout_mismatch' } }
  expect(await of(strict, 'of-the-seller-itself')).toMatchObject(mismatch)
  expect(await of(shop.link, strict.ap2.transaction_id)).toMatchObject(mismatch)
  expect(await of(strict, strict.ap2.transaction_id)).toMatchObject({ status: 201 })
})

test('a restricted key pays by its own cards and up to its own amount', async () => {
  const restricted = async (limits: object) =>
    (
      await shop.payer.post('/api/keys/restricted', {
        name: 'x',
        scopes: ['payments:write'],
        ...limits,
      })
    ).body.api_key as string
  const send = async (key: string) =>
    w.call('POST', '/api/ap2/settle', settleBody(shop, await direct()), { key })
  expect(await send(await restricted({ card_ids: [shop.card.id] }))).toMatchObject({ status: 201 })
  expect(await send(await restricted({ max_amount: 4 }))).toMatchObject({ status: 403 })
  const other = (await shop.payer.post('/api/issue', { purpose: 'x', limit_amount: 1 })).body.card
  expect(await send(await restricted({ card_ids: [other.id] }))).toMatchObject({ status: 404 })
})

test('an open mandate of this link: a closed one for another audience is refused', async () => {
  const open = await signOpen(openTerms(w, { shop }), shop.userKey)
  const closed = await closeUnder(w, open, {
    terms: termsFor(w, shop.link, shop.card),
    key: shop.agentKey,
    audience: 'credential-provider',
  })
  expect(await settle(closed, { open_mandate: open })).toMatchObject({
    status: 422,
    body: { code: 'mandate_audience_mismatch' },
  })
})

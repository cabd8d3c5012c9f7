import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createAgentKey,
  inspectMandate,
  openMandate,
  verifyReceipt,
} from '../../../sdk/src/purser.ts'
import { rotateSigningKey } from '../../src/base/signing-keys/signing-keys.ts'
import { named, openParties, type Parties } from '../actors/ap2/parties.ts'
import { type World, world } from '../world.ts'

let w: World
let p: Parties
beforeAll(async () => {
  w = await world()
  p = await openParties(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

test('the service signs for the card itself: directly, and within an open mandate whose key it keeps', async () => {
  const [card, link] = [await p.issue(), await p.openLink('12.34', { max_uses: 0 })]
  const sign = (body: object) => p.payer.post('/api/ap2/mandate', { ...named(card), ...body })
  const direct = await sign({ pay_link_code: link.code })
  expect(direct).toMatchObject({ status: 200, body: { amount: 12.34, currency: 'USD' } })
  const closedMandate = direct.body.mandate
  expect(await p.settle(link.code, card, { closedMandate })).toMatchObject({
    status: 201,
    body: { mandate_id: direct.body.mandate_id, amount: 12.34 },
  })
  const open = await p.payer.post('/api/ap2/open-mandate', {
    ...named(card),
    max_amount: 15,
    currency: 'USD',
    payees: [link.code],
  })
  const openMandateText = open.body.mandate
  const within = await sign({ pay_link_code: link.code, open_mandate: openMandateText })
  expect((await inspectMandate(within.body.mandate)).kind).toBe('agent')
  expect((await p.settle(link.code, card, { closedMandate: within.body.mandate })).status).toBe(201)
  // The service signs nothing that the open mandate does not allow, and only with keys that it keeps.
  const dear = await p.openLink(20)
  expect(await sign({ pay_link_code: dear.code, open_mandate: openMandateText })).toMatchObject({
    status: 422,
    body: { code: 'mandate_constraint_violated' },
  })
  const foreign = await openMandate({
    key: await createAgentKey(),
    cardId: card.id,
    agentKey: (await createAgentKey()).publicJwk,
    currency: 'USD',
    maxAmount: 2000,
    payees: [dear.ap2.payee],
    at: w.now(),
  })
  expect(await sign({ pay_link_code: dear.code, open_mandate: foreign.mandate })).toMatchObject({
    status: 400,
    body: { param: 'open_mandate' },
  })
  const usdc = await sign({ pay_link_code: link.code, currency: 'USDC' })
  expect((await p.settle(link.code, card, { closedMandate: usdc.body.mandate })).status).toBe(201)
})

test('what cannot be signed is refused with the field that is at fault', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const free = await p.openLink(null)
  const cardOnly = await p.openLink(25, { accepted_protocols: ['card'] })
  const sign = (body: object, user = p.payer) =>
    user.post('/api/ap2/mandate', { ...named(card), ...body })
  const cases: [object, number, string][] = [
    [{}, 400, 'missing_field'],
    [{ pay_link_code: link.code, payee: link.code }, 400, 'missing_field'],
    [{ pay_link_code: 'PL_ZZZZZZZZZZ' }, 404, 'not_found'],
    [{ pay_link_code: cardOnly.code }, 400, 'protocol_not_accepted'],
    [{ pay_link_code: link.code, amount: 24 }, 400, 'invalid_amount'],
    [{ pay_link_code: link.code, currency: 'EUR' }, 400, 'invalid_field'],
    [{ pay_link_code: link.code, open_mandate: 'junk' }, 400, 'invalid_field'],
    [{ pay_link_code: link.code, transaction_id: 'other' }, 400, 'invalid_field'],
    [{ pay_link_code: free.code }, 400, 'missing_field'],
    [{ pay_link_code: free.code, amount: '0.001' }, 400, 'invalid_amount'],
    [{ payee: link.code, amount: 25 }, 400, 'missing_field'],
    [{ pay_link_code: link.code, card_token: 'x' }, 401, 'invalid_card_token'],
  ]
  for (const [body, status, code] of cases)
    expect([body, await sign(body)]).toMatchObject([body, { status, body: { code } }])
  expect((await sign({ pay_link_code: link.code }, p.stranger)).status).toBe(404)
  const merchant = await sign({ payee: p.seller.wallet, amount: 25, currency: 'USD' })
  expect(merchant.status).toBe(200)
  // A mandate for a merchant's wallet pays any link of that merchant.
  expect((await p.settle(link.code, card, { closedMandate: merchant.body.mandate })).status).toBe(
    201,
  )

  const open = (body: object) => p.payer.post('/api/ap2/open-mandate', { ...named(card), ...body })
  const terms = { max_amount: 5, currency: 'USD', payees: [link.code] }
  for (const [body, field] of [
    [{ ...terms, payees: undefined }, 'payees'],
    [{ ...terms, max_amount: undefined }, 'max_amount'],
    [{ ...terms, currency: undefined }, 'currency'],
    [{ ...terms, max_amount: '0.001' }, 'max_amount'],
    [{ ...terms, recurrence: { frequency: 'DAILY' } }, 'budget'],
    [{ ...terms, payees: ['0x12'] }, 'payees'],
    [{ ...terms, agent_key: { kty: 'EC' } }, 'agent_key'],
    [{ ...terms, content: {} }, 'max_amount'],
  ] as const)
    expect([body, await open(body)]).toMatchObject([body, { status: 400, body: { param: field } }])
  expect((await open({ ...terms, payees: ['PL_ZZZZZZZZZZ'] })).status).toBe(404)
})

test('a prepared content is signed as it is, if it binds this card alone, ends, and is capped', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const agent = await createAgentKey()
  const now = Math.floor(w.now().getTime() / 1000)
  const instrument = { id: card.id, type: 'card' }
  const range = { type: 'payment.amount_range', currency: 'USD', max: 2500 }
  const payees = { type: 'payment.allowed_payees', allowed: [link.ap2.payee] }
  const cards = { type: 'payment.allowed_payment_instruments', allowed: [instrument] }
  const recurring = [
    { type: 'payment.budget', max: 60.5, currency: 'USD' },
    { type: 'payment.agent_recurrence', frequency: 'MONTHLY', max_occurrences: 3 },
  ]
  const content = {
    vct: 'mandate.payment.open.1',
    jti: 'agr_1',
    constraints: [range, payees, cards, ...recurring],
    cnf: { jwk: agent.publicJwk },
    exp: now + 3600,
  }
  const sign = (over: object) =>
    p.payer.post('/api/ap2/open-mandate', { ...named(card), content: { ...content, ...over } })
  const signed = await sign({})
  expect(signed).toMatchObject({ status: 200, body: { mandate_id: 'agr_1' } })
  expect((await inspectMandate(signed.body.mandate)).open?.content).toEqual(content)
  const closed = await p.payUnder(signed.body.mandate, { link: link, card: card, agent: agent })
  expect((await p.settle(link.code, card, closed)).status).toBe(201)

  const other = await p.issue()
  const without = (type: string) => content.constraints.filter((one) => one.type !== type)
  for (const over of [
    { exp: undefined },
    { exp: now },
    { exp: now + 6 * 366 * 86_400 },
    { iat: now + 3600 },
    { vct: 'mandate.payment.1' },
    { cnf: undefined },
    { admin: true },
    { constraints: without('payment.amount_range') },
    { constraints: without('payment.allowed_payees') },
    { constraints: without('payment.allowed_payment_instruments') },
    { constraints: without('payment.budget') },
    { constraints: [...content.constraints, { type: 'com.example.own' }] },
    { constraints: [...content.constraints, range] },
    { constraints: [range, cards, { type: 'payment.allowed_payees', allowed: [] }] },
    {
      constraints: [
        range,
        payees,
        { ...cards, allowed: [instrument, { id: other.id, type: 'card' }] },
      ],
    },
    { payment_instrument: { id: other.id, type: 'card' } },
  ])
    expect([over, await sign(over)]).toMatchObject([
      over,
      { status: 400, body: { code: 'invalid_field', param: 'content' } },
    ])
})

test('a key of the service that was rotated out signs no more, and what it signed stays good', async () => {
  const [card, link] = [await p.issue(), await p.openLink(1, { max_uses: 0 })]
  const sign = async () =>
    (await p.payer.post('/api/ap2/mandate', { ...named(card), pay_link_code: link.code })).body
      .mandate as string
  const before = await sign()
  const kid = await w.write((tx) => rotateSigningKey(tx, w.now(), w.services.sealKey))
  await w.advance(61)
  const after = await sign()
  expect((await inspectMandate(after)).closed?.kid).toBe(kid)
  expect((await inspectMandate(before)).closed?.kid).not.toBe(kid)
  for (const closedMandate of [before, after])
    expect((await p.settle(link.code, card, { closedMandate })).status).toBe(201)
  const jwks = (await w.call('GET', '/api/ap2/.well-known/jwks.json')).body
  expect(jwks.keys[0].kid).toBe(kid)
  expect(jwks.keys.length).toBe(2)
  expect((await w.call('GET', '/.well-known/jwks.json')).body).toEqual(jwks)
  expect(JSON.stringify(jwks)).not.toContain('"d"')
})

test('the receipt of a settlement verifies by the published keys, and a receipt of a merchant is kept', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const key = await p.userKeyOf(card)
  const made = await p.pay(link, card, key)
  const paid = await p.settle(link.code, card, made)
  const { receipt } = (await p.payer.get(`/api/ap2/receipts/${paid.body.settlement_id}`)).body
  const jwks = (await w.call('GET', '/api/ap2/.well-known/jwks.json')).body
  expect(await verifyReceipt(receipt, jwks, made)).toMatchObject({
    status: 'Success',
    iss: w.services.settings.publicUrl,
    payment_id: paid.body.settlement_id,
  })
  const keep = (body: object, user = p.payer) => user.post('/api/ap2/receipt', body)
  const body = { payment_receipt: receipt, mandate_id: made.mandateId }
  expect(await keep(body)).toMatchObject({
    status: 200,
    body: { status: 'Success', signature: 'verified' },
  })
  expect((await keep(body)).status).toBe(200)
  expect((await keep(body, p.stranger)).status).toBe(404)
  expect((await keep({ ...body, payment_receipt: 'junk' })).body.code).toBe('invalid_field')
  expect((await keep({ ...body, payment_receipt: `${receipt.slice(0, -4)}AAAA` })).status).toBe(400)

  const other = await p.payer.post('/api/ap2/mandate', {
    ...named(card),
    payee: { id: 'merchant-1', name: 'Elsewhere' },
    amount: 3,
    currency: 'USD',
  })
  expect((await keep({ ...body, mandate_id: other.body.mandate_id })).body.code).toBe(
    'invalid_field',
  )
})

test('the agent card tells what an agent must know, and the addresses it names answer', async () => {
  const { agent_card: card } = (await w.call('GET', '/api/ap2/agent-card')).body
  expect((await w.call('GET', '/.well-known/agent-card.json')).body).toEqual(card)
  const [{ params }] = card.capabilities.extensions
  expect(params.vcts).toEqual(['mandate.payment.open.1', 'mandate.payment.1'])
  expect(params.audiences[0]).toBe(w.services.settings.publicUrl)
  for (const url of [params.jwks_uri, ...Object.values<string>(params.endpoints)]) {
    const path = new URL(url).pathname.replace('%7Bcode%7D', 'x')
    const replies = [await w.call('GET', path), await w.call('POST', path, {})]
    expect(
      replies.map(({ status, body }) => [status, body?.error?.startsWith('No such operation')]),
    ).not.toContainEqual([404, true])
  }
  const own = await p.issue()
  const { instruments } = (await p.payer.get(`/api/ap2/instruments?card_id=${own.id}`)).body
  expect(instruments).toMatchObject([{ id: own.id, type: 'card', status: 'ACTIVE' }])
})

test('the older operations: cards as payment methods, and where to execute now', async () => {
  const payer = await w.user({ treasury: 200 })
  const [frozen, card] = [await p.issue(payer), await p.issue(payer, { limit_amount: 30 })]
  await payer.post(`/api/cards/${frozen.id}/freeze`)
  const all = await payer.post('/api/ap2/payment-methods')
  expect(all.body.methods).toMatchObject([
    { type: 'card', card_id: card.id, available: 30, status: 'ACTIVE' },
    { type: 'card', card_id: frozen.id, available: 0, status: 'FROZEN' },
  ])
  const one = await payer.post('/api/ap2/payment-methods', { card_id: card.id })
  expect(one.body.methods).toEqual(all.body.methods.slice(0, 1))
  expect((await p.stranger.post('/api/ap2/payment-methods', { card_id: card.id })).status).toBe(404)
  const gone = await payer.post('/api/ap2/execute', { card_id: card.id, amount: 1 })
  expect(gone).toMatchObject({
    status: 410,
    body: { code: 'gone', migrate_to: '/api/ap2/settle' },
  })
})

test('merchant names a link or a payee, max_amount caps the payment, and expires_at ends the mandate', async () => {
  const [card, link] = [await p.issue(), await p.openLink('12.34', { max_uses: 0 })]
  const free = await p.openLink(null, { max_uses: 0 })
  const sign = (body: object) => p.payer.post('/api/ap2/mandate', { ...named(card), ...body })
  const end = new Date(Math.ceil(w.now().getTime() / 1000) * 1000 + 600_000).toISOString()
  const made = await sign({ merchant: link.code, max_amount: 20, expires_at: end })
  expect(made.body, made.text).toMatchObject({ amount: 12.34, currency: 'USD', expires_at: end })
  const closedMandate = made.body.mandate
  expect((await p.settle(link.code, card, { closedMandate })).status).toBe(201)
  expect((await sign({ merchant: free.code, max_amount: 3 })).body.amount).toBe(3)
  expect((await sign({ merchant: p.seller.wallet, max_amount: 4 })).body).toMatchObject({
    amount: 4,
    currency: 'USD',
  })
  expect((await sign({ merchant: link.code.toLowerCase(), pay_link_code: link.code })).status).toBe(
    200,
  )
  for (const [body, status, param] of [
    [{ merchant: free.code, pay_link_code: link.code }, 400, 'merchant'],
    [{ merchant: link.code, payee: p.seller.wallet }, 400, 'merchant'],
    [{ merchant: p.seller.wallet, pay_link_code: link.code }, 400, 'merchant'],
    [{ merchant: link.code, max_amount: 12.33 }, 400, 'max_amount'],
    [{ merchant: link.code, expires_at: end, ttl_minutes: 5 }, 400, 'expires_at'],
    [{ merchant: link.code, expires_at: w.now().toISOString() }, 400, 'expires_at'],
    [{ merchant: link.code, expires_at: '2099-01-01T00:00:00Z' }, 400, 'expires_at'],
    [{ merchant: 'PL_0000000000' }, 404, undefined],
    [{}, 400, 'pay_link_code'],
  ] as const) {
    const refused = await sign(body)
    expect([body, refused.status, refused.body.param]).toEqual([body, status, param])
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAgentKey, openMandate } from '../../../sdk/src/purser.ts'
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

test('a user key that is registered signs for its card, and from its revocation on no more', async () => {
  const [card, other, link] = [
    await p.issue(),
    await p.issue(),
    await p.openLink(25, { max_uses: 0 }),
  ]
  const key = await createAgentKey()
  const made = () => p.pay(link, card, key)
  expect(await p.settle(link.code, card, await made())).toMatchObject({
    status: 422,
    body: { code: 'mandate_key_untrusted' },
  })
  const registered = await p.register(card, key, 'user')
  expect(registered).toMatchObject({ status: 200, body: { key: { kid: key.kid, role: 'user' } } })
  // Registering the same key again changes nothing.
  expect((await p.register(card, key, 'user')).body).toEqual(registered.body)
  const paid = await made()
  expect((await p.settle(link.code, card, paid)).status).toBe(201)
  // The key signs for this card alone.
  const forOther = await p.pay(link, other, key)
  expect((await p.settle(link.code, other, forOther)).body.code).toBe('mandate_key_untrusted')

  expect((await p.payer.send('DELETE', `/api/ap2/keys/${key.kid}?card_id=${card.id}`)).status).toBe(
    200,
  )
  expect((await p.settle(link.code, card, await made())).body.code).toBe('mandate_key_untrusted')
  expect((await p.register(card, key, 'user')).body.code).toBe('invalid_state')
  const { keys } = (await p.payer.get(`/api/ap2/keys?card_id=${card.id}`)).body
  expect(keys).toMatchObject([{ kid: key.kid, revoked_at: expect.any(String) }])
})

test('an agent key signs no root: without its open mandate it pays nothing', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const agent = await createAgentKey()
  expect((await p.register(card, agent, 'agent')).status).toBe(200)
  const direct = await p.pay(link, card, agent)
  expect((await p.settle(link.code, card, direct)).body.code).toBe('mandate_key_untrusted')
  const widened = await openMandate({
    key: agent,
    cardId: card.id,
    agentKey: agent.publicJwk,
    currency: 'USD',
    maxAmount: 10_000,
    payees: [link.ap2.payee],
    at: w.now(),
  })
  const closed = await p.payUnder(widened.mandate, { link: link, card: card, agent: agent })
  expect((await p.settle(link.code, card, closed)).body.code).toBe('mandate_key_untrusted')
  // Nor can it become a user's key.
  expect((await p.register(card, agent, 'user')).body.code).toBe('invalid_state')
})

test('an agent key that is revoked closes no mandate more, whoever signed the open one', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const [user, agent] = [await p.userKeyOf(card), await createAgentKey()]
  await p.register(card, agent, 'agent')
  const open = await p.allow({ link, card, user, agent })
  const closed = await p.payUnder(open.mandate, { link: link, card: card, agent: agent })
  expect((await p.payer.send('DELETE', `/api/ap2/keys/${agent.kid}`)).status).toBe(200)
  expect((await p.settle(link.code, card, closed)).body.code).toBe('mandate_key_untrusted')
})

test('keys that cannot be used, and who may not register them, are refused', async () => {
  const card = await p.issue()
  const key = await createAgentKey()
  const post = (over: object, user = p.payer) =>
    user.post('/api/ap2/keys', { ...named(card), jwk: key.publicJwk, role: 'user', ...over })
  const { x, y } = key.publicJwk
  for (const jwk of [
    key.privateJwk,
    { kty: 'RSA', n: 'x', e: 'AQAB' },
    { ...key.publicJwk, x: y },
    { ...key.publicJwk, crv: 'P-384' },
    { kty: 'EC', crv: 'P-256', x },
    {},
  ])
    expect(await post({ jwk })).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', param: 'jwk' },
    })
  expect((await post({ role: 'root' })).status).toBe(400)
  expect((await post({ card_token: `tok_${'x'.repeat(43)}` })).status).toBe(401)
  expect((await post({}, p.stranger)).status).toBe(404)
  expect((await p.stranger.get(`/api/ap2/keys?card_id=${card.id}`)).status).toBe(404)
  expect((await p.stranger.get(`/api/ap2/instruments?card_id=${card.id}`)).status).toBe(404)
  await post({})
  expect((await p.stranger.send('DELETE', `/api/ap2/keys/${key.kid}`)).status).toBe(404)
  for (let i = 1; i < 10; i++) await p.userKeyOf(card)
  expect((await p.register(card, await createAgentKey(), 'user')).body.code).toBe('invalid_state')
  expect((await p.register(card, await createAgentKey(), 'agent')).status).toBe(200)
  const first = (await p.payer.get(`/api/ap2/keys?card_id=${card.id}&limit=6`)).body
  const rest = (await p.payer.get(`/api/ap2/keys?card_id=${card.id}&after=${first.keys[5].kid}`))
    .body
  expect([first.has_more, rest.has_more, first.keys.length + rest.keys.length]).toEqual([
    true,
    false,
    11,
  ])
})

test('a service-signed open mandate is closed by an agent with the SDK, listed, revoked, and pays no more', async () => {
  const [card, link] = [await p.issue(), await p.openLink('0.50', { max_uses: 0 })]
  const agent = await createAgentKey()
  const open = await p.payer.post('/api/ap2/open-mandate', {
    ...named(card),
    agent_key: agent.publicJwk,
    max_amount: '1.00',
    currency: 'USD',
    payees: [link.code],
    recurrence: { frequency: 'ON_DEMAND' },
    budget: 10,
    ttl_minutes: 30,
  })
  expect(open).toMatchObject({ status: 200, body: { agent_kid: agent.kid } })
  const { mandate, mandate_id } = open.body
  const close = () => p.payUnder(mandate, { link: link, card: card, agent: agent })
  const paid = await p.settle(link.code, card, await close())
  expect(paid).toMatchObject({ status: 201, body: { amount: 0.5 } })
  expect((await p.settle(link.code, card, await close())).status).toBe(201)
  const list = (kind: string) => p.payer.get(`/api/ap2/mandates/${card.id}?kind=${kind}`)
  expect((await list('closed')).body.mandates).toMatchObject([
    { merchant: link.code, amount: 0.5, currency: 'USD', status: 'SETTLED' },
    { mandate_id: paid.body.mandate_id, settlement_id: paid.body.settlement_id },
  ])
  expect((await list('open')).body.mandates).toMatchObject([
    { mandate_id, merchant: link.code, amount: 1, status: 'ACTIVE', spent: 1, budget: 10, uses: 2 },
  ])
  const revoke = (user = p.payer) => user.post(`/api/ap2/mandates/${mandate_id}/revoke`)
  expect((await revoke(p.stranger)).status).toBe(404)
  const revoked = await revoke()
  expect(revoked).toMatchObject({ status: 200, body: { mandate_id } })
  expect((await revoke()).body).toEqual(revoked.body)
  expect(await p.settle(link.code, card, await close())).toMatchObject({
    status: 422,
    body: { code: 'mandate_revoked', ap2_error: 'invalid_mandate' },
  })
  expect((await list('open')).body.mandates).toMatchObject([{ mandate_id, status: 'REVOKED' }])
  expect((await p.stranger.get(`/api/ap2/mandates/${card.id}`)).status).toBe(404)
})

test('lists go page by page, both kinds', async () => {
  const [card, link] = [await p.issue(), await p.openLink(1, { max_uses: 0 })]
  const key = await p.userKeyOf(card)
  for (let i = 0; i < 3; i++) {
    const made = await p.pay(link, card, key)
    expect((await p.settle(link.code, card, made)).status).toBe(201)
    const terms = { max_amount: 1, currency: 'USD', payees: [link.code] }
    await p.payer.post('/api/ap2/open-mandate', { ...named(card), ...terms })
  }
  for (const kind of ['closed', 'open']) {
    const read = async (after?: string) =>
      (
        await p.payer.get(
          `/api/ap2/mandates/${card.id}?kind=${kind}&limit=2${after ? `&after=${after}` : ''}`,
        )
      ).body
    const first = await read()
    const rest = await read(first.mandates[1].mandate_id)
    expect([first.mandates.length, first.has_more, rest.mandates.length, rest.has_more]).toEqual([
      2,
      true,
      1,
      false,
    ])
    const ids = [...first.mandates, ...rest.mandates].map(({ mandate_id }) => mandate_id)
    expect(new Set(ids).size).toBe(3)
  }
})

test('an open mandate of the user is revoked before anybody presented it', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const [user, agent] = [await p.userKeyOf(card), await createAgentKey()]
  const open = await p.allow({ link, card, user, agent })
  const path = `/api/ap2/mandates/${open.mandateId}/revoke`
  expect((await p.payer.post(path)).status).toBe(404)
  const body = { card_id: card.id, open_mandate: open.mandate }
  expect((await p.stranger.post(path, body)).status).toBe(404)
  expect((await p.payer.post('/api/ap2/mandates/other/revoke', body)).status).toBe(404)
  expect((await p.payer.post(path, { ...body, open_mandate: 'junk' })).body.code).toBe(
    'invalid_field',
  )
  expect((await p.payer.post(path, body)).status).toBe(200)
  const made = await p.payUnder(open.mandate, { link: link, card: card, agent: agent })
  expect((await p.settle(link.code, card, made)).body.code).toBe('mandate_revoked')
})

test('a key restricted to an amount signs for nothing above it, and makes no keys', async () => {
  const [card, cheap, dear] = [await p.issue(), await p.openLink(5), await p.openLink(6)]
  const restricted = await p.payer.post('/api/keys/restricted', {
    name: 'till',
    scopes: ['cards:write', 'payments:write'],
    max_amount: 5,
  })
  const key = restricted.body.api_key
  const post = (path: string, body: object) =>
    p.payer.post(`/api/ap2/${path}`, { ...named(card), ...body }, { key })
  const terms = { currency: 'USD', payees: [cheap.code] }
  const content = { vct: 'mandate.payment.open.1' }
  const { publicJwk: jwk } = await createAgentKey()
  for (const [path, body, status] of [
    ['mandate', { pay_link_code: cheap.code }, 200],
    ['mandate', { pay_link_code: dear.code }, 403],
    ['mandate', { pay_link_code: dear.code, currency: 'USDC' }, 403],
    ['open-mandate', { ...terms, max_amount: 5 }, 200],
    ['open-mandate', { ...terms, max_amount: 6 }, 403],
    ['open-mandate', { ...terms, max_amount: 6, budget: 5 }, 200],
    [
      'open-mandate',
      { ...terms, max_amount: 1, budget: 1, recurrence: { frequency: 'DAILY' } },
      403,
    ],
    ['open-mandate', { content }, 403],
    ['keys', { jwk, role: 'user' }, 403],
  ] as const)
    expect([path, body, await post(path, body)]).toMatchObject([path, body, { status }])
})

test('the same request under the same Idempotency-Key is given the same mandate', async () => {
  const [card, link] = [await p.issue(), await p.openLink()]
  const headers = { 'idempotency-key': 'once' }
  const sign = () =>
    p.payer.post('/api/ap2/mandate', { ...named(card), pay_link_code: link.code }, { headers })
  const [first, again] = [await sign(), await sign()]
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(again.body).toEqual(first.body)
})

// Revocation must stop payments under way. In a race, either the payment completes or the mandate never pays.
test('a payment and the revocation of its open mandate at once: one order, and nothing pays after', async () => {
  const [card, link] = [await p.issue(), await p.openLink(1, { max_uses: 0 })]
  const [user, agent] = [await p.userKeyOf(card), await createAgentKey()]
  const open = await p.allow({
    link,
    card,
    user,
    agent,
    terms: { budget: 5000, recurrence: { frequency: 'ON_DEMAND' } },
  })
  const closed = await Promise.all(
    Array.from({ length: 8 }, () => p.payUnder(open.mandate, { link, card, agent })),
  )
  const revoke = p.payer.post(`/api/ap2/mandates/${open.mandateId}/revoke`, {
    card_id: card.id,
    open_mandate: open.mandate,
  })
  const settled = await Promise.all(closed.map((one) => p.settle(link.code, card, one)))
  expect((await revoke).status).toBe(200)
  const paid = settled.filter(({ status }) => status === 201).length
  for (const { status, body } of settled)
    if (status !== 201) expect([status, body.code]).toEqual([422, 'mandate_revoked'])
  const late = await p.payUnder(open.mandate, { link, card, agent })
  expect((await p.settle(link.code, card, late)).body.code).toBe('mandate_revoked')
  const { mandates } = (await p.payer.get(`/api/ap2/mandates/${card.id}?kind=open`)).body
  expect(mandates).toMatchObject([{ status: 'REVOKED', uses: paid, spent: paid }])
})

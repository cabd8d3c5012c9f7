import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAgentKey, openMandate } from '../../../sdk/src/purser.ts'
import { type Card, type Link, named, openParties, type Parties } from '../actors/ap2/parties.ts'
import { type World, world } from '../world.ts'

let w: World
let p: Parties
let card: Card
let link: Link
beforeAll(async () => {
  w = await world()
  p = await openParties(w)
  card = await p.issue()
  link = await p.openLink()
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
const JUNK: unknown[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '💸'.repeat(300),
  '',
  'x'.repeat(60_000),
  '~',
  '~~',
  'a.b.c~',
  'e30.e30.e30~',
  '%00',
  -1,
  1e300,
  0.1,
  '1e-7',
  null,
  [],
  {},
  [''],
  { id: '\u0000', name: '\ud800' },
  { _sd: ['x'] },
  { '...': 'x' },
  { _sd_alg: 'none' },
  deep(80),
]

/** A sound request with each field, and each member within objects, replaced by junk in turn. */
function* spoiled(body: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [field, value] of Object.entries(body)) {
    if (field === 'card_id' || field === 'card_token') continue
    for (const junk of JUNK) {
      yield { ...body, [field]: junk }
      if (Array.isArray(value)) yield { ...body, [field]: [junk] }
      else if (typeof value === 'object' && value !== null) {
        yield { ...body, [field]: { ...value, risk_data: { a: junk } } }
        for (const name of Object.keys(value))
          yield { ...body, [field]: { ...value, [name]: junk } }
      }
    }
  }
}

// Content to sign passes through the codec twice, and the codec's refusals must not become our failures.
test('junk in any field of a request of a sound card is a 4xx with a code, or harmless', async () => {
  const [key, user] = [await createAgentKey(), await p.userKeyOf(card)]
  const now = Math.floor(w.now().getTime() / 1000)
  const terms = {
    max_amount: 1,
    currency: 'USD',
    payees: [{ id: 'm', name: 'M', website: 'https://m.example' }],
    agent_key: key.publicJwk,
    recurrence: { frequency: 'DAILY', max_occurrences: 2 },
    budget: 2,
    ttl_minutes: 5,
  }
  const content = {
    vct: 'mandate.payment.open.1',
    jti: 'agr',
    constraints: [
      { type: 'payment.amount_range', currency: 'USD', max: 100 },
      { type: 'payment.allowed_payees', allowed: [link.ap2.payee] },
      { type: 'payment.allowed_payment_instruments', allowed: [{ id: card.id, type: 'card' }] },
    ],
    cnf: { jwk: key.publicJwk },
    iat: now,
    exp: now + 60,
    payee: link.ap2.payee,
    risk_data: { a: 1 },
    execution_date: '2030-01-01',
  }
  const held = await p.payer.post('/api/ap2/open-mandate', {
    ...named(card),
    max_amount: 25,
    currency: 'USD',
    payees: [link.code],
  })
  const payee = { id: 'm', name: 'M', website: 'https://m.example' }
  const paid = { amount: 1, currency: 'USD', transaction_id: 't', ttl_minutes: 5 }
  const requests: [string, Record<string, unknown>][] = [
    ['keys', { ...named(card), jwk: { ...key.publicJwk, kid: 'x' }, role: 'agent', label: 'x' }],
    ['open-mandate', { ...named(card), ...terms }],
    ['open-mandate', { ...named(card), content }],
    ['mandate', { ...named(card), payee, ...paid }],
    ['mandate', { ...named(card), pay_link_code: link.code, open_mandate: held.body.mandate }],
    ['receipt', { payment_receipt: 'a.b.c', mandate_id: 'x' }],
    ['verify', { pay_link_code: link.code, closed_mandate: 'a~', open_mandate: 'b~' }],
    ['mandates/x/revoke', { card_id: card.id, open_mandate: 'x~' }],
  ]
  for (const [path, body] of requests)
    for (const bad of spoiled(body)) {
      const { status, text } = await p.payer.post(`/api/ap2/${path}`, bad)
      expect(
        status,
        `${path} ${JSON.stringify(bad).slice(0, 300)}: ${text.slice(0, 200)}`,
      ).toBeLessThan(500)
    }
  // An open mandate of the largest size, one that is not a root, and one with a forged signer.
  const large = await openMandate({
    key: user,
    cardId: card.id,
    agentKey: key.publicJwk,
    currency: 'USD',
    maxAmount: 1,
    payees: Array.from({ length: 400 }, (_, i) => ({ id: `m${i}`, name: 'x'.repeat(60) })),
    at: w.now(),
  })
  for (const open_mandate of [large.mandate, large.mandate.slice(0, 65_000)]) {
    const asked = { ...named(card), pay_link_code: link.code, open_mandate }
    expect((await p.payer.post('/api/ap2/mandate', asked)).status).toBeLessThan(500)
  }
})

test('junk in paths and queries is a 4xx', async () => {
  const junk = ['%00', '%ff', 'a'.repeat(400), '..', '%2e%2e', "';--", '~', '💸']
  for (const one of junk) {
    const name = encodeURI(decodeURIComponentOr(one))
    for (const [method, path] of [
      ['DELETE', `/api/ap2/keys/${name}`],
      ['DELETE', `/api/ap2/keys/x?card_id=${name}`],
      ['GET', `/api/ap2/keys?card_id=${card.id}&after=${name}`],
      ['GET', `/api/ap2/mandates/${name}`],
      ['GET', `/api/ap2/mandates/${card.id}?after=${name}`],
      ['GET', `/api/ap2/mandates/${card.id}?kind=open&after=${name}`],
      ['GET', `/api/ap2/instruments?card_id=${name}`],
      ['GET', `/api/ap2/receipts/${name}`],
      ['POST', `/api/ap2/mandates/${name}/revoke`],
    ] as const)
      expect(
        (await p.payer.send(method, path, method === 'POST' ? {} : undefined)).status,
        `${method} ${path}`,
      ).toBeLessThan(500)
  }
})

const decodeURIComponentOr = (text: string): string =>
  text === '%ff' ? '\ufffd' : decodeURIComponent(text)

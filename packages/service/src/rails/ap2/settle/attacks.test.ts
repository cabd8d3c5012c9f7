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
import { closedContentOf } from '../../../base/protocols/ap2/issue/terms.ts'
import { digestOf, toBase64url } from '../../../base/protocols/ap2/jose/digest.ts'
import { publicJwkOf, signerOf } from '../../../base/protocols/ap2/jose/keys.ts'
import type { JsonObject, JsonValue } from '../../../base/protocols/json.ts'

let w: World
let shop: Shop
beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: 5, limit: 900, link: { type: 'RECURRING' } })
})
afterAll(() => w[Symbol.asyncDispose]())

/** The code of the refusal, or the status; and that a refusal moved nothing. */
async function attempt(closed: string, openMandate?: string, card = shop.card) {
  const before = await balanceOf(shop.payer, shop.card.id)
  const answer = await settleWith(
    shop.payer,
    settleBody(shop, closed, {
      card_token: card.token,
      ...(openMandate !== undefined && { open_mandate: openMandate }),
    }),
  )
  const after = await balanceOf(shop.payer, shop.card.id)
  expect(before - after).toBe(answer.status === 201 ? 5 : 0)
  return answer.body.code ?? answer.status
}
const terms = (over: object = {}) => ({ ...termsFor(w, shop.link, shop.card), ...over })
const close = (open: string, key = shop.agentKey, over: object = {}) =>
  closeUnder(w, open, { terms: terms(over), key })
const issue = (over: object = {}) => signOpen(openTerms(w, { shop, ...over }), shop.userKey)

/** (r, n - s) is as good a signature as (r, s), and anybody can compute it. */
function flip(token: string): string {
  const [jwt = '', ...rest] = token.split('~')
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ])
  return [[header, payload, other.toString('base64url')].join('.'), ...rest].join('~')
}

/** A root over any content, signed as an issuer would who follows no rule. */
async function forgeRoot(content: JsonValue, key = shop.userKey, header: object = {}) {
  const disclosure = toBase64url(
    typeof content === 'string' ? content : JSON.stringify(['salt', content]),
  )
  const input = [
    { alg: 'ES256', typ: 'dc+sd-jwt', kid: shop.userKid, ...header },
    { delegate_payload: [{ '...': digestOf(disclosure) }], _sd_alg: 'sha-256' },
  ]
    .map((part) => toBase64url(JSON.stringify(part)))
    .join('.')
  const signature = Buffer.from(await signerOf(key)(input)).toString('base64url')
  return `${input}.${signature}~${disclosure}~`
}

test('one consent, many payments: an accepted mandate is consumed', async () => {
  const closed = await directMandate(terms(), shop.userKey)
  expect(await attempt(closed)).toBe(201)
  for (let i = 0; i < 3; i++) expect(await attempt(closed)).toBe(200)
})

test('a flipped signature is the same mandate, with a jti and without; so is a flipped open one', async () => {
  const closed = await directMandate(terms(), shop.userKey)
  expect(await attempt(closed)).toBe(201)
  expect(await attempt(flip(closed))).toBe(200)

  const { jti: _, ...nameless } = closedContentOf(terms())
  const unnamed = await directMandate(nameless, shop.userKey)
  expect(await attempt(unnamed)).toBe(201)
  expect(await attempt(flip(unnamed))).toBe(200)

  const open = await issue()
  expect(await attempt(await close(open), open)).toBe(201)
  expect(await attempt(await close(flip(open)), flip(open))).toBe('mandate_already_used')
})

test('a missing jti does not skip the replay check', async () => {
  const { jti: _, ...nameless } = closedContentOf(terms())
  const closed = await directMandate(nameless, shop.userKey)
  expect(await attempt(closed)).toBe(201)
  expect(await attempt(closed)).toBe(200)
})

test('a new nonce proves nothing: the open mandate is used up all the same', async () => {
  const open = await issue()
  expect(await attempt(await close(open), open)).toBe(201)
  expect(await attempt(await close(open), open)).toBe('mandate_already_used')
})

test('fewer disclosures do not make a new budget', async () => {
  const open = await issue({
    payees: [shop.link.ap2.payee, { id: 'another', name: 'x' }],
    budget: { amount: 700n, currency: 'USD' },
    recurrence: { frequency: 'ON_DEMAND' },
  })
  expect(await attempt(await close(open), open)).toBe(201)
  const [jwt, first, , ...rest] = open.split('~')
  const fewer = [jwt, first, ...rest].join('~')
  expect(await attempt(await close(fewer), fewer)).toBe('mandate_budget_exceeded')
})

test('a withheld exp, cap or payee drops no limit', async () => {
  const content = openTerms(w, { shop })
  const constraints = content.constraints as JsonObject[]
  for (const missing of ['payment.amount_range', 'payment.allowed_payees']) {
    const open = await signOpen(
      { ...content, constraints: constraints.filter(({ type }) => type !== missing) },
      shop.userKey,
    )
    expect(await attempt(await close(open), open)).toBe('mandate_limits_missing')
  }
  const withheld = toBase64url(JSON.stringify(['s', 'exp', 1]))
  const hiding = { ...closedContentOf(terms()), _sd: [digestOf(withheld)] }
  expect(await attempt(await forgeRoot(hiding))).toBe('mandate_disclosure_withheld')
  const { exp: _, ...endless } = closedContentOf(terms())
  expect(await attempt(await forgeRoot(endless))).toBe('mandate_expiry_missing')
})

test('a disclosure that nothing refers to is refused', async () => {
  const closed = await directMandate(terms(), shop.userKey)
  expect(await attempt(`${closed}${toBase64url('["s",{"a":1}]')}~`)).toBe(
    'mandate_disclosure_invalid',
  )
})

test('dropping the open mandate drops no limit, and an agent key signs no root', async () => {
  const open = await issue()
  expect(await attempt(await close(open))).toBe('mandate_open_missing')
  await addKey(w, shop.card.id, shop.agentKey, 'agent')
  expect(await attempt(await directMandate(terms(), shop.agentKey))).toBe('mandate_key_untrusted')
  expect(await attempt(await directMandate(terms(), shop.agentKey, shop.userKid))).toBe(
    'mandate_invalid_signature',
  )
  const own = await signOpen(openTerms(w, { shop }), shop.agentKey)
  expect(await attempt(await close(own), own)).toBe('mandate_key_untrusted')
})

test('an attacker who makes both mandates, or brings the key along, is not believed', async () => {
  const mine = newKey()
  const content = openTerms(w, { shop, agentKey: publicJwkOf(mine) })
  const open = await signOpen(content, mine)
  expect(await attempt(await close(open, mine), open)).toBe('mandate_key_untrusted')
  const named = await forgeRoot(content, mine)
  expect(await attempt(await close(named, mine), named)).toBe('mandate_invalid_signature')
  const jwk = publicJwkOf(mine)
  for (const header of [{ jwk }, { jku: 'https://evil.example' }, { x5u: 'https://evil.example' }])
    expect(await attempt(await forgeRoot(closedContentOf(terms()), mine, header))).toBe(
      'mandate_invalid_signature',
    )
})

test('a key of another card signs nothing for this one, nor does another agent under the open mandate', async () => {
  const other = await openShop(w, { amount: 5 })
  expect(await attempt(await directMandate(terms(), other.userKey))).toBe('mandate_key_untrusted')
  const open = await issue()
  expect(await attempt(await close(open, other.agentKey), open)).toBe('mandate_invalid_signature')
  const theirs = { instrument: { id: other.card.id, type: 'card' } }
  expect(await attempt(await close(open, shop.agentKey, theirs), open, other.card)).toBe(
    'mandate_key_untrusted',
  )
})

test('a closed mandate that is bound to another open one, or to other disclosures, is refused', async () => {
  const [one, two] = [await issue(), await issue()]
  expect(await attempt(await close(one), two)).toBe('mandate_not_bound')
  const [jwt, ...rest] = one.split('~')
  const fewer = [jwt, ...rest.slice(1)].join('~')
  expect(await attempt(await close(one), fewer)).toBe('mandate_not_bound')
  expect(await attempt(await directMandate(terms(), shop.userKey), one)).toBe('mandate_not_bound')
})

test.each([
  ['none', 'none'],
  ['HS256', 'HS256'],
  ['ES384', 'ES384'],
])('alg %s is refused', async (_, alg) => {
  const root = await forgeRoot(closedContentOf(terms()), shop.userKey, { alg })
  expect(await attempt(root)).toBe('mandate_algorithm_unsupported')
})

test.each([
  ['a string', '"500"'],
  ['a float', '500.5'],
  ['true', 'true'],
  ['negative', '-500'],
  ['zero', '0'],
  ['beyond exact', '9007199254740993'],
])('an amount that is %s is refused', async (_, value) => {
  const text = JSON.stringify(['salt', closedContentOf(terms())])
  expect(await attempt(await forgeRoot(text.replace('"amount":500', `"amount":${value}`)))).toBe(
    'mandate_field_invalid',
  )
})

test('a member that is there twice is refused: parsers disagree on which one counts', async () => {
  const text = JSON.stringify(['salt', closedContentOf(terms())])
  const twice = text.replace('"amount":500', '"amount":1,"amount":500')
  expect(await attempt(await forgeRoot(twice))).toBe('mandate_malformed')
})

test.each([
  ['unknown', { type: 'com.example.mood', mood: 'good' }],
  ['without a type', { max: 10_000, currency: 'USD' }],
  ['with more members than it has', { type: 'payment.budget', max: 9, currency: 'USD', extra: 1 }],
  ['with more decimals than cents have', { type: 'payment.budget', max: 9.999, currency: 'USD' }],
  ['of a checkout mandate', { type: 'payment.reference', conditional_transaction_id: 'x' }],
])('a constraint that is %s fails', async (_, constraint) => {
  const content = openTerms(w, { shop })
  const constraints = [...(content.constraints as JsonObject[]), constraint]
  const open = await signOpen({ ...content, constraints }, shop.userKey)
  expect(await attempt(await close(open), open)).toBe('mandate_constraint_unresolved')
})

test('a payee is its id: an empty one with the right name and website is another', async () => {
  const { name, website } = shop.link.ap2.payee
  expect(
    await attempt(await directMandate(terms({ payee: { id: 'x', name, website } }), shop.userKey)),
  ).toBe('mandate_scope_mismatch')
  const content = { ...closedContentOf(terms()), payee: { id: '', name, website } }
  expect(await attempt(await forgeRoot(content))).toBe('mandate_field_invalid')
})

test('a payment outside the window is refused though its mandate names no date', async () => {
  const open = await issue({ executionWindow: { notBefore: secondsFrom(w.now(), 3600) } })
  expect(await attempt(await close(open), open)).toBe('mandate_constraint_violated')
})

test('a preset that the agent changes is refused', async () => {
  const content = { ...openTerms(w, { shop }), payment_amount: { amount: 400, currency: 'USD' } }
  const open = await signOpen(content, shop.userKey)
  expect(await attempt(await close(open), open)).toBe('mandate_preset_changed')
})

test("a stranger with a good mandate and without the card's token learns nothing of earlier payments", async () => {
  const closed = await directMandate(terms(), shop.userKey)
  expect(await attempt(closed)).toBe(201)
  const stranger = await w.user()
  const answer = await settleWith(
    stranger,
    settleBody(shop, closed, { card_token: `tok_${'a'.repeat(43)}` }),
  )
  expect(answer).toMatchObject({ status: 401 })
  expect(answer.body).not.toHaveProperty('settlement_id')
})

test('the books are in order after all of it', async () => {
  expect(await w.faults()).toEqual([])
})

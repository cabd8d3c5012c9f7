import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addKey,
  type Card,
  closeUnder,
  kidOf,
  openShop,
  openTerms,
  type Shop,
  secondsFrom,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { makeOpenMandate } from '../../../base/protocols/ap2/issue/issue.ts'
import type { OpenTerms } from '../../../base/protocols/ap2/issue/terms.ts'
import { signerOf } from '../../../base/protocols/ap2/jose/keys.ts'
import type { JsonObject } from '../../../base/protocols/json.ts'

/** A card that the user's key signs for, and the wallet that owns the card. */
type Payer = { user: User; card: Card }

let w: World
let shop: Shop
let first: Payer
let sibling: Payer
let elsewhere: Payer

beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: null, limit: 900, link: { type: 'RECURRING' } })
  const other = await w.user()
  const cardOf = async (user: User): Promise<Payer> => {
    const card = await user.card({ limit: 90 })
    await addKey(w, card.id, shop.userKey, 'user')
    return { user, card }
  }
  first = { user: shop.payer, card: shop.card }
  sibling = await cardOf(shop.payer)
  elsewhere = await cardOf(other)
})
afterAll(() => w[Symbol.asyncDispose]())

const USD = 'USD'
/** The terms of an open mandate without any instrument: every card of the user's key may pay under it. */
function anyCard(over: Partial<OpenTerms> = {}): JsonObject {
  const terms = openTerms(w, { shop, instruments: [], ...over })
  const constraints = (terms.constraints as JsonObject[]).filter(
    ({ type }) => type !== 'payment.allowed_payment_instruments',
  )
  return { ...terms, constraints }
}
const sign = (terms: JsonObject) => signOpen(terms, shop.userKey)
const recurring = (over: Partial<OpenTerms> = {}) => ({
  expiresAt: secondsFrom(w.now(), 400 * 86_400),
  budget: { amount: 100_000n, currency: USD },
  recurrence: { frequency: 'ON_DEMAND' as const },
  ...over,
})

/** One payment of so many cents under the open mandate from the card: the code of the refusal, or the status. */
async function pay(open: string, from: Payer, cents = 100n) {
  const terms = {
    ...termsFor(w, shop.link, from.card),
    amount: { amount: cents, currency: USD },
  }
  const closed = await closeUnder(w, open, { terms, key: shop.agentKey })
  const body = settleBody(shop, closed, { open_mandate: open, card_token: from.card.token })
  const answer = await settleWith(from.user, body)
  return answer.body.code ?? answer.status
}

test('an open mandate for one payment pays once, whichever card it is presented with', async () => {
  const open = await sign(anyCard())
  expect(await pay(open, first)).toBe(201)
  expect(await pay(open, sibling)).toBe('mandate_already_used')
  expect(await pay(open, elsewhere)).toBe('mandate_already_used')
})

test('an open mandate that names several cards is still one grant', async () => {
  const instruments = [first, sibling, elsewhere].map(({ card: { id } }) => ({ id, type: 'card' }))
  const open = await sign(openTerms(w, { shop, instruments }))
  expect(await pay(open, elsewhere)).toBe(201)
  expect(await pay(open, first)).toBe('mandate_already_used')
})

test('the budget is spent by all cards together', async () => {
  const open = await sign(anyCard(recurring({ budget: { amount: 1_000n, currency: USD } })))
  expect(await pay(open, first, 400n)).toBe(201)
  expect(await pay(open, elsewhere, 601n)).toBe('mandate_budget_exceeded')
  expect(await pay(open, elsewhere, 500n)).toBe(201)
  expect(await pay(open, sibling, 101n)).toBe('mandate_budget_exceeded')
  expect(await pay(open, sibling, 100n)).toBe(201)
  expect(await pay(open, first, 1n)).toBe('mandate_budget_exceeded')
})

test('occurrences and periods are counted over all cards', async () => {
  const twice = { frequency: 'ON_DEMAND' as const, maxOccurrences: 2 }
  const open = await sign(anyCard(recurring({ recurrence: twice })))
  expect(await pay(open, first)).toBe(201)
  expect(await pay(open, elsewhere)).toBe(201)
  expect(await pay(open, sibling)).toBe('mandate_occurrences_exceeded')

  const monthly = await sign(anyCard(recurring({ recurrence: { frequency: 'MONTHLY' } })))
  expect(await pay(monthly, first)).toBe(201)
  expect(await pay(monthly, elsewhere)).toBe('mandate_too_early')
  await w.advance(32 * 86_400)
  expect(await pay(monthly, elsewhere)).toBe(201)
  expect(await pay(monthly, first)).toBe('mandate_too_early')
})

test('a signature made anew does not make a new grant', async () => {
  const terms = anyCard()
  // Without a salt of its own in between, both tokens sign the same bytes.
  let input = ''
  const kid = kidOf(shop.userKey)
  const signer = signerOf(shop.userKey)
  const open = await makeOpenMandate(terms, {
    kid,
    sign: (text) => {
      input = text
      return signer(text)
    },
  })
  const [, ...rest] = open.split('~')
  const again = Buffer.from(await signer(input)).toString('base64url')
  const resigned = [`${input}.${again}`, ...rest].join('~')
  expect(resigned).not.toBe(open)
  expect(await pay(open, first)).toBe(201)
  expect(await pay(resigned, sibling)).toBe('mandate_already_used')
  expect(await pay(resigned, first)).toBe('mandate_already_used')
})

const revoke = async (by: User, name: string, body?: object) =>
  (await by.post(`/api/ap2/mandates/${name}/revoke`, body)).status
const openIdOf = async (open: string, from: Payer): Promise<string> => {
  const closed = await closeUnder(w, open, {
    terms: termsFor(w, shop.link, from.card),
    key: shop.agentKey,
  })
  const body = { closed_mandate: closed, open_mandate: open, pay_link_code: shop.link.code }
  return (await from.user.post('/api/ap2/verify', body)).body.mandate.open_id
}

test('revoked on one card, an open mandate is over on every card, used there or not', async () => {
  const open = await sign(anyCard(recurring()))
  expect(await pay(open, first)).toBe(201)
  expect(await pay(open, elsewhere)).toBe(201)
  expect(await revoke(elsewhere.user, await openIdOf(open, elsewhere))).toBe(200)
  expect(await pay(open, first)).toBe('mandate_revoked')
  expect(await pay(open, sibling)).toBe('mandate_revoked')
  expect(await pay(open, elsewhere)).toBe('mandate_revoked')
})

test('revoked before it was seen, an open mandate is over on every card', async () => {
  const open = await sign(anyCard())
  const name = await openIdOf(open, first)
  const body = { card_id: elsewhere.card.id, open_mandate: open }
  expect(await revoke(elsewhere.user, name, body)).toBe(200)
  expect(await pay(open, first)).toBe('mandate_revoked')
  expect(await pay(open, elsewhere)).toBe('mandate_revoked')
})

test('a token is no leave to revoke: a user key of the caller must have signed it for a card of the caller', async () => {
  const stranger = await w.user()
  const card = await stranger.card()
  await addKey(w, card.id, shop.agentKey, 'user')
  const open = await sign(anyCard(recurring()))
  const name = await openIdOf(open, first)
  const body = { card_id: card.id, open_mandate: open }
  expect(await revoke(stranger, name, body)).toBe(400)
  const [jwt = '', ...rest] = open.split('~')
  const forged = [`${jwt.slice(0, -8)}AAAAAAAA`, ...rest].join('~')
  expect(await revoke(first.user, name, { card_id: first.card.id, open_mandate: forged })).toBe(400)
  expect(await pay(open, first)).toBe(201)
  expect(await revoke(stranger, name)).toBe(404)
  expect(await revoke(stranger, name, body)).toBe(400)
  // Nor may the owner of a card that the mandate does not allow, though the key is the same.
  const named = await sign(openTerms(w, { shop, ...recurring() }))
  const own = { card_id: elsewhere.card.id, open_mandate: named }
  expect(await revoke(elsewhere.user, await openIdOf(named, first), own)).toBe(400)
  expect(await pay(named, first)).toBe(201)
})

test('each card lists the grant with what all cards have used of it', async () => {
  const open = await sign(anyCard(recurring()))
  await pay(open, first, 100n)
  await pay(open, elsewhere, 200n)
  for (const { user, card } of [first, elsewhere]) {
    const { mandates } = (await user.get(`/api/ap2/mandates/${card.id}?kind=open&limit=1`)).body
    expect(mandates).toMatchObject([{ uses: 2, spent: 3, status: 'ACTIVE' }])
  }
})

test('the database counts what a grant pays, and refuses a payment that nobody counted', async () => {
  const open = await sign(anyCard(recurring({ budget: { amount: 300n, currency: USD } })))
  expect(await pay(open, first, 200n)).toBe(201)
  const copy = (set: string) =>
    w.write((tx) =>
      sql`insert into settlements
        select (jsonb_populate_record(s, jsonb_build_object('id', 'stl_copy', 'mandate_id', 'copy') || ${set}::jsonb)).*
          from settlements s where s.payer = ${first.card.id} order by s.id desc limit 1`.execute(
        tx,
      ),
    )
  await expect(copy('{}')).rejects.toThrow('within_budget')
  await expect(copy('{"open_id": "sha256:none"}')).rejects.toThrow('not known')
  await expect(copy('{"mandate_currency": "USDC"}')).rejects.toThrow('another currency')
  expect(await w.faults()).toEqual([])
})

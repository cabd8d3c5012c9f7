import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addKey,
  closeUnder,
  directMandate,
  kidOf,
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
import { sql } from '../../../base/db/sql.ts'
import { makeOpenMandate } from '../../../base/protocols/ap2/issue/issue.ts'
import type { OpenTerms } from '../../../base/protocols/ap2/issue/terms.ts'
import { lockCard } from '../../../money/cards/store.ts'
import { revokeCardKey } from '../keys/store.ts'
import { openMandateOf } from '../mandates/open/open-mandate.ts'
import { findOpenMandates, insertOpenMandate, markOpenRevoked } from '../mandates/open/store.ts'

let w: World
let shop: Shop
beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: null, limit: 900, link: { type: 'RECURRING' } })
})
afterAll(() => w[Symbol.asyncDispose]())

const USD = 'USD'
const issue = (over: Partial<OpenTerms> = {}) =>
  signOpen(openTerms(w, { shop, ...over }), shop.userKey)
/** One payment of so many cents under the open mandate: the code of the refusal, or the status. */
async function pay(
  open: string,
  cents: bigint,
  over: { id?: string; key?: Shop['agentKey'] } = {},
) {
  const terms = {
    ...termsFor(w, shop.link, shop.card),
    amount: { amount: cents, currency: USD },
    ...(over.id && { id: over.id }),
  }
  const closed = await closeUnder(w, open, { terms, key: over.key ?? shop.agentKey })
  const answer = await settleWith(shop.payer, settleBody(shop, closed, { open_mandate: open }))
  return answer.body.code ?? answer.status
}
const recurring = (over: Partial<OpenTerms> = {}) =>
  issue({
    expiresAt: secondsFrom(w.now(), 400 * 86_400),
    budget: { amount: 100_000n, currency: USD },
    recurrence: { frequency: 'ON_DEMAND' },
    ...over,
  })

test('an open mandate without a recurrence backs one payment', async () => {
  const open = await issue()
  expect(await pay(open, 1000n)).toBe(201)
  expect(await pay(open, 1n)).toBe('mandate_already_used')
})

test('a payment that failed has not used the open mandate up', async () => {
  const open = await issue()
  await shop.payer.post(`/api/cards/${shop.card.id}/freeze`)
  expect(await pay(open, 1000n)).toBe('card_frozen')
  await shop.payer.post(`/api/cards/${shop.card.id}/unfreeze`)
  expect(await pay(open, 1000n)).toBe(201)
})

test('the budget ends at its last cent', async () => {
  const open = await recurring({ budget: { amount: 2_550n, currency: USD } })
  expect(await pay(open, 2_000n)).toBe(201)
  expect(await pay(open, 551n)).toBe('mandate_budget_exceeded')
  expect(await pay(open, 550n)).toBe(201)
  expect(await pay(open, 1n)).toBe('mandate_budget_exceeded')
})

test('the number of payments ends, and only those that were made count', async () => {
  const open = await recurring({ recurrence: { frequency: 'ON_DEMAND', maxOccurrences: 2 } })
  expect(await pay(open, 100n)).toBe(201)
  expect(await pay(open, 99_999n)).toBe('mandate_constraint_violated')
  expect(await pay(open, 100n)).toBe(201)
  expect(await pay(open, 100n)).toBe('mandate_occurrences_exceeded')
})

test('one payment a month, counted from the first; a month that was missed gives no extra one', async () => {
  const open = await recurring({ recurrence: { frequency: 'MONTHLY' } })
  expect(await pay(open, 100n)).toBe(201)
  expect(await pay(open, 100n)).toBe('mandate_too_early')
  await w.advance(70 * 86_400)
  expect(await pay(open, 100n)).toBe(201)
  expect(await pay(open, 100n)).toBe('mandate_too_early')
})

test('a replay is answered 200 though the open mandate is used up and over', async () => {
  const open = await issue({ expiresAt: secondsFrom(w.now(), 60) })
  const terms = { ...termsFor(w, shop.link, shop.card), amount: { amount: 100n, currency: USD } }
  const closed = await closeUnder(w, open, { terms, key: shop.agentKey })
  const body = settleBody(shop, closed, { open_mandate: open })
  expect((await settleWith(shop.payer, body)).status).toBe(201)
  await w.advance(3600)
  expect((await settleWith(shop.payer, body)).status).toBe(200)
  expect(await pay(open, 100n)).toBe('mandate_expired')
})

test('signed anew with the same jti and terms it is the same payment; with others it is none', async () => {
  const open = await recurring()
  expect(await pay(open, 100n, { id: 'charge-1' })).toBe(201)
  expect(await pay(open, 100n, { id: 'charge-1' })).toBe(200)
  expect(await pay(open, 101n, { id: 'charge-1' })).toBe('mandate_id_reused')
  expect(await pay(await recurring(), 101n, { id: 'charge-1' })).toBe('mandate_id_reused')
  const other = await shop.openLink()
  const terms = {
    ...termsFor(w, other, shop.card),
    id: 'charge-1',
    amount: { amount: 100n, currency: USD },
  }
  const answer = await settleWith(
    shop.payer,
    settleBody(shop, await directMandate(terms, shop.userKey), { pay_link_code: other.code }),
  )
  expect(answer).toMatchObject({ status: 422, body: { code: 'mandate_id_reused' } })
})

test('an id belongs to a card: another card may use it too', async () => {
  const { card, userKey, payer } = await openShop(w)
  const id = 'shared-id'
  const of = async (payerCard: typeof card, key: typeof userKey) =>
    directMandate(
      { ...termsFor(w, shop.link, payerCard), id, amount: { amount: 100n, currency: USD } },
      key,
    )
  const mine = settleBody(shop, await of(shop.card, shop.userKey))
  const theirs = settleBody(shop, await of(card, userKey), { card_token: card.token })
  expect((await settleWith(shop.payer, mine)).status).toBe(201)
  expect((await settleWith(payer, theirs)).status).toBe(201)
})

test('a revoked open mandate backs nothing more, whether it was used or never seen', async () => {
  const used = await recurring()
  expect(await pay(used, 100n)).toBe(201)
  const unseen = await recurring()
  const cardId = shop.card.id
  await w.write(async (tx) => {
    await lockCard(tx, cardId)
    const known = openMandateOf(w.now(), { cardId, token: used, issuedHere: false })
    const row = openMandateOf(w.now(), { cardId, token: unseen, issuedHere: false })
    await insertOpenMandate(tx, row)
    await markOpenRevoked(tx, w.now(), known.openId)
    await markOpenRevoked(tx, w.now(), row.openId)
  })
  expect(await pay(used, 100n)).toBe('mandate_revoked')
  expect(await pay(unseen, 100n)).toBe('mandate_revoked')
})

test('an open mandate of the service counts only where it was issued here, for this card', async () => {
  const signer = await w.services.signing.current(w.now())
  const open = await makeOpenMandate(openTerms(w, { shop }), signer)
  expect(await pay(open, 100n)).toBe('mandate_key_untrusted')
  const row = openMandateOf(w.now(), { cardId: shop.card.id, token: open, issuedHere: true })
  await w.write((tx) => insertOpenMandate(tx, row))
  expect(await pay(open, 100n)).toBe(201)
  expect(await findOpenMandates(w.db.reader, [row.openId])).toMatchObject([
    { uses: 1, spent: 100n, maxUses: 1 },
  ])
})

test('a user key signs until it is revoked', async () => {
  const key = newKey()
  await addKey(w, shop.card.id, key, 'user')
  const settle = async () => {
    const terms = { ...termsFor(w, shop.link, shop.card), amount: { amount: 1n, currency: USD } }
    const answer = await settleWith(shop.payer, settleBody(shop, await directMandate(terms, key)))
    return answer.body.code ?? answer.status
  }
  expect(await settle()).toBe(201)
  await w.write((tx) => revokeCardKey(tx, w.now(), { cardIds: [shop.card.id], kid: kidOf(key) }))
  expect(await settle()).toBe('mandate_key_untrusted')
})

test('the database itself refuses a second payment of an id, an overdrawn budget and a lost use', async () => {
  const open = await recurring({
    budget: { amount: 500n, currency: USD },
    recurrence: { frequency: 'ON_DEMAND', maxOccurrences: 1 },
  })
  expect(await pay(open, 300n, { id: 'kept' })).toBe(201)
  const row = openMandateOf(w.now(), { cardId: shop.card.id, token: open, issuedHere: false })
  const change = (set: string) =>
    w.write((tx) =>
      sql`update ap2_open_mandates set ${sql.raw(set)} where open_id = ${row.openId}`.execute(tx),
    )
  await expect(change('spent = 501')).rejects.toThrow('within_budget')
  await expect(change('uses = 2')).rejects.toThrow('within_occurrences')
  await expect(change('spent = 200')).rejects.toThrow('cannot change like this')
  await expect(change('budget_max = 1000')).rejects.toThrow('cannot change like this')
  await expect(change('spent = 400')).rejects.toThrow('insert only')
  const kept = (statement: string) => w.write((tx) => sql.raw(statement).execute(tx))
  await expect(
    kept(`insert into settlements select (jsonb_populate_record(s, '{"id": "stl_copy"}')).*
      from settlements s where mandate_id = 'kept'`),
  ).rejects.toThrow('one_payment_per_mandate')
  for (const change of [
    'mandate_amount = 1',
    'open_id = null',
    "mandate = mandate || 'A'",
    "mandate_id = 'x'",
  ])
    await expect(
      kept(`update settlements set ${change} where mandate_id = 'kept'`),
    ).rejects.toThrow('insert only')
  await expect(kept(`delete from settlements where mandate_id = 'kept'`)).rejects.toThrow(
    'insert only',
  )
  expect(await w.faults()).toEqual([])
})

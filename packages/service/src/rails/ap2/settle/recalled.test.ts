/** A process's cache of cards and links saves reads, and never lets through a payment that the rows would refuse. */
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
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { revokeCardKey } from '../keys/store.ts'
import { deskOf, readMandate, recallIntent } from './present.ts'
import { type MandateIntent, settleMandates } from './settle.ts'

let w: World
let shop: Shop
beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: 1, link: { type: 'RECURRING', max_uses: 0 } })
})
afterAll(() => w[Symbol.asyncDispose]())

const direct = (key = shop.userKey) => directMandate(termsFor(w, shop.link, shop.card), key)
async function settle(closed: string, over: object = {}) {
  const { status, body } = await settleWith(shop.payer, settleBody(shop, closed, over))
  return body.code ?? status
}
const revoke = (kid: string) =>
  w.write((tx) => revokeCardKey(tx, w.now(), { cardIds: [shop.card.id], kid }))

/** The intent as the process makes it of what it remembers. */
async function recalled(closed: string) {
  const presented = { code: shop.link.code, closedMandate: closed }
  return recallIntent(w.services, w.now(), {
    presented,
    presentation: readMandate(presented),
    token: shop.card.token,
    caller: {
      walletAddress: shop.payer.wallet as Hex,
      kind: 'session',
      credentialHash: '',
      requestId: '',
      authenticatedAt: w.now(),
      cardIds: null,
      scopes: null,
      maxAmount: null,
    },
  })
}
async function lane(intent: MandateIntent | undefined) {
  if (!intent) throw new Error('it was not remembered')
  return w.write((tx) => settleMandates(tx, w.now(), [intent]))
}

test('a card and a link that were read once are not read again', async () => {
  expect(await settle(await direct())).toBe(201)
  expect(deskOf(w.services).cards.get(shop.card.id)?.userKeys).toHaveProperty(kidOf(shop.userKey))
  expect(await recalled(await direct())).toMatchObject({ cardId: shop.card.id })
  expect(await recalled(await direct(newKey()))).toBeUndefined()
})

test('a key that was revoked, or is new, counts at once', async () => {
  const key = newKey()
  await addKey(w, shop.card.id, key, 'user')
  expect(await settle(await direct(key))).toBe(201)
  await revoke(kidOf(key))
  expect(await settle(await direct(key))).toBe('mandate_key_untrusted')
  expect(await settle(await direct())).toBe(201)
})

test('an agent key that was revoked closes nothing more', async () => {
  const agentKey = newKey()
  await addKey(w, shop.card.id, agentKey, 'agent')
  const open = await signOpen(openTerms(w, { shop: { ...shop, agentKey } }), shop.userKey)
  const pay = async () => {
    const terms = termsFor(w, shop.link, shop.card)
    return settle(await closeUnder(w, open, { terms, key: agentKey }), { open_mandate: open })
  }
  expect(await pay()).toBe(201)
  await revoke(kidOf(agentKey))
  expect(await pay()).toBe('mandate_key_untrusted')
})

test('between the judgement and the lane: a revoked key, a link with another receiver', async () => {
  const key = newKey()
  await addKey(w, shop.card.id, key, 'user')
  expect(await settle(await direct(key))).toBe(201)
  const before = await recalled(await direct(key))
  const other = await recalled(await direct())
  await revoke(kidOf(key))
  expect(await lane(before)).toEqual([{ kind: 'stale' }])
  expect(await lane(other)).toEqual([{ kind: 'stale' }])

  expect(await settle(await direct())).toBe(201)
  const sold = await recalled(await direct())
  const { rows } = await sql<{ cardId: string; walletAddress: string }>`
    select card_id, wallet_address from pay_links where code = ${shop.link.code}`.execute(
    w.db.reader,
  )
  const receive = (cardId: string, wallet: string) =>
    w.write((tx) =>
      sql`update pay_links set card_id = ${cardId}, wallet_address = ${wallet} where code = ${shop.link.code}`.execute(
        tx,
      ),
    )
  const { card } = (await shop.payer.post('/api/issue', { purpose: 'heir', limit_amount: 1 })).body
  await receive(card.id, shop.payer.wallet)
  expect(await lane(sold)).toEqual([{ kind: 'stale' }])
  await receive(rows[0]?.cardId ?? '', rows[0]?.walletAddress ?? '')
})

test('a token that was changed pays at once, and the old one never', async () => {
  expect(await settle(await direct())).toBe(201)
  const old = shop.card.token
  const rotated = await shop.payer.post(`/api/cards/${shop.card.id}/rotate-token`, {})
  const { token } = rotated.body.card
  expect(await settle(await direct(), { card_token: old })).toBe('invalid_card_token')
  expect(await settle(await direct(), { card_token: token })).toBe(201)
  expect(await settle(await direct(), { card_token: old })).toBe('invalid_card_token')
  shop.card.token = token
})

import { expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../test/actors/ap2/shop.ts'
import { world } from '../../../test/world.ts'
import { openDb, sql } from '../db/sql.ts'
import { verifyCheckout } from '../protocols/ap2/issue/checkout.ts'
import { makeDirectMandate } from '../protocols/ap2/issue/issue.ts'
import { closedContentOf } from '../protocols/ap2/issue/terms.ts'
import {
  createSigningKeys,
  publicJwks,
  revokeSigningKey,
  rotateSigningKey,
} from './signing-keys.ts'

test('processes that start at once make one key, and sign with it', async () => {
  await using w = await world()
  const { sealKey } = w.services
  const dbs = Array.from({ length: 6 }, () => openDb(w.databaseUrl, 2))
  const signers = await Promise.all(
    dbs.map((db) => createSigningKeys({ db, sealKey }).current(w.now())),
  )
  expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1)
  const { keys } = await publicJwks(w.db.reader)
  expect(keys).toMatchObject([{ kid: signers[0]?.kid, kty: 'EC', crv: 'P-256', alg: 'ES256' }])
  expect(JSON.stringify(keys)).not.toMatch(/"d"/)
  await Promise.all(dbs.map((db) => db.close()))
})

test('a private key is sealed: neither in the clear, nor opened by another secret', async () => {
  await using w = await world()
  await w.services.signing.current(w.now())
  const stranger = createSigningKeys({ db: w.db, sealKey: [Buffer.alloc(32)] })
  await expect(stranger.current(w.now())).rejects.toThrow()
})

test('after a rotation the new key signs, and what the old one signed stays good; revoked it does not', async () => {
  await using w = await world()
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING' } })
  const { sealKey, signing } = w.services
  const before = await signing.current(w.now())
  const settle = async (kid: string, sign: typeof before.sign) => {
    const content = closedContentOf(termsFor(w, shop.link, shop.card))
    const answer = await settleWith(
      shop.payer,
      settleBody(shop, await makeDirectMandate(content, { kid, sign })),
    )
    return answer.body.code ?? answer.status
  }
  expect(await settle(before.kid, before.sign)).toBe(201)
  const kid = await w.write((tx) => rotateSigningKey(tx, w.now(), sealKey))
  await w.advance(61)
  const after = await signing.current(w.now())
  expect(after.kid).toBe(kid)
  expect((await publicJwks(w.db.reader)).keys.map((key) => key.kid)).toEqual([kid, before.kid])
  expect(await settle(before.kid, before.sign)).toBe(201)
  expect(await settle(after.kid, after.sign)).toBe(201)
  const key = await signing.keyOf(before.kid)
  expect(key && verifyCheckout(shop.link.ap2.checkout_jwt, key, w.now()).id).toBe(shop.link.code)

  await w.write((tx) => revokeSigningKey(tx, w.now(), { kid: before.kid, sealKey }))
  expect(await settle(before.kid, before.sign)).toBe('mandate_key_untrusted')
  expect((await publicJwks(w.db.reader)).keys.map((one) => one.kid)).toEqual([kid])
})

test('two rotations at once leave one key that signs', async () => {
  await using w = await world()
  await w.services.signing.current(w.now())
  const rotate = () => w.write((tx) => rotateSigningKey(tx, w.now(), w.services.sealKey))
  await Promise.all([rotate(), rotate(), rotate()])
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from service_signing_keys
    where retired_at is null`.execute(w.db.reader)
  expect(rows[0]?.n).toBe(1n)
})

test('a link of before there were checkouts gets one when it is first seen, by however many', async () => {
  await using w = await world()
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING' } })
  await w.write(async (tx) => {
    await sql`alter table pay_link_checkouts disable trigger insert_only`.execute(tx)
    await sql`delete from pay_link_checkouts`.execute(tx)
    await sql`alter table pay_link_checkouts enable trigger insert_only`.execute(tx)
  })
  const views = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      i % 2
        ? w.call('GET', `/api/paylinks/${shop.link.code}`)
        : w.call('GET', `/api/pay/${shop.link.code}/prepare`),
    ),
  )
  const ids = new Set(views.map(({ body }) => body.ap2.transaction_id))
  expect(ids.size).toBe(1)
  const link = views[1]?.body
  const closed = await directMandate(termsFor(w, link, shop.card), shop.userKey)
  expect((await settleWith(shop.payer, settleBody(shop, closed))).status).toBe(201)
})

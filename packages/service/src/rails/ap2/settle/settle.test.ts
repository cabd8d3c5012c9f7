import { expect, test } from 'vitest'
import {
  balanceOf,
  closeUnder,
  directMandate,
  openShop,
  openTerms,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { world } from '../../../../test/world.ts'

test('a direct mandate settles once: 201 with the whole body, then 200 for ever', async () => {
  await using w = await world()
  const shop = await openShop(w)
  const { payer, seller, card, sellerCard, link } = shop
  const terms = termsFor(w, link, card)
  const body = settleBody(shop, await directMandate(terms, shop.userKey))
  const first = await settleWith(payer, body)
  expect(first).toMatchObject({
    status: 201,
    body: {
      status: 'SETTLED',
      protocol: 'ap2',
      mandate_id: terms.id,
      pay_link_code: link.code,
      amount: 25,
      fee: 0.125,
      net_amount: 24.875,
      tx_hash: null,
      payee: link.code,
    },
  })
  expect(first.body.settlement_id).toMatch(/^stl_/)
  expect(await balanceOf(payer, card.id)).toBe(75)
  expect(await balanceOf(seller, sellerCard.id)).toBe(25.875)

  const again = await settleWith(payer, body)
  expect(again).toMatchObject({ status: 200 })
  expect(again.body).toEqual({ ...first.body, status: 'ALREADY_SETTLED' })
  expect(await balanceOf(payer, card.id)).toBe(75)
  await w.advance(7200)
  expect((await settleWith(payer, body)).body).toEqual(again.body)
  const { transactions } = (await payer.get(`/api/cards/${card.id}/transactions`)).body
  expect(transactions).toMatchObject([{ protocol: 'ap2', direction: 'sent', amount: 25 }])
  expect(await w.faults()).toEqual([])
})

test('an agent settles under an open mandate, given beside or joined', async () => {
  await using w = await world()
  const shop = await openShop(w)
  const open = await signOpen(openTerms(w, { shop }), shop.userKey)
  const closed = await closeUnder(w, open, {
    terms: termsFor(w, shop.link, shop.card),
    key: shop.agentKey,
  })
  const body = settleBody(shop, closed, { open_mandate: open })
  const first = await settleWith(shop.payer, body)
  expect(first.status).toBe(201)
  const joined = settleBody(shop, `${open.slice(0, -1)}~~${closed}`)
  expect(await settleWith(shop.payer, joined)).toMatchObject({
    status: 200,
    body: { status: 'ALREADY_SETTLED', settlement_id: first.body.settlement_id },
  })
})

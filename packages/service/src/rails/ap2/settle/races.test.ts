import { expect, test } from 'vitest'
import { fleet } from '../../../../test/actors/ap2/fleet.ts'
import {
  addKey,
  balanceOf,
  type Card,
  closeUnder,
  directMandate,
  openShop,
  openTerms,
  settleBody,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { world } from '../../../../test/world.ts'
import type { OpenTerms } from '../../../base/protocols/ap2/issue/terms.ts'

const count = (answers: { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

test('one mandate two hundred times at once over four services: one 201, one debit', async () => {
  await using w = await world()
  await using many = await fleet(w, 4)
  const shop = await openShop(w, { amount: 5, link: { type: 'RECURRING' } })
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const answers = await many.settle(shop, Array(200).fill(settleBody(shop, closed)))
  expect([count(answers, 201), count(answers, 200)]).toEqual([1, 199])
  expect(new Set(answers.map(({ body }) => body.settlement_id)).size).toBe(1)
  expect(await balanceOf(shop.payer, shop.card.id)).toBe(95)
  expect((await w.call('GET', `/api/paylinks/${shop.link.code}`)).body.uses).toBe(1)
  expect(await w.faults()).toEqual([])
})

test('sixty mandates of one open mandate at once: exactly what its budget allows', async () => {
  await using w = await world()
  await using many = await fleet(w, 4)
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING' } })
  const terms = openTerms(w, {
    shop,
    budget: { amount: 1_750n, currency: 'USD' },
    recurrence: { frequency: 'ON_DEMAND' },
  })
  const open = await signOpen(terms, shop.userKey)
  const bodies = await Promise.all(
    Array.from({ length: 60 }, async () =>
      settleBody(
        shop,
        await closeUnder(w, open, {
          terms: termsFor(w, shop.link, shop.card),
          key: shop.agentKey,
        }),
        { open_mandate: open },
      ),
    ),
  )
  const answers = await many.settle(shop, bodies)
  expect([count(answers, 201), count(answers, 422)]).toEqual([17, 43])
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(
    new Set([undefined, 'mandate_budget_exceeded']),
  )
  // The same again: what was paid stays paid, and nothing more is.
  const again = await many.settle(shop, bodies)
  expect([count(again, 200), count(again, 201)]).toEqual([17, 0])
  expect(await balanceOf(shop.payer, shop.card.id)).toBe(83)
  expect(await w.faults()).toEqual([])
})

test('many mandates for a link of three uses, and one open mandate for one use: no more than that', async () => {
  await using w = await world()
  await using many = await fleet(w, 3)
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING', max_uses: 3 } })
  const direct = await Promise.all(
    Array.from({ length: 30 }, async () =>
      settleBody(shop, await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)),
    ),
  )
  const answers = await many.settle(shop, direct)
  expect([count(answers, 201), count(answers, 422)]).toEqual([3, 27])

  const link = await shop.openLink({ max_uses: 0 })
  const open = await signOpen(openTerms(w, { shop, link }), shop.userKey)
  const under = await Promise.all(
    Array.from({ length: 30 }, async () =>
      settleBody(
        shop,
        await closeUnder(w, open, { terms: termsFor(w, link, shop.card), key: shop.agentKey }),
        { open_mandate: open, pay_link_code: link.code },
      ),
    ),
  )
  const used = await many.settle(shop, under)
  expect([count(used, 201), count(used, 422)]).toEqual([1, 29])
  expect(await w.faults()).toEqual([])
})

test('one id for two links at once pays one of them', async () => {
  await using w = await world()
  await using many = await fleet(w, 2)
  const shop = await openShop(w, { amount: 1 })
  const other = await shop.openLink()
  const bodies = await Promise.all(
    [shop.link, other].map(async (link) =>
      settleBody(
        shop,
        await directMandate({ ...termsFor(w, link, shop.card), id: 'both' }, shop.userKey),
        { pay_link_code: link.code },
      ),
    ),
  )
  const answers = await many.settle(shop, bodies)
  expect([count(answers, 201), count(answers, 422)]).toEqual([1, 1])
  expect(await balanceOf(shop.payer, shop.card.id)).toBe(99)
})

test('one grant on eight cards of four wallets at once over four services: its limits hold for all together', async () => {
  await using w = await world()
  await using many = await fleet(w, 4)
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING' } })
  const wallets = await Promise.all([1, 2, 3, 4].map(() => w.user()))
  const cards = await Promise.all(
    [...wallets, ...wallets].map(async (user) => {
      const card = await user.card({ limit: 40 })
      await addKey(w, card.id, shop.userKey, 'user')
      return card
    }),
  )
  const instruments = cards.map(({ id }) => ({ id, type: 'card' }))
  const grant = async (over: Partial<OpenTerms>, each: number) => {
    const open = await signOpen(openTerms(w, { shop, instruments, ...over }), shop.userKey)
    const bodies = Array.from({ length: each }, () => cards).flat()
    return Promise.all(
      bodies.map(async (card) =>
        settleBody(
          shop,
          await closeUnder(w, open, { terms: termsFor(w, shop.link, card), key: shop.agentKey }),
          { open_mandate: open, card_token: card.token },
        ),
      ),
    )
  }
  const once = await many.settle(shop, await grant({}, 3))
  expect([count(once, 201), count(once, 422)]).toEqual([1, 23])
  const bodies = await grant(
    { budget: { amount: 1_750n, currency: 'USD' }, recurrence: { frequency: 'ON_DEMAND' } },
    6,
  )
  const budget = await many.settle(shop, bodies)
  expect([count(budget, 201), count(budget, 422)]).toEqual([17, 31])
  const daily = await many.settle(
    shop,
    await grant(
      { budget: { amount: 1_750n, currency: 'USD' }, recurrence: { frequency: 'DAILY' } },
      2,
    ),
  )
  expect([count(daily, 201), count(daily, 422)]).toEqual([1, 15])
  const again = await many.settle(shop, bodies)
  expect([count(again, 200), count(again, 201)]).toEqual([17, 0])
  expect(await w.faults()).toEqual([])
})

test('a grant that is revoked while it pays on several cards pays nothing after the revocation is answered', async () => {
  await using w = await world()
  await using many = await fleet(w, 3)
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING' } })
  const other = await w.user()
  const card = await other.card({ limit: 40 })
  await addKey(w, card.id, shop.userKey, 'user')
  const instruments = [shop.card, card].map(({ id }) => ({ id, type: 'card' }))
  const terms = openTerms(w, {
    shop,
    instruments,
    budget: { amount: 10_000n, currency: 'USD' },
    recurrence: { frequency: 'ON_DEMAND' },
  })
  const open = await signOpen(terms, shop.userKey)
  const closed = (from: Card) =>
    closeUnder(w, open, { terms: termsFor(w, shop.link, from), key: shop.agentKey }).then((made) =>
      settleBody(shop, made, { open_mandate: open, card_token: from.token }),
    )
  const bodies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => closed(i % 2 ? card : shop.card)),
  )
  const late = await closed(shop.card)
  const path = `/api/ap2/mandates/${terms.jti}/revoke`
  const [answers, revoked] = await Promise.all([
    many.settle(shop, bodies),
    other.post(path, { card_id: card.id, open_mandate: open }),
  ])
  expect(revoked.status).toBe(200)
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.code]).toEqual([422, 'mandate_revoked'])
  expect((await many.settle(shop, [late]))[0]!.body.code).toBe('mandate_revoked')
  expect(await w.faults()).toEqual([])
})

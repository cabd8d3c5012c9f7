import { expect, test } from 'vitest'
import { issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { bought, listed } from '../../../test/market/kit.ts'
import { followAll } from '../../../test/stats/scan.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

const spendingOf = async (user: User, query = '', as?: { key: string }) => {
  const { status, body, text } = await user.get(`/api/spending${query}`, as)
  expect(status, text).toBe(200)
  return body
}

/** Each card's days, of all owners, must make what the card says that it spent. */
async function expectDaysToAddUp(w: World) {
  const { rows } = await sql<{ id: string }>`select c.id, c.spent, sum(d.spent - d.returned) as made
    from cards c left join spending_days d on d.card_id = c.id group by c.id
    having c.spent <> coalesce(sum(d.spent - d.returned), 0)`.execute(w.db.reader)
  expect(rows).toEqual([])
}

test('spending by day and card is what left the cards, with what came back on its own day', async () => {
  await using w = await world()
  const [buyer, seller] = [await w.user({ treasury: 60 }), await w.user({ treasury: 10 })]
  const [first, second] = [await issue(buyer, 20), await issue(buyer, 10)]
  const link = await open(seller, await issue(seller, 1), { type: 'RECURRING', max_uses: 0 })
  for (const card of [first, first, second])
    expect((await payWith(w, link.code, card)).status).toBe(200)
  const [paid] = (await seller.get('/api/payments?direction=received')).body.payments
  const day = w.now().toISOString().slice(0, 10)

  await w.advance(24 * 3600)
  expect((await seller.post(`/api/payments/${paid.id}/refund`, { amount: 0.4 })).status).toBe(200)
  expect((await payWith(w, link.code, first)).status).toBe(200)
  await followAll(w)

  const all = await spendingOf(buyer, '?days=3')
  const next = w.now().toISOString().slice(0, 10)
  expect(all).toMatchObject({
    asset: 'USDC',
    to: next,
    total: { payments: 4, spent: 4, returned: 0.4 },
    cards: [
      { card_id: first.id, purpose: 'x', payments: 3, spent: 3, returned: 0 },
      { card_id: second.id, payments: 1, spent: 1, returned: 0.4 },
    ],
    others: { cards: 0, payments: 0, spent: 0, returned: 0 },
  })
  expect(all.days).toHaveLength(3)
  expect(all.days.slice(1)).toEqual([
    { day, payments: 3, spent: 3, returned: 0 },
    { day: next, payments: 1, spent: 1, returned: 0.4 },
  ])
  expect((await spendingOf(buyer, '?days=1')).total).toEqual({
    payments: 1,
    spent: 1,
    returned: 0.4,
  })
  expect((await spendingOf(buyer, `?card_id=${second.id}`)).total.payments).toBe(1)
  await expectDaysToAddUp(w)

  // Nobody else sees it: not the seller, and a key for one card sees that card.
  expect((await spendingOf(seller)).total).toEqual({ payments: 0, spent: 0, returned: 0 })
  expect((await seller.get(`/api/spending?card_id=${first.id}`)).status).toBe(404)
  const made = await buyer.post('/api/keys/restricted', {
    name: 'one',
    scopes: ['cards:read'],
    card_ids: [second.id],
  })
  const agent = { key: made.body.api_key as string }
  expect((await spendingOf(buyer, '', agent)).total.payments).toBe(1)
  expect((await buyer.get(`/api/spending?card_id=${first.id}`, agent)).status).toBe(404)
})

test('whole weeks are read as weeks, and make what their days make over any time', async () => {
  await using w = await world()
  const [buyer, seller] = [await w.user({ treasury: 60 }), await w.user({ treasury: 10 })]
  const [first, second] = [await issue(buyer, 20), await issue(buyer, 20)]
  const link = await open(seller, await issue(seller, 1), { type: 'RECURRING', max_uses: 0 })
  for (let day = 0; day < 24; day += 2) {
    expect((await payWith(w, link.code, day % 3 === 0 ? first : second)).status).toBe(200)
    if (day === 10) {
      const [paid] = (await seller.get('/api/payments?direction=received')).body.payments
      expect((await seller.post(`/api/payments/${paid.id}/refund`, { amount: 0.4 })).status).toBe(
        200,
      )
    }
    await followAll(w)
    await w.advance(2 * 24 * 3600)
  }
  const sums = sql<{
    card_id: string
  }>`select card_id, sum(payments)::integer as payments, (sum(spent) / 1000000)::float8 as spent,
      (sum(returned) / 1000000)::float8 as returned from spending_days where wallet_address = ${buyer.account.address} and card_id <> ''`
  for (const count of [1, 6, 7, 8, 13, 14, 20, 25, 30]) {
    const from = w.now().getTime() - (count - 1) * 24 * 3600_000
    const { rows } = await sql<{ cardId: string; spent: number }>`${sums}
      and day >= ${new Date(from).toISOString().slice(0, 10)}::date group by 1 order by 3 desc, 1`.execute(
      w.db.reader,
    )
    const { cards: shown, total } = await spendingOf(buyer, `?days=${count}`)
    expect(shown, `${count} days`).toEqual(
      rows.map(({ cardId: card_id, ...row }) => ({ card_id, purpose: 'x', ...row })),
    )
    expect(total.spent).toBe(rows.reduce((sum, { spent }) => sum + spent, 0))
  }
  // A wallet whose first weeks are not whole: their days count.
  await w.db.write((tx) =>
    sql`update spending_weeks set payments = 0 where week <= (select min(week) + 7 from spending_weeks)`.execute(
      tx,
    ),
  )
  expect(
    (await spendingOf(buyer, '?days=30')).cards.map(
      ({ payments }: { payments: number }) => payments,
    ),
  ).toEqual([8, 4])
})

test('a card takes its spending along to nobody: each owner has the days of their own', async () => {
  await using w = await world()
  const [owner, buyer, seller] = [
    await w.user({ treasury: 60 }),
    await w.user({ treasury: 60 }),
    await w.user({ treasury: 10 }),
  ]
  const card = await issue(owner, 20)
  const link = await open(seller, await issue(seller, 1), { type: 'RECURRING', max_uses: 0 })
  expect((await payWith(w, link.code, card)).status).toBe(200)
  const sale = await bought(buyer, await listed(owner, card))
  for (let i = 0; i < 2; i++) expect((await payWith(w, link.code, sale.card)).status).toBe(200)
  // All is counted after the sale.
  await followAll(w)
  expect((await spendingOf(owner)).total).toMatchObject({ payments: 1, spent: 1 })
  expect((await spendingOf(buyer)).total).toMatchObject({ payments: 2, spent: 2 })
  expect((await owner.get(`/api/spending?card_id=${card.id}`)).status).toBe(404)
  await expectDaysToAddUp(w)
})

test('more than ten cards are one sum beside the ten that spent most', async () => {
  await using w = await world()
  const [buyer, seller] = [await w.user({ treasury: 60 }), await w.user({ treasury: 10 })]
  const link = await open(seller, await issue(seller, 1), { type: 'RECURRING', max_uses: 0 })
  for (let i = 0; i < 12; i++)
    expect((await payWith(w, link.code, await issue(buyer, 2))).status).toBe(200)
  await followAll(w)
  const { cards, others, total } = await spendingOf(buyer)
  expect(cards).toHaveLength(10)
  expect(others).toEqual({ cards: 2, payments: 2, spent: 2, returned: 0 })
  expect(total.spent).toBe(12)
})

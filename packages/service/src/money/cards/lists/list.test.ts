import { expect, test } from 'vitest'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { world } from '../../../../test/world.ts'

test('cards are found by their words and in any order, a page at a time, and show what left them today', async () => {
  await using w = await world()
  const [user, shop] = [await w.user({ treasury: 100 }), await w.user({ treasury: 10 })]
  const words = ['Café rent', 'books 100%', 'cafe_terrace', 'BOOKS', 'Ads']
  const cards = []
  for (const [i, purpose] of words.entries())
    cards.push(await user.card({ limit: 10 - i, purpose }))
  const { code } = await open(shop, await shop.card({ limit: 1 }), { max_uses: 0, amount: 2 })
  for (const payer of [cards[3]!, cards[3]!, cards[1]!])
    expect((await payWith(w, code, payer)).status).toBe(200)

  const list = async (query: Record<string, string>) => {
    const { status, body, text } = await user.get(`/api/cards?${new URLSearchParams(query)}`)
    expect(status, text).toBe(200)
    return body as { cards: { id: string; purpose: string; day_used: number }[]; has_more: boolean }
  }
  /** All pages of two, as a client walks them. */
  const walk = async (query: Record<string, string>) => {
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await list({ ...query, limit: '2', ...(after && { after }) })
      found.push(...page.cards.map(({ purpose }) => purpose))
      if (!page.has_more) return found
      after = page.cards.at(-1)?.id
    }
  }
  expect(await walk({})).toEqual(words.toReversed())
  expect(await walk({ sort: 'spent' })).toEqual([
    'BOOKS',
    'books 100%',
    'Ads',
    'cafe_terrace',
    'Café rent',
  ])
  expect(await walk({ sort: 'balance' })).toEqual([
    'Café rent',
    'cafe_terrace',
    'books 100%',
    'Ads',
    'BOOKS',
  ])
  expect(await walk({ sort: 'purpose' })).toEqual([
    'Ads',
    'BOOKS',
    'books 100%',
    'cafe_terrace',
    'Café rent',
  ])
  expect(await walk({ search: 'bOOK' })).toEqual(['BOOKS', 'books 100%'])
  // A sign that a pattern would have is text.
  expect(await walk({ search: '%' })).toEqual(['books 100%'])
  expect(await walk({ search: '_' })).toEqual(['cafe_terrace'])
  expect(await walk({ search: cards[0]!.id })).toEqual(['Café rent'])
  expect(await walk({ search: 'nothing' })).toEqual([])

  const [most] = (await list({ sort: 'spent' })).cards
  expect(most).toMatchObject({ hour_used: 4, day_used: 4, week_used: 4, month_used: 4 })
  await w.advance(24 * 3600)
  expect((await user.get(`/api/cards/${most?.id}`)).body.card).toMatchObject({
    day_used: 0,
    spent: 4,
  })
})

test('payments are found by the time at which they were made', async () => {
  await using w = await world()
  const [user, shop] = [await w.user({ treasury: 100 }), await w.user({ treasury: 10 })]
  const card = await user.card({ limit: 50 })
  const { code } = await open(shop, await shop.card({ limit: 1 }), { max_uses: 0, amount: 2 })
  const times: string[] = []
  for (let i = 0; i < 3; i++) {
    await w.advance(3_600)
    times.push(w.now().toISOString())
    expect((await payWith(w, code, card)).status).toBe(200)
  }
  const count = async (who: typeof user, query: Record<string, string>) => {
    const { status, body, text } = await who.get(`/api/payments?${new URLSearchParams(query)}`)
    expect(status, text).toBe(200)
    return body.payments.length
  }
  const [first = '', second = '', third = ''] = times
  for (const who of [user, shop]) {
    expect(await count(who, { since: first })).toBe(3)
    expect(await count(who, { since: second })).toBe(2)
    expect(await count(who, { before: second })).toBe(1)
    expect(await count(who, { since: second, before: third })).toBe(1)
    expect(
      await count(who, {
        since: second,
        before: third,
        direction: who === user ? 'received' : 'sent',
      }),
    ).toBe(0)
  }
  expect((await user.get('/api/payments?since=yesterday')).body).toMatchObject({
    code: 'invalid_field',
    param: 'since',
  })
})

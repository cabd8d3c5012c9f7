import { expect, test } from 'vitest'
import { officialSeller } from '../../../test/sellers/x402-sellers.ts'
import { type Card, type User, type World, world } from '../../../test/world.ts'
import { CARD_LIMITS, type LimitName } from '../../base/kernel/card-limits.ts'

/** A card with some limits, and a link that it pays as often as they let it. */
async function stage(limits: Partial<Record<LimitName, number>>, start: string) {
  const w = await world()
  await w.advance((Date.parse(start) - w.now().getTime()) / 1000)
  const user = await w.user()
  const shop = await user.card()
  const card = await user.card({ limit: 60, ...limits })
  const order = { card_id: shop.id, accepted_protocols: ['card'], type: 'RECURRING', max_uses: 0 }
  const link = await user.post('/api/paylinks', order)
  expect(link.status, link.text).toBe(200)
  return { w, user, card, code: link.body.code as string }
}
type Stage = Awaited<ReturnType<typeof stage>>

const payOn = (w: World, card: Card, { code, amount }: { code: string; amount: number }) =>
  w.call('POST', `/api/pay/${code}/settle`, {
    ...{ amount, protocol: 'card', payer_card_id: card.id, payer_card_token: card.token },
  })
const pay = async ({ w, card, code }: Stage, amount = 1): Promise<string> =>
  (await payOn(w, card, { code, amount })).body.code ?? 'paid'

const change = (user: User, card: Card, controls: object) =>
  user.send('PATCH', `/api/cards/${card.id}/controls`, controls)

/** A Friday evening: the next hour is of the same day, the next day of the same week, and Tuesday is of another month. */
const FRIDAY = '2027-01-29T20:10:00.000Z'
const to = async ({ w }: Stage, text: string) =>
  w.advance((Date.parse(text) - w.now().getTime()) / 1000)

test.concurrent('each window ends in its time, and the shortest that is full refuses', async () => {
  const s = await stage(
    { hourly_limit: 2, daily_limit: 3, weekly_limit: 5, monthly_limit: 6 },
    FRIDAY,
  )
  await using w = s.w
  expect([await pay(s), await pay(s), await pay(s)]).toEqual([
    'paid',
    'paid',
    'hourly_limit_exceeded',
  ])
  await to(s, '2027-01-29T20:59:59.000Z')
  expect(await pay(s)).toBe('hourly_limit_exceeded')
  await to(s, '2027-01-29T21:00:00.000Z')
  expect([await pay(s), await pay(s)]).toEqual(['paid', 'daily_limit_exceeded'])
  await to(s, '2027-01-31T23:30:00.000Z')
  expect([await pay(s, 2), await pay(s)]).toEqual(['paid', 'hourly_limit_exceeded'])
  await to(s, '2027-02-01T00:00:00.000Z')
  expect([await pay(s, 2), await pay(s)]).toEqual(['paid', 'hourly_limit_exceeded'])
  const { card } = (await s.user.get(`/api/cards/${s.card.id}`)).body
  expect(card).toMatchObject({ hourly_limit: 2, weekly_limit: 5, monthly_limit: 6, spent: 7 })
  expect(await w.faults()).toEqual([])
})

test.concurrent('a week begins on Monday and a month on its first, whichever the other says', async () => {
  const s = await stage({ weekly_limit: 2, monthly_limit: 3 }, '2027-01-31T12:00:00.000Z')
  await using w = s.w
  expect([await pay(s, 2), await pay(s)]).toEqual(['paid', 'weekly_limit_exceeded'])
  // A Monday, and a first.
  await to(s, '2027-02-01T00:00:00.000Z')
  expect([await pay(s, 2), await pay(s)]).toEqual(['paid', 'weekly_limit_exceeded'])
  const refused = await payOn(w, s.card, { code: s.code, amount: 1 })
  expect(refused.body.passes_at).toBe('2027-02-08T00:00:00.000Z')
  await to(s, '2027-02-08T00:00:00.000Z')
  expect([await pay(s), await pay(s)]).toEqual(['paid', 'monthly_limit_exceeded'])
  expect(await w.faults()).toEqual([])
})

test.concurrent('a limit that is set later counts what its window has seen, and setting it anew frees nothing', async () => {
  const s = await stage({}, FRIDAY)
  await using w = s.w
  expect(await pay(s, 4)).toBe('paid')
  for (const { name, code } of CARD_LIMITS) {
    await change(s.user, s.card, { [name]: 4 })
    expect(await pay(s)).toBe(code)
    await change(s.user, s.card, { [name]: null })
    await change(s.user, s.card, { [name]: 5 })
    expect(await pay(s, 1.5)).toBe(code)
    await change(s.user, s.card, { [name]: null })
  }
  expect(await pay(s)).toBe('paid')
  expect(await w.faults()).toEqual([])
})

test.concurrent('one hour holds over links and sellers, and over sixty payments at once', async () => {
  await using seller = await officialSeller({ price: '$0.50' })
  const s = await stage({ hourly_limit: 3 }, FRIDAY)
  await using w = s.w
  const { user, card } = s
  const url = { card_id: card.id, card_token: card.token, url: seller.url, body: {} }
  expect((await user.post('/api/pay', url)).body.outcome).toBe('paid')
  const tries = await Promise.all(Array.from({ length: 60 }, () => pay(s, 0.1)))
  // 0.5025 of the 3 are gone, the fee included.
  expect(tries.filter((one) => one === 'paid')).toHaveLength(24)
  expect((await user.post('/api/pay', url)).body.code).toBe('hourly_limit_exceeded')
  expect(await w.faults()).toEqual([])
})

import { expect, test } from 'vitest'
import { issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { listed } from '../../../test/market/kit.ts'
import { bothFigures, followAll } from '../../../test/stats/scan.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql, type Tx } from '../../base/db/sql.ts'
import { post } from '../../money/ledger/post.ts'
import { followOnce } from './follow.ts'
import { hasCountedPayment, markListed, readCardStats } from './store.ts'

/** A seller with an open link of one USDC, and a buyer with a card. */
async function shop(w: World) {
  const [buyer, seller] = await Promise.all([w.user({ treasury: 60 }), w.user({ treasury: 60 })])
  const [card, till] = [await issue(buyer, 40), await issue(seller, 1)]
  const link = await open(seller, till, { type: 'RECURRING', max_uses: 0 })
  return { buyer, seller, card, till, link }
}
const statsOf = async (w: World, id: string) =>
  (await readCardStats(w.db.reader, [id], w.now())).get(id)
const receivedOf = async (user: User) =>
  (await user.get('/api/payments?direction=received')).body.payments as { id: string }[]

test('revenue is what others paid, less refunds, on the day of the payment', async () => {
  await using w = await world()
  const { seller, card, till, link } = await shop(w)
  expect(await statsOf(w, till.id)).toMatchObject({ rxCount: 0, rxLifetime: 0n, firstActive: null })
  expect(await hasCountedPayment(w.db.reader, till.id)).toBe(false)
  for (let i = 0; i < 3; i++) expect((await payWith(w, link.code, card)).status).toBe(200)
  const own = await issue(seller, 5)
  expect((await payWith(w, link.code, own)).status).toBe(200)
  const first = w.now()
  await w.advance(40 * 24 * 3600)
  await followAll(w)
  const before = await statsOf(w, till.id)
  expect(before).toMatchObject({
    rxLifetime: 3_000_000n,
    rxCount: 3,
    rx30d: 0n,
    rx30dCount: 0,
    protocols: 1,
    payers: 1,
    repeatPayers: 1,
    refunded: 0n,
    selfPayments: 1,
    selfAmount: 1_000_000n,
  })
  expect(before?.lastActive?.getTime()).toBeLessThanOrEqual(first.getTime())
  expect(await hasCountedPayment(w.db.reader, till.id)).toBe(true)

  const [newest, oldest] = [(await receivedOf(seller))[1], (await receivedOf(seller))[3]]
  expect((await seller.post(`/api/payments/${newest?.id}/refund`, { amount: 0.4 })).status).toBe(
    200,
  )
  expect((await seller.post(`/api/payments/${oldest?.id}/refund`)).status).toBe(200)
  const [mine] = await receivedOf(seller)
  expect((await seller.post(`/api/payments/${mine?.id}/refund`)).status).toBe(200)
  expect((await payWith(w, link.code, card)).status).toBe(200)
  await followAll(w)
  // The fee stays with the house, so a payment that is refunded in full keeps it as revenue.
  expect(await statsOf(w, till.id)).toMatchObject({
    rxLifetime: 4_000_000n - 400_000n - 995_000n,
    rxCount: 4,
    refunded: 1_395_000n,
    rx30d: 1_000_000n,
    rx30dCount: 1,
    selfPayments: 1,
    selfAmount: 1_000_000n,
  })
  const { kept, scanned } = await bothFigures(w)
  expect(kept).toEqual(scanned)
})

/** A transaction that has moved money, and waits for `commit`. */
async function begun(w: World, user: User, cardId: string) {
  const gate = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const accounts = await sql<{ id: bigint; kind: string }>`select id, kind from ledger_accounts
    where owner in (${cardId}, ${user.wallet}) order by kind`.execute(w.db.reader)
  const [cardAccount, treasury] = accounts.rows
  const done = w.write(async (tx: Tx) => {
    await post(tx, w.now(), [
      {
        kind: 'card_fund',
        ref: `test ${cardId} ${w.now().getTime()}`,
        entries: [
          { account: treasury!.id, amount: -1n },
          { account: cardAccount!.id, amount: 1n },
        ],
      },
    ])
    ready.resolve()
    await gate.promise
  })
  await ready.promise
  return {
    commit() {
      gate.resolve()
      return done
    },
  }
}

// Its transaction has the smaller id and commits last. A cursor on ids alone would pass it.
test('what commits late is counted once, while others are counted before it', async () => {
  await using w = await world()
  const { card, till, link } = await shop(w)
  const slow = await w.user({ treasury: 5 })
  const slowCard = await issue(slow, 2)
  await followAll(w)
  const late = await begun(w, slow, slowCard.id)
  for (let i = 0; i < 4; i++) expect((await payWith(w, link.code, card)).status).toBe(200)
  await followAll(w)
  expect((await statsOf(w, till.id))?.rxCount).toBe(4)
  await late.commit()
  expect((await payWith(w, link.code, card)).status).toBe(200)
  await followAll(w)
  expect((await statsOf(w, till.id))?.rxCount).toBe(5)
  const { rows } = await sql`select 1 from stats_cursors c join ledger_chains l on l.id = c.chain
    where l.seq <> c.seq`.execute(w.db.reader)
  expect(rows).toEqual([])
})

test('followers on two machines count each payment once while payments go on', async () => {
  await using w = await world()
  const { buyer, card, till, link } = await shop(w)
  const second = await w.machine()
  try {
    const cards = [card, await issue(buyer, 10), await issue(buyer, 10)]
    let isOver = false
    const follow = async (on: World) => {
      while (!isOver) await followOnce(on.services, w.now())
    }
    const following = [follow(w), follow(second), follow(second)]
    for (let round = 0; round < 6; round++) {
      const replies = await Promise.all(cards.map((one) => payWith(w, link.code, one)))
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    isOver = true
    await Promise.all(following)
    await followAll(w)
    expect(await statsOf(w, till.id)).toMatchObject({ rxCount: 18, payers: 1 })
    const { kept, scanned } = await bothFigures(w)
    expect(kept).toEqual(scanned)
  } finally {
    await second[Symbol.asyncDispose]()
  }
})

test('a listed card is on the list by revenue, paid or not, and keeps its figures', async () => {
  await using w = await world()
  const { card, till, link } = await shop(w)
  await w.write((tx) => markListed(tx, { cardId: till.id, listingId: 'lst_x' }))
  await payWith(w, link.code, card)
  await followAll(w)
  const listed = async () =>
    (
      await sql`select card_id, rx_lifetime from card_stats where listing_id = 'lst_x'`.execute(
        w.db.reader,
      )
    ).rows
  expect(await listed()).toEqual([{ cardId: till.id, rxLifetime: 1_000_000n }])
  await w.write((tx) => markListed(tx, { cardId: till.id, listingId: null }))
  expect(await listed()).toEqual([])
  expect((await statsOf(w, till.id))?.rxCount).toBe(1)
})

test('anybody sees what a listed card received, by day', async () => {
  await using w = await world()
  const { seller, card, till, link } = await shop(w)
  const { id } = await listed(seller, till)
  for (let i = 0; i < 2; i++) expect((await payWith(w, link.code, card)).status).toBe(200)
  await w.advance(2 * 24 * 3600)
  expect((await payWith(w, link.code, card)).status).toBe(200)
  const [newest] = await receivedOf(seller)
  await seller.post(`/api/payments/${newest?.id}/refund`, { amount: 0.25 })
  await followAll(w)
  const { status, body, text } = await w.call('GET', `/api/listings/${id}/revenue?days=4`)
  expect(status, text).toBe(200)
  expect(body.asset).toBe('USDC')
  expect(body.days.map(({ payments, revenue }: any) => [payments, revenue])).toEqual([
    [0, 0],
    [2, 2],
    [0, 0],
    [1, 0.75],
  ])
  expect((await w.call('GET', '/api/listings/lst_00000000000000000000000000/revenue')).status).toBe(
    404,
  )
})

/** Races around a sale, on two machines: one outcome, one owner, one payment, and books that agree. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import { chargeAllDue } from '../../src/rails/billing/jobs.ts'
import { directMandate, openShop, settleBody, settleWith, termsFor } from '../actors/ap2/shop.ts'
import { agree, monthly, openBilling } from '../billing/kit.ts'
import { pause } from '../until.ts'
import { type Reply, type User, type World, world } from '../world.ts'
import { balanceOf, buy, linkOf, listed, offerCard, PRICE, payLink } from './kit.ts'

let w: World
let other: World
beforeAll(async () => {
  w = await world()
  other = await w.machine()
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const ownerOf = async (id: string): Promise<string> => {
  const [row] = await all(
    w.db.reader,
    sql<{ wallet: string }>`select wallet_address as wallet from cards where id = ${id}`,
  )
  return row?.wallet ?? ''
}
const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort()
/** Buyers with money, every second one on the other machine. */
const buyersOf = async (count: number): Promise<User[]> => {
  const users = await Promise.all(Array.from({ length: count }, () => w.user({ treasury: 100 })))
  return users.map((user, i) => (i % 2 === 0 ? user : other.as(user)))
}

test('of twenty buyers on two machines one pays and has the card', async () => {
  const { seller, card, listing } = await offerCard(w)
  const buyers = await buyersOf(20)
  const before = await balanceOf(seller)
  const replies = await Promise.all(buyers.map((buyer) => buy(buyer, listing)))
  expect(statuses(replies)).toEqual([200, ...Array(19).fill(409)])
  for (const { status, body } of replies)
    if (status === 409) expect(body.code).toBe('listing_closed')
  const winner = replies.findIndex(({ status }) => status === 200)
  expect(await ownerOf(card.id)).toBe(buyers[winner]?.wallet)
  const balances = await Promise.all(buyers.map(balanceOf))
  expect(balances.filter((balance) => balance === 100 - PRICE)).toHaveLength(1)
  expect(await balanceOf(seller)).toBe(before + 19.9)
})

test('a listing is bought or cancelled, and a buyer in time has the card', async () => {
  for (let i = 0; i < 6; i++) {
    const { seller, card, listing } = await offerCard(w)
    const [buyer] = (await buyersOf(1)) as [User]
    const [purchase, taken] = await Promise.all([
      buy(buyer, listing),
      other.as(seller).send('DELETE', `/api/listings/${listing.id}`),
    ])
    expect(statuses([purchase, taken])).toEqual([200, 409])
    expect(await ownerOf(card.id)).toBe(purchase.status === 200 ? buyer.wallet : seller.wallet)
  }
})

// A refund that was sent just before the sale used to be paid from the buyer's card.
test('a refund is paid by the seller before the sale, or not at all', async () => {
  const payer = await w.user({ treasury: 200 })
  const paying = await payer.card({ limit: 100 })
  for (let i = 0; i < 8; i++) {
    const { seller, card } = await offerCard(w)
    const link = await linkOf(seller, card, { amount: 10 })
    expect((await payLink(w, link.code, paying)).status).toBe(200)
    const { payments } = (await seller.get(`/api/payments?card_id=${card.id}`)).body
    const { version, id } = (await w.call('GET', `/api/cards/${card.id}/listing`)).body.listing
    const [buyer] = (await buyersOf(1)) as [User]
    const [purchase, refund] = await Promise.all([
      buy(buyer, { id }, { version }),
      pause(i * 3).then(() => other.as(seller).post(`/api/payments/${payments[0].id}/refund`)),
    ])
    const outcome = `${purchase.status} ${refund.status}`
    expect(['200 404', '409 200'], `${purchase.text} ${refund.text}`).toContain(outcome)
    const owner = purchase.status === 200 ? buyer : seller
    const { balance } = (await owner.get(`/api/cards/${card.id}`)).body.card
    expect(balance).toBe(purchase.status === 200 ? 59.95 : 50)
  }
})

test('a card is sold or given away, never both', async () => {
  for (let i = 0; i < 6; i++) {
    const { seller, card, listing } = await offerCard(w)
    const [buyer, friend] = (await buyersOf(2)) as [User, User]
    const [purchase, given] = await Promise.all([
      buy(buyer, listing),
      other.as(seller).post(`/api/cards/${card.id}/transfer`, { to_wallet: friend.wallet }),
    ])
    expect([purchase.status, given.status].filter((status) => status === 200)).toHaveLength(1)
    expect(await ownerOf(card.id)).toBe(purchase.status === 200 ? buyer.wallet : friend.wallet)
    expect(await balanceOf(buyer)).toBe(purchase.status === 200 ? 80 : 100)
  }
})

test('a seller with a second key buys nothing of its own', async () => {
  const { seller, listing } = await offerCard(w)
  const { api_key: key } = (await seller.post('/api/keys/generate')).body
  const asked = await w.call('POST', `/api/listings/${listing.id}/buy`, {}, { key })
  expect([asked.status, asked.body.code]).toEqual([409, 'own_listing'])
})

// A payment reads the card, its keys and the link before it locks anything: each may be the old owner's.
test('what was decided on the old owner is decided again', async () => {
  const shop = await openShop(w, { amount: 1, link: { type: 'RECURRING', max_uses: 0 } })
  const till = await listed(shop.seller, shop.sellerCard)
  const purse = await listed(shop.payer, shop.card)
  const mandates = await Promise.all(
    Array.from({ length: 16 }, () =>
      directMandate(termsFor(w, shop.link, shop.card), shop.userKey),
    ),
  )
  const [one, two] = (await buyersOf(2)) as [User, User]
  const settle = (closed: string, i: number) =>
    settleWith((i % 2 ? w : other).as(shop.payer), settleBody(shop, closed))
  const [settled, bought] = await Promise.all([
    Promise.all(mandates.map(settle)),
    Promise.all([buy(one, till), buy(two, purse)]),
  ])
  for (const reply of bought) expect([reply.status, reply.body.code]).toEqual([200, undefined])
  // 503: it changed again while it was decided again.
  for (const { status, text } of settled) expect([201, 401, 404, 422, 503], text).toContain(status)
  const paid = settled.filter(({ status }) => status === 201).length
  const rows = await all(
    w.db.reader,
    sql<{
      payer: string
      receiver: string
    }>`select payer_wallet as payer, receiver_wallet as receiver
      from settlements where payer = ${shop.card.id}`,
  )
  expect(rows).toHaveLength(paid)
  for (const { payer } of rows) expect(payer).toBe(shop.payer.wallet)
  const after = await settleWith(shop.payer, settleBody(shop, mandates[0] as string))
  expect([401, 404]).toContain(after.status)
})

test('a sale races payments with the old token, funding, claiming, freezing and new limits', async () => {
  for (let i = 0; i < 4; i++) {
    const { seller, card, listing } = await offerCard(w)
    await w.credit(seller.wallet, 10_000_000n)
    const shop = await w.user()
    const shopLink = await linkOf(shop, await shop.card())
    const [buyer] = (await buyersOf(1)) as [User]
    const acts = await Promise.all([
      buy(buyer, listing),
      payLink(w, shopLink.code, card),
      payLink(other, shopLink.code, card),
      seller.post(`/api/cards/${card.id}/fund`, { amount: 2 }),
      other.as(seller).post(`/api/cards/${card.id}/claim`, { token: card.token, amount: 1 }),
      seller.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 3 }),
      other.as(seller).post('/api/paylinks', { card_id: card.id, amount: 1 }),
      seller.post(`/api/cards/${card.id}/freeze`),
    ])
    for (const { status, text } of acts) expect(status, text).toBeLessThan(500)
    const isSold = acts[0].status === 200
    expect(await ownerOf(card.id)).toBe(isSold ? buyer.wallet : seller.wallet)
    const strays = await all(
      w.db.reader,
      sql`select 1 from pay_links l join cards c on c.id = l.card_id where l.wallet_address <> c.wallet_address`,
    )
    expect(strays).toEqual([])
    expect((await payLink(w, shopLink.code, card)).status === 200).toBe(false)
  }
})

test('a sale races the charges of agreements: each charge is for the owner of its moment', async () => {
  const b = await openBilling(w)
  const agreements = []
  for (let i = 0; i < 4; i++) agreements.push(await agree(b.payer, b.card, monthly(b.link)))
  await w.advance(32 * 86_400)
  const [one, two] = (await buyersOf(2)) as [User, User]
  const [till, purse] = [await listed(b.seller, b.till), await listed(b.payer, b.card)]
  const [first, second] = await Promise.all([
    buy(one, till),
    buy(two, purse),
    chargeAllDue(w.services, w.now()),
    chargeAllDue(other.services, w.now()),
  ])
  expect([first.status, second.status]).toEqual([200, 200])
  await chargeAllDue(w.services, w.now())
  const rows = await all(
    w.db.reader,
    sql<{
      status: string
      merchant: string
    }>`select status, merchant_wallet as merchant from agreements
      where id = any(${agreements.map(({ id }) => id)}::text[])`,
  )
  for (const row of rows) expect(row.status).toBe('CANCELLED')
})

test('many transfers back and forth leave one owner and a count of them all', async () => {
  const [a, b] = (await buyersOf(2)) as [User, User]
  const card = await a.card()
  const give = (from: User, to: User) =>
    from.post(`/api/cards/${card.id}/transfer`, { to_wallet: to.wallet })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? give(a, b) : give(b, a))),
  )
  const moves = replies.filter(({ status }) => status === 200).length
  for (const { status } of replies) expect([200, 404]).toContain(status)
  const [row] = await all(
    w.db.reader,
    sql<{
      n: bigint
      owner: string
    }>`select owner_no::bigint as n, wallet_address as owner from cards
      where id = ${card.id}`,
  )
  expect([Number(row?.n), row?.owner]).toEqual([moves, moves % 2 ? b.wallet : a.wallet])
})

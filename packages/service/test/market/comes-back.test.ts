/** Money that a card spent and that comes back after the card has changed hands: it is for the wallet that paid. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import type { Id } from '../../src/base/kernel/ids.ts'
import { treasuryKey } from '../../src/money/ledger/account-keys.ts'
import { openAccount } from '../../src/money/ledger/accounts.ts'
import { type Entry, post } from '../../src/money/ledger/post.ts'
import { eventsFor } from '../events-of.ts'
import { type User, type World, world } from '../world.ts'
import { balanceOf, bought, linkOf, listed, offerCard, payLink } from './kit.ts'

let w: World
let buyer: User
beforeAll(async () => {
  w = await world()
  buyer = await w.user({ treasury: 1_000 })
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

/** A card for sale that has paid 4 to the link of a shop, which may refund it. */
async function paidByOffered() {
  const shop = await w.user()
  const till = await shop.card({ limit: 5 })
  const link = await linkOf(shop, till, { amount: 4 })
  const offer = await offerCard(w)
  expect((await payLink(w, link.code, offer.card)).status).toBe(200)
  const [{ id }] = (await shop.get(`/api/payments?card_id=${till.id}`)).body.payments
  const refund = async (amount: number) => {
    const refunded = await shop.post(`/api/payments/${id}/refund`, { amount })
    expect(refunded.status, refunded.text).toBe(200)
  }
  return { ...offer, refund }
}
const cardOf = async (user: User, { id }: { id: string }) => {
  const { balance, spent, remaining, daily_spent } = (await user.get(`/api/cards/${id}`)).body.card
  return { balance, spent, remaining, daily_spent }
}
const spentBy = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].total_spent

test.each(['sold', 'given away', 'sold and bought back'])(
  'a refund of what a card has paid that was %s goes to the balance of the wallet that paid',
  async (way) => {
    const { seller, card, listing, refund } = await paidByOffered()
    await refund(1)
    expect(await cardOf(seller, card)).toMatchObject({ balance: 47, spent: 3 })
    if (way === 'given away')
      await seller.post(`/api/cards/${card.id}/transfer`, { to_wallet: buyer.wallet })
    else await bought(buyer, listing)
    const isBack = way === 'sold and bought back'
    if (isBack) {
      await w.credit(seller.wallet, 1_000_000n)
      await bought(seller, await listed(buyer, card))
    }
    const owner = isBack ? seller : buyer
    const before = [await balanceOf(seller), await cardOf(owner, card)] as const
    const [events, total] = [await eventsFor(w.db.reader, buyer), await spentBy(seller)]
    await refund(2)
    expect(await balanceOf(seller)).toBeCloseTo(before[0] + 2, 6)
    expect(await cardOf(owner, card)).toEqual(before[1])
    expect(await eventsFor(w.db.reader, buyer)).toEqual(events)
    const refunds = (await eventsFor(w.db.reader, seller)).filter(
      ({ type }) => type === 'payment.refunded',
    )
    expect(refunds.map(({ data }) => data.refunded)).toEqual([1, 3])
    // The entries are of the wallet that paid, too.
    const listed_ = async (user: User) =>
      (await user.get('/api/payments')).body.payments.filter(
        (row: { refund_of?: string; card_id: string }) => row.refund_of && row.card_id === card.id,
      )
    expect((await listed_(seller)).map((row: { amount: number }) => row.amount)).toEqual([2, 1])
    expect(await listed_(buyer)).toEqual([])
    expect(await spentBy(seller)).toBeCloseTo(total - 2, 6)
    expect(await w.faults()).toEqual([])
  },
)

test('what a new owner spends comes back to the card', async () => {
  const { card: sold, listing } = await offerCard(w)
  const mine = (await bought(buyer, listing)).card
  const shop = await w.user()
  const till = await shop.card({ limit: 5 })
  await payLink(w, (await linkOf(shop, till, { amount: 4 })).code, mine)
  const [{ id }] = (await shop.get(`/api/payments?card_id=${till.id}`)).body.payments
  expect((await shop.post(`/api/payments/${id}/refund`, { amount: 2 })).status).toBe(200)
  expect(await cardOf(buyer, sold)).toMatchObject({ balance: 48, spent: 2 })
  expect(await w.faults()).toEqual([])
})

// The code decides where money comes back to; the database refuses any other place.
test('the database refuses to give a payment back to others than its payer', async () => {
  const { seller, card, listing, refund } = await paidByOffered()
  await bought(buyer, listing)
  const [paid] = await all<{ id: Id<'trf'>; card: bigint; till: bigint }>(
    w.db.reader,
    sql`select t.id, c.account_id as card, t.accounts[2] as till from cards c join settlements s on s.payer = c.id
      join ledger_transfers t on t.ref = s.id and t.kind = 'settlement' where c.id = ${card.id}`,
  )
  if (!paid) throw new Error('nothing was paid')
  const giveTo = (account: bigint) =>
    w.write((tx) =>
      post(tx, w.now(), [
        {
          kind: 'refund',
          ref: `forged ${account}`,
          reverses: paid.id,
          entries: [
            { account: paid.till, amount: -1n },
            { account, amount: 1n },
          ],
        },
      ]),
    )
  const balance = (user: User) =>
    w.write((tx) => openAccount(tx, treasuryKey(w.chain.asset, user.wallet)))
  await expect(giveTo(paid.card)).rejects.toThrow(/gives to others than the payer/)
  await expect(giveTo(await balance(buyer))).rejects.toThrow(/gives to others than the payer/)
  const unnamed = { kind: 'refund', ref: 'forged', entries: [] as Entry[] }
  unnamed.entries = [
    { account: paid.till, amount: -1n },
    { account: await balance(seller), amount: 1n },
  ]
  await expect(w.write((tx) => post(tx, w.now(), [unnamed]))).rejects.toThrow(
    /what_comes_back_was_given/,
  )
  await refund(1)
  expect(await w.faults()).toEqual([])
})

// A refund that comes first is on the card when it is sold; one that comes later is the seller's. Nothing is in between.
test('a refund races the sale of the card that paid', async () => {
  for (let round = 0; round < 6; round++) {
    const { seller, card, listing, refund } = await paidByOffered()
    const before = await balanceOf(seller)
    await Promise.all([refund(2), bought(buyer, listing)])
    const { balance, spent } = await cardOf(buyer, card)
    const gained = (await balanceOf(seller)) - before - 19.9
    const isFirst = balance === 48
    expect([balance, spent]).toEqual(isFirst ? [48, 2] : [46, 4])
    expect(gained).toBeCloseTo(isFirst ? 0 : 2, 6)
  }
  expect(await w.faults()).toEqual([])
})

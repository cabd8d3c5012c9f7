/** A database restored from a backup has forgotten sales that the chain has made: they become sales of its books again. */
import { expect, test } from 'vitest'
import { carried, mintedCard, paidCard } from '../../../../../test/actors/identity/identities.ts'
import {
  buy,
  ended,
  listed,
  listedOnChain,
  newBuyer,
  type OnChainListing,
  soldAside,
  withdrawn,
} from '../../../../../test/actors/identity/on-chain-sales.ts'
import { type User, type World, world } from '../../../../../test/world.ts'
import { all, sql } from '../../../../base/db/sql.ts'
import { expireCard } from '../../../../money/cards/controls/own-card.ts'
import { orderSales } from '../../../../run/operate/commands/sales/sales.ts'
import { carrySale } from '../sale/carry.ts'
import { forgottenSaleTasks } from './jobs.ts'

const open = () => world({ identities: true })
/** The job of each minute. Its first time notes where the contract's log stands. */
const follow = async (w: World, times = 1) => {
  const [task] = forgottenSaleTasks
  for (let i = 0; i < times; i++) await task?.handle(w.services, {}, w.now())
}
async function bought(w: World, buyer: User, { listingId }: Pick<OnChainListing, 'listingId'>) {
  const answer = await buy(buyer, listingId)
  expect(answer.status, answer.text).toBe(202)
  await ended(w, listingId)
}
const listingOf = async (w: World, cardId: string) =>
  (await w.call('GET', `/api/cards/${cardId}/listing`)).body.listing
const cardOf = async (w: World, user: User, id: string) =>
  (await w.as(user).get(`/api/cards/${id}`)).body.card
const forgotten = (w: World) =>
  all<{ hash: string; state: string; reason: string | null }>(
    w.db.reader,
    sql`select hash, state, reason from forgotten_sales order by block_number`,
  )
const openAlarms = (w: World) =>
  all<{ subject: string; sentence: string }>(
    w.db.reader,
    sql`select subject, sentence from alarms where kind = 'forgotten_sale' and resolved_at is null`,
  )

/** All that a sale leaves: the card is the buyer's, with its identity, and the seller has nothing of it. */
async function expectSold(w: World, of: { id: string; seller: User; buyer: User }) {
  const { id, seller, buyer } = of
  const listing = await listingOf(w, id)
  expect(listing).toMatchObject({
    status: 'SOLD',
    buyer: buyer.wallet,
    seller: seller.wallet,
    settled_tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect((await cardOf(w, buyer, id))?.status).toBe('ACTIVE')
  expect(await cardOf(w, seller, id)).toBeUndefined()
  const row = await carried(w, id as never)
  expect(row).toMatchObject({
    state: 'FINAL',
    custody: 'WITHDRAWN',
    ownerWallet: buyer.wallet,
  })
  expect((await w.as(buyer).post(`/api/cards/${id}/rotate-token`)).status).toBe(200)
  expect(await w.faults()).toEqual([])
}

test('a sale of a listing that the backup knows freezes its card at once, and hands it over', async () => {
  await using w = await open()
  const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
  await follow(w)
  const [backup, other] = [await w.backup(), await w.backup()]
  await bought(w, buyer, sale)
  const { seller, id, listingId } = sale
  {
    await using restored = await backup.restore()
    await follow(restored)
    // Before its end the seller has no way to its money.
    expect((await listingOf(restored, id)).status).toBe('SETTLING')
    const refused = await restored.as(seller).post(`/api/cards/${id}/cancel`)
    expect(refused.body.code).toBe('invalid_state')
    await follow(restored, 2)
    await ended(restored, listingId)
    await expectSold(restored, { id, seller, buyer })
    expect(await forgotten(restored)).toMatchObject([{ state: 'adopted' }])
    expect(await openAlarms(restored)).toEqual([])
  }
  // Neither an end of the listing nor the look at the token takes the sale from its buyer.
  await using restored = await other.restore()
  const cancelled = await restored.as(seller).send('DELETE', `/api/listings/${listingId}`)
  expect(cancelled.body.listing.status).toBe('CANCELLED')
  const again = { card_id: id, price: 7 }
  expect((await restored.as(seller).post('/api/listings', again)).status).toBe(200)
  await carried(restored, id)
  await follow(restored, 2)
  await ended(restored, listingId)
  const sold = (await restored.call('GET', `/api/listings/${listingId}`)).body.listing
  expect(sold).toMatchObject({ status: 'SOLD', reason: null, buyer: buyer.wallet })
  expect(await listingOf(restored, id)).toMatchObject({ status: 'CANCELLED', price: 7 })
  expect((await cardOf(restored, buyer, id))?.status).toBe('ACTIVE')
  expect(await restored.faults()).toEqual([])
})

test('a card that has expired here, and was sold before, keeps its money for its buyer', async () => {
  await using w = await open()
  const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
  await follow(w)
  const backup = await w.backup()
  await bought(w, buyer, sale)
  const { seller, id, listingId } = sale
  await using restored = await backup.restore()
  await restored.write(async (tx) => {
    await sql`update cards set expires_at = ${restored.now()} where id = ${id}`.execute(tx)
    await expireCard(tx, restored.now(), id)
  })
  const here = restored.as(seller)
  const { token } = (await here.post(`/api/cards/${id}/rotate-token`)).body.card
  const { balance } = await cardOf(restored, seller, id)
  expect(balance).toBeGreaterThan(0)
  await follow(restored)
  const claim = await here.post(`/api/cards/${id}/claim`, { token })
  expect([claim.status, claim.body.code]).toEqual([409, 'invalid_state'])
  await follow(restored, 2)
  await ended(restored, listingId)
  const owner = restored.as(buyer)
  const rotated = (await owner.post(`/api/cards/${id}/rotate-token`)).body.card
  const claimed = await owner.post(`/api/cards/${id}/claim`, { token: rotated.token })
  expect([claimed.status, claimed.body.claimed], claimed.text).toEqual([200, balance])
  expect(await restored.faults()).toEqual([])
})

test('two sales after one another, of a card whose token the backup does not know, are both adopted', async () => {
  await using w = await open()
  await w.withGas()
  const [card, buyer, last] = [await paidCard(w), await newBuyer(w), await newBuyer(w)]
  await follow(w)
  const backup = await w.backup()
  const { seller, id } = card
  expect((await seller.post(`/api/cards/${id}/identity`)).status).toBe(200)
  await carried(w, id)
  const first = await listed(w, await withdrawn(w, card))
  await bought(w, buyer, first)
  const row = await carried(w, id)
  await bought(w, last, await listed(w, { seller: buyer, id, row }, 30))
  await using restored = await backup.restore()
  await follow(restored)
  expect((await forgotten(restored)).map(({ state }) => state)).toEqual(['adopted', 'found'])
  expect((await cardOf(restored, seller, id)).status).toBe('FROZEN')
  await ended(restored, (await listingOf(restored, id)).id)
  await follow(restored)
  await ended(restored, (await listingOf(restored, id)).id)
  await expectSold(restored, { id, seller: buyer, buyer: last })
  const handed = await all(
    restored.db.reader,
    sql`select from_wallet as f, to_wallet as t from card_handovers where card_id = ${id} order by owner_no`,
  )
  expect(handed).toEqual([
    { f: seller.wallet, t: buyer.wallet },
    { f: buyer.wallet, t: last.wallet },
  ])
})

// The hold of the backup had ended before the card was sold, so it ends before the card changes hands.
test('a sale waits for the hold that the backup has on its card, and hands over what was sold', async () => {
  await using w = await open()
  const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
  const { seller, id, listingId } = sale
  await follow(w)
  const { card } = (await seller.post(`/api/cards/${id}/rotate-token`)).body
  const till = await (await w.user()).card({ limit: 1 })
  const stream = await seller.post('/api/mpp/stream/open', {
    ...{ card_id: id, card_token: card.token, receiver_card_id: till.id },
    ...{ budget: 0.02, tick_amount: 0.01, expires_in: 1 },
  })
  expect(stream.status, stream.text).toBe(200)
  const backup = await w.backup()
  expect((await seller.post('/api/mpp/stream/close', { stream_id: stream.body.id })).status).toBe(
    200,
  )
  await bought(w, buyer, sale)
  const sold = await cardOf(w, buyer, id)
  await using restored = await backup.restore()
  await follow(restored)
  expect(await carrySale(restored.services, restored.now(), listingId)).toBe(false)
  expect((await listingOf(restored, id)).status).toBe('SETTLING')
  await restored.advance(2 * 3_600)
  await restored.runJobs()
  await ended(restored, listingId)
  await expectSold(restored, { id, seller, buyer })
  const { balance, held, spent } = await cardOf(restored, buyer, id)
  expect({ balance, held, spent }).toEqual({ balance: sold.balance, held: 0, spent: sold.spent })
})

test('a card that another wallet has here is frozen, and the operator decides', async () => {
  await using w = await open()
  const [card, between, buyer] = [await mintedCard(w), await w.user(), await newBuyer(w)]
  await follow(w)
  const [backup, other] = [await w.backup(), await w.backup()]
  const { seller, id } = card
  // The books forget this gift: nothing on the chain says what was agreed for it.
  const given = await seller.post(`/api/cards/${id}/transfer`, { to_wallet: between.wallet })
  expect(given.status, given.text).toBe(200)
  await carried(w, id)
  await bought(w, buyer, await listed(w, await withdrawn(w, { seller: between, id })))
  {
    await using restored = await backup.restore()
    await follow(restored)
    const [held] = await forgotten(restored)
    expect(held).toMatchObject({ state: 'held', reason: 'other_owner' })
    expect((await cardOf(restored, seller, id)).status).toBe('FROZEN')
    const [alarm] = await openAlarms(restored)
    expect(alarm).toMatchObject({ subject: held?.hash, sentence: expect.stringContaining(id) })
    const order = (note: string) =>
      orderSales(restored, restored.now(), ['give', held?.hash ?? '', '--note', note])
    await expect(order(' ')).rejects.toThrow('--note')
    await order('the gift is lost with yesterday')
    await expect(order('again')).rejects.toThrow('no sale')
    await follow(restored)
    await ended(restored, (await listingOf(restored, id)).id)
    await expectSold(restored, { id, seller: between, buyer })
    expect(await openAlarms(restored)).toEqual([])
  }
  await using restored = await other.restore()
  await follow(restored)
  const [held] = await forgotten(restored)
  await orderSales(restored, restored.now(), ['dismiss', held?.hash ?? '', '--note', 'settled'])
  await follow(restored)
  expect((await cardOf(restored, seller, id)).status).toBe('ACTIVE')
  expect(await openAlarms(restored)).toEqual([])
})

test('a token that its owner sells past the service takes no card along', async () => {
  await using w = await open()
  const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
  await follow(w)
  await soldAside(w, sale, { buyer, operator: sale.seller.account })
  await w.safe()
  await follow(w)
  expect(await forgotten(w)).toEqual([])
  expect((await cardOf(w, sale.seller, sale.id)).status).toBe('ACTIVE')
})

/** A restored backup does not know the sales that the chain made since: an operator's command makes them sales of its books. */
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
import { readBlock } from '../../../../chain/client/reads.ts'
import { expireCard } from '../../../../money/cards/controls/own-card.ts'
import { orderSales, salesText } from '../../../../run/operate/commands/sales.ts'
import { carrySale } from '../sale/carry.ts'
import { adoptSales } from './adopt.ts'
import { findMissingSales } from './find.ts'

const open = () => world({ identities: true })
/** The time of the newest safe block: a backup made now has all sales before it. */
const backedUpAt = async (w: World) => (await readBlock(w.chain, 'safe')).at
/** The operator's command, as often as it takes. */
const find = async (w: World, since: Date, times = 1) => {
  for (let i = 0; i < times; i++) {
    await findMissingSales(w.services, w.now(), since)
    await adoptSales(w.services, w.now())
  }
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
const missing = (w: World) =>
  all<{ hash: string; state: string; reason: string | null }>(
    w.db.reader,
    sql`select hash, state, reason from missing_sales order by block_number`,
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
  const since = await backedUpAt(w)
  const [backup, other] = [await w.backup(), await w.backup()]
  await bought(w, buyer, sale)
  const { seller, id, listingId } = sale
  {
    await using restored = await backup.restore()
    await find(restored, since)
    // Before its end the seller has no way to its money.
    expect((await listingOf(restored, id)).status).toBe('SETTLING')
    const refused = await restored.as(seller).post(`/api/cards/${id}/cancel`)
    expect(refused.body.code).toBe('invalid_state')
    await find(restored, since, 2)
    await ended(restored, listingId)
    await expectSold(restored, { id, seller, buyer })
    expect(await missing(restored)).toMatchObject([{ state: 'adopted' }])
  }
  // Neither an end of the listing nor the look at the token takes the sale from its buyer.
  await using restored = await other.restore()
  const cancelled = await restored.as(seller).send('DELETE', `/api/listings/${listingId}`)
  expect(cancelled.body.listing.status).toBe('CANCELLED')
  const again = { card_id: id, price: 7 }
  expect((await restored.as(seller).post('/api/listings', again)).status).toBe(200)
  await carried(restored, id)
  await find(restored, since, 2)
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
  const since = await backedUpAt(w)
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
  await find(restored, since)
  const claim = await here.post(`/api/cards/${id}/claim`, { token })
  expect([claim.status, claim.body.code]).toEqual([409, 'invalid_state'])
  await find(restored, since, 2)
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
  const since = await backedUpAt(w)
  const backup = await w.backup()
  const { seller, id } = card
  expect((await seller.post(`/api/cards/${id}/identity`)).status).toBe(200)
  await carried(w, id)
  const first = await listed(w, await withdrawn(w, card))
  await bought(w, buyer, first)
  const row = await carried(w, id)
  await bought(w, last, await listed(w, { seller: buyer, id, row }, 30))
  await using restored = await backup.restore()
  await find(restored, since)
  expect((await missing(restored)).map(({ state }) => state)).toEqual(['adopted', 'found'])
  expect((await cardOf(restored, seller, id)).status).toBe('FROZEN')
  await ended(restored, (await listingOf(restored, id)).id)
  await find(restored, since)
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
test.each(['its card', 'a child of it'])(
  'a sale waits for the hold that the backup has on %s, and hands over what was sold',
  async (where) => {
    await using w = await open()
    const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
    const { seller, id, listingId } = sale
    const since = await backedUpAt(w)
    const { card } = (await seller.post(`/api/cards/${id}/rotate-token`)).body
    const till = await (await w.user()).card({ limit: 1 })
    const slice = { purpose: 'slice', limit_amount: 0.5 }
    const payer =
      where === 'its card'
        ? card
        : (await seller.post(`/api/cards/${id}/children`, slice)).body.card
    const stream = await seller.post('/api/mpp/stream/open', {
      ...{ card_id: payer.id, card_token: payer.token, receiver_card_id: till.id },
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
    await find(restored, since)
    expect(await carrySale(restored.services, restored.now(), listingId)).toBe(false)
    expect((await listingOf(restored, id)).status).toBe('SETTLING')
    await restored.advance(2 * 3_600)
    await restored.runJobs()
    await ended(restored, listingId)
    await expectSold(restored, { id, seller, buyer })
    const { balance, held, spent } = await cardOf(restored, buyer, id)
    expect({ balance, held, spent }).toEqual({ balance: sold.balance, held: 0, spent: sold.spent })
  },
)

test('a card that another wallet has here is frozen, and the operator decides', async () => {
  await using w = await open()
  const [card, between, buyer] = [await mintedCard(w), await w.user(), await newBuyer(w)]
  const since = await backedUpAt(w)
  const [backup, other] = [await w.backup(), await w.backup()]
  const { seller, id } = card
  // The books forget this gift: nothing on the chain says what was agreed for it.
  const given = await seller.post(`/api/cards/${id}/transfer`, { to_wallet: between.wallet })
  expect(given.status, given.text).toBe(200)
  await carried(w, id)
  await bought(w, buyer, await listed(w, await withdrawn(w, { seller: between, id })))
  {
    await using restored = await backup.restore()
    await find(restored, since)
    const [held] = await missing(restored)
    expect(held).toMatchObject({ state: 'held', reason: 'other_owner' })
    expect((await cardOf(restored, seller, id)).status).toBe('FROZEN')
    const shown = salesText(await orderSales(restored.services, restored.now(), []))
    expect(shown).toContain(`held       ${held?.hash}  ${id}`)
    expect(shown).toContain('order give or dismiss')
    const order = (note: string) =>
      orderSales(restored.services, restored.now(), ['give', held?.hash ?? '', '--note', note])
    await expect(order(' ')).rejects.toThrow('--note')
    await order('the gift is lost with yesterday')
    await expect(order('again')).rejects.toThrow('no sale')
    await ended(restored, (await listingOf(restored, id)).id)
    await expectSold(restored, { id, seller: between, buyer })
  }
  await using restored = await other.restore()
  await find(restored, since)
  const [held] = await missing(restored)
  await orderSales(restored.services, restored.now(), [
    'dismiss',
    held?.hash ?? '',
    '--note',
    'settled',
  ])
  await find(restored, since)
  expect((await cardOf(restored, seller, id)).status).toBe('ACTIVE')
})

test('a token that its owner sells past the service takes no card along', async () => {
  await using w = await open()
  const [sale, buyer] = [await listedOnChain(w), await newBuyer(w)]
  const since = await backedUpAt(w)
  await soldAside(w, sale, { buyer, operator: sale.seller.account })
  await w.safe()
  await find(w, since)
  expect(await missing(w)).toEqual([])
  expect((await cardOf(w, sale.seller, sale.id)).status).toBe('ACTIVE')
})

test('an order that cannot be meant is refused in words', async () => {
  await using w = await open()
  const order = (...words: string[]) => orderSales(w.services, w.now(), words)
  const ahead = ['2999-01-01', '2999-01-01T00:00:00Z']
  const withoutZone = ['2026-01-01', '2026-01-01T04:00:00', '2026-01-01 04:00', '5']
  for (const since of ['yesterday', ...ahead, ...withoutZone])
    await expect(order('find', '--since', since)).rejects.toThrow('Say when the backup was made')
  await expect(order('give', `0x${'ab'.repeat(32)}`, '--note', 'x')).rejects.toThrow('no sale')
  expect(salesText(await order())).toContain('purser sales find --since')
  await using other = await world()
  await expect(
    orderSales(other.services, other.now(), ['find', '--since', '2026-01-01']),
  ).rejects.toThrow('sells nothing on chain')
})

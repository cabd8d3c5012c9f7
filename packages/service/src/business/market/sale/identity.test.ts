import { expect, test } from 'vitest'
import {
  carried,
  mintedCard,
  moveToken,
  rowOf,
  sightOf,
  useUpRations,
} from '../../../../test/actors/identity/identities.ts'
import { type User, world } from '../../../../test/world.ts'
import { carryIdentity } from '../../identity/on-chain/carry.ts'

test('a card that is sold takes its identity token along, and is not sold on before it has arrived', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  const offer = await seller.post('/api/listings', { card_id: id, price: 5 })
  expect(offer.status, offer.text).toBe(200)
  const buyer = await w.user({ treasury: 50 })
  const bought = await buyer.post(`/api/listings/${offer.body.listing.id}/buy`, {})
  expect(bought.status, bought.text).toBe(200)
  expect((await buyer.get(`/api/cards/${id}/identity`)).body.identity).toMatchObject({
    identity_status: 'TRANSFERRING',
  })
  expect((await seller.get(`/api/cards/${id}/identity`)).status).toBe(404)
  const early = await buyer.post(`/api/cards/${id}/transfer`, { to_wallet: seller.wallet })
  expect([early.status, early.body.code]).toEqual([409, 'identity_moving'])
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet })
  expect(await sightOf(w, id)).toMatchObject({ owner: buyer.wallet, isAttested: true })
  await w.runJobs()
  const { listing } = (await w.call('GET', `/api/cards/${id}/listing`)).body
  expect([listing.status, listing.settled_tx]).toEqual(['SOLD', (await rowOf(w, id)).txHash])
  expect(listing.settled_tx).toMatch(/^0x[0-9a-f]{64}$/)
  expect(listing.settled_tx).not.toBe(row.txHash)
  const back = await buyer.post(`/api/cards/${id}/transfer`, { to_wallet: seller.wallet })
  expect(back.status, back.text).toBe(200)
  expect(await carried(w, id)).toMatchObject({ ownerWallet: seller.wallet, tokenId: row.tokenId })
  await w.runJobs()
  const later = (await w.call('GET', `/api/cards/${id}/listing`)).body.listing
  expect(later.settled_tx).toBe(listing.settled_tx)
})

test('a move after a sale is its buyer’s, whatever the seller has sold today; one whose fee pays for it is nobody’s', async () => {
  await using w = await world({ identities: true })
  const { seller, id } = await mintedCard(w)
  const [buyer, next] = [await w.user({ treasury: 50 }), await w.user({ treasury: 50 })]
  const sell = async (from: User, to: User, price: number) => {
    const offer = await from.post('/api/listings', { card_id: id, price })
    const bought = await to.post(`/api/listings/${offer.body.listing.id}/buy`, {})
    expect(bought.status, bought.text).toBe(200)
  }
  await useUpRations(w, [seller.wallet])
  await sell(seller, buyer, 1)
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet })

  await useUpRations(w, [buyer.wallet, next.wallet])
  // Half a percent of ten dollars is five cents.
  await sell(buyer, next, 10)
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', askedBy: next.wallet })

  await sell(next, buyer, 9.99)
  for (let looks = 0; looks < 3; looks++) {
    await carryIdentity(w.services, w.now(), id)
    await w.safe()
  }
  expect(await rowOf(w, id)).toMatchObject({ state: 'TRANSFERRING', askedBy: buyer.wallet })
  await w.advance(86_400)
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet })
})

test('a listing ends when the token is withdrawn, and a card whose token moved is not sold here', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  const offer = (await seller.post('/api/listings', { card_id: id, price: 5 })).body.listing
  const buyer = await w.user({ treasury: 50 })
  expect((await seller.post(`/api/cards/${id}/identity/withdraw`)).status).toBe(200)
  const early = await buyer.post(`/api/listings/${offer.id}/buy`, {})
  expect(early.status, early.text).toBe(409)
  await w.runJobs()
  expect((await w.call('GET', `/api/listings/${offer.id}`)).body.listing.status).toBe('CANCELLED')
  await carried(w, id)
  const to = buyer.account.address
  await moveToken(w, { from: seller.account, to, tokenId: row.tokenId! })
  await carried(w, id)
  expect((await rowOf(w, id)).state).toBe('DETACHED')
  const gift = await seller.post(`/api/cards/${id}/transfer`, { to_wallet: buyer.wallet })
  expect([gift.status, gift.body.code]).toEqual([409, 'identity_withdrawn'])
})

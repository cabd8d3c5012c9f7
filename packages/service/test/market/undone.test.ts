/** A sale on chain that comes to nothing leaves everything as it was, and the card for sale. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import { NOT_APPROVED } from '../../src/base/protocols/evm/credential-market.ts'
import { carrySale } from '../../src/business/market/on-chain/sale/carry.ts'
import { findSale } from '../../src/business/market/on-chain/store.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import { fundGas } from '../../src/run/embedded/dev/chain.ts'
import { carried, moveToken } from '../actors/identity/identities.ts'
import {
  boughtAside,
  buy,
  listedOnChain,
  newBuyer,
  paymentOf,
} from '../actors/identity/on-chain-sales.ts'
import { type OwnWorld, ownWorld, SAFE_BLOCKS } from '../chain-faults/own-world.ts'
import { freshAccount } from '../world/chain.ts'
import type { User } from '../world.ts'
import { linkOf, payLink } from './kit.ts'

const PRICE_UNITS = 25_000_000n
/** Longer than a payment is valid that a buyer is asked to sign. */
const LATER_SECONDS = 2_000

let own: OwnWorld
let link: string
beforeAll(async () => {
  own = await ownWorld({ identities: true })
  const other = await own.during(own.w.user({ treasury: 10 }), { always: true })
  link = (await linkOf(other, await other.card({ limit: 1 }), { amount: 0.01 })).code
})
afterAll(() => own?.[Symbol.asyncDispose]())

/** A card for sale on chain with its token, and an accepted payment for it. */
async function accepted() {
  const { w } = own
  const sale = await own.during(listedOnChain(w), { always: true })
  const { body } = await sale.seller.post(`/api/cards/${sale.id}/rotate-token`)
  const buyer = await own.during(newBuyer(w), { always: true })
  const authorization = await paymentOf(buyer, sale.listingId)
  const answer = await buyer.post(`/api/listings/${sale.listingId}/buy`, { authorization })
  expect(answer.status, answer.text).toBe(202)
  return { ...sale, buyer, nonce: authorization.nonce, token: (body.card ?? body).token }
}
type Accepted = Awaited<ReturnType<typeof accepted>>

const carry = ({ listingId }: Accepted): Promise<boolean> =>
  own.during(carrySale(own.w.services, own.w.now(), listingId))
const listingOf = async ({ listingId }: Accepted) =>
  (await own.w.call('GET', `/api/listings/${listingId}`)).body.listing
const statusOf = async (user: User, { id }: Accepted) =>
  (await user.get(`/api/cards/${id}`)).body.card?.status
const pay = ({ id, token }: Accepted) => payLink(own.w, link, { id, token } as never)

/** Makes the payments of now invalid in a safe block. */
async function expire(): Promise<void> {
  await own.call('evm_increaseTime', LATER_SECONDS)
  await own.blocks(SAFE_BLOCKS + 1)
}

/** The seller has the card as before, nobody has paid, and nothing is left on its way. */
async function expectUndone(sale: Accepted, identity = 'FINAL'): Promise<void> {
  expect(await findSale(own.w.db.reader, sale.listingId)).toMatchObject({ state: 'undone' })
  expect(await statusOf(sale.seller, sale)).toBe('ACTIVE')
  const paid = await pay(sale)
  expect(paid.status, paid.text).toBe(200)
  expect((await sale.buyer.get(`/api/cards/${sale.id}`)).status).toBe(404)
  expect(await own.usdcOf(sale.seller.wallet)).toBe(0n)
  const row = await own.during(carried(own.w, sale.id), { always: true })
  expect(row).toMatchObject({ state: identity, ownerWallet: sale.seller.wallet, move: null })
  const left = await all(
    own.w.db.reader,
    sql`select ref from gas_flights union all select ref from chain_sends where state <> 'mined'`,
  )
  expect(left).toEqual([])
  expect(await own.w.faults()).toEqual([])
}

/** Another buyer gets what the first did not. */
async function expectSoldTo(buyer: User, sale: Accepted): Promise<void> {
  const answer = await buy(buyer, sale.listingId)
  expect(answer.status, answer.text).toBe(202)
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  await expectSold(buyer, sale)
}

async function expectSold(buyer: User, sale: Accepted): Promise<void> {
  expect(await listingOf(sale)).toMatchObject({ status: 'SOLD', buyer: buyer.wallet })
  expect(await statusOf(buyer, sale)).toBe('ACTIVE')
  expect((await sale.seller.get(`/api/cards/${sale.id}`)).status).toBe(404)
  expect((await pay(sale)).body.code).toBe('invalid_card_token')
  expect(await own.usdcOf(buyer.wallet)).toBe(100_000_000n - PRICE_UNITS)
  expect(await own.usdcOf(sale.seller.wallet)).toBe(24_875_000n)
  const owners = await all<{ n: number }>(
    own.w.db.reader,
    sql`select owner_no as n from cards where id = ${sale.id}`,
  )
  expect(owners).toEqual([{ n: 1 }])
  expect(await own.w.faults()).toEqual([])
}

test('a payment that runs out before it is relayed is never sent, and its buyer can sign another', async () => {
  const sale = await accepted()
  expect((await pay(sale)).body.code).toBe('card_frozen')
  await expire()
  expect(await carry(sale)).toBe(true)
  await expectUndone(sale)
  expect(await listingOf(sale)).toMatchObject({ status: 'LISTED', buyer: null, sellable: true })
  expect(await own.usdcOf(sale.buyer.wallet)).toBe(100_000_000n)
  await expectSoldTo(sale.buyer, sale)
})

test('a sale that the chain refuses is undone once nobody can relay it any more', async () => {
  const sale = await accepted()
  const { buyer } = sale
  await fundGas({ rpcUrl: own.rpcUrl, address: buyer.account.address, wei: 10n ** 18n })
  const safe = (await freshAccount({ rpcUrl: own.rpcUrl })).address
  await own.w.transfer(buyer.account, safe, 80_000_000n)
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  // It reverted; the buyer may fill the wallet again, and anybody relay it.
  expect(await carry(sale)).toBe(false)
  expect(await listingOf(sale)).toMatchObject({ status: 'SETTLING' })
  expect(await statusOf(sale.seller, sale)).toBe('FROZEN')
  // The seller's signature is public now, and sells to nobody whom the service has not approved.
  expect(await boughtAside(own.w, sale.listingId)).toBe(NOT_APPROVED)
  await expire()
  expect(await carry(sale)).toBe(true)
  await expectUndone(sale)
  expect(await own.usdcOf(buyer.wallet)).toBe(20_000_000n)
  expect(await boughtAside(own.w, sale.listingId)).toBe(NOT_APPROVED)
  await expectSoldTo(await own.during(newBuyer(own.w), { always: true }), sale)
})

test('a buyer who cancels the payment on chain ends the sale as soon as that is safe', async () => {
  const sale = await accepted()
  const { buyer } = sale
  await fundGas({ rpcUrl: own.rpcUrl, address: buyer.account.address, wei: 10n ** 18n })
  await own.cancel(buyer.account, sale.nonce)
  expect(await carry(sale)).toBe(false)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  await expectUndone(sale)
  expect(await own.usdcOf(buyer.wallet)).toBe(100_000_000n)
  // The nonce is the listing's, so this wallet cannot buy it any more.
  const again = await buy(buyer, sale.listingId)
  expect(again.body.code).toBe('authorization_rejected')
  await expectSoldTo(await own.during(newBuyer(own.w), { always: true }), sale)
})

test('a seller who sends the token elsewhere is paid nothing, keeps the card, and sells it no more', async () => {
  const sale = await accepted()
  const to = (await freshAccount({ rpcUrl: own.rpcUrl })).address
  const { row, seller } = sale
  const tokenId = row.tokenId ?? 0n
  await own.during(moveToken(own.w, { from: seller.account, to, tokenId }), { always: true })
  await carry(sale)
  await expire()
  expect(await carry(sale)).toBe(true)
  await expectUndone(sale, 'DETACHED')
  expect(await own.usdcOf(sale.buyer.wallet)).toBe(100_000_000n)
  await own.during(own.w.runJobs())
  expect(await listingOf(sale)).toMatchObject({ status: 'CANCELLED', reason: 'identity_moved' })
  expect(await buy(sale.buyer, sale.listingId).catch(String)).toMatch(/listing_closed/)
})

test.each([1, 3])(
  'a sale whose block is undone, %i deep, is made again: one owner, one payment',
  async (depth) => {
    const sale = await accepted()
    const { buyer } = sale
    await carry(sale)
    expect(await own.usdcOf(buyer.wallet)).toBe(75_000_000n)
    await own.blocks(depth - 1)
    expect(await carry(sale)).toBe(false)
    await own.reorg(depth)
    expect(await own.usdcOf(buyer.wallet)).toBe(100_000_000n)
    expect(await statusOf(sale.seller, sale)).toBe('FROZEN')
    const { w } = own
    await own.shiftLogs()
    for (let round = 0; round < 3; round++) {
      await own.during(maintainSends(w.services.relay, w.now()))
      await own.blocks(SAFE_BLOCKS + 1)
    }
    expect(await carry(sale)).toBe(true)
    await expectSold(buyer, sale)
  },
)

test('a card that its owner has frozen is not sold, and stays frozen', async () => {
  const sale = await own.during(listedOnChain(own.w), { always: true })
  const buyer = await own.during(newBuyer(own.w), { always: true })
  const authorization = await paymentOf(buyer, sale.listingId)
  expect((await sale.seller.post(`/api/cards/${sale.id}/freeze`)).status).toBe(200)
  const answer = await buyer.post(`/api/listings/${sale.listingId}/buy`, { authorization })
  expect(answer.body.code).toBe('invalid_state')
  expect(await findSale(own.w.db.reader, sale.listingId)).toBe(undefined)
  expect((await sale.seller.get(`/api/cards/${sale.id}`)).body.card.status).toBe('FROZEN')
  expect((await sale.seller.post(`/api/cards/${sale.id}/unfreeze`)).status).toBe(200)
})

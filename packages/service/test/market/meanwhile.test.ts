/** The buyer gets what was paid for, whatever happens to the card while the chain sells it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import { carrySale } from '../../src/business/market/on-chain/sale/carry.ts'
import { findCard } from '../../src/money/cards/store.ts'
import { treasuryKey } from '../../src/money/ledger/account-keys.ts'
import { openAccount } from '../../src/money/ledger/accounts.ts'
import { post } from '../../src/money/ledger/post.ts'
import { directSeller, present, x402Payer } from '../actors/direct/direct-kit.ts'
import { type CardId, carried } from '../actors/identity/identities.ts'
import {
  buy,
  listed,
  listedOnChain,
  newBuyer,
  type OnChainListing,
  withdrawn,
  withdrawnCard,
} from '../actors/identity/on-chain-sales.ts'
import { join } from '../actors/members/meter-kit.ts'
import { agree, monthly } from '../billing/kit.ts'
import { type OwnWorld, ownWorld, SAFE_BLOCKS } from '../chain-faults/own-world.ts'
import { followAll } from '../stats/scan.ts'
import { until } from '../until.ts'
import type { User } from '../world.ts'
import { balanceOf, linkOf, payLink } from './kit.ts'

let own: OwnWorld
beforeAll(async () => {
  own = await ownWorld({ identities: true })
})
afterAll(() => own?.[Symbol.asyncDispose]())

const making = <T>(work: Promise<T>): Promise<T> => own.during(work, { always: true })
const carry = ({ listingId }: OnChainListing): Promise<boolean> =>
  own.during(carrySale(own.w.services, own.w.now(), listingId))

async function acceptedBy(sale: OnChainListing) {
  const buyer = await making(newBuyer(own.w))
  const answer = await buy(buyer, sale.listingId)
  expect(answer.status, answer.text).toBe(202)
  return buyer
}

test('a card whose time runs out expires with its buyer: its seller takes nothing from it', async () => {
  const { w } = own
  const sale = await making(listedOnChain(w))
  const { seller, id } = sale
  const { links } = (await seller.get('/api/paylinks')).body
  const { token } = (await seller.post(`/api/cards/${id}/rotate-token`)).body.card
  const buyer = await acceptedBy(sale)
  const soon = new Date(w.now().getTime() + 1_000)
  await sql`update cards set expires_at = ${soon} where id = ${id}`.execute(w.db.reader as never)
  await w.advance(60)
  await own.during(w.runJobs())
  expect((await seller.get(`/api/cards/${id}`)).body.card.status).toBe('FROZEN')
  for (const [method, path, body] of [
    ['POST', `/api/cards/${id}/claim`, { token }],
    ['POST', `/api/cards/${id}/cancel`],
    ['DELETE', `/api/paylinks/${links[0].code}`],
  ] as const) {
    const refused = await seller.send(method, path, body)
    expect([path, refused.body.code]).toEqual([path, 'invalid_state'])
  }
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  await own.during(w.runJobs())
  const { card } = (await buyer.get(`/api/cards/${id}`)).body
  expect(card.status).toBe('EXPIRED')
  expect(card.balance).toBeGreaterThan(0)
  const rotated = (await buyer.post(`/api/cards/${id}/rotate-token`)).body
  const claimed = await buyer.post(`/api/cards/${id}/claim`, { token: rotated.card.token })
  expect(claimed.status, claimed.text).toBe(200)
  expect((await buyer.get('/api/balance')).body.balances[0].available).toBe(card.balance)
  expect(await w.faults()).toEqual([])
})

test('while the chain sells a card its seller changes no link and no agreement of it; payers may', async () => {
  const { w } = own
  const sale = await making(listedOnChain(w))
  const { seller, id } = sale
  const open = (body: object) => seller.post('/api/paylinks', { card_id: id, ...body })
  const { code } = (await open({ amount: 10, type: 'RECURRING', max_uses: 0 })).body
  const payer = await making(w.user({ treasury: 500 }))
  const card = await payer.card({ limit: 200 })
  const [paused, kept] = [
    await agree(payer, card, monthly(code)),
    await agree(payer, card, monthly(code)),
  ]
  const change = (user: User, agreement: any, verb: string, body?: object) =>
    user.post(`/api/billing/agreements/${agreement.id}/${verb}`, body)
  expect((await change(seller, paused, 'pause')).status).toBe(200)
  const buyer = await acceptedBy(sale)
  const version = (await w.call('GET', `/api/listings/${sale.listingId}`)).body.listing.version
  expect(version).toMatch(/^([\w-]{12}\.){8}/)
  for (const refused of [
    await change(seller, kept, 'pause'),
    await change(seller, kept, 'cancel'),
    await change(seller, kept, 'cancel', { at_period_end: true }),
    await change(seller, paused, 'resume'),
    await change(seller, paused, 'cancel'),
    await open({ amount: 1 }),
    await seller.send('DELETE', `/api/paylinks/${code}`),
    await seller.post(`/api/cards/${id}/transfer`, { to_wallet: payer.wallet }),
    await seller.post(`/api/cards/${id}/identity/withdraw`),
  ])
    expect([refused.status, refused.body.code], refused.text).toEqual([409, 'invalid_state'])

  // The database refuses them too, whatever the code forgets.
  for (const [table, set, where] of [
    ['agreements', "status = 'PAUSED', paused_by = 'merchant'", `id = '${kept.id}'`],
    ['agreements', "status = 'ACTIVE', paused_by = null", `id = '${paused.id}'`],
    ['agreements', "cancelled_by = 'merchant'", `id = '${kept.id}'`],
    ['pay_links', "status = 'CANCELLED'", `code = '${code}'`],
    ['cards', 'daily_limit = 1', `id = '${id}'`],
    ['cards', 'limit_amount = limit_amount + 1', `id = '${id}'`],
    ['cards', "token_hash = sha256('x')", `id = '${id}'`],
  ] as const) {
    const change = sql.raw(`update ${table} set ${set} where ${where}`).execute(w.db.reader)
    await expect(change, `${table} ${set}`).rejects.toMatchObject({ code: '23514' })
  }

  // A payer is not the seller's to bind. The buyer learns what is not as it was paid for.
  expect((await change(payer, kept, 'pause')).status).toBe(200)
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  const { events } = (await buyer.get('/api/events?type=listing.sold')).body
  expect(events.map(({ data }: any) => data.changed)).toEqual([['agreements']])
  expect((await change(buyer, paused, 'resume')).status).toBe(200)
  expect((await change(seller, kept, 'cancel')).status).toBe(404)
  expect(await w.faults()).toEqual([])
})

test('while the chain sells a card its seller takes no money off it and ends no stream to it; payments come in', async () => {
  const { w } = own
  const sale = await making(listedOnChain(w))
  const { seller, id } = sale
  const ask = { card_id: id, amount: 1, type: 'RECURRING', max_uses: 0 }
  const { code } = (await seller.post('/api/paylinks', ask)).body
  const payer = await making(w.user({ treasury: 50 }))
  const purse = await payer.card({ limit: 20 })
  expect((await payLink(w, code, purse)).status).toBe(200)
  const { payments } = (await seller.get(`/api/payments?card_id=${id}`)).body
  const of = { card_id: purse.id, card_token: purse.token }
  const terms = { budget: 2, tick_amount: 0.5, receiver_card_id: id }
  const { id: stream } = (await payer.post('/api/mpp/stream/open', { ...of, ...terms })).body
  const tick = () => payer.post('/api/mpp/stream/tick', { ...of, stream_id: stream })
  expect((await tick()).status).toBe(200)
  const close = (user: User) => user.post('/api/mpp/stream/close', { stream_id: stream })
  const refund = (user: User) => user.post(`/api/payments/${payments[0].id}/refund`)

  const buyer = await acceptedBy(sale)
  for (const refused of [await refund(seller), await close(seller)])
    expect([refused.status, refused.body.code], refused.text).toEqual([409, 'invalid_state'])
  const card = await findCard(w.db.reader, id)
  const mine = await w.write((tx) => openAccount(tx, treasuryKey(w.chain.asset, seller.wallet)))
  const entries = [
    { account: card?.accountId as bigint, amount: -1n },
    { account: mine, amount: 1n },
  ]
  const taken = w.write((tx) => post(tx, w.now(), [{ kind: 'card_claim', ref: 'x', entries }]))
  await expect(taken).rejects.toMatchObject({ constraint: 'money_stays_on_sale' })

  expect([(await tick()).status, (await payLink(w, code, purse)).status]).toEqual([200, 200])
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  expect((await close(seller)).status).toBe(404)
  expect((await close(buyer)).body).toEqual({ final_amount: 1, status: 'CLOSED' })
  expect((await refund(buyer)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})

test('a payment that is on its way to the seller’s wallet is the seller’s, and booked before the card moves', async () => {
  const { w } = own
  const base = await w.listen()
  const direct = await making(directSeller(w))
  const link = await direct.open({ type: 'RECURRING', max_uses: 0 })
  const url = `${base}/pay/${link.code}`
  const payer = x402Payer(await own.payer())
  expect((await own.during(present(url, await payer.header(url)))).status).toBe(200)
  await followAll(w)
  const { seller } = direct
  const id = direct.card.id as CardId
  expect((await seller.post(`/api/cards/${id}/identity`)).status).toBe(200)
  await making(carried(w, id))
  const sale = await making(listed(w, await making(withdrawn(w, { seller, id }))))
  const buyer = await acceptedBy(sale)
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  const paying = present(url, await payer.header(url))
  const settling = () =>
    all(w.db.reader, sql`select from direct_settlements where state = 'settling'`)
  await until(settling, ({ length }) => length > 0)
  expect(await carrySale(w.services, w.now(), sale.listingId)).toBe(false)
  expect((await seller.get(`/api/cards/${id}`)).body.card.status).toBe('FROZEN')
  expect((await own.during(paying)).status).toBe(200)
  expect(await carry(sale)).toBe(true)
  expect((await buyer.get(`/api/cards/${id}`)).body.card.status).toBe('ACTIVE')
  expect(await own.usdcOf(seller.wallet)).toBe(1_000_000n + 24_875_000n)
  // From here on the link pays its new owner, who needs a plan as the seller did.
  await making(join(w, buyer))
  expect((await own.during(present(url, await payer.header(url)))).status).toBe(200)
  expect(await own.usdcOf(buyer.wallet)).toBe(75_500_000n)
  expect(await w.faults()).toEqual([])
})

test('a card is on one market at a time, and what was signed for the chain sells nothing beside it', async () => {
  const { w } = own
  const card = await making(withdrawnCard(w))
  const { seller, id } = card
  const offer = () => seller.post('/api/listings', { card_id: id, price: 25 })
  const inBooks = (await offer()).body.listing
  const failed = await making(listed(w, card)).catch(String)
  expect(failed).toMatch(/already_listed/)
  const rich = await making(w.user({ treasury: 50 }))
  const early = await rich.post(`/api/listings/${inBooks.id}/buy`, {})
  expect(early.body.code).toBe('identity_withdrawn')
  expect((await seller.send('DELETE', `/api/listings/${inBooks.id}`)).status).toBe(200)

  const sale = await making(listed(w, card))
  expect((await offer()).body.code).toBe('already_listed')
  const paid = await rich.post(`/api/listings/${sale.listingId}/buy`, {})
  expect(paid.body.code).toBe('missing_field')
  const buyer = await acceptedBy(sale)
  expect((await offer()).body.code).toBe('invalid_state')
  const gift = await seller.post(`/api/cards/${id}/transfer`, { to_wallet: rich.wallet })
  expect(gift.body.code).toBe('invalid_state')
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  expect((await buyer.get(`/api/cards/${id}`)).body.card.status).toBe('ACTIVE')
  expect(await w.faults()).toEqual([])
})

test('a refund of what the card has paid is the seller’s, though the card is not yet the buyer’s', async () => {
  const { w } = own
  const shop = await making(w.user())
  const till = await making(shop.card({ limit: 1 }))
  const { code } = await linkOf(shop, till, { amount: 0.02 })
  const sale = await making(listedOnChain(w))
  const { seller, id } = sale
  const { card } = (await seller.post(`/api/cards/${id}/rotate-token`)).body
  expect((await payLink(w, code, card)).status).toBe(200)
  const [payment] = (await shop.get(`/api/payments?card_id=${till.id}`)).body.payments
  const buyer = await acceptedBy(sale)
  const cardNow = async (user: typeof buyer) => {
    const { balance, spent, remaining } = (await user.get(`/api/cards/${id}`)).body.card
    return { balance, spent, remaining }
  }
  const [before, balance] = [await cardNow(seller), await balanceOf(seller)]
  const refunded = await shop.post(`/api/payments/${payment.id}/refund`, { amount: 0.01 })
  expect(refunded.status, refunded.text).toBe(200)
  expect(await cardNow(seller)).toEqual(before)
  expect(await balanceOf(seller)).toBeCloseTo(balance + 0.01, 6)
  await carry(sale)
  await own.blocks(SAFE_BLOCKS + 1)
  expect(await carry(sale)).toBe(true)
  expect(await cardNow(buyer)).toEqual(before)
  expect(await w.faults()).toEqual([])
})

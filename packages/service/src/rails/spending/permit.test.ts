import { expect, test } from 'vitest'
import {
  officialPermitSeller,
  type UptoTill,
  uptoSeller,
} from '../../../test/sellers/permit-sellers.ts'
import { type Card, type User, type World, world } from '../../../test/world.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { compareCustody } from '../../links/reconcile/compare.ts'
import { readLiabilities } from '../../money/ledger/verify/verify.ts'
import { findPayment } from './store.ts'

const pay = (user: User, card: Card, ask: Record<string, unknown>, key?: string) =>
  user.post(
    '/api/pay',
    { card_id: card.id, card_token: card.token, ...ask },
    key ? { headers: { 'idempotency-key': key } } : {},
  )
const cardOf = async (user: User, card: Card) => (await user.get(`/api/cards/${card.id}`)).body.card

async function untilState(w: World, id: string, state: string) {
  const payment = await w.workUntil(
    () => findPayment(w.db.reader, id),
    (found) => found?.state === state,
  )
  return payment!
}

/** The books and the chain agree to the unit, with nothing on its way. */
async function expectBooksToMatch(w: World): Promise<void> {
  const [books] = await readLiabilities(w.db.reader)
  expect(books).toMatchObject({ outbound: 0n, custody: await w.treasuryOnChain() })
  expect(await w.faults()).toEqual([])
}
const difference = (w: World) =>
  compareCustody({ db: w.db, rail: w.chain, at: w.now(), isEmbedded: true })

async function buyer(w: World, limit = 5) {
  await w.withGas()
  const user = await w.user()
  return { user, card: await user.card({ limit }) }
}

test.concurrent('a card pays a seller of the official packages by Permit2, after the treasury has allowed it once', async () => {
  await using w = await world()
  await using seller = await officialPermitSeller({ amount: 10_000n })
  const { user, card } = await buyer(w)
  const paid = await pay(user, card, { url: seller.url })
  expect([paid.status, paid.body], paid.text).toMatchObject([200, { amount_debited: 0.01005 }])
  const ids = [paid.body.transaction_id]
  for (const _ of [1, 2]) ids.push((await pay(user, card, { url: seller.url })).body.transaction_id)
  for (const id of ids)
    expect(await untilState(w, id, 'final')).toMatchObject({ mechanism: 'permit2' })
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(30_000n)
  expect(await cardOf(user, card)).toMatchObject({ balance: 4.96985, remaining: 4.96985 })
  await expectBooksToMatch(w)
})

test.concurrent('upto: the most is held, what the official seller used is captured with its fee, the rest goes back', async () => {
  await using w = await world()
  await using seller = await officialPermitSeller({ amount: 2_000_000n, used: () => 300_000n })
  const { user, card } = await buyer(w)
  const paid = await pay(user, card, { url: seller.url })
  expect(paid.status, paid.text).toBe(200)
  const id = paid.body.transaction_id
  const payment = await untilState(w, id, 'final')
  expect(payment).toMatchObject({
    mechanism: 'upto',
    maxAmount: 2_000_000n,
    merchantAmount: 300_000n,
    fee: 1_500n,
  })
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(300_000n)
  expect(await cardOf(user, card)).toMatchObject({ balance: 4.6985, remaining: 4.6985 })
  const shown = (await user.get(`/api/payments/${id}`)).body.payment
  expect(shown).toMatchObject({ amount: 0.3015, fee: 0.0015, request: { merchant_amount: 0.3 } })
  const { transactions } = (await user.get(`/api/cards/${card.id}/transactions`)).body
  expect(transactions).toMatchObject([{ id, amount: 0.3015, status: 'SETTLED' }])
  await expectBooksToMatch(w)
})

test.concurrent('upto: while it is open the whole is held, a part that is taken is explained, and it is taken once', async () => {
  await using w = await world()
  const tills: UptoTill[] = []
  await using seller = await uptoSeller({
    max: 1_000_000n,
    serve: async (till) => void tills.push(till),
  })
  const { user, card } = await buyer(w, 2)
  const first = await pay(user, card, { url: seller.url }, 'rent')
  expect(first.body).toMatchObject({ settlement: { status: expect.not.stringMatching('SETTLED') } })
  expect(await cardOf(user, card)).toMatchObject({ balance: 0.995, held: 1.005 })
  // The same request presents the same permit, and holds nothing more.
  await pay(user, card, { url: seller.url }, 'rent')
  const [till, again] = tills
  expect(again?.permit.nonce ?? till?.permit.nonce).toBe(till?.permit.nonce)
  await expect(till!.settle(1_000_001n)).resolves.toBeDefined()
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(0n)
  await till!.settle(999_999n)
  await w.safe()
  expect(await difference(w)).toMatchObject({ difference: 0n, departed: 999_999n })
  await till!.settle(1n)
  const payment = await untilState(w, first.body.transaction_id, 'final')
  expect(payment).toMatchObject({ merchantAmount: 999_999n, fee: 5_000n })
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(999_999n)
  await expectBooksToMatch(w)
})

test.concurrent('upto: a facilitator that is a contract is found by the call inside', async () => {
  await using w = await world()
  await using seller = await uptoSeller({
    max: 500_000n,
    nested: true,
    serve: (till) => till.settle(123_456n),
  })
  const { user, card } = await buyer(w)
  const paid = await pay(user, card, { url: seller.url })
  expect(await untilState(w, paid.body.transaction_id, 'final')).toMatchObject({
    merchantAmount: 123_456n,
    fee: 617n,
  })
  await expectBooksToMatch(w)
})

test.concurrent('upto: what a seller writes behind its call does not make an earlier payment smaller', async () => {
  await using w = await world()
  const tills: UptoTill[] = []
  await using seller = await uptoSeller({
    max: 500_000n,
    serve: async (till) => void tills.push(till),
  })
  const { user, card } = await buyer(w)
  const first = await pay(user, card, { url: seller.url }, 'one')
  const second = await pay(user, card, { url: seller.url }, 'two')
  const [large, small] = tills as [UptoTill, UptoTill]
  await large.settle(500_000n)
  // The call that took all of it says so; a later call takes one unit of another and names the first with one, too.
  await small.settle(1n, large.dataOf(1n).slice(10))
  expect(await untilState(w, first.body.transaction_id, 'final')).toMatchObject({
    merchantAmount: 500_000n,
  })
  expect(await untilState(w, second.body.transaction_id, 'final')).toMatchObject({
    merchantAmount: 1n,
    fee: 1n,
  })
  await expectBooksToMatch(w)
})

test.concurrent('upto: what nobody uses goes back to the card, once no block can use it any more', async () => {
  await using w = await world()
  await using seller = await uptoSeller({
    max: 700_000n,
    maxTimeoutSeconds: 1,
    serve: async () => {},
  })
  const { user, card } = await buyer(w, 1)
  const paid = await pay(user, card, { url: seller.url })
  expect(await cardOf(user, card)).toMatchObject({ remaining: 0.2965 })
  const declined = await pay(user, card, { url: seller.url })
  expect([declined.status, declined.body.code]).toEqual([403, 'limit_exceeded'])
  await untilState(w, paid.body.transaction_id, 'released')
  expect(await cardOf(user, card)).toMatchObject({ balance: 1, remaining: 1 })
  await expectBooksToMatch(w)
})

test.concurrent('upto: a payment that the agent carries itself is signed once, and captured like any other', async () => {
  await using w = await world()
  await using seller = await uptoSeller({ max: 400_000n, serve: (till) => till.settle(40_000n) })
  const { user, card } = await buyer(w)
  const asked = await fetch(seller.url)
  const demand = Buffer.from(asked.headers.get('payment-required') ?? '', 'base64')
  const body = { card_id: card.id, card_token: card.token, resource: seller.url }
  const ask = { ...body, challenge: JSON.parse(demand.toString()) }
  const headers = { 'idempotency-key': 'carried' }
  const made = await user.post('/api/pay/authorize', ask, { headers })
  expect([made.status, made.body.amount_held], made.text).toEqual([200, 0.402])
  const again = await user.post('/api/pay/authorize', ask, { headers })
  expect(again.body.payment).toEqual(made.body.payment)
  const payment = Buffer.from(JSON.stringify(made.body.payment)).toString('base64')
  expect((await fetch(seller.url, { headers: { 'payment-signature': payment } })).status).toBe(200)
  expect(await untilState(w, made.body.transaction_id, 'final')).toMatchObject({
    merchantAmount: 40_000n,
    fee: 200n,
  })
  await expectBooksToMatch(w)
})

test.concurrent('an upto offer without a facilitator, or above what the card may pay, is refused with its reason', async () => {
  await using w = await world()
  await using seller = await uptoSeller({ max: 900_000n, serve: async () => {} })
  const { user, card } = await buyer(w, 1)
  const { status, body } = await pay(user, card, { url: seller.url, max_amount: 0.5 })
  expect([status, body.code, body.challenge.offers[0].reason]).toEqual([
    ...[422, 'no_payable_option', 'above_max_amount'],
  ])
})

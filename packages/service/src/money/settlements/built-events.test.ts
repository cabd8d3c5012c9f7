/** The events of settlements by cards have no rows: each reader is shown what was once recorded, byte by byte. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../test/actors/ap2/shop.ts'
import { type Held, issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { prove, register } from '../../../test/webhooks/kit.ts'
import { receiver } from '../../../test/webhooks/receiver.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { deleteEvents } from '../../api/events/place.ts'
import { all, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { amount } from '../../base/kernel/money.ts'
import { tierAt } from '../../members/membership/store.ts'
import { newBatch, readBatch } from './batch.ts'
import { type Payee, readHousePayee, readWalletPayees } from './payee.ts'
import { settle } from './settle.ts'
import { writeBatch } from './write.ts'

type Seen = { id: string; type: string; seq: number; data: Record<string, any> }

let w: World
let seller: User
let buyer: User
let till: Held
let card: Held
beforeAll(async () => {
  w = await world()
  ;[seller, buyer] = await Promise.all([w.user({ treasury: 20 }), w.user({ treasury: 100 })])
  ;[till, card] = await Promise.all([issue(seller, 1), issue(buyer, 50)])
})
afterAll(() => w[Symbol.asyncDispose]())

const TYPES = 'type=payment.sent,payment.settled'
async function seen(user: User, more = ''): Promise<Seen[]> {
  await w.shown()
  const { status, body, text } = await user.get(`/api/events?${TYPES}${more}`)
  expect(status, text).toBe(200)
  return body.events
}
/** The data of the wallet's newest event, as the answer's bytes have them. */
const newest = async (user: User) => JSON.stringify((await seen(user, '&limit=100')).at(-1)?.data)
const settlement = async () => {
  const [row] = await all(
    w.db.reader,
    sql<{ id: string }>`select id from settlements order by created_at desc, id desc limit 1`,
  )
  return row?.id ?? ''
}
const ofSide = (id: string, prefix: string, direction: 'sent' | 'received') =>
  direction === 'sent'
    ? `${prefix}_${id.slice(4)}`
    : `${prefix}_${id.slice(4, 29)}${otherLetter(id.at(-1) ?? '')}`
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const otherLetter = (letter: string) => LETTERS[(LETTERS.indexOf(letter) + 16) % 32]

test('a payment of a link by card: both sides, with what the link says', async () => {
  const memo = 'tea "for" two ☕'
  const { code } = await open(seller, till, { amount: 1.5, memo })
  expect((await payWith(w, code, card)).status).toBe(200)
  const id = await settlement()
  const { network } = w.chain.asset
  const paid = `{"settlement_id":"${id}","pay_link_code":"${code}","agreement_id":null,"rail":"card","settlement_mode":"CUSTODIAL","tx_hash":null`
  expect(await newest(buyer)).toBe(
    `${paid},"transaction_id":"${ofSide(id, 'txn', 'sent')}","direction":"sent","card_id":"${card.id}","amount":1.5,"fee":0,"net_amount":1.5,"merchant":"${code}","memo":${JSON.stringify(memo)},"asset":"USDC","network":"${network}"}`,
  )
  expect(await newest(seller)).toBe(
    `${paid},"transaction_id":"${ofSide(id, 'txn', 'received')}","direction":"received","card_id":"${till.id}","amount":1.5,"fee":0.0075,"net_amount":1.4925,"receipt_id":"${id}","receiver_card_id":"${till.id}","memo":${JSON.stringify(memo)},"token_contract":null,"pay_to":null,"metered_fee":null,"asset":"USDC","network":"${network}"}`,
  )
})

test('a payment by AP2 names its protocol, and a receiver to whom the fee left nothing its transaction', async () => {
  const shop = await openShop(w, { amount: 25 })
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  expect((await settleWith(shop.payer, settleBody(shop, closed))).status).toBe(201)
  const id = await settlement()
  const { network } = w.chain.asset
  const paid = `{"settlement_id":"${id}","pay_link_code":"${shop.link.code}","agreement_id":null,"rail":"ap2","settlement_mode":"CUSTODIAL","tx_hash":null`
  expect(await newest(shop.payer)).toBe(
    `${paid},"transaction_id":"${ofSide(id, 'txn', 'sent')}","direction":"sent","card_id":"${shop.card.id}","amount":25,"fee":0,"net_amount":25,"merchant":"${shop.link.code}","memo":"tea","asset":"USDC","network":"${network}","protocol":"ap2"}`,
  )
  const { code } = await open(seller, till, { amount: 0.000001 })
  expect((await payWith(w, code, card)).status).toBe(200)
  const all = await settlement()
  expect(await newest(seller)).toBe(
    `{"settlement_id":"${all}","pay_link_code":"${code}","agreement_id":null,"rail":"card","settlement_mode":"CUSTODIAL","tx_hash":null,"transaction_id":"${ofSide(all, 'txn', 'received')}","direction":"received","card_id":"${till.id}","amount":0.000001,"fee":0.000001,"net_amount":0,"receipt_id":"${all}","receiver_card_id":"${till.id}","memo":"","token_contract":null,"pay_to":null,"metered_fee":null,"asset":"USDC","network":"${network}"}`,
  )
})

/** Pays this payee from the buyer's card, as a charge of an agreement. */
const charge = (payeeOf: (tx: Tx) => Promise<Payee | undefined>) =>
  w.write(async (tx) => {
    const { asset } = w.chain
    const batch = newBatch(
      w.now(),
      await readBatch(tx, w.now(), { cardIds: [card.id], assets: [asset] }),
    )
    const [payer, payee] = [batch.cards.get(card.id), await payeeOf(tx)]
    if (!payer || !payee) throw new Error('no such card or payee')
    const { fee } = w.services.settings
    const by = { asset, fee, rail: 'card' as const, agreementId: 'agr_1' as Id<'agr'> }
    const outcome = settle(batch, { payer, payee, amount: amount(2_000_000n), ...by })
    if (outcome.kind === 'refused') throw outcome.problem
    writeBatch(tx, batch)
  })

test('a charge of a wallet or by the house names its agreement, and the house has no event', async () => {
  const { asset } = w.chain
  const of = { wallets: [seller.wallet], asset, tierOf: tierAt(w.now()) }
  await charge(async (tx) => (await readWalletPayees(tx, of)).get(seller.wallet))
  const id = await settlement()
  const paid = `{"settlement_id":"${id}","pay_link_code":null,"agreement_id":"agr_1","rail":"card","settlement_mode":"CUSTODIAL","tx_hash":null`
  expect(await newest(buyer)).toBe(
    `${paid},"transaction_id":"${ofSide(id, 'txn', 'sent')}","direction":"sent","card_id":"${card.id}","amount":2,"fee":0,"net_amount":2,"merchant":"${seller.wallet}","memo":"","asset":"USDC","network":"${asset.network}"}`,
  )
  expect(await newest(seller)).toBe(
    `${paid},"transaction_id":null,"direction":"received","card_id":null,"amount":2,"fee":0.01,"net_amount":1.99,"receipt_id":"${id}","receiver_card_id":null,"memo":"","token_contract":null,"pay_to":null,"metered_fee":null,"asset":"USDC","network":"${asset.network}"}`,
  )
  await charge((tx) => readHousePayee(tx, { account: 'membership_revenue', asset }))
  const toHouse = await settlement()
  expect(await newest(buyer)).toContain(`"settlement_id":"${toHouse}"`)
  expect(await newest(buyer)).toContain('"merchant":"membership_revenue","memo":""')
  expect(await newest(seller)).toContain(id)
})

test('a wallet that pays itself reads both sides, each once, and continues from either', async () => {
  const own = await issue(buyer, 1)
  const { code } = await open(buyer, own, { type: 'RECURRING', max_uses: 0, amount: 0.1 })
  for (let i = 0; i < 3; i++) expect((await payWith(w, code, card)).status).toBe(200)
  const whole = (await seen(buyer, '&limit=100')).filter(({ data }) => data.pay_link_code === code)
  expect(whole.map(({ type }) => type)).toEqual(
    Array(3).fill(['payment.sent', 'payment.settled']).flat(),
  )
  expect(new Set(whole.map(({ id }) => id)).size).toBe(6)
  expect(whole.map(({ seq }) => seq)).toEqual(whole.map(({ seq }) => seq).toSorted((a, b) => a - b))
  for (const { id, type, data } of whole)
    expect(id).toBe(
      ofSide(data.settlement_id, 'evt', type === 'payment.sent' ? 'sent' : 'received'),
    )
  for (const [i, { id }] of whole.entries()) {
    const next = await seen(buyer, `&limit=1&after=${id}`)
    expect(next.map((event) => event.id)).toEqual(
      whole.slice(i + 1, i + 2).map((event) => event.id),
    )
  }
  expect((await seen(buyer, '&limit=100')).map(({ seq }) => seq)).toEqual(
    (await seen(buyer, '&limit=100')).map(({ seq }) => seq).toSorted((a, b) => a - b),
  )
})

test('a key restricted to a card sees its side alone', async () => {
  const other = await issue(buyer, 1)
  const make = (card_ids: string[]) =>
    buyer.post('/api/keys/restricted', { name: 'reader', scopes: ['events:read'], card_ids })
  const [mine, none] = [(await make([card.id])).body.api_key, (await make([other.id])).body.api_key]
  const read = async (key: string) =>
    (await buyer.get(`/api/events?${TYPES}&limit=100`, { key })).body.events
  const events: Seen[] = await read(mine)
  expect(new Set(events.map(({ type, data }) => `${type} ${data.card_id}`))).toEqual(
    new Set([`payment.sent ${card.id}`]),
  )
  expect(await read(none)).toEqual([])
  const reply = await buyer.get(`/api/events?after=${events[0]?.id}`, { key: none })
  expect(reply.status).toBe(400)
})

test('a delivery has the bytes of the feed, and what is missing is delivered later', async () => {
  await prove(w)
  await using hook = await receiver()
  await using late = await receiver()
  const body = { events: ['payment.settled'] }
  await register(seller, { url: hook.url, ...body })
  const { code } = await open(seller, till, { amount: 0.2 })
  expect((await payWith(w, code, card)).status).toBe(200)
  await w.deliver()
  const [event] = (await seen(seller, '&limit=100')).slice(-1)
  expect(hook.got.map((got) => JSON.stringify(got.event))).toEqual([JSON.stringify(event)])

  const since = new Date(w.now().getTime() - 3_600_000).toISOString()
  const made = await register(seller, { url: late.url, ...body })
  const asked = await seller.post(`/api/webhooks/${made.id}/replay-missing`, { since })
  expect(asked.status, asked.text).toBe(200)
  await w.deliver()
  const ids = (events: Seen[]) => events.map(({ id }) => id).sort()
  const settled = (await seen(seller, '&limit=100')).filter(
    ({ type }) => type === 'payment.settled',
  )
  expect(ids(late.got.map((got) => got.event as Seen))).toEqual(ids(settled))
})

test('they are hidden once their age is that of deleted events, and are no place to continue from', async () => {
  const [first] = await seen(seller, '&limit=1')
  await w.advance(401 * 86_400)
  const { code } = await open(seller, till, { amount: 0.3 })
  expect((await payWith(w, code, await issue(buyer, 1))).status).toBe(200)
  const before = new Date(w.now().getTime() - 400 * 86_400_000)
  await w.shown()
  while ((await w.write((tx) => deleteEvents(tx, before, 3))) === 3);
  const kept = await seen(seller)
  expect(kept.map(({ data }) => data.pay_link_code)).toEqual([code])
  expect((await seller.get(`/api/events?after=${first?.id}`)).body.code).toBe('cursor_expired')
  expect((await seller.get('/api/payments')).body.payments.length).toBeGreaterThan(1)
  expect(await w.faults()).toEqual([])
})

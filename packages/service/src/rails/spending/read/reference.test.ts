/** A payment is found by each name that an answer gave it: its transaction, its settlement, its hash on chain. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkOf, payLink } from '../../../../test/market/kit.ts'
import { until } from '../../../../test/until.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { watchOnce } from '../../../links/watcher/pass.ts'

let w: World
let seller: User
let payer: User
let stranger: User
beforeAll(async () => {
  w = await world()
  seller = await w.user({ treasury: 10 })
  payer = await w.user({ treasury: 20, usdc: 50 })
  stranger = await w.user()
})
afterAll(() => w?.[Symbol.asyncDispose]())

const status = (user: User, name: string) => user.get(`/api/settlement/status/${name}`)
const payment = (user: User, name: string) => user.get(`/api/payments/${name}`)
const codesOf = async (user: User, names: readonly string[]) =>
  (await Promise.all(names.flatMap((name) => [status(user, name), payment(user, name)]))).map(
    (reply) => reply.status,
  )

test('a payment from the chain is PENDING by its hash, then found by all its names, by both sides alone', async () => {
  const card = await seller.card()
  const link = await linkOf(seller, card, { max_uses: 1 })
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await until(
    async () => {
      await watchOnce(w.services, w.now())
      return (await status(seller, hash)).status
    },
    (seen) => expect(seen).toBe(200),
  )
  for (const user of [seller, payer])
    expect((await status(user, hash)).body).toMatchObject({
      ...{ transaction_id: hash, status: 'PENDING', tx_hash: hash, settled_at: null },
    })
  expect(await codesOf(stranger, [hash])).toEqual([404, 404])

  const isPaid = async () => {
    await w.runJobs()
    return (await w.call('GET', `/api/paylinks/${link.code}`)).body.status
  }
  await until(isPaid, (seen) => expect(seen).toBe('COMPLETED'))
  const [made] = (await seller.get(`/api/payments?card_id=${card.id}`)).body.payments
  const names = [hash, hash.toUpperCase().replace('0X', '0x'), made.settlement_id, made.id]
  for (const name of names) {
    const settled = { transaction_id: made.id, status: 'SETTLED', tx_hash: hash }
    expect((await status(seller, name)).body).toMatchObject(settled)
    expect((await payment(seller, name)).body.payment).toMatchObject({ id: made.id, amount: 0.995 })
  }
  for (const name of [hash, made.settlement_id]) {
    const { body } = await status(payer, name)
    expect(body).toMatchObject({ transaction_id: made.settlement_id, status: 'SETTLED' })
    expect(body.fee_amount).toBe(0)
  }
  expect((await status(payer, made.id)).status).toBe(404)
  expect(await codesOf(stranger, names)).toEqual(names.flatMap(() => [404, 404]))
})

test('a payment by card is found by its settlement on each side, and refunded by that name', async () => {
  const [till, purse] = [await seller.card(), await payer.card({ limit: 10 })]
  const link = await linkOf(seller, till)
  const paid = await payLink(w, link.code, purse)
  const { settlement_id: settlement, transaction_id: id } = paid.body
  expect((await status(payer, settlement)).body).toMatchObject({ transaction_id: id })
  expect((await payment(payer, settlement)).body.payment.direction).toBe('sent')
  expect((await payment(seller, settlement)).body.payment.direction).toBe('received')
  expect(await codesOf(stranger, [settlement, id])).toEqual([404, 404, 404, 404])
  for (const user of [payer, stranger])
    expect((await user.post(`/api/payments/${settlement}/refund`)).status).toBe(404)
  const refunded = await seller.post(`/api/payments/${settlement}/refund`)
  expect([refunded.status, refunded.body.amount], refunded.text).toEqual([200, 0.995])
})

const found = async (user: User, query: string) => {
  const { status, body, text } = await user.get(`/api/payments?${query}`)
  expect(status, text).toBe(200)
  return body.payments.map(({ id }: { id: string }) => id).sort()
}

test('payments are searched for by id, amount, payee and memo, by those alone who made or received them', async () => {
  await seller.send('PATCH', '/api/profile', { name: 'Nordlicht Books' })
  const [till, purse] = [await seller.card(), await payer.card({ limit: 50 })]
  const link = await linkOf(seller, till, { amount: 7.25, memo: 'Vörgänger, 3rd edition' })
  const other = await linkOf(seller, till, { amount: 2, memo: 'A lamp' })
  const paid = (await payLink(w, link.code, purse)).body
  await payLink(w, other.code, purse)
  const hash = await w.transfer(payer.account, link.deposit_address, 7_250_000n)
  await until(
    async () => {
      await watchOnce(w.services, w.now())
      await w.runJobs()
      return found(seller, `search=${hash}`)
    },
    (ids) => expect(ids).toHaveLength(1),
  )
  const sent = [paid.transaction_id]
  const of = (text: string) => `search=${encodeURIComponent(text)}`
  const received = await found(seller, `pay_link_code=${link.code}`)
  expect(received).toHaveLength(2)
  const every = [
    link.code,
    link.code.toLowerCase(),
    '7.21375',
    'vörgänger',
    'EDITION 3rd',
    'gänger',
  ]
  for (const text of every.slice(0, -1))
    expect(await found(seller, of(text)), text).toEqual(received)
  // A part of a word is found among the newest, by those who paid by card too.
  expect(await found(seller, of('gänger'))).toHaveLength(1)
  for (const text of ['7.25', '7,25', paid.settlement_id, ...every.slice(3)])
    expect(await found(payer, of(text)), text).toEqual(sent)
  // All that was bought there, by the shop's name or address.
  for (const text of ['nordlicht', seller.wallet])
    expect(await found(payer, of(text)), text).toEqual(expect.arrayContaining(sent))
  expect(await found(payer, `pay_link_code=${link.code}`)).toEqual(sent)
  expect(await found(seller, `${of('edition')}&direction=sent`)).toEqual([])
  const [newest] = (await seller.get(`/api/payments?${of('edition')}&limit=1`)).body.payments
  expect(await found(seller, `${of('edition')}&after=${newest.id}`)).toHaveLength(1)
  for (const text of ['nothing', '%', "'", ':*', '\\', '0.5', 'PL_0000000000', paid.transaction_id])
    expect(await found(text === paid.transaction_id ? stranger : seller, of(text)), text).toEqual(
      [],
    )
  for (const text of [...every, paid.settlement_id, hash])
    expect(await found(stranger, of(text)), text).toEqual([])

  const asked = [link.code, seller.wallet, payer.wallet, purse.id, 'api.example.com']
  const { body } = await payer.get(`/api/payees?of=${asked}`)
  expect(body.payees).toEqual(
    expect.arrayContaining([
      {
        of: link.code,
        name: 'Nordlicht Books',
        title: 'Vörgänger, 3rd edition',
      },
      { of: seller.wallet, name: 'Nordlicht Books', title: null },
      { of: purse.id, name: null, title: expect.any(String) },
    ]),
  )
  expect(body.payees).toHaveLength(3)
  expect((await seller.get(`/api/payees?of=${purse.id}`)).body.payees).toEqual([])
})

test('a name that is none of a payment is not found', async () => {
  for (const name of ['x', `0x${'ab'.repeat(32)}`, 'stl_x', 'agr_01m7ygg01gstn83hwjhq52j0y1'])
    expect(await codesOf(seller, [name]), name).toEqual([404, 404])
})

import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import {
  balanceOf,
  cardOf,
  carry,
  issue,
  open,
  payWith,
  present,
  report,
  signed,
} from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import { pause } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import { type World, world } from '../world.ts'

const waitingJobs = async (w: World, task: string): Promise<number> => {
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from graphile_worker.jobs
    where task_identifier = ${task}`.execute(w.db.reader)
  return Number(rows[0]?.n)
}

test('two transfers to a link in one transaction are two payments', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await carry(w, [
    await signed(w, payer, link.deposit_address, 1_000_000n),
    await signed(w, payer, link.deposit_address, 1_000_000n),
  ])
  await w.safe()
  const replies = await Promise.all([1, 2, 3].map(() => report(w, link.code, hash)))
  expect(replies.map((r) => r.status).sort()).toEqual([200, 200, 410])
  expect((await cardOf(seller, card.id)).received).toBe(1.99)
  await w.runJobs()
  expect(await w.faults()).toEqual([])
})

test.each([{ max_uses: 1 }, { max_uses: 0 }])(
  'a transfer that an x402 payment is waiting for cannot be taken from it by its transaction: %j',
  async (uses) => {
    await using w = await world()
    const seller = await w.user({ treasury: 5 })
    const card = await issue(seller, 1)
    const link = await open(seller, card, uses)
    const payer = await freshAccount({ usdc: 5_000_000n })
    const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
    // The relayer has no gas: the claim exists, and its transaction waits.
    expect((await present(w, link.code, payment)).status).toBe(502)
    const hash = await carry(w, [payment])
    await w.safe()
    const reported = await report(w, link.code, hash)
    expect([reported.status, reported.body.status]).toEqual([200, 'PENDING'])
    await w.withGas()
    await w.advance(60)
    await w.runJobs()
    const reply = await present(w, link.code, payment)
    expect([reply.status, reply.body.protocol]).toEqual([200, 'x402'])
    expect((await report(w, link.code, hash)).body.code).toBe('already_settled')
    expect((await cardOf(seller, card.id)).received).toBe(0.995)
    expect(await balanceOf(seller)).toBe(4)
    expect(await w.faults()).toEqual([])
  },
)

test('two x402 payments that somebody carried in one transaction are both credited', async () => {
  await using w = await world()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const payments = await Promise.all(
    [1, 2].map(() => signed(w, payer, link.deposit_address, 1_000_000n)),
  )
  for (const payment of payments) expect((await present(w, link.code, payment)).status).toBe(502)
  await carry(w, payments)
  await w.withGas()
  await w.advance(60)
  await w.runJobs()
  for (const payment of payments)
    expect((await present(w, link.code, payment)).body.status).toBe('SETTLED')
  expect((await cardOf(seller, card.id)).received).toBe(1.99)
  expect(await w.faults()).toEqual([])
})

test('a payment made in time settles its link although its block became safe after the end', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { expires_in: 1 })
  const payer = await w.user({ usdc: 5 })
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.safe()
  await w.advance(3700)
  await w.runJobs()
  // The jobs end the link and find its payment, in either order.
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.status).toBe('COMPLETED')
  expect((await report(w, link.code, hash)).body.code).toBe('already_settled')
})

test('a payment made after the end is the seller\'s as "late"', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { expires_in: 0.0003 })
  const payer = await w.user({ usdc: 5 })
  await pause(2_500)
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.safe()
  const reply = await report(w, link.code, hash)
  expect([reply.status, reply.body.reason]).toEqual([422, 'late'])
  expect(await balanceOf(seller)).toBe(4.995)
})

test("dust on a link's address keeps no job running for ever", async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const link = await open(seller, await issue(seller, 1), { max_uses: 0 })
  const payer = await w.user({ usdc: 5 })
  const hash = await w.transfer(payer.account, link.deposit_address, 1_000_000n)
  await w.transfer(payer.account, link.deposit_address, 1n)
  await w.safe()
  expect((await report(w, link.code, hash)).status).toBe(200)
  await w.runJobs()
  await w.advance(10)
  await w.runJobs()
  expect(await waitingJobs(w, 'sweep_link')).toBe(0)
})

test('one deposit by its authorization, by its transaction and by a front-runner is one credit', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 5 })
  const payment = await signed(w, u.account, w.chain.treasury.address, 2_000_000n)
  const ask = () => u.post('/api/fund/authorization', depositBody(payment))
  // Without gas the request is accepted and not sent.
  const first = await ask()
  expect([first.status, first.body.code]).toEqual([502, 'chain_unavailable'])
  expect(first.text).not.toMatch(/gas|0x[0-9a-f]{8}|127\.0\.0\.1|insufficient/i)
  const hash = await carry(w, [payment])
  await w.safe()
  await w.withGas()
  const replies = await Promise.all([
    ask(),
    ask(),
    u.post('/api/fund/verify', { tx_hash: hash }),
    u.post('/api/fund/verify', { tx_hash: hash }),
  ])
  for (const reply of replies) expect(reply.status, reply.text).toBe(200)
  await w.advance(60)
  await w.runJobs()
  expect((await ask()).body).toMatchObject({
    status: 'confirmed',
    funded: 2,
    balance: { available: 2 },
  })
  expect(await w.faults()).toEqual([])
})

test('one payment by x402, by its transaction and by the job at once is one credit', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  const paying = [present(w, link.code, payment), present(w, link.code, payment)]
  await Promise.race(paying)
  const hash = await w.lastTransferTo(link.deposit_address)
  await w.safe()
  const reports = await Promise.all([
    ...paying,
    report(w, link.code, hash),
    report(w, link.code, hash),
    w.advance(60).then(() => w.runJobs()),
  ])
  expect(reports.filter((r) => r && r.status >= 500)).toEqual([])
  await w.runJobs()
  expect((await cardOf(seller, card.id)).received).toBe(0.995)
  expect(await balanceOf(seller)).toBe(4)
  expect(await w.faults()).toEqual([])
})

test('amount is net and fee, to the unit, at every edge', async () => {
  for (const flat of [0n, 400_000n]) {
    await using w = await world({
      settings: {
        fee: { bps: 50n, flat: flat as never },
        gas: { minimum: 1n as never, sellerPerDay: null },
      },
    })
    await w.withGas()
    const u = await w.user({ treasury: 100, usdc: 5 })
    const card = await issue(u, 50)
    const shop = await issue(u, 1)
    for (const amount of ['0.000001', '0.000099', '0.0001', '0.4', '0.400001', '12.345679']) {
      const link = await open(u, shop, { amount })
      const paid = await payWith(w, link.code, card)
      expect(paid.status, paid.text).toBe(200)
      const units = (n: number) => Math.round(n * 1e6)
      const { amount: gross, fee, net_amount } = paid.body
      expect(units(gross)).toBe(units(fee) + units(net_amount))
      expect(gross).toBe(Number(amount))
    }
    const dust = await open(u, shop, { amount: '0.000001' })
    const byChain = await signed(w, u.account, dust.deposit_address, 1n)
    const reply = await present(w, dust.code, byChain)
    expect(reply.status, reply.text).toBe(200)
    const big = await open(u, shop, { amount: 1e9 })
    expect((await payWith(w, big.code, card)).body.code).toBe('limit_exceeded')
    for (const amount of ['1000000000.000001', '0.0000001', '-1', '0', 1e-7, '1e400', 'NaN'])
      expect((await u.post('/api/paylinks', { card_id: shop.id, amount })).body.code).toBe(
        'invalid_amount',
      )
    expect(await w.faults()).toEqual([])
  }
})

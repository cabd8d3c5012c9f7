import { afterAll, beforeAll, expect, test } from 'vitest'
import { asIssuer } from '../../../../test/actors/ap2/issuer.ts'
import { balanceOf, issue, open, report } from '../../../../test/actors/attack-kit.ts'
import { eventsOf } from '../../../../test/events-of.ts'
import { pause, until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { amount } from '../../../base/kernel/money.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { readLiabilities } from '../../../money/ledger/verify/verify.ts'
import { finishWithdrawal } from '../../../money/treasury/withdrawals/finish.ts'
import { reopenRefunded } from './exceptions.ts'
import { beginRefund, signRefund } from './refund-exception.ts'

let w: World
let seller: User
let till: Awaited<ReturnType<typeof issue>>
beforeAll(async () => {
  w = await world()
  await w.withGas()
  seller = await w.user({ treasury: 20 })
  till = await issue(seller, 1)
})
afterAll(() => w[Symbol.asyncDispose]())

/** An exception of `units`: the link asks for 1 USDC, so less is short. */
async function exception(units = 400_000n, by: { link?: object } = {}) {
  const link = await open(seller, till, by.link)
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, units)
  await w.safe()
  const reply = await report(w, link.code, hash)
  const found = (await seller.get(`/api/exceptions?pay_link_code=${link.code}`)).body.exceptions
  return { link, payer, hash, reply, id: found[0]?.id as string, shown: found[0], found }
}
const act = (id: string, verb: 'keep' | 'refund', by = seller) =>
  by.post(`/api/exceptions/${id}/${verb}`)
const one = async (id: string) => (await seller.get(`/api/exceptions/${id}`)).body.exception
async function untilEnded(withdrawalId: string): Promise<string> {
  const look = async () => {
    await w.block()
    await finishWithdrawal(w.services, w.now(), {
      id: withdrawalId,
      onFailure: reopenRefunded,
    })
    const [row] = (await seller.get(`/api/withdrawals?id=${withdrawalId}`)).body.withdrawals
    return row.status as string
  }
  return until(look, (status) => status !== 'PROCESSING')
}
async function expectBooksToMatch() {
  expect(await w.faults()).toEqual([])
  await w.advance(5)
  await w.runJobs()
  const [books] = await readLiabilities(w.db.reader)
  expect(books).toMatchObject({ custody: await w.treasuryOnChain() })
}

// First, while the clock of the service is that of the chain.
test('late, over, after cancelling and after the last use: each has its reason and pays its fee', async () => {
  const before = await balanceOf(seller)
  const late = await (async () => {
    const link = await open(seller, till, { expires_in: 0.0003 })
    await pause(2_500)
    const hash = await w.transfer(
      await freshAccount({ usdc: 2_000_000n }),
      link.deposit_address,
      1_000_000n,
    )
    await w.safe()
    await report(w, link.code, hash)
    return link.code
  })()
  const over = (await exception(1_500_000n)).link.code
  const cancelled = await open(seller, till)
  await seller.send('DELETE', `/api/paylinks/${cancelled.code}`)
  const hash = await w.transfer(
    await freshAccount({ usdc: 2_000_000n }),
    cancelled.deposit_address,
    1_000_000n,
  )
  await w.safe()
  const refused = await report(w, cancelled.code, hash)
  expect([refused.body.reason, refused.body.error]).toEqual([
    'closed',
    expect.stringContaining('cancelled'),
  ])
  const { exceptions } = (await seller.get('/api/exceptions?status=OPEN')).body
  const of = (code: string) => {
    const { reason, amount, fee } = exceptions.find((e: any) => e.pay_link_code === code)
    return [reason, amount, fee]
  }
  expect(of(late)).toEqual(['late', 1, 0.005])
  expect(of(over)).toEqual(['over', 0.5, 0.0025])
  expect(of(cancelled.code)).toEqual(['closed', 1, 0.005])
  expect((await balanceOf(seller)) - before).toBeCloseTo(0.995 + 0.4975 + 0.995, 6)
  const closed = (await seller.get('/api/exceptions?reason=closed&limit=1')).body
  expect([closed.exceptions.length, closed.has_more]).toEqual([1, false])
  expect((await seller.get('/api/exceptions?after=exc_nothing')).status).toBe(400)
  expect((await seller.get('/api/exceptions?status=LOST')).status).toBe(400)
  await expectBooksToMatch()
})

test('what a seller keeps of money that fits no link has paid the fee of a payment', async () => {
  const before = await balanceOf(seller)
  const { id, shown, reply, payer, hash } = await exception()
  expect([reply.status, reply.body.reason, reply.body.exception_id]).toEqual([422, 'short', id])
  expect(shown).toEqual({
    id: expect.stringMatching(/^exc_[0-9a-z]{26}$/),
    pay_link_code: shown.pay_link_code,
    reason: 'short',
    amount: 0.4,
    fee: 0.002,
    net_amount: 0.398,
    asset: 'USDC',
    settlement_mode: 'CUSTODIAL',
    network: 'eip155:84532',
    payer: payer.address,
    tx_hash: hash,
    status: 'OPEN',
    withdrawal_id: null,
    created_at: expect.any(String),
    resolved_at: null,
  })
  expect((await balanceOf(seller)) - before).toBeCloseTo(0.398, 6)
  for (const _ of [1, 2]) {
    const kept = await act(id, 'keep')
    expect([kept.status, kept.body.exception.status], kept.text).toEqual([200, 'KEPT'])
  }
  expect((await balanceOf(seller)) - before).toBeCloseTo(0.398, 6)
  const refused = await act(id, 'refund')
  expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
  const events = await eventsOf(w.db.reader, id)
  expect(events.map(({ type }) => type)).toEqual([
    'payment.exception',
    'payment.exception_resolved',
  ])
  expect(events[1]?.data).toMatchObject({ status: 'KEPT', fee: 0.002, withdrawal_id: null })
  await expectBooksToMatch()
})

test('a refund pays the payer all that came in, once; the fee comes back and the seller pays the withdrawal', async () => {
  const start = await balanceOf(seller)
  const { id, payer } = await exception()
  const was = await readAssetBalance(w.chain, payer.address)
  const replies = await Promise.all([1, 2, 3, 4].map(() => act(id, 'refund')))
  const [made] = replies.filter(({ status }) => status === 200)
  expect(made?.body, JSON.stringify(replies.map((r) => r.body))).toMatchObject({
    success: true,
    exception: { id, status: 'REFUNDED', withdrawal_id: made?.body.withdrawal_id },
    status: 'PROCESSING',
    withdrawal_fee: 0.05,
  })
  expect(replies.map(({ body }) => body.code).filter(Boolean)).toEqual(
    Array(3).fill('already_refunded'),
  )
  expect((await act(id, 'keep')).body).toMatchObject({
    code: 'already_refunded',
    withdrawal_id: made?.body.withdrawal_id,
  })
  expect(await untilEnded(made?.body.withdrawal_id)).toBe('COMPLETED')
  expect((await readAssetBalance(w.chain, payer.address)) - was).toBe(400_000n)
  expect(await balanceOf(seller)).toBeCloseTo(start - 0.05, 6)
  await expectBooksToMatch()
})

test('of keeps and refunds at once one kind wins, and the money is moved as it says', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, payer } = await exception(300_000n)
    const was = await readAssetBalance(w.chain, payer.address)
    await Promise.all((['keep', 'refund', 'keep', 'refund'] as const).map((verb) => act(id, verb)))
    const { status, withdrawal_id } = await one(id)
    if (status === 'REFUNDED') expect(await untilEnded(withdrawal_id)).toBe('COMPLETED')
    expect((await readAssetBalance(w.chain, payer.address)) - was).toBe(
      status === 'REFUNDED' ? 300_000n : 0n,
    )
  }
  await expectBooksToMatch()
})

test('a refund is a withdrawal: it counts for the cap, and waits for room as any other', async () => {
  const { id } = await exception()
  const capped = (cap: bigint) =>
    w.machine({
      settings: {
        payouts: {
          walletCap: null,
          treasuryCap: amount(cap),
          addressDelay: null,
          approvalAbove: null,
        },
      },
    })
  await using narrow = await capped(400_000n)
  const path = `/api/exceptions/${id}/refund`
  const over = await narrow.as(seller).post(path)
  expect([over.status, over.body]).toMatchObject([
    429,
    { code: 'payout_cap_reached', cap: 'treasury', room_at: null },
  ])
  expect(await one(id)).toMatchObject({ status: 'OPEN' })
  await using wide = await capped(100_000_000n)
  const made = await wide.as(seller).post(path)
  expect([made.status, made.body.exception?.status], made.text).toEqual([200, 'REFUNDED'])
  expect(await untilEnded(made.body.withdrawal_id)).toBe('COMPLETED')
})

test('a refund that can never be paid opens the exception again, with its fee taken as before', async () => {
  const start = await balanceOf(seller)
  const { id } = await exception()
  const mine = { id, walletAddress: seller.wallet, cardIds: null }
  const refund = await signRefund(w.services, w.now(), mine)
  // It is out of time before it begins.
  const signed = { ...refund.signed, validBefore: 1n }
  const begun = await w.write((tx) =>
    beginRefund(tx, w.now(), { services: w.services, mine, refund: { ...refund, signed } }),
  )
  expect(await balanceOf(seller)).toBeCloseTo(start - 0.05, 6)
  expect(await untilEnded(begun.withdrawal.id)).toBe('FAILED')
  expect(await one(id)).toMatchObject({ status: 'OPEN', withdrawal_id: null, resolved_at: null })
  expect(await balanceOf(seller)).toBeCloseTo(start + 0.398, 6)
  // The next refund has a nonce of its own.
  const again = await signRefund(w.services, w.now(), mine)
  expect(again.signed.nonce).not.toBe(refund.signed.nonce)
  const { withdrawal_id } = (await act(id, 'refund')).body
  expect(await untilEnded(withdrawal_id)).toBe('COMPLETED')
  const events = await eventsOf(w.db.reader, id)
  expect(events.map(({ type, data }) => [type, data.withdrawal_id])).toEqual([
    ['payment.exception', undefined],
    ['payment.exception_resolved', begun.withdrawal.id],
    ['payment.exception_reopened', begun.withdrawal.id],
    ['payment.exception_resolved', withdrawal_id],
  ])
  await expectBooksToMatch()
})

test('the nonce of a refund is made from the transfer that came in: a restored database signs no second one', async () => {
  const { id } = await exception()
  const mine = { id, walletAddress: seller.wallet, cardIds: null }
  const [first, second] = [
    await signRefund(w.services, w.now(), mine),
    await signRefund(w.services, w.now(), mine),
  ]
  expect(first.signed.id).not.toBe(second.signed.id)
  expect(first.signed.nonce).toBe(second.signed.nonce)
})

test('a payer whom the token does not pay, or a balance that was spent, is refused before anything moves', async () => {
  const { id, payer } = await exception()
  const issuer = { rpcUrl: w.rpcUrl, asset: w.chain.asset }
  await asIssuer(issuer, { functionName: 'blacklist', args: [payer.address] })
  expect((await act(id, 'refund')).body.code).toBe('invalid_address')
  await asIssuer(issuer, { functionName: 'unBlacklist', args: [payer.address] })

  const left = await balanceOf(seller)
  await issue(seller, left)
  const refused = await act(id, 'refund')
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { code: 'insufficient_balance', requested: 0.45 },
  ])
  expect((await one(id)).status).toBe('OPEN')
  await w.credit(seller.wallet, 20_000_000n)
})

test('the database refuses a refund of more than came in, to another address, and any second end', async () => {
  const { id } = await exception()
  const kept = (await exception()).id
  await act(kept, 'keep')
  const withdrawal = await seller.post('/api/withdraw', { amount: 1 })
  for (const change of [
    sql`update payment_exceptions set amount = amount + 1 where id = ${id}`,
    sql`update payment_exceptions set status = 'REFUNDED', resolved_at = now(), refunds = 1,
      withdrawal_id = ${withdrawal.body.withdrawal_id} where id = ${id}`,
    sql`update payment_exceptions set status = 'OPEN', resolved_at = null where id = ${kept}`,
    sql`delete from payment_exceptions where id = ${id}`,
  ])
    await expect(w.write((tx) => change.execute(tx))).rejects.toThrow(
      /exception|rows of|withdraw|change/,
    )
})

test("an exception is its seller's alone, and a key for cards does not send money out", async () => {
  const { id } = await exception()
  const other = await w.user()
  for (const reply of [
    await other.get(`/api/exceptions/${id}`),
    await act(id, 'keep', other),
    await act(id, 'refund', other),
  ])
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
  expect((await other.get('/api/exceptions')).body).toEqual({ exceptions: [], has_more: false })
  const restricted = async (body: object) =>
    (await seller.post('/api/keys/restricted', { name: 'x', ...body })).body.api_key
  const elsewhere = await restricted({
    scopes: ['paylinks:read', 'treasury:write'],
    card_ids: [(await issue(seller, 1)).id],
  })
  expect((await seller.get(`/api/exceptions/${id}`, { key: elsewhere })).status).toBe(404)
  const here = await restricted({ scopes: ['treasury:write'], card_ids: [till.id] })
  const refused = await seller.post(`/api/exceptions/${id}/refund`, undefined, { key: here })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden_scope'])
})

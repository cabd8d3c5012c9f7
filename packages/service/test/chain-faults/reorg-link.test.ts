import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import { balanceOf, cardOf, issue, open, present, report, signed } from '../actors/attack-kit.ts'
import { DEPTHS, type OwnWorld, ownWorld, SAFE_BLOCKS } from './own-world.ts'

async function shop(own: OwnWorld, link: object = {}) {
  const seller = await own.w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const opened = await open(seller, card, link)
  return {
    seller,
    card,
    link: opened,
    received: async () => (await cardOf(seller, card.id)).received,
  }
}
const standings = async (own: OwnWorld): Promise<string[]> =>
  (
    await sql<{
      state: string
    }>`select state from settlement_confirmations order by created_at`.execute(own.w.db.reader)
  ).rows.map(({ state }) => state)
const isConfirmed = (own: OwnWorld) => async () => (await standings(own))[0] === 'final'
const passedOn = async (own: OwnWorld): Promise<number> =>
  (await sql`select from watched_transfers where state = 'passed_on'`.execute(own.w.db.reader)).rows
    .length

/** The reorganization changed nothing: one credit, and money to cover it. */
async function expectOneCredit(own: OwnWorld, s: Awaited<ReturnType<typeof shop>>) {
  expect(await s.received()).toBe(0.995)
  expect(await balanceOf(s.seller)).toBe(4)
  expect((await sql`select from payment_exceptions`.execute(own.w.db.reader)).rows).toEqual([])
  expect(await own.usdcOf(s.link.deposit_address)).toBe(0n)
  await own.expectBooksToMatch()
}

test.each(DEPTHS)(
  'a link paid by x402 whose block is undone after the credit, %i deep: the relayer pays it again, once',
  async (depth) => {
    await using own = await ownWorld()
    const s = await shop(own, { max_uses: 0 })
    const payer = await own.payer()
    const payment = await signed(own.w, payer, s.link.deposit_address, 1_000_000n)
    const paid = await own.during(present(own.w, s.link.code, payment))
    expect(paid.status, paid.text).toBe(200)
    const before = await own.lastLogTo(s.link.deposit_address)
    await own.blocks(depth - 1)
    await own.reorg(depth)
    expect(await own.lastLogTo(s.link.deposit_address)).toBeUndefined()
    // Another transfer comes first this time, so our log has another number.
    await own.shiftLogs()
    await maintainSends(own.w.services.relay, own.w.now())
    await own.blocks(SAFE_BLOCKS + 1)
    const after = await own.lastLogTo(s.link.deposit_address)
    expect([after?.transactionHash, after?.logIndex]).not.toEqual([
      before?.transactionHash,
      before?.logIndex,
    ])
    // Reporting the new place is not a second payment.
    const { status, body } = await report(own.w, s.link.code, String(after?.transactionHash))
    expect([status, body.code]).toEqual([410, 'already_settled'])
    await own.until(isConfirmed(own))
    await own.until(async () => (await passedOn(own)) === 0)
    await expectOneCredit(own, s)
  },
)

test.each(DEPTHS)(
  'a link paid by x402 whose block is undone before the credit, %i deep, is credited when it comes again',
  async (depth) => {
    await using own = await ownWorld()
    const s = await shop(own)
    const payer = await own.payer()
    const payment = await signed(own.w, payer, s.link.deposit_address, 1_000_000n)
    // The service dies when the block is made, before it credits anybody.
    const { lanes } = own.w.services
    const submit: typeof lanes.submit = (lane, ...rest) =>
      lane.name === 'settle_claimed'
        ? Promise.reject(new Error('killed'))
        : lanes.submit(lane, ...rest)
    Object.assign(own.w.services, { lanes: { submit } })
    const lost = await own.during(present(own.w, s.link.code, payment))
    expect(lost.status).toBeGreaterThanOrEqual(500)
    Object.assign(own.w.services, { lanes })
    expect(await s.received()).toBe(0)
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.shiftLogs()
    await own.w.advance(30)
    await own.until(isConfirmed(own))
    await own.until(async () => (await passedOn(own)) === 0)
    await expectOneCredit(own, s)
    const again = await present(own.w, s.link.code, payment)
    expect(again.status, again.text).toBe(200)
  },
)

test('a payer that takes its money away while the block is undone: an alarm, and no second credit', async () => {
  await using own = await ownWorld()
  const s = await shop(own)
  const payer = await own.payer(1_000_000n)
  const payment = await signed(own.w, payer, s.link.deposit_address, 1_000_000n)
  expect((await own.during(present(own.w, s.link.code, payment))).status).toBe(200)
  await own.reorg(1)
  await own.w.transfer(payer, `0x${'77'.repeat(20)}`, 1_000_000n)
  await own.until(async () => (await standings(own))[0] === 'missing')
  expect(await s.received()).toBe(0.995)
  expect(await own.w.faults()).toEqual([])
  expect((await own.w.call('GET', '/metrics')).text).toMatch(/purser_settlements_missing 1\n/)

  // Another sender submits the payment after all. It is the missing payment, not a new one.
  const friend = await own.payer(1_000_000n)
  await own.w.transfer(friend, payer.address, 1_000_000n)
  await own.carry(payment)
  await own.until(async () => (await standings(own))[0] === 'final')
  await own.until(async () => (await passedOn(own)) === 0)
  expect(await s.received()).toBe(0.995)
  expect(await balanceOf(s.seller)).toBe(4)
  expect((await own.w.call('GET', '/metrics')).text).toMatch(/purser_settlements_missing 0\n/)
})

test('an authorization that is cancelled while its block is undone is an alarm too', async () => {
  await using own = await ownWorld()
  const s = await shop(own)
  const payer = await own.payer()
  const payment = await signed(own.w, payer, s.link.deposit_address, 1_000_000n)
  expect((await own.during(present(own.w, s.link.code, payment))).status).toBe(200)
  await own.reorg(1)
  await own.cancel(payer, payment.authorization.nonce)
  await own.until(async () => (await standings(own))[0] === 'missing')
  expect(await s.received()).toBe(0.995)
})

test.each(DEPTHS)(
  'a link paid by a plain transfer that is undone %i deep before its credit is paid only when it comes again',
  async (depth) => {
    await using own = await ownWorld()
    const s = await shop(own)
    const payer = await own.payer()
    const hash = await own.w.transfer(payer, s.link.deposit_address, 1_000_000n)
    const tell = () => report(own.w, s.link.code, hash)
    expect((await tell()).body.status).toBe('PENDING')
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.blocks(6)
    await own.w.advance(5)
    await own.during(own.w.runJobs())
    expect([(await tell()).body.status, await s.received()]).toEqual(['PENDING', 0])
    await own.w.transfer(payer, s.link.deposit_address, 1_000_000n)
    await own.blocks(6)
    await own.until(async () => (await s.received()) > 0)
    await own.until(async () => (await own.usdcOf(s.link.deposit_address)) === 0n)
    await expectOneCredit(own, s)
  },
)

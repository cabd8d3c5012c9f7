import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { parsePaymentSignature } from '../../src/base/protocols/x402/payment/payload.ts'
import { readTokenBalance } from '../../src/chain/client/tokens/calls.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import {
  type DirectSeller,
  directSeller,
  present,
  report,
  reportTo,
  x402Payer,
} from '../actors/direct/direct-kit.ts'
import { setPlan } from '../actors/members/meter-kit.ts'
import {
  cancelPermit,
  DEV,
  FUNDS,
  giveDev,
  permitPayer,
  registerToken,
  transferDev,
} from '../actors/permit2-kit.ts'
import { eventsFor } from '../events-of.ts'
import { bought, listed } from '../market/kit.ts'
import { DEPTHS, type OwnWorld, ownWorld, SAFE_BLOCKS } from './own-world.ts'

const OVERAGE = 50_000
const PRICE = 500_000n
const GONE_TO = `0x${'77'.repeat(20)}` as const

/** A seller whose every settlement costs a fee, which its meter can pay. */
async function stage(own: OwnWorld) {
  const { w } = own
  const base = await w.listen()
  await setPlan(w, 0, OVERAGE)
  const s = await own.during(directSeller(w), { always: true })
  await w.credit(s.wallet, 1_000_000n)
  expect((await s.seller.post('/api/fees/topup', { amount: 1 })).status).toBe(200)
  const link = await s.open({ max_uses: 0 })
  return { s, link, url: `${base}/pay/${link.code}`, base }
}

type Row = { state: string; isFinal: boolean; txHash: string; logIndex: number }
const rowsOf = async ({ w }: OwnWorld): Promise<Row[]> =>
  (
    await sql<Row>`select state, is_final, tx_hash, log_index from direct_settlements order by id`.execute(
      w.db.reader,
    )
  ).rows
const isFinal = (own: OwnWorld) => async () => (await rowsOf(own)).every((row) => row.isFinal)
const isMissing = (own: OwnWorld) => async () =>
  (await rowsOf(own)).every(({ state }) => state === 'missing')

async function meterOf({ seller }: DirectSeller) {
  const { meter, quota } = (await seller.get('/api/fees')).body
  return { balance: meter.balance, used: quota.used }
}

/** The settlement has gone: its use and its fee are back, and its seller knows. */
async function expectReversed(own: OwnWorld, { s, link }: Awaited<ReturnType<typeof stage>>) {
  expect(await meterOf(s)).toEqual({ balance: 1, used: 0 })
  expect(await s.events('payment.failed')).toMatchObject([
    { reason: 'reorganised', settlement_mode: 'DIRECT', amount: 0.5, pay_link_code: link.code },
  ])
  expect(await s.transactions()).toMatchObject([{ status: 'FAILED', amount: 0.5 }])
  // The seller may have delivered: the link keeps the use.
  expect((await own.w.call('GET', `/api/paylinks/${link.code}`)).body.uses).toBe(1)
  expect(await own.w.faults()).toEqual([])
}

async function expectPaidOnce(own: OwnWorld, { s, link }: Awaited<ReturnType<typeof stage>>) {
  expect(await meterOf(s)).toEqual({ balance: 0.95, used: 1 })
  expect(await rowsOf(own)).toHaveLength(1)
  expect(await s.events('payment.settled')).toHaveLength(1)
  expect(await s.events('payment.failed')).toEqual([])
  expect((await own.w.call('GET', `/api/paylinks/${link.code}`)).body.uses).toBe(1)
  expect(await own.w.faults()).toEqual([])
}

test.each(DEPTHS)(
  'a DIRECT payment by EIP-3009 whose block is undone, %i deep, is mined again in another place and recorded once',
  async (depth) => {
    await using own = await ownWorld()
    const st = await stage(own)
    const payer = await own.payer()
    const header = await x402Payer(payer).header(st.url)
    expect((await own.during(present(st.url, header))).status).toBe(200)
    const [before] = await rowsOf(own)
    await own.blocks(depth - 1)
    await own.reorg(depth)
    expect(await own.usdcOf(st.s.wallet)).toBe(0n)
    // Another transfer comes first this time, so our log has another number.
    await own.shiftLogs()
    await maintainSends(own.w.services.relay, own.w.now())
    await own.blocks(SAFE_BLOCKS + 1)
    await own.until(isFinal(own))
    const [after] = await rowsOf(own)
    expect([after?.txHash, after?.logIndex]).not.toEqual([before?.txHash, before?.logIndex])
    expect(await own.usdcOf(st.s.wallet)).toBe(PRICE)
    await expectPaidOnce(own, st)
    // The place where it is now pays nothing else.
    const again = await report(own.w, { link: st.link, txHash: after!.txHash, payer })
    expect((await reportTo(own.w, st.link, again)).body.code).toBe('already_settled')
    expect((await own.during(present(st.url, header))).status).toBe(200)
    await expectPaidOnce(own, st)
  },
)

test.each(['spends the money', 'cancels'] as const)(
  'a payer who %s while the block is undone: missing, reversed and reported to the seller; a new payment counts',
  async (way) => {
    await using own = await ownWorld()
    const st = await stage(own)
    const payer = await own.payer(PRICE)
    const header = await x402Payer(payer).header(st.url)
    expect((await own.during(present(st.url, header))).status).toBe(200)
    expect(await meterOf(st.s)).toEqual({ balance: 0.95, used: 1 })
    await own.reorg(1)
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
    if (way === 'cancels') await own.cancel(payer, payload.authorization.nonce)
    else await own.w.transfer(payer, GONE_TO, PRICE)
    await own.until(isMissing(own))
    await expectReversed(own, st)
    const refused = await own.during(present(st.url, header))
    expect(refused.status).toBe(402)
    const other = await own.payer(PRICE)
    const next = await x402Payer(other).header(st.url)
    expect((await own.during(present(st.url, next))).status).toBe(200)
    expect(await meterOf(st.s)).toEqual({ balance: 0.95, used: 1 })
  },
)

// The seller had the money and paid the fee for it, and loses the one and gets the other.
test.each(['sold', 'given away'])(
  'a DIRECT payment that is undone after its card was %s is reported to the wallet that it paid, with its fee',
  async (way) => {
    await using own = await ownWorld()
    const { s, url } = await stage(own)
    const other = await own.during(own.w.user({ treasury: 50 }))
    const payer = await own.payer(PRICE)
    const header = await x402Payer(payer).header(url)
    expect((await own.during(present(url, header))).status).toBe(200)
    expect(await meterOf(s)).toEqual({ balance: 0.95, used: 1 })
    if (way === 'sold') await bought(other, await listed(s.seller, s.card))
    else await s.seller.post(`/api/cards/${s.card.id}/transfer`, { to_wallet: other.wallet })
    const seen = () => eventsFor(own.w.db.reader, other)
    const fees = async () => (await other.get('/api/fees')).body
    const before = [await seen(), await fees()]
    await own.reorg(1)
    await own.w.transfer(payer, GONE_TO, PRICE)
    await own.until(isMissing(own))
    expect(await meterOf(s)).toEqual({ balance: 1, used: 0 })
    expect(await s.events('payment.failed')).toMatchObject([
      { reason: 'reorganised', settlement_mode: 'DIRECT', amount: 0.5, card_id: s.card.id },
    ])
    expect([await seen(), await fees()]).toEqual(before)
    expect(await own.w.faults()).toEqual([])
  },
)

test('a payment that went missing and is submitted after all is recorded as its payer reports it, once', async () => {
  await using own = await ownWorld()
  const st = await stage(own)
  const payer = await own.payer(PRICE)
  const header = await x402Payer(payer).header(st.url)
  expect((await own.during(present(st.url, header))).status).toBe(200)
  await own.reorg(1)
  await own.w.transfer(payer, GONE_TO, PRICE)
  await own.until(isMissing(own))
  const friend = await own.payer(PRICE)
  await own.w.transfer(friend, payer.address, PRICE)
  const parsed = parsePaymentSignature(header)
  if (!parsed.ok) throw parsed
  await own.carry(parsed.payload)
  const txHash = await own.w.lastTransferTo(st.s.wallet)
  await own.blocks(6)
  const good = await report(own.w, { link: st.link, txHash, payer })
  const replies = await Promise.all([1, 2, 3].map(() => reportTo(own.w, st.link, good)))
  const codes = replies.map(({ body }) => body.code ?? body.status)
  expect(codes.filter((code) => code === 'SETTLED').length).toBeGreaterThanOrEqual(1)
  // The same report again is answered with the same settlement, and meters nothing.
  const first = replies.find(({ body }) => body.status === 'SETTLED')!
  const again = await reportTo(own.w, st.link, good)
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(await own.usdcOf(st.s.wallet)).toBe(PRICE)
  expect(await meterOf(st.s)).toEqual({ balance: 0.95, used: 1 })
  expect((await rowsOf(own)).map(({ state }) => state)).toEqual(['missing', 'settled'])
  // The first use stays: the seller may have delivered for it.
  expect((await own.w.call('GET', `/api/paylinks/${st.link.code}`)).body.uses).toBe(2)
  expect(await own.w.faults()).toEqual([])
})

test.each([1, 3])(
  'a DIRECT payment by Permit2 whose block is undone, %i deep, is mined again and recorded once',
  async (depth) => {
    await using own = await ownWorld()
    const { st, payer, url } = await permitStage(own)
    const header = await x402Payer(payer, DEV.contract).header(url)
    expect((await own.during(present(url, header))).status).toBe(200)
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.shiftLogs()
    await own.until(isFinal(own))
    expect(await readTokenBalance(own.w.chain, DEV.contract, st.s.wallet)).toBe(10n ** 18n + 1n)
    await expectPaidOnce(own, st)
  },
)

test.each(['spends the money', 'cancels'] as const)(
  'a payer by Permit2 who %s while the block is undone: missing and reversed',
  async (way) => {
    await using own = await ownWorld()
    const { st, payer, url } = await permitStage(own)
    const header = await x402Payer(payer, DEV.contract).header(url)
    expect((await own.during(present(url, header))).status).toBe(200)
    await own.reorg(1)
    const { rpcUrl } = own
    const { nonce } = JSON.parse(Buffer.from(header, 'base64').toString()).payload
      .permit2Authorization
    if (way === 'cancels') await cancelPermit(payer, `0x${BigInt(nonce).toString(16)}`, { rpcUrl })
    else await transferDev(payer, FUNDS, { rpcUrl })
    await own.until(isMissing(own))
    expect(await meterOf(st.s)).toEqual({ balance: 1, used: 0 })
    expect(await st.s.events('payment.failed')).toMatchObject([{ reason: 'reorganised' }])
    expect(await own.w.faults()).toEqual([])
  },
)

/** A link in the development token, as the only one of the seller. */
async function permitStage(own: OwnWorld) {
  const st = await stage(own)
  const { rpcUrl } = own
  await giveDev({ to: st.s.wallet, amount: 1n, rpcUrl })
  await registerToken(st.s.seller, DEV.contract)
  const link = await st.s.open({ amount: 1, asset: DEV.contract, max_uses: 0 })
  const payer = await permitPayer({ rpcUrl })
  return { st: { ...st, link }, payer, url: `${st.base}/pay/${link.code}` }
}

test.each(DEPTHS)(
  'a reported plain transfer that is undone %i deep before it is safe settles only where it is mined again, once',
  async (depth) => {
    await using own = await ownWorld()
    const st = await stage(own)
    const payer = await own.payer()
    const txHash = await own.w.transfer(payer, st.s.wallet, PRICE)
    const raw = await own.call('eth_getRawTransactionByHash', txHash)
    const good = await report(own.w, { link: st.link, txHash, payer })
    const first = await reportTo(own.w, st.link, good)
    expect(first.body.status, first.text).toBe('PENDING')
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.blocks(6)
    await own.w.advance(60)
    await own.during(own.w.runJobs())
    expect(await rowsOf(own)).toMatchObject([{ state: 'settling' }])
    expect(await meterOf(st.s)).toEqual({ balance: 1, used: 0 })
    // Meanwhile nobody else's transfer passes for it.
    const thief = await own.payer()
    const theirs = await own.w.transfer(thief, st.s.wallet, PRICE)
    const forged = await report(own.w, { link: st.link, txHash: theirs, payer, by: payer })
    expect((await reportTo(own.w, st.link, forged)).body.code).toBe('invalid_transaction')
    // Another transfer comes first, so its log has another number; the same bytes are sent once more.
    await own.shiftLogs()
    await own.call('eth_sendRawTransaction', raw)
    await own.blocks(1)
    await own.until(isFinal(own))
    await expectPaidOnce(own, st)
    const again = await reportTo(own.w, st.link, good)
    expect(again.body.status, again.text).toBe('SETTLED')
    await expectPaidOnce(own, st)
  },
)

test('a reported transfer that never comes again is given up after a day: nothing was metered', async () => {
  await using own = await ownWorld()
  const st = await stage(own)
  const payer = await own.payer()
  const txHash = await own.w.transfer(payer, st.s.wallet, PRICE)
  const good = await report(own.w, { link: st.link, txHash, payer })
  expect((await reportTo(own.w, st.link, good)).body.status).toBe('PENDING')
  await own.reorg(1)
  await own.blocks(6)
  await own.w.advance(25 * 3_600)
  await own.until(async () => (await rowsOf(own)).every(({ state }) => state === 'failed'))
  expect(await meterOf(st.s)).toMatchObject({ used: 0 })
  expect((await own.w.call('GET', `/api/paylinks/${st.link.code}`)).body.uses).toBe(0)
  expect(await own.w.faults()).toEqual([])
})

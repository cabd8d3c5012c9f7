import { expect, test } from 'vitest'
import { carryPull } from '../../src/money/pulls/carry.ts'
import { findPull } from '../../src/money/pulls/store.ts'
import { asIssuer } from '../actors/ap2/issuer.ts'
import {
  balanceOf,
  cardOf,
  issue,
  open,
  present as presentTo,
  signed,
} from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import { directSeller, present, report, reportTo, x402Payer } from '../actors/direct/direct-kit.ts'
import { PRICE, payer as pulledPayer, requested, revenue } from '../actors/payers/payer.ts'
import { handMadeSeller } from '../sellers/x402-sellers.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

type Act = Parameters<typeof asIssuer>[1]
const act = (own: OwnWorld, what: Act) => own.during(asIssuer(own.issuer, what))
const SOMEONE = '0x52908400098527886E0F7030069857D2E4169EE7'

test.concurrent('while the token is paused a payment of a link is refused with the reason, and paid after', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  await act(own, { functionName: 'pause' })
  const refused = await presentTo(w, link.code, payment)
  expect([refused.status, refused.text]).toEqual([402, expect.stringMatching(/paused/)])
  await act(own, { functionName: 'unpause' })
  const paid = await own.during(presentTo(w, link.code, payment))
  expect(paid.status, paid.text).toBe(200)
  expect((await cardOf(seller, card.id)).received).toBe(0.995)
  await own.until(async () => (await w.faults()).length === 0)
  await own.expectBooksToMatch()
})

test.concurrent('the token is paused while a payment of a link is on its way: it is not credited, nor lost', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  const reply = presentTo(w, link.code, payment)
  await own.pending(1)
  await own.call('anvil_dropAllTransactions')
  await act(own, { functionName: 'pause' })
  const stopped = await own.during(reply)
  expect(stopped.status).toBeGreaterThanOrEqual(402)
  expect(await own.usdcOf(payer.address)).toBe(9_000_000n)
  await act(own, { functionName: 'unpause' })
  await w.advance(30)
  await own.during(w.runJobs())
  // However that authorization ended, the payer's money and the credit agree.
  await own.blocks(6)
  await own.until(async () => {
    const { body } = await w.call('GET', `/api/paylinks/${link.code}`)
    return body.status === 'COMPLETED' || (await own.usdcOf(payer.address)) === 9_000_000n
  })
  const received = (await cardOf(seller, card.id)).received as number
  expect(await own.usdcOf(payer.address)).toBe(received > 0 ? 8_000_000n : 9_000_000n)
  await own.expectBooksToMatch()
})

test.concurrent('a deposit by signature while the token is paused is refused, and credited after', async () => {
  await using own = await ownWorld()
  const { w } = own
  const user = await w.user({ usdc: 5 })
  const payment = await signed(w, user.account, w.chain.treasury.address, 2_000_000n)
  const deposit = () => user.post('/api/fund/authorization', depositBody(payment))
  await act(own, { functionName: 'pause' })
  const refused = await deposit()
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.status).toBeLessThanOrEqual(502)
  expect(refused.text).toMatch(/paused/)
  await act(own, { functionName: 'unpause' })
  await own.during(deposit(), { always: true })
  await own.until(async () => (await balanceOf(user)) === 2, 5)
  await own.expectBooksToMatch()
})

test.concurrent.each([
  ['the token is paused', { functionName: 'pause' }],
  ['the treasury is blacklisted', 'treasury'],
  ['the seller is blacklisted', 'seller'],
] as const)(
  'a seller cannot take its payment while %s: it goes back to the card',
  async (_, stop) => {
    await using own = await ownWorld()
    const { w } = own
    const user = await w.user({ treasury: 2 })
    const card = await issue(user, 1)
    await using seller = await handMadeSeller({
      amount: 20_000n,
      maxTimeoutSeconds: 60,
      rpcUrl: own.rpcUrl,
      serve: async ({ response, settle }) => {
        await settle()
        response.writeHead(402).end('the money did not come')
      },
    })
    const who = stop === 'treasury' ? w.chain.treasury.address : seller.payTo
    const what: Act = typeof stop === 'string' ? { functionName: 'blacklist', args: [who] } : stop
    await act(own, what)
    const ask = { card_id: card.id, card_token: card.token, url: seller.url }
    const kept = await own.during(user.post('/api/pay', ask))
    expect([kept.status, kept.body.code], kept.text).toEqual([202, 'outcome_unknown'])
    expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201, spent: 0 })
    await own.call('evm_increaseTime', 300)
    await own.blocks(6)
    await own.until(async () => (await cardOf(user, card.id)).held === 0, 5)
    expect(await cardOf(user, card.id)).toMatchObject({ spent: 0, balance: 1 })
    expect(await own.usdcOf(seller.payTo)).toBe(0n)
    await own.expectBooksToMatch()
  },
)

test.concurrent('a blacklisted payer gets that reason, and uses up nothing of the link', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const link = await open(seller, await issue(seller, 1))
  const [bad, good] = [await own.payer(), await own.payer()]
  await act(own, { functionName: 'blacklist', args: [bad.address] })
  const refused = await presentTo(
    w,
    link.code,
    await signed(w, bad, link.deposit_address, 1_000_000n),
  )
  expect([refused.status, refused.text]).toEqual([402, expect.stringMatching(/blacklisted/)])
  const paying = presentTo(w, link.code, await signed(w, good, link.deposit_address, 1_000_000n))
  expect((await own.during(paying)).status).toBe(200)
})

test.concurrent("with the treasury blacklisted a link is paid, and its money waits at the link's own address", async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  await act(own, { functionName: 'blacklist', args: [w.chain.treasury.address] })
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  const paid = await own.during(presentTo(w, link.code, payment))
  expect(paid.status, paid.text).toBe(200)
  expect(await own.usdcOf(link.deposit_address)).toBe(1_000_000n)
  const stopped = await seller.post('/api/withdraw', { amount: 2 })
  expect([stopped.status, stopped.text]).toEqual([502, expect.stringMatching(/stopped/)])
  expect(await balanceOf(seller)).toBe(4)
  await act(own, { functionName: 'unBlacklist', args: [w.chain.treasury.address] })
  await own.until(async () => (await own.usdcOf(link.deposit_address)) === 0n, 3_601)
  await own.expectBooksToMatch()
})

test.concurrent('a payee that is blacklisted before a withdrawal is refused by name; one after it gets all back in the end', async () => {
  await using own = await ownWorld()
  const { w } = own
  const user = await w.user({ treasury: 10 })
  await act(own, { functionName: 'blacklist', args: [SOMEONE] })
  const refused = await user.post('/api/withdraw', { amount: 4, to_address: SOMEONE })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_address'])
  expect(refused.text).toMatch(/blacklisted/)
  expect(await balanceOf(user)).toBe(10)

  const taken = await user.post('/api/withdraw', { amount: 4 })
  await act(own, { functionName: 'blacklist', args: [user.account.address] })
  await own.during(w.runJobs())
  const shown = async () =>
    (await user.get(`/api/withdrawals?id=${taken.body.withdrawal_id}`)).body.withdrawals[0]
  expect(await shown()).toMatchObject({
    status: 'PROCESSING',
    reason: expect.stringMatching(/blacklisted/),
  })
  await own.call('evm_increaseTime', 25 * 3600)
  await own.blocks(6)
  await own.until(async () => (await shown()).status === 'FAILED')
  expect(await balanceOf(user)).toBe(10)
  await own.expectBooksToMatch()
})

test.concurrent('while the token is paused a DIRECT payment costs no gas and is paid after; a transfer from before it settles', async () => {
  await using own = await ownWorld()
  const { w } = own
  const base = await w.listen()
  const s = await own.during(directSeller(w), { always: true })
  const [signedFor, sentTo] = [await s.open(), await s.open()]
  const [payer, sender] = [await own.payer(), await own.payer()]
  const url = `${base}/pay/${signedFor.code}`
  const header = await x402Payer(payer).header(url)
  const txHash = await w.transfer(sender, s.wallet, 500_000n)
  const relayed = () =>
    own.node.getTransactionCount({ address: w.chain.relayers[0]?.address ?? SOMEONE })
  const before = await relayed()
  await act(own, { functionName: 'pause' })
  for (let i = 0; i < 5; i++) {
    const refused = await present(url, header)
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringMatching(/paused/)])
  }
  expect(await relayed()).toBe(before)
  await own.blocks(6)
  const sent = await reportTo(w, sentTo, await report(w, { link: sentTo, txHash, payer: sender }))
  expect(sent.body).toMatchObject({ status: 'SETTLED', amount: 0.5 })
  await act(own, { functionName: 'unpause' })
  expect((await own.during(present(url, header))).status).toBe(200)
  expect([await own.usdcOf(s.wallet), await s.used()]).toEqual([1_000_000n, 2])
  expect(await w.faults()).toEqual([])
})

test.concurrent('the token is paused while a DIRECT payment is on its way: not metered, not lost, and the link is free again', async () => {
  await using own = await ownWorld()
  const { w } = own
  const base = await w.listen()
  const s = await own.during(directSeller(w), { always: true })
  const link = await s.open()
  const url = `${base}/pay/${link.code}`
  const payer = await own.payer()
  const header = await x402Payer(payer).header(url)
  const reply = present(url, header)
  await own.pending(1)
  await own.call('anvil_dropAllTransactions')
  await act(own, { functionName: 'pause' })
  expect((await own.during(reply)).status).toBeGreaterThanOrEqual(402)
  await w.advance(30)
  await own.during(w.runJobs())
  await act(own, { functionName: 'unpause' })
  await own.until(async () => {
    const { body } = await w.call('GET', `/api/paylinks/${link.code}`)
    return body.status === 'COMPLETED' || (await s.events('payment.failed')).length === 1
  })
  // However it ended, the seller's wallet, the link and the quota agree.
  const paid = await own.usdcOf(s.wallet)
  const { uses } = (await w.call('GET', `/api/paylinks/${link.code}`)).body
  expect([uses, await s.used()]).toEqual(paid === 500_000n ? [1, 1] : [0, 0])
  if (uses === 0) {
    const next = await own.payer()
    const again = await own.during(present(url, await x402Payer(next).header(url)))
    expect(again.status).toBe(200)
  }
  expect(await w.faults()).toEqual([])
})

test.concurrent('a pull while the token is paused moves nothing, and is paid once by the attempt after it', async () => {
  await using own = await ownWorld({ pulls: true })
  const { w } = own
  const user = await own.during(pulledPayer(w))
  const before = await own.usdcOf(user.wallet)
  const id = await requested(w, user)
  await act(own, { functionName: 'pause' })
  const stopped = await own.during(carryPull(w.services, w.now(), id))
  expect(await own.usdcOf(user.wallet)).toBe(before)
  const pull = await findPull(w.db.reader, id)
  expect([stopped, pull?.state]).toEqual([true, 'failed'])
  expect(await revenue(w)).toBe(0n)
  await act(own, { functionName: 'unpause' })
  await requested(w, user, { chargeId: id })
  await w.advance(3_600)
  await own.until(async () => (await findPull(w.db.reader, id))?.state === 'confirmed')
  expect(await own.usdcOf(user.wallet)).toBe(before - PRICE)
  expect(await revenue(w)).toBe(PRICE)
  expect(await w.faults()).toEqual([])
})

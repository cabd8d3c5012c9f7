import { expect, test } from 'vitest'
import { asIssuer } from '../actors/ap2/issuer.ts'
import { balanceOf, cardOf, issue, open, present, signed } from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import { handMadeSeller } from '../sellers/x402-sellers.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

type Act = Parameters<typeof asIssuer>[1]
const act = (own: OwnWorld, what: Act) => own.during(asIssuer(own.issuer, what))
const SOMEONE = '0x52908400098527886E0F7030069857D2E4169EE7'

test('while the token is paused a payment of a link is refused with the reason, and paid after', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  await act(own, { functionName: 'pause' })
  const refused = await present(w, link.code, payment)
  expect([refused.status, refused.text]).toEqual([402, expect.stringMatching(/paused/)])
  await act(own, { functionName: 'unpause' })
  const paid = await own.during(present(w, link.code, payment))
  expect(paid.status, paid.text).toBe(200)
  expect((await cardOf(seller, card.id)).received).toBe(0.995)
  await own.until(async () => (await w.faults()).length === 0)
  await own.expectBooksToMatch()
})

test('the token is paused while a payment of a link is on its way: it is not credited, nor lost', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  const reply = present(w, link.code, payment)
  await expect.poll(async () => Number((await own.call('txpool_status')).pending)).toBe(1)
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

test('a deposit by signature while the token is paused is refused, and credited after', async () => {
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

test.each([
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

test('a blacklisted payer gets that reason, and uses up nothing of the link', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const link = await open(seller, await issue(seller, 1))
  const [bad, good] = [await own.payer(), await own.payer()]
  await act(own, { functionName: 'blacklist', args: [bad.address] })
  const refused = await present(
    w,
    link.code,
    await signed(w, bad, link.deposit_address, 1_000_000n),
  )
  expect([refused.status, refused.text]).toEqual([402, expect.stringMatching(/blacklisted/)])
  const paying = present(w, link.code, await signed(w, good, link.deposit_address, 1_000_000n))
  expect((await own.during(paying)).status).toBe(200)
})

test("with the treasury blacklisted a link is paid, and its money waits at the link's own address", async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  await act(own, { functionName: 'blacklist', args: [w.chain.treasury.address] })
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  const paid = await own.during(present(w, link.code, payment))
  expect(paid.status, paid.text).toBe(200)
  expect(await own.usdcOf(link.deposit_address)).toBe(1_000_000n)
  const stopped = await seller.post('/api/withdraw', { amount: 2 })
  expect([stopped.status, stopped.text]).toEqual([502, expect.stringMatching(/stopped/)])
  expect(await balanceOf(seller)).toBe(4)
  await act(own, { functionName: 'unBlacklist', args: [w.chain.treasury.address] })
  await own.until(async () => (await own.usdcOf(link.deposit_address)) === 0n, 3_601)
  await own.expectBooksToMatch()
})

test('a payee that is blacklisted before a withdrawal is refused by name; one after it gets all back in the end', async () => {
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

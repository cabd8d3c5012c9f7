import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf, cardOf, issue, open, present, signed } from '../../../test/actors/attack-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { watchOnce } from './pass.ts'

let w: World
let seller: User
let till: Awaited<ReturnType<typeof issue>>
beforeAll(async () => {
  w = await world()
  await w.withGas()
  seller = await w.user({ treasury: 5 })
  till = await issue(seller, 1)
})
afterAll(() => w[Symbol.asyncDispose]())

const statusOf = (code: string) => w.call('GET', `/api/paylinks/${code}/status`)
const pass = () => watchOnce(w.services, w.now())
const receivedOf = async () => (await cardOf(seller, till.id)).received

test('a transfer in the newest block is shown as seen at once, and credited only at its depth', async () => {
  const link = await open(seller, till, { max_uses: 0 })
  expect((await statusOf(link.code)).body).toEqual({
    status: 'ACTIVE',
    confirmed_at: null,
    seen: null,
  })
  const before = await receivedOf()
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, 1_000_000n)
  await pass()
  const { body } = await statusOf(link.code)
  expect(body).toMatchObject({ status: 'ACTIVE', seen: { tx_hash: hash, amount: 1 } })
  expect(Object.keys(body.seen).sort()).toEqual(['amount', 'confirmations', 'needed', 'tx_hash'])
  expect(body.seen.confirmations).toBeGreaterThanOrEqual(1)
  expect(body.seen.needed).toBeGreaterThanOrEqual(body.seen.confirmations)
  expect(await receivedOf()).toBe(before)

  await w.safe()
  for (let i = 0; i < 3; i++) {
    await pass()
    await w.advance(3)
    await w.runJobs()
  }
  expect((await receivedOf()) - before).toBeCloseTo(0.995, 6)
  expect((await statusOf(link.code)).body.seen).toBeNull()
})

test('dust does not hide the payment behind it, and a payment that was credited is not seen again', async () => {
  const link = await open(seller, till, { max_uses: 0, amount: 2 })
  const payer = await freshAccount({ usdc: 9_000_000n })
  await w.transfer(payer, link.deposit_address, 1n)
  const hash = await w.transfer(payer, link.deposit_address, 2_000_000n)
  await w.transfer(payer, link.deposit_address, 1n)
  await pass()
  expect((await statusOf(link.code)).body.seen).toMatchObject({ tx_hash: hash, amount: 2 })

  // By x402 it is credited in its first block, while the watcher waits for its depth.
  const quick = await open(seller, till, { max_uses: 0 })
  const paid = await present(
    w,
    quick.code,
    await signed(w, payer, quick.deposit_address, 1_000_000n),
  )
  expect(paid.status, paid.text).toBe(200)
  await pass()
  expect((await statusOf(quick.code)).body.seen).toBeNull()
})

test('what is seen for a link is shown on its page, and nothing is credited for it', async () => {
  const link = await open(seller, till)
  const before = await balanceOf(seller)
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, 400_000n)
  await pass()
  const page = await w.call('GET', `/pay/${link.code}`, undefined, {
    headers: { accept: 'text/html' },
  })
  expect(page.text).toContain('Payment seen, waiting for confirmation')
  expect(page.text).toContain(hash)
  expect(page.text).toContain('The link asks for 1.00 USDC in one transfer')
  expect(await balanceOf(seller)).toBe(before)
})

/** The checkout keeps to the truth after a lost answer, beside payments of others, at the end of a link, and before a signature. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { until } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import { world } from '../world.ts'
import { axeOn, openPage, openShop, picture } from './kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const signed = (calls: string[]): number =>
  calls.filter((method) => method === 'eth_signTypedData_v4').length

test('a payer whose answer was lost is led to the receipt by the page of the link that is paid by it', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  const { calls } = await injectWallet(page, { account: await freshAccount({ usdc: 9_000_000n }) })
  const address = `${base}/pay/${link.code}`
  const lost: number[] = []
  let isBack = false
  await page.route(address, async (route) => {
    if (isBack || route.request().headers()['payment-signature'] === undefined)
      return route.fallback()
    if (lost.length === 0) lost.push((await route.fetch()).status())
    await route.abort()
  })
  await page.goto(address)
  await page.getByRole('button', { name: 'Pay 2.50 USDC with Test Wallet' }).click()
  await until(
    () => lost,
    (statuses) => expect(statuses).toEqual([200]),
  )
  expect((await w.call('GET', `/api/paylinks/${link.code}/status`)).body.status).toBe('COMPLETED')
  await page.goto(address)
  isBack = true
  await page.waitForURL(/settlement=stl_/)
  await page.getByText('Keep the receipt number').waitFor()
  expect(signed(calls)).toBe(1)
})

test('a receipt that is slow to open is not overtaken by the state of the link that it paid', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await injectWallet(page, { account: await freshAccount({ usdc: 9_000_000n }) })
  const statePaid = () =>
    page.waitForResponse((answer) => /\/status$/.test(answer.url()) && answer.status() === 410)
  await page.route(/\/paid\?settlement=/, async (route) => {
    await statePaid()
    await statePaid()
    await route.fallback()
  })
  await page.goto(`${base}/pay/${link.code}`)
  await page.getByRole('button', { name: 'Pay 2.50 USDC with Test Wallet' }).click()
  await page.waitForURL(/settlement=stl_/)
  await page.getByText('Keep the receipt number').waitFor()
})

test('a payment of somebody else takes neither the chosen amount nor what is being typed', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ amount: null, max_uses: 0, type: 'RECURRING' })
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}?amount=7.25`)
  await page.getByText('Pay with a Purser card').click()
  const field = page.getByLabel('Card id')
  await field.fill('card_half')
  await w.transfer(await freshAccount({ usdc: 9_000_000n }), link.deposit_address, 1_000_000n)
  await watchOnce(w.services, w.now())
  for (let i = 0; i < 2; i++)
    await page.waitForResponse(
      async (answer) => /\/status$/.test(answer.url()) && (await answer.text()).includes('0x'),
    )
  expect(await field.inputValue()).toBe('card_half')
  await field.fill('')
  await page.getByRole('heading', { name: 'Payment seen, waiting for confirmation' }).waitFor()
  expect(await page.locator('.amount').textContent()).toContain('7.25')
})

test.each([
  ['a larger sum', { amount: '2500001' }],
  ['another token', { asset: `0x${'11'.repeat(20)}` }],
  ['another network', { network: 'eip155:1' }],
])('a wallet is asked to sign no more than the page shows: %s', async (_, changed) => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  const account = await freshAccount({ usdc: 9_000_000n })
  const { calls } = await injectWallet(page, { account })
  await page.route(`${base}/pay/${link.code}`, async (route) => {
    if (route.request().headers().accept !== 'application/json') return route.fallback()
    const answer = await route.fetch()
    const text = Buffer.from(answer.headers()['payment-required'] ?? '', 'base64').toString()
    const demand = JSON.parse(text)
    for (const offer of demand.accepts) Object.assign(offer, changed)
    const header = Buffer.from(JSON.stringify(demand)).toString('base64')
    const headers = { ...answer.headers(), 'payment-required': header }
    await route.fulfill({ response: answer, headers })
  })
  await page.goto(`${base}/pay/${link.code}`)
  await page.getByRole('button', { name: 'Pay 2.50 USDC with Test Wallet' }).click()
  await page.getByText(/^The seller (asks for something else|makes no offer)/).waitFor()
  expect(signed(calls)).toBe(0)
})

test('a transfer of the last minute is shown on the page of the link that has ended, and leads to its receipt', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ expires_in: 1 })
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}`)
  await w.transfer(await freshAccount({ usdc: 9_000_000n }), link.deposit_address, 2_500_000n)
  await w.advance(3_700)
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  await watchOnce(w.services, w.now())
  await page.getByRole('heading', { name: 'A transfer to this link is being confirmed' }).waitFor()
  await w.safe()
  for (let i = 0; i < 3; i++) {
    await w.advance(3)
    await w.runJobs()
  }
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await page.getByText('Keep the receipt number').waitFor()
})

test('a payer reads a page, not a program’s answer, where the service cannot answer', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base, bypassCSP: true })
  const { page } = opened
  const path = `/pay/${link.code}`
  await page.goto(`${base}${path}?amount=${'1'.repeat(41)}`)
  await page.getByRole('heading', { name: 'That did not work' }).waitFor()
  await page.getByText('Nothing was paid by this request').waitFor()
  expect(await axeOn(page)).toEqual([])
  await picture(page, 'refused')
  await page.getByRole('link', { name: 'Back to the link' }).click()
  await page.getByRole('heading', { name: 'Ways to pay' }).waitFor()
  const asked = (accept: string) =>
    w.call('GET', `${path}?amount=${'1'.repeat(41)}`, undefined, { headers: { accept } })
  const [page400, json] = [await asked('text/html'), await asked('application/json')]
  expect([page400.status, json.status, json.body.code]).toEqual([400, 400, 'invalid_field'])
  expect(page400.headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

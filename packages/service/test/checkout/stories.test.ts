/** A payer's stories on the checkout, on the real service and the embedded chain, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { openBrowser } from '../actors/browser.ts'
import { until } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import { type Card, type World, world } from '../world.ts'
import { openPage, openShop, picture } from './kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** The site of a seller, that notes what it was asked for. */
async function shopSite() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    if (!/favicon/.test(url)) asked.push(url)
    response.setHeader('content-type', 'text/html')
    response.end('<link rel="icon" href="data:,"><h1>Thank you</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ asked, url: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function payByCard(page: Page, card: Card): Promise<void> {
  await page.getByText('Pay with a Purser card').click()
  await page.getByLabel('Card id').fill(card.id)
  await page.getByLabel('Card token').fill(card.token)
  await page.getByRole('button', { name: /^Pay / }).click()
}

const purse = async (w: World) => (await w.user({ treasury: 50 })).card({ limit: 40 })

/** Lets the service credit what is on the chain. */
async function settle(w: World): Promise<void> {
  await w.safe()
  for (let i = 0; i < 3; i++) {
    await w.advance(3)
    await w.runJobs()
  }
}

test('who has paid sees that the page leads back to the shop, once, with the id of the payment', async () => {
  await using w = await world()
  const base = await w.listen()
  await using site = await shopSite()
  const shop = await openShop(w)
  const card = await purse(w)
  const link = await shop.open({
    success_url: `${site.url}/done?payment={PAYMENT_ID}`,
    cancel_url: `${site.url}/basket`,
  })
  await using opened = await openPage(browser, { origin: [base, site.url] })
  const { page } = opened
  await page.goto(link.url.replace('http://127.0.0.1:4021', base))
  const back = page.getByRole('link', { name: `Back to ${new URL(site.url).host}` })
  expect(await back.getAttribute('href')).toBe(`${site.url}/basket`)
  await payByCard(page, card)
  await page.getByText(/^You go back to 127\.0\.0\.1:\d+ in 10 seconds\.$/).waitFor()
  await picture(page, 'returning')
  const receipt = page.url()
  const id = new URL(receipt).searchParams.get('settlement')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect(page.url()).toBe(`${site.url}/done?payment=${id}`)
  expect(site.asked).toEqual([`/done?payment=${id}`])
  // The receipt that is opened again leads nobody away, and neither does that of somebody else.
  await page.goto(receipt)
  await page.getByText('Keep the receipt number').waitFor()
  expect(await page.getByText('You go back').isVisible()).toBe(false)
  await using other = await openPage(browser, { origin: base })
  await other.page.goto(receipt)
  expect(await other.page.getByText('You go back').isVisible()).toBe(false)
  expect(await other.page.getByRole('link', { name: /^Back to 127/ }).getAttribute('href')).toBe(
    `${site.url}/done?payment=${id}`,
  )
  // A browser that was only shown the receipt is not the payer.
  await other.page.goto(`${base}/pay/${link.code}`)
  await other.page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await other.page.getByRole('link', { name: 'See the receipt' }).count()).toBe(0)
})

test('who wants to stay at the receipt stays', async () => {
  await using w = await world()
  const base = await w.listen()
  await using site = await shopSite()
  const link = await (await openShop(w)).open({ success_url: `${site.url}/done` })
  await using opened = await openPage(browser, { origin: [base, site.url] })
  const { page } = opened
  await page.clock.install()
  await page.goto(`${base}/pay/${link.code}`)
  await payByCard(page, await purse(w))
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByText('You stay here.').waitFor()
  await page.clock.runFor(60_000)
  expect(new URL(page.url()).origin).toBe(base)
  expect(site.asked).toEqual([])
})

test('the end is counted down by the clock of the service, said now and then, and shown when it comes', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ expires_in: 1 })
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  // The payer's clock is two days late.
  await page.addInitScript(() => {
    const { now } = Date
    Date.now = () => now() + 2 * 86_400_000
  })
  await page.goto(`${base}/pay/${link.code}`)
  const timer = page.getByRole('timer')
  await until(
    () => timer.textContent(),
    (text) => expect(text).toMatch(/^in (59:\d\d|60:00)$/),
  )
  const said = page.locator('[data-time-said]')
  expect(await said.textContent()).toBe('')
  await w.advance(3_600 - 50)
  await until(
    () => timer.textContent(),
    (text) => expect(text).toMatch(/^in 0:[1-4]\d$/),
  )
  expect(await said.textContent()).toMatch(/^This link ends in \d\d seconds\.$/)
  await w.advance(60)
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  await page.getByRole('link', { name: 'Ask Tea & Co (tea.example)' }).waitFor()
})

test('a page that lost its connection says so, and shows the truth once it is back', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page, context } = opened
  await page.goto(`${base}/pay/${link.code}`)
  await context.setOffline(true)
  await page.getByText('The service does not answer').waitFor()
  await picture(page, 'lost')
  const card = await purse(w)
  const paid = { payer_card_id: card.id, payer_card_token: card.token }
  expect((await w.call('POST', `/api/pay/${link.code}/settle`, paid)).status).toBe(200)
  expect(await page.getByText('Open for payment').isVisible()).toBe(true)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await page.getByText('The service does not answer').count()).toBe(0)
})

test('the page of a paid link leads its payer to the receipt, also another day, and nobody else', async () => {
  await using w = await world()
  const base = await w.listen()
  await w.withGas()
  const shop = await openShop(w)
  const link = await shop.open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}`)
  await w.transfer(await freshAccount({ usdc: 9_000_000n }), link.deposit_address, 2_500_000n)
  await watchOnce(w.services, w.now())
  await page.getByRole('heading', { name: 'Payment seen, waiting for confirmation' }).waitFor()
  await settle(w)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  const way = page.getByRole('link', { name: 'See the receipt' })
  await picture(page, 'paid-here')
  await way.click()
  await page.getByText('wallet transfer').waitFor()
  // A new tab knows it too.
  const later = await opened.context.newPage()
  await later.goto(`${base}/pay/${link.code}`)
  await later.getByRole('link', { name: 'See the receipt' }).waitFor()
  await using other = await openPage(browser, { origin: base })
  await other.page.goto(`${base}/pay/${link.code}`)
  await other.page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await other.page.getByRole('link', { name: 'See the receipt' }).count()).toBe(0)
})

test('a receipt prints on one page, dark on white, with all that is on it and nothing to press', async () => {
  await using w = await world()
  const base = await w.listen()
  const shop = await openShop(w)
  const link = await shop.open({
    memo: 'Wort '.repeat(99).trim(),
    success_url: 'https://a.example/',
  })
  const card = await purse(w)
  const paid = { payer_card_id: card.id, payer_card_token: card.token }
  const { settlement_id: id } = (await w.call('POST', `/api/pay/${link.code}/settle`, paid)).body
  await using opened = await openPage(browser, { origin: base, colorScheme: 'dark' })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}/paid?settlement=${id}`)
  await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor()
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await picture(page, 'print')
  for (const shown of [
    id,
    shop.seller.wallet,
    'Tea & Co',
    '2.50',
    'test money only',
    `settlement=${id}`,
  ])
    expect(await page.getByText(shown).last().isVisible(), shown).toBe(true)
  for (const role of ['button', 'link'] as const)
    expect(await page.getByRole(role).count(), role).toBe(0)
  expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe(
    'rgb(26, 29, 36)',
  )
})

test('nobody puts a page of the checkout into a frame', async () => {
  await using w = await world()
  const base = await w.listen()
  await using site = await shopSite()
  const shop = await openShop(w)
  const link = await shop.open()
  const { profile } = (await shop.seller.get('/api/profile')).body
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const path of [`/pay/${link.code}`, new URL(profile.logo_url).pathname]) {
    await page.goto(site.url)
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    )
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${base + path}' }))`,
    )
    expect((await refused).type(), path).toBe('error')
  }
  await context.close()
})

test('what a seller wrote stays text: no name, memo or logo becomes a part of the page', async () => {
  await using w = await world()
  const base = await w.listen()
  const attack = '"><script>document.title = 1</script><img src=x onerror="document.title = 2">'
  const shop = await openShop(w, { name: '<img src=x onerror=alert(1)>', accent: '#d6336c' })
  const link = await shop.open({ memo: `${attack} שלום` })
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`${attack} שלום`)
  expect(await page.title()).toContain(attack)
  expect(await page.locator('img').count()).toBe(0)
  const mine = page.locator('.brand bdi')
  expect(await mine.textContent()).toBe('<img src=x onerror=alert(1)>')
  const button = page.getByRole('button', { name: /^Pay 2\.50/ })
  await page.getByText('Pay with a Purser card').click()
  const color = 'getComputedStyle(document.querySelector("form .primary")).backgroundColor'
  expect(await button.isVisible()).toBe(true)
  expect(await page.evaluate(color)).toBe('rgb(214, 51, 108)')
})

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { injectWallet, openBrowser } from '../../../../test/actors/browser.ts'
import { until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { watchOnce } from '../../watcher/pass.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** A seller with a link, a payer with a card, and the service listening. */
async function shop(w: World, options: { amount?: number | null; link?: object } = {}) {
  const url = await w.listen()
  const [seller, payer] = [await w.user({ treasury: 10 }), await w.user({ treasury: 100 })]
  const issue = async (user: typeof seller, purpose: string, limit_amount: number) =>
    (await user.post('/api/issue', { purpose, limit_amount })).body.card
  const sellerCard = await issue(seller, 'shop', 1)
  const payerCard = await issue(payer, 'agent', 50)
  const asked = {
    card_id: sellerCard.id,
    amount: options.amount === undefined ? 12.5 : options.amount,
  }
  const link = (
    await seller.post('/api/paylinks', { ...asked, memo: 'Two boxes of tea', ...options.link })
  ).body
  const page = `${url}/pay/${link.code}`
  const balance = async () => (await seller.get(`/api/cards/${sellerCard.id}`)).body.card.balance
  return { url, seller, payer, payerCard, link, page, balance }
}

/** A page that fails the test if it asks anybody else, breaks its policy, or throws. */
async function openPage(options: BrowserContextOptions & { origin: string }) {
  const { origin, ...rest } = options
  const context = await browser.newContext(rest)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      faults.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text())
  })
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

async function enterCard(page: Page, card: { id: string; token: string }) {
  const form = page.locator('form:has([name=payer_card_id])')
  if (!(await form.isVisible())) await page.getByText('Pay with a Purser card').click()
  await page.getByLabel('Card id').fill(card.id)
  await page.getByLabel('Card token').fill(card.token)
  return form.getByRole('button')
}

test('without a script a person pays by card, and a form sent again pays nothing more', async () => {
  await using w = await world()
  const {
    url,
    page: address,
    payerCard,
    balance,
  } = await shop(w, {
    link: { type: 'RECURRING', max_uses: 5 },
  })
  await using browsing = await openPage({ origin: url, javaScriptEnabled: false })
  const { page, faults } = browsing
  await page.goto(address)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Two boxes of tea')

  await (await enterCard(page, { ...payerCard, token: `tok_${'x'.repeat(43)}` })).click()
  expect(await page.getByRole('alert').textContent()).toContain('card token')
  expect(await page.getByLabel('Card id').inputValue()).toBe(payerCard.id)
  expect(await page.getByLabel('Card token').inputValue()).toBe('')

  const pay = await enterCard(page, payerCard)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await pay.click()
  await page.waitForURL(/settlement=stl_/)
  expect(await page.locator('main').textContent()).toMatch(
    /Paid[\s\S]*12\.50[\s\S]*Purser card[\s\S]*stl_/,
  )
  expect(await balance()).toBe(1 + 12.5 * 0.995)

  const again = await page.request.post((await sent).url(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    data: (await sent).postData() ?? '',
    maxRedirects: 0,
  })
  expect(again.status()).toBe(303)
  expect(new URL(again.headers().location!, url).href).toBe(page.url())
  expect(await balance()).toBe(1 + 12.5 * 0.995)
  expect(faults).toEqual([])
  expect(await w.faults()).toEqual([])
})

test('without a script a person reports a transfer and sees it become a receipt', async () => {
  await using w = await world()
  await w.withGas()
  const { url, page: address, link } = await shop(w)
  const payer = await freshAccount({ usdc: 20_000_000n })
  await using browsing = await openPage({ origin: url, javaScriptEnabled: false })
  const { page, faults } = browsing
  await page.goto(address)
  await page.getByText('I have paid, and the page does not show it').click()
  await page.getByLabel('Transaction hash').fill(`0x${'00'.repeat(32)}`)
  await page.getByRole('button', { name: 'I have paid' }).click()
  expect(await page.locator('main').textContent()).toContain('not in a block yet')

  const hash = await w.transfer(payer, link.deposit_address, 12_500_000n)
  await page.goto(address)
  await page.getByText('I have paid, and the page does not show it').click()
  await page.getByLabel('Transaction hash').fill(` ${hash.toUpperCase().replace('X', 'x')} `)
  await page.getByRole('button', { name: 'I have paid' }).click()
  await page.waitForURL(/tx_hash=/)
  await w.safe()
  await w.advance(5)
  await w.runJobs()
  // The page asks again by itself.
  await page.getByText('wallet transfer').waitFor()
  expect(await page.locator('main').textContent()).toContain(hash)

  await page.goto(address)
  expect(await page.locator('main').textContent()).toContain('This link was settled')
  expect(faults).toEqual([])
  expect(await w.faults()).toEqual([])
})

test('with a script the page that waits becomes the receipt in its place', async () => {
  await using w = await world()
  await w.withGas()
  const { url, page: address, link } = await shop(w)
  const payer = await freshAccount({ usdc: 20_000_000n })
  await using browsing = await openPage({ origin: url })
  const { page, faults } = browsing
  const hash = await w.transfer(payer, link.deposit_address, 12_500_000n)
  await page.goto(`${address}/paid?tx_hash=${hash}`)
  await page.getByText('Waiting for the network').waitFor()
  await page.evaluate('document.documentElement.dataset.kept = "yes"')
  await w.safe()
  await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash: hash })
  await page.getByText('wallet transfer').waitFor()
  expect(await page.evaluate('document.documentElement.dataset.kept')).toBe('yes')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Two boxes of tea')
  expect(faults).toEqual([])
})

test('a payer who may choose names the amount first, and pays that', async () => {
  await using w = await world()
  const { url, page: address, payerCard, balance } = await shop(w, { amount: null })
  await using browsing = await openPage({ origin: url, javaScriptEnabled: false })
  const { page } = browsing
  await page.goto(`${address}?amount=7.1234567`)
  expect(await page.getByRole('alert').textContent()).toContain('more than 6 decimals')
  await page.getByLabel('Amount in USDC').fill('7.25')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Pay from a wallet app').waitFor()
  await (await enterCard(page, payerCard)).click()
  await page.waitForURL(/settlement=stl_/)
  expect(await page.locator('main').textContent()).toContain('7.25')
  expect(await balance()).toBeCloseTo(1 + 7.25 * 0.995, 6)
})

test('a browser wallet on another chain is switched, signs once, and sees the receipt', async () => {
  await using w = await world()
  await w.withGas()
  const { url, page: address, balance } = await shop(w)
  const account = await freshAccount({ usdc: 20_000_000n })
  await using browsing = await openPage({ origin: url })
  const { page, faults } = browsing
  const { calls, added } = await injectWallet(page, {
    account,
    chainId: 1,
    refuses: 1,
    isNew: true,
  })
  await page.goto(address)
  const button = page.getByRole('button', { name: 'Pay 12.50 USDC with Test Wallet' })
  await button.click()
  await page.getByText('You declined in the wallet. Nothing was paid.').waitFor()
  await button.click()
  await page.waitForURL(/settlement=stl_/)
  expect(await page.locator('main').textContent()).toMatch(
    /Paid[\s\S]*12\.50[\s\S]*x402[\s\S]*0x[0-9a-f]{64}/,
  )
  // The wallet does not know the chain: it is given all that it needs to know.
  expect(calls.filter((method) => method.startsWith('wallet_'))).toEqual([
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_switchEthereumChain',
  ])
  expect(added).toEqual([
    {
      chainId: '0x14a34',
      chainName: 'a local test chain',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [w.services.settings.embeddedRpcUrl],
    },
  ])
  expect(calls.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(2)
  expect(await balance()).toBe(1 + 12.5 * 0.995)
  expect(faults).toEqual([])
  expect(await w.faults()).toEqual([])
})

// The answers to the first sendings are lost, and the page is loaded anew: the same signature must go out again, not a second.
test('a payment whose answer is lost, cut or a proxy’s is finished with the same signature', async () => {
  await using w = await world()
  await w.withGas()
  const {
    url,
    page: address,
    balance,
  } = await shop(w, {
    amount: null,
    link: { type: 'RECURRING', max_uses: 0 },
  })
  const account = await freshAccount({ usdc: 20_000_000n })
  await using browsing = await openPage({ origin: url })
  const { page } = browsing
  const { calls } = await injectWallet(page, { account })
  const sent: string[] = []
  const LOST = [
    { status: 503, headers: { 'retry-after': '1' }, body: '{}' },
    { status: 200, contentType: 'application/json', body: '{"success":true,"settlement_' },
    { status: 200, contentType: 'text/html', body: '<main>Sign in to this network</main>' },
    'cut',
  ] as const
  await page.route(`${address}*`, async (route) => {
    const header = route.request().headers()['payment-signature']
    if (header === undefined) return route.fallback()
    sent.push(header)
    const lost = LOST[sent.length - 1]
    if (!lost) return route.fallback()
    await route.fetch()
    return lost === 'cut' ? route.abort() : route.fulfill(lost)
  })
  await page.goto(`${address}?amount=3`)
  await page.getByRole('button', { name: 'Pay 3.00 USDC with Test Wallet' }).click()
  await until(
    () => sent.length,
    (seen) => expect(seen).toBe(LOST.length),
  )
  await page.reload()
  await page.waitForURL(/settlement=stl_/)
  expect(new Set(sent).size).toBe(1)
  expect(calls.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
  expect(await balance()).toBeCloseTo(1 + 3 * 0.995, 6)
  expect(await w.faults()).toEqual([])
})

test('a page that is open turns into the paid one when somebody pays', async () => {
  await using w = await world()
  const { url, page: address, link, payerCard } = await shop(w)
  await using browsing = await openPage({ origin: url })
  const { page, faults } = browsing
  await page.goto(address)
  await page.getByText('Open for payment').waitFor()
  await w.call('POST', `/api/pay/${link.code}/settle`, {
    protocol: 'card',
    payer_card_id: payerCard.id,
    payer_card_token: payerCard.token,
  })
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(faults).toEqual([])
})

test('a page that is open shows a transfer as soon as a block holds it, and then that it is paid', async () => {
  await using w = await world()
  await w.withGas()
  const { url, page: address, link } = await shop(w)
  await using browsing = await openPage({ origin: url })
  const { page, faults } = browsing
  await page.goto(address)
  await page.getByText('Open for payment').waitFor()
  const payer = await freshAccount({ usdc: 20_000_000n })
  await w.transfer(payer, link.deposit_address, 12_500_000n)
  await watchOnce(w.services, w.now())
  await page.getByRole('heading', { name: 'Payment seen, waiting for confirmation' }).waitFor()
  expect(await page.getByRole('status').first().textContent()).toMatch(
    /^\d+ of about \d+ confirmations$/,
  )
  expect(await page.getByText('Pay from a wallet app').isVisible()).toBe(false)
  await w.safe()
  for (let i = 0; i < 3; i++) {
    await w.advance(3)
    await w.runJobs()
  }
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(faults).toEqual([])
})

test('a payer whose transfer came short reads so on the page that saw it, and nobody else does', async () => {
  await using w = await world()
  await w.withGas()
  const { url, page: address, link, seller } = await shop(w)
  await using browsing = await openPage({ origin: url, viewport: { width: 360, height: 740 } })
  const { page, faults } = browsing
  await page.goto(address)
  await page.getByText('Open for payment').waitFor()
  const payer = await freshAccount({ usdc: 20_000_000n })
  await w.transfer(payer, link.deposit_address, 5_000_000n)
  await watchOnce(w.services, w.now())
  await page.getByRole('heading', { name: 'Payment seen, waiting for confirmation' }).waitFor()
  await w.safe()
  for (let i = 0; i < 3; i++) {
    await w.advance(3)
    await w.runJobs()
  }
  const more = page.getByRole('link', { name: 'See what arrived, and what becomes of it' })
  await more.waitFor()
  await using other = await openPage({ origin: url })
  await other.page.goto(address)
  await other.page.getByText('Open for payment').waitFor()
  expect(await other.page.locator('main').textContent()).not.toMatch(/5\.00|did not pay/)

  await more.click()
  await page
    .getByRole('heading', { name: 'The money arrived but does not settle this link' })
    .waitFor()
  const text = (await page.locator('main').textContent()) ?? ''
  const { exceptions } = (await seller.get('/api/exceptions')).body
  for (const shown of ['5.00 USDC', '12.50 USDC', 'less than the link asks for', exceptions[0].id])
    expect(text).toContain(shown)
  expect(text).toContain('who can send it back to the address it came from')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/short.png`, fullPage: true })
  expect(faults).toEqual([])
})

test('the page fits a screen of 320 pixels, and is read and used by keyboard', async () => {
  await using w = await world()
  const { url, page: address } = await shop(w, { link: { memo: 'x'.repeat(300) } })
  await using browsing = await openPage({ origin: url, viewport: { width: 320, height: 640 } })
  const { page, faults } = browsing
  await page.goto(address)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the ways to pay')
  const unlabelled = await page.evaluate(
    `[...document.querySelectorAll('input:not([type=hidden])')].filter((input) => input.labels.length === 0).length`,
  )
  expect(unlabelled).toBe(0)
  expect(faults).toEqual([])
})

test('forms are read on the page alone, and a field sent twice is refused', async () => {
  await using w = await world()
  const { link } = await shop(w)
  const post = (path: string, body: string) =>
    w.call('POST', path, body, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect((await post(`/api/pay/${link.code}/settle`, 'payer_card_id=card_1')).status).toBe(415)
  const twice = await post(`/pay/${link.code}/paid`, 'payer_card_id=a&payer_card_id=b')
  expect(twice.status).toBe(400)
  const empty = await post(`/pay/${link.code}/paid`, '')
  expect(empty.status).toBe(400)
  expect(empty.text).toContain('Enter a transaction hash, or the card id')
  expect((await post('/pay/PL_0000000000/paid', 'tx_hash=0x1')).status).toBe(404)
  const wrong = await post(`/pay/${link.code}/paid`, 'tx_hash=0x1')
  expect(wrong.text).toContain('64 hex characters')
})

test('the same form sent five times at once pays once', async () => {
  await using w = await world()
  const { link, payerCard, balance } = await shop(w, { link: { type: 'RECURRING', max_uses: 0 } })
  const fields = { attempt: 'a1', payer_card_id: payerCard.id, payer_card_token: payerCard.token }
  const send = () =>
    w.call('POST', `/pay/${link.code}/paid`, new URLSearchParams(fields).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const replies = await Promise.all([send(), send(), send(), send(), send()])
  expect(replies.map((reply) => reply.status)).toEqual([303, 303, 303, 303, 303])
  expect(new Set(replies.map((reply) => reply.headers.location)).size).toBe(1)
  expect(await balance()).toBe(1 + 12.5 * 0.995)
  expect(await w.faults()).toEqual([])
})

test('style and script are served with a tag to revalidate by, and nothing beside them', async () => {
  await using w = await world()
  const script = await w.call('GET', '/assets/checkout.js')
  expect(script.headers).toMatchObject({ 'cache-control': 'public, no-cache' })
  const tag = String(script.headers.etag)
  const again = await w.call('GET', '/assets/checkout.js', undefined, {
    headers: { 'if-none-match': tag },
  })
  expect(again.status).toBe(304)
  for (const path of [
    '/assets/',
    '/assets/none.js',
    '/assets/../package.json',
    '/assets/%2e%2e/package.json',
  ])
    expect((await w.call('GET', path)).status, path).toBe(404)
})

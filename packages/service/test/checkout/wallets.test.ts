/** Wallets on the checkout, on the real service and the embedded chain, in a real browser. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { SVG_LOGO } from '../actors/logos.ts'
import { delegatedAccount, deployedAccount } from '../actors/smart-account-kit.ts'
import { freshAccount } from '../world/chain.ts'
import { type World, world } from '../world.ts'
import { axeOn, openPage, openShop, picture } from './kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const rpcUrlOf = (w: World): string => w.services.settings.embeddedRpcUrl ?? ''
const signed = (calls: string[]): number =>
  calls.filter((method) => method === 'eth_signTypedData_v4').length

test('an account with too little reads so before it signs, to the last unit', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ amount: '1234.500001' })
  await using opened = await openPage(browser, { origin: base, bypassCSP: true })
  const { page } = opened
  const account = await freshAccount({ usdc: 1_234_500_000n })
  const { calls } = await injectWallet(page, { account, rpcUrl: rpcUrlOf(w) })
  await page.goto(`${base}/pay/${link.code}`)
  await page.getByRole('button', { name: 'Pay 1,234.500001 USDC with Test Wallet' }).click()
  await page
    .getByText('You have 1,234.50 USDC on a local test chain, and it needs 1,234.500001.')
    .waitFor()
  expect(signed(calls)).toBe(0)
  await picture(page, 'too-little')
  expect(await axeOn(page)).toEqual([])
})

test('a wallet on another network is asked to switch, and one that refuses may be asked again', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  const account = await freshAccount({ usdc: 9_000_000n })
  const { calls } = await injectWallet(page, { account, chainId: 1, noSwitch: 1 })
  await page.goto(`${base}/pay/${link.code}`)
  const button = page.getByRole('button', { name: 'Pay 2.50 USDC with Test Wallet' })
  await button.click()
  await page.getByText('You declined in the wallet. Nothing was paid.').waitFor()
  expect(signed(calls)).toBe(0)
  await w.withGas()
  await button.click()
  await page.waitForURL(/settlement=stl_/)
  expect(calls.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(2)
})

test('a contract wallet pays by its owner’s signature, and one that gives none reads of another way', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const shop = await openShop(w)
  const payer = await deployedAccount()
  for (const isSilent of [true, false]) {
    const link = await shop.open({ amount: 0.4 })
    await using opened = await openPage(browser, { origin: base })
    const { page } = opened
    const { calls } = await injectWallet(page, { account: payer, rpcUrl: rpcUrlOf(w), isSilent })
    await page.goto(`${base}/pay/${link.code}`)
    await page.getByRole('button', { name: 'Pay 0.40 USDC with Test Wallet' }).click()
    if (isSilent) await page.getByText('pay from it by a transfer instead').waitFor()
    else await page.waitForURL(/settlement=stl_/)
    expect(signed(calls)).toBe(1)
  }
})

test('a key that lends its address to a contract signs as a key', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ amount: 0.4 })
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  await injectWallet(page, { account: await delegatedAccount(), rpcUrl: rpcUrlOf(w) })
  await page.goto(`${base}/pay/${link.code}`)
  await page.getByRole('button', { name: 'Pay 0.40 USDC with Test Wallet' }).click()
  await page.waitForURL(/settlement=stl_/)
})

const DATA = `data:image/svg+xml,${encodeURIComponent(SVG_LOGO)}`
test.each([
  ['its own picture', DATA, 1],
  ['a picture elsewhere', 'https://evil.example/icon.png', 0],
  ['a page', 'data:text/html,<script>alert(1)</script>', 0],
  ['a script', 'javascript:alert(1)', 0],
  ['a large one', `${DATA}${'A'.repeat(200_000)}`, 0],
])('a wallet announces %s as its icon', async (_, icon, shown) => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  await using opened = await openPage(browser, { origin: base })
  const { page } = opened
  const name = 'Wallet <b>\u202eof nobody'
  await injectWallet(page, { account: await freshAccount(), icon, name })
  await page.goto(`${base}/pay/${link.code}`)
  const button = page.getByRole('button', { name: 'Pay 2.50 USDC with Wallet <b>of nobody' })
  await button.waitFor()
  expect(await button.locator('img').count()).toBe(shown)
  await picture(page, `icon-${shown}`)
})

test('on a phone the button for a wallet comes before the code, on a desktop behind it', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open()
  const places = async (options: object) => {
    await using opened = await openPage(browser, { origin: base, bypassCSP: true, ...options })
    const { page } = opened
    await page.goto(`${base}/pay/${link.code}`)
    const app = await page.getByRole('link', { name: 'Open in a wallet app' }).boundingBox()
    const code = await page.getByRole('img', { name: /^QR code/ }).boundingBox()
    await picture(page, `wallet-${Object.keys(options).length}`)
    expect(await axeOn(page)).toEqual([])
    return (app?.y ?? 0) < (code?.y ?? 0)
  }
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  expect(await places(phone)).toBe(true)
  expect(await places({ ...phone, viewport: { width: 740, height: 360 } })).toBe(true)
  expect(await places({})).toBe(false)
})

test('a link that takes signatures alone leads a browser without a wallet to one that has it', async () => {
  await using w = await world()
  const base = await w.listen()
  const link = await (await openShop(w)).open({ accepted_protocols: ['x402'] })
  await using opened = await openPage(browser, { origin: base, hasTouch: true, isMobile: true })
  const { page } = opened
  await page.goto(`${base}/pay/${link.code}`)
  await page.getByText('This browser has no wallet').waitFor()
  const { host } = new URL(base)
  const place = `${host}/pay/${link.code}`
  expect(await page.getByRole('link', { name: 'Open in MetaMask' }).getAttribute('href')).toBe(
    `https://metamask.app.link/dapp/${place}`,
  )
  expect(
    await page.getByRole('link', { name: 'Open in Coinbase Wallet' }).getAttribute('href'),
  ).toBe(`https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(`http://${place}`)}`)
  expect(await page.getByRole('img', { name: 'QR code of this page' }).isVisible()).toBe(false)
  // A desktop has no such apps, and is read by a phone that has one.
  await using desktop = await openPage(browser, { origin: base })
  await desktop.page.goto(`${base}/pay/${link.code}`)
  await desktop.page.getByRole('img', { name: 'QR code of this page' }).waitFor()
  expect(await desktop.page.getByRole('link', { name: /^Open in / }).count()).toBe(0)
  // In the browser of the wallet the page is the same, and pays.
  await using inWallet = await openPage(browser, { origin: base })
  await injectWallet(inWallet.page, { account: await freshAccount({ usdc: 9_000_000n }) })
  await inWallet.page.goto(`${base}/pay/${link.code}`)
  await inWallet.page.getByRole('button', { name: /with Test Wallet/ }).waitFor()
  await inWallet.page.getByText('This browser has no wallet').waitFor({ state: 'hidden' })
})

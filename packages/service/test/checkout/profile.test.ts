/** A seller says who it is on the dashboard, and payers see it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { png } from '../actors/logos.ts'
import { until } from '../until.ts'
import { world } from '../world.ts'
import { axeOn, openPage, picture, tooWide } from './kit.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

test('a seller draws its profile, opens a link that leads back, and a payer sees both', async () => {
  await using w = await world()
  const base = await w.listen()
  const user = await w.user()
  await user.card({ limit: 5, purpose: 'Till' })
  await using opened = await openPage(browser, { origin: base, bypassCSP: true })
  const { page } = opened
  await injectWallet(page, { account: user.account })
  await page.goto(`${base}/links`)
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByLabel('Name').fill('Tea & Co')
  await page.getByLabel('Where payers get help').fill('mailto:help@tea.example')
  await page.getByLabel('Color of the button').fill('#ffee00')
  await page.getByLabel('Logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: png({ width: 64, height: 24 }),
  })
  const preview = page.getByRole('region', { name: 'Preview of the checkout' })
  await preview.getByText('Tea & Co').first().waitFor()
  await preview.locator('img').first().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('“Color of the button” has a contrast of').waitFor()
  await picture(page, 'profile-refused')
  await page.getByLabel('Color of the button').fill('#d6336c')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Payers see it now.').waitFor()
  await picture(page, 'profile')
  expect(await axeOn(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'profile-phone')
  expect(await axeOn(page)).toEqual([])
  expect(await tooWide(page)).toEqual([])

  await page.goto(`${base}/links/new`)
  await page.getByLabel('Amount, in USDC').fill('2.5')
  const success = page.getByLabel('After the payment, lead to')
  await success.fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByRole('alert').getByText('“After the payment, lead to”').waitFor()
  await success.fill('https://tea.example/done?payment={PAYMENT_ID}')
  await page.getByLabel('Who does not pay goes back to').fill('https://tea.example/basket')
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByRole('link', { name: 'See its page' }).click()
  await page.getByRole('link', { name: 'Back to tea.example' }).waitFor()
  await until(
    () => page.evaluate('document.querySelector(".brand img").naturalWidth'),
    (width) => expect(width).toBe(64),
  )
  expect(await page.locator('.brand').textContent()).toBe('Tea & Co')

  await page.goto(`${base}/links/profile`)
  await page.getByRole('button', { name: 'Remove the logo' }).click()
  await page.getByLabel('Color of the button').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Payers see it now.').waitFor()
  expect((await user.get('/api/profile')).body.profile).toMatchObject({
    name: 'Tea & Co',
    logo_url: null,
    accent: null,
    support_url: 'mailto:help@tea.example',
  })
})

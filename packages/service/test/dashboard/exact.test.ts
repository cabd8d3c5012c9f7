/** Money on the dashboard is exact, in every asset: no digit is lost between the books and the page. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { run, sql } from '../../src/base/db/sql.ts'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { tokenWorld, UNIT } from '../actors/tokens/service-token-kit.ts'

const MONTH_SECONDS = 32 * 86_400
/** No number of JSON holds its last digit. */
const PRICE = 7n * UNIT + 1n

test('amounts of a token with 18 decimals are shown, and exported, to their last unit', async () => {
  const { w, user, send } = await tokenWorld({ permits: true })
  await using _ = w
  await w.withGas()
  await w.write((tx) =>
    run(
      tx,
      sql`insert into plans values ('starter', 'month', 'TOK', ${PRICE}, 1000, 50000, true, now())`,
    ),
  )
  await send(w.chain.treasury.address, 40n * UNIT + 3n)
  await w.safe()
  await w.runJobs()
  const month = { tier: 'starter', billing_period: 'month', payment_asset: 'TOK' }
  expect((await user.post('/api/membership/subscribe', month)).status).toBe(200)
  expect((await user.post('/api/membership/auto-renew', { periods: 1 })).status).toBe(200)
  await w.advance(MONTH_SECONDS)
  await w.runJobs()
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const base = await w.listen()
    await injectWallet(page, user)
    await page.goto(base)
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
    await page.getByRole('definition').getByText('26.000000000000000001 TOK').waitFor()
    await page.getByRole('link', { name: 'Recurring' }).click()
    await page.getByRole('row', { name: /TOK/ }).getByText('7.000000000000000001').waitFor()
    const mine = page.getByRole('region', { name: 'Membership' }).getByRole('definition')
    await mine.getByText('7.000000000000000001 TOK').waitFor()
    await page.getByRole('link', { name: 'Cards', exact: true }).click()
    await page.getByText('7.000000000000000001 of 7.000000000000000001').waitFor()
    await page.getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('table').getByText('−7.000000000000000001').waitFor()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const file = await readFile((await (await waiting).path()) ?? '', 'utf8')
    expect(file).toContain(',7.000000000000000001,')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Paid 7.000000000000000001 TOK' }).waitFor()
  } finally {
    await browser.close()
  }
})

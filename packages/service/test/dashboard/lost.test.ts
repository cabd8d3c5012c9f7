/** The dashboard while the service cannot be reached or is slow, and over plain HTTP from a name of the network. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { one, sql } from '../../src/base/db/sql.ts'
import type { Address } from '../../src/base/kernel/assets.ts'
import { payWith } from '../actors/attack-kit.ts'
import { picture } from '../checkout/kit.ts'
import { darkWay } from '../faults/dark-way.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
const operators: Address[] = []
beforeAll(async () => {
  stage = await openStage({ settings: { operators } })
})
afterAll(() => stage[Symbol.asyncDispose]())

test('a lost connection is said, old figures are called old, and all that happened meanwhile is there once it is back', async () => {
  const { w, openPage, signIn, linkOf } = stage
  const user = await w.user({ treasury: 50 })
  const card = await user.card({ limit: 20, purpose: 'Goes on' })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, `/cards/${card.id}`)
  await page.getByText('0.00 of 20.00').waitFor()
  await page.context().setOffline(true)
  await page.getByText('The connection is lost. What you see is from before').waitFor()
  await page.getByText('● Offline').waitFor()
  const code = await linkOf(1.25)
  for (let i = 0; i < 3; i++) expect((await payWith(w, code, card)).status).toBe(200)
  await page.getByText('0.00 of 20.00').waitFor()
  // An act that does not get through says so, and may be tried again.
  await page.getByRole('button', { name: 'Freeze' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Freeze' }).click()
  await asked.getByText('The service cannot be reached').waitFor()
  await picture(page, 'lost')
  await page.context().setOffline(false)
  await asked.getByRole('button', { name: 'Freeze' }).click()
  await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
  await page.getByText('3.75 of 20.00').waitFor()
  await page.getByText('● Live').waitFor()
  expect(await page.getByText('The connection is lost').count()).toBe(0)
})

test('a slow page shows that it loads', async () => {
  const { w, openPage, signIn } = stage
  const user = await w.user({ treasury: 50 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user)
  const held: (() => void)[] = []
  let isSlow = true
  await page.route('**/api/cards?**', (route) => {
    if (isSlow) held.push(() => void route.continue())
    else void route.continue()
  })
  await page.getByRole('link', { name: 'Cards', exact: true }).click()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor()
  await picture(page, 'loading')
  isSlow = false
  for (const go of held) go()
  await page.getByText('You have no cards yet').waitFor()
})

// Browsers leave randomUUID, clipboard and subtle out of such a page.
test('over plain HTTP on a name of the network the dashboard and the checkout work, copying included', async () => {
  const { w, base, openPage, signIn, linkOf } = stage
  const at = base.replace('127.0.0.1', 'nas.local')
  const user = await w.user({ treasury: 50 })
  await using opened = await openPage(at)
  const { page } = opened
  await signIn(page, user, '/cards/new', at)
  expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([
    false,
    'undefined',
  ])
  await page.getByLabel('What it is for').fill('On the NAS')
  await page.getByLabel('Money on it, in USDC').fill('5')
  await page.getByRole('button', { name: 'Issue the card' }).click()
  await page.getByText('The token is shown once').waitFor()
  await picture(page, 'plain-http-issued')
  const text = await page.locator('code', { hasText: /^tok_/ }).innerText()
  await page.getByRole('button', { name: 'Copy: Token of the card' }).click()
  await page.getByRole('button', { name: 'Copied: Token of the card' }).waitFor()
  await page.goto(`${at}/developers`)
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Who uses it').focus()
  await page.keyboard.press('Control+V')
  expect(await page.getByLabel('Who uses it').inputValue()).toBe(text)
  await page.goto(`${at}/pay/${await linkOf(1)}`)
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await page.getByText('Copied').first().waitFor()
  await picture(page, 'plain-http-checkout')
  await page.goto(`${at}/docs`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
})

test('with the database away every page says so, since when and whose money waits, and goes on by itself', async () => {
  const { w, openPage, signIn, linkOf } = stage
  const operator = await w.user()
  operators.push(operator.wallet as Address)
  const code = await linkOf(1)
  const way = await darkWay(w.databaseUrl)
  await using cut = await w.machine({ databaseUrl: way.url, settings: { operators } })
  try {
    const at = await cut.listen()
    await using opened = await openPage(at)
    const { page } = opened
    await signIn(page, operator, '/operator', at)
    await page.getByText('No alarm is open').waitFor()
    way.stop()
    await page.getByText('● Failing').waitFor()
    await page.getByText('The service answers, and cannot work now').waitFor()
    await page.getByText('The database does not answer, since').waitFor()
    await page.getByText('Everybody waits').waitFor()
    await page.getByText('It cannot be asked for anew now').first().waitFor()
    await picture(page, 'database-away')
    await page.reload()
    await page.getByText('The database does not answer, since').waitFor()
    await picture(page, 'database-away-reloaded')
    const payer = await page.context().newPage()
    await payer.goto(`${at}/pay/${code}`)
    await payer.getByText('a fault of the service').waitFor()
    expect(await payer.locator('body').innerText()).not.toContain('Idempotency')
    await picture(payer, 'database-away-payer')
    way.heal()
    await page.getByText('● Live').waitFor()
    await page.getByText('No alarm is open').waitFor()
  } finally {
    way.close()
  }
})

test('a page whose program does not come is waited for within the dashboard', async () => {
  const { w, openPage, signIn } = stage
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, await w.user())
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Market' }).click()
  await page.getByText('It comes by itself once the service is back').waitFor()
  await page.getByRole('link', { name: 'Home' }).waitFor()
  await picture(page, 'part-missing')
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Market' }).waitFor()
})

// A browser opens six connections to a host. A stream for each tab would leave none to the seventh.
test('all tabs of a browser share one stream, and each hears of what happens', async () => {
  const { w, openPage, signIn } = stage
  const user = await w.user({ treasury: 5 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user)
  const tabs = await Promise.all(Array.from({ length: 6 }, () => page.context().newPage()))
  for (const tab of tabs) {
    await tab.goto(page.url())
    await tab.getByText('● Live').waitFor()
  }
  const count = sql<{ n: bigint }>`select count(*) as n from session_streams
    where wallet_address = ${user.wallet}`
  expect((await one(w.db.reader, count))?.n).toBe(1n)
  await user.card({ limit: 2, purpose: 'For all tabs' })
  for (const tab of [page, ...tabs]) await tab.getByText('For all tabs').first().waitFor()
})

/** A person's membership and fee meter, without the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

test('a membership is bought, renewed by itself, ended with its period and kept', async () => {
  const { w } = stage
  const user = await w.user({ treasury: 500 })
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/recurring')
  await page.getByText('You have no membership').waitFor()
  const plan = page.getByRole('row', { name: /^starter, by the month/ })
  await plan.getByRole('button', { name: 'Subscribe' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('It is paid out of your treasury balance').waitFor()
  await asked.getByRole('button', { name: 'Subscribe' }).click()
  await plan.getByText('yours').waitFor()
  const state = async () => (await user.get('/api/membership')).body
  const { membership } = await state()
  expect(membership).toMatchObject({ tier: 'starter', status: 'ACTIVE', auto_renew: false })

  // Another tier counts from the next period on, and money for two of them is set aside.
  const growth = page.getByRole('row', { name: /^growth, by the month/ })
  await growth.getByRole('button', { name: 'From the next period' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Periods to set money aside for').fill('2')
  await form.getByRole('button', { name: 'Renew it by itself' }).click()
  await page.getByText('for 2 periods').waitFor()
  expect((await state()).auto_renew).toMatchObject({ mode: 'funded', periods_funded: 2 })
  await page.getByRole('button', { name: 'Renew it no more' }).click()
  await asked.getByRole('button', { name: 'Renew it no more' }).click()
  await page.getByRole('button', { name: 'Renew it by itself' }).waitFor()
  expect((await state()).auto_renew).toBe(null)

  await page.getByRole('button', { name: 'Cancel it' }).click()
  await asked.getByRole('button', { name: 'Cancel it' }).click()
  await page.getByText('no: it ends with this period').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'Cancel it' }).waitFor()
  expect((await state()).membership.cancel_at_period_end).toBe(false)
})

test('the fee meter is topped up from the treasury', async () => {
  const { w } = stage
  const user = await w.user({ treasury: 20 })
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/recurring')
  await page.getByRole('button', { name: 'Top up' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Amount, in USDC').fill('999')
  await form.getByRole('button', { name: 'Top up' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Amount, in USDC').fill('3.5')
  await form.getByRole('button', { name: 'Top up' }).click()
  await page.getByRole('region', { name: 'Fees' }).getByText('3.50 USDC').waitFor()
  expect((await user.get('/api/fees')).body.meter.balance).toBe(3.5)
})

test('an agreement is made by the link of a seller and a card, and its first charge is there', async () => {
  const { w } = stage
  const [user, seller] = [await w.user({ treasury: 20 }), await w.user({ treasury: 5 })]
  const till = await seller.card({ limit: 1 })
  const order = { card_id: till.id, amount: 3, type: 'RECURRING', max_uses: 0, memo: 'The weekly' }
  const link = (await seller.post('/api/paylinks', order)).body
  const card = await user.card({ limit: 20, purpose: 'Papers' })
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/recurring')
  await page.getByRole('button', { name: 'Make an agreement' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('The seller’s link').fill(link.url)
  const field = form.getByRole('combobox', { name: 'The card that pays' })
  const option = page.locator('datalist option').first()
  await option.waitFor({ state: 'attached' })
  await field.fill(`Papers (${card.id.slice(-6)})`)
  await form.getByLabel('Token of the card').fill(card.token)
  await form.getByLabel('Amount of a charge, in USDC').fill('3')
  await form.getByLabel('Every').fill('2')
  await form.getByLabel('Charges in all, at most').fill('6')
  await form.getByRole('button', { name: 'Agree, and pay the first charge' }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByText('every 2 months').waitFor()
  await page.getByText('The weekly').waitFor()
  const { agreements } = (await user.get('/api/billing/agreements')).body
  expect(agreements).toMatchObject([{ status: 'ACTIVE', charges_made: 1, period_months: 2 }])
})

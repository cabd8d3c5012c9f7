/** A person's pay links: one found by its card, shared, and looked at with what came otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWith } from '../actors/attack-kit.ts'
import { freshAccount } from '../world/chain.ts'
import type { World } from '../world.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let w: World
beforeAll(async () => {
  stage = await openStage()
  w = stage.w
  await w.withGas()
})
afterAll(() => stage[Symbol.asyncDispose]())

test('a link for one of many cards is opened, shared and cancelled', async () => {
  const user = await w.user({ treasury: 100 })
  // More than a list offers at once: the wanted one is found by its words.
  const wanted = await user.card({ limit: 1, purpose: 'Tea shop' })
  for (let i = 0; i < 30; i++) await user.card({ limit: 1, purpose: `agent ${i}` })
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/links/new')
  const field = page.getByRole('combobox', { name: 'The card that is paid' })
  const label = `Tea shop (${wanted.id.slice(-6)})`
  const offered = page.locator(`datalist option[value="${label}"]`)
  await page.locator('datalist option').first().waitFor({ state: 'attached' })
  expect(await offered.count()).toBe(0)
  await field.fill('tea')
  await offered.waitFor({ state: 'attached' })
  // Words that name no card choose none.
  await page.getByRole('button', { name: 'Open the link' }).click()
  expect(await field.evaluate((one: any) => one.validationMessage)).toMatch(/Choose one/)
  await field.fill(label)
  // A fault stands at its field, in the words of the form.
  const amount = page.getByLabel('Amount, in USDC')
  await amount.fill('two')
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByText('Write an amount such as 12.50').waitFor()
  await amount.fill('2.5')
  await page.getByText('Write an amount such as 12.50').waitFor({ state: 'hidden' })
  const after = page.getByLabel('After the payment, lead to')
  await after.fill('ftp://shop.example')
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByText('“After the payment, lead to”').waitFor()
  expect(await after.getAttribute('aria-invalid')).toBe('true')
  await after.fill('')
  await page.getByLabel('What it is for').fill('Two boxes of tea')
  await page.getByText('any number of times').click()
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByText('The link is open').waitFor()
  const [code = ''] = /PL_\w{10}/.exec(await page.locator('main').innerText()) ?? []
  await page.getByRole('link', { name: 'To the link' }).click()
  await page.getByRole('heading', { name: 'Two boxes of tea' }).waitFor()
  const [link] = (await user.get(`/api/paylinks?code=${code}`)).body.links
  expect(link.card_id).toBe(wanted.id)

  const shown = page.locator('dl')
  await shown.getByText('0 times').waitFor()
  const payer = await (await w.user()).card({ limit: 5 })
  expect((await payWith(w, code, payer)).status).toBe(200)
  await shown.getByText('1 time', { exact: false }).waitFor()
  const paid = page.getByRole('region', { name: 'Its payments' })
  await paid.getByRole('table').getByText('+2.4875').waitFor()
  await shown.getByText('Tea shop').waitFor()

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await shown.getByText('cancelled').waitFor()
  await page.getByRole('link', { name: 'Pay links' }).click()
  await page.getByLabel('State').selectOption('ACTIVE')
  await page.getByText('No pay link is like that').waitFor()
})

test('a payment is found by the name of its shop and by its amount, and every list names both', async () => {
  const [seller, user] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10 })]
  await seller.send('PATCH', '/api/profile', { name: 'Nordlicht' })
  const order = { card_id: (await seller.card({ limit: 1 })).id, max_uses: 0 }
  const [chair, lamp] = await Promise.all(
    [
      { amount: 4, memo: 'A chair' },
      { amount: 3, memo: 'A lamp' },
    ].map(async (of) => (await seller.post('/api/paylinks', { ...order, ...of })).body.code),
  )
  const card = await user.card({ limit: 9, approval_above: 3.5, purpose: 'Furnisher' })
  expect((await payWith(w, chair, card)).body.code).toBe('approval_required')
  expect((await payWith(w, lamp, card)).status).toBe(200)
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, '/inbox')
  await page.getByRole('link', { name: /^Inbox\s*1\s*waiting/ }).waitFor()
  await page.getByText('Nordlicht, A chair').waitFor()
  await page.getByRole('link', { name: /^Furnisher/ }).waitFor()
  await page.getByRole('link', { name: 'Payments' }).click()
  const table = page.getByRole('table')
  for (const words of ['nordlicht', '3', lamp]) {
    await page.getByLabel('Search').fill('nothing')
    await page.getByText('No payment is like that').waitFor()
    await page.getByLabel('Search').fill(words)
    await table.getByText('Nordlicht, A lamp').waitFor()
  }
  await table.getByRole('link').first().click()
  await page.getByRole('link', { name: /^Nordlicht, A lamp/ }).waitFor()
})

test('money that came short is on the page of its link, and is sent back from there', async () => {
  const user = await w.user({ treasury: 10 })
  const card = await user.card({ limit: 1 })
  const link = (await user.post('/api/paylinks', { card_id: card.id, amount: 4, memo: 'A chair' }))
    .body
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, user, `/links/${link.code}`)
  await page.getByText('No money is in question').waitFor()
  const payer = await freshAccount({ usdc: 3_000_000n })
  await w.transfer(payer, link.deposit_address, 3_000_000n)
  await w.safe()
  await w.runJobs()
  const came = page.getByRole('region', { name: 'Money that came otherwise' })
  await came.getByText('It is less than the link asks for').waitFor()
  await came.getByText('3.00 USDC').waitFor()
  await came.getByRole('button', { name: 'Send it back' }).click()
  const asked = page.getByRole('alertdialog')
  // All of it goes, and not what the fee had left.
  expect(await asked.innerText()).toMatch(
    /All that came in, 3\.00 USDC, leaves .* fee of 0\.015 comes back .* costs you 0\.05\./,
  )
  await asked.getByRole('button', { name: 'Send it back' }).click()
  await came.getByText('refunded').waitFor()
})

test('the link of another wallet looks like one that does not exist', async () => {
  const [owner, other] = [await w.user({ treasury: 10 }), await w.user()]
  const card = await owner.card({ limit: 1 })
  const { code } = (
    await owner.post('/api/paylinks', { card_id: card.id, amount: 4, memo: 'A secret' })
  ).body
  await using opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(page, other, `/links/${code}`)
  await page.getByText('You have no such pay link').waitFor()
  expect(await page.locator('body').innerText()).not.toContain('A secret')
})

/** The dashboard while the service cannot be reached, or is slow. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWith } from '../actors/attack-kit.ts'
import { picture } from '../checkout/kit.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
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

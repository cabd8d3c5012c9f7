/** The dashboard by the keyboard alone, and as a screen reader is given it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWith } from '../actors/attack-kit.ts'
import { injectWallet } from '../actors/browser.ts'
import { until } from '../until.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

const MOST_STEPS = 80
const IN_DIALOG = `document.activeElement.closest('[role=alertdialog]') !== null`
/**
 * Once it has settled, the focus is in the dialog or in the browser's own bars beyond it, never on the page behind.
 * On its way round it passes a guard that stands in the page and hands it back in a later frame.
 */
const BEHIND = `document.activeElement.closest('#root') !== null`

/** The element that has the focus: how it is named, and whether a person sees where they are. */
const focused = (page: Page): Promise<{ name: string; isMarked: boolean }> =>
  page.evaluate(`(() => {
    const one = document.activeElement
    const label = one.labels?.[0]?.textContent
    const style = getComputedStyle(one)
    const box = one.getBoundingClientRect()
    return {
      name: (one.getAttribute('aria-label') ?? label ?? one.textContent ?? '').trim(),
      isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 && box.width > 0 && box.height > 0,
    }
  })()`)

/** Goes on by Tab to what is named so. Fails if a step has no mark of the focus, or if it cannot be reached. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    seen.push(at.name.slice(0, 40))
    const isIt = typeof name === 'string' ? at.name === name : name.test(at.name)
    if (!isIt) continue
    expect(at.isMarked, `the focus on ${name} is not seen`).toBe(true)
    return
  }
  throw new Error(`${name} cannot be reached: ${seen.join(' | ')}`)
}

async function act(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await reach(page, name)
  await page.keyboard.type(text)
}

test('a person without a mouse signs in, issues a card, freezes it, and signs out', async () => {
  const { w, base, openPage } = stage
  const user = await w.user({ treasury: 100 })
  await using opened = await openPage()
  const { page } = opened
  await injectWallet(page, { account: user.account })
  await page.goto(base)
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  await act(page, 'Sign in with Test Wallet')
  await page.getByText('● Live').waitFor()
  await page.reload()
  await page.getByText('100.00 USDC').waitFor()
  // The first step leads past the menu; the page is next.
  await act(page, 'Skip to the page')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  await page.reload()
  await page.getByText('100.00 USDC').waitFor()
  await act(page, 'Cards')
  await page.getByRole('heading', { name: 'Cards' }).waitFor()
  await act(page, 'Issue a card')
  await page.getByRole('heading', { name: 'Issue a card' }).waitFor()
  await write(page, 'What it is for', 'Research agent')
  await write(page, 'Money on it, in USDC', '20')
  await write(page, 'Most in one payment', '5')
  await act(page, 'Issue the card')
  await page.getByText('The token is shown once').waitFor()
  await act(page, /^To the card/)
  await page.getByRole('heading', { name: 'Research agent' }).waitFor()

  // A question takes the focus, keeps it, and gives it back.
  await act(page, 'Freeze')
  const asked = page.getByRole('alertdialog', { name: /Freeze/ })
  await asked.waitFor()
  await until(() => page.evaluate<boolean>(IN_DIALOG))
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab')
    await until(async () => !(await page.evaluate<boolean>(BEHIND)))
  }
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'hidden' })
  await until(async () => (await focused(page)).name === 'Freeze')
  await page.keyboard.press('Enter')
  await until(() => page.evaluate<boolean>(IN_DIALOG))
  await act(page, 'Freeze')
  await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
  const { cards } = (await user.get('/api/cards')).body
  expect(cards[0]).toMatchObject({ purpose: 'Research agent', status: 'FROZEN' })

  await page.keyboard.press('Home')
  await act(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in to Purser' }).waitFor()
})

test('the menu of a phone opens and closes by the keyboard, and leads on', async () => {
  const { w, openPage, signIn } = stage
  const user = await w.user({ treasury: 3 })
  await using opened = await openPage()
  const { page } = opened
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, user)
  const menu = page.getByRole('navigation', { name: 'Pages' })
  expect(await menu.getByRole('link').count()).toBe(0)
  await act(page, 'Menu')
  expect(await menu.ariaSnapshot()).toMatch(/button "Menu" \[expanded\]/)
  await act(page, 'Money')
  await page.getByRole('heading', { name: 'Money' }).waitFor()
  await menu.getByRole('link').first().waitFor({ state: 'hidden' })
})

test('a screen reader is given landmarks, the page that was opened, named tables on any screen, and what went wrong', async () => {
  const { w, base, openPage, signIn, linkOf } = stage
  const user = await w.user({ treasury: 50 })
  const card = await user.card({ limit: 9, max_transaction: 3, purpose: 'Reader' })
  expect((await payWith(w, await linkOf(1.25), card)).status).toBe(200)
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user)
  for (const viewport of [
    { width: 1_280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(`${base}/payments`)
    await page.getByText('−1.25').waitFor()
    const tree = await page.locator('body').ariaSnapshot()
    expect(tree).toMatch(/- banner:/)
    expect(tree).toMatch(/- navigation "Pages":/)
    expect(tree).toMatch(/- main:/)
    expect(tree).toMatch(/heading "Payments" \[level=1\]/)
    expect(tree).toMatch(/- table "[^"]+":/)
    expect(tree).toMatch(/- columnheader "Amount"/)
    expect(tree).toMatch(/- cell "−1.25 USDC"/)
  }
  // The page that was opened is named, and read from its start.
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.getByRole('link', { name: 'Cards', exact: true }).click()
  await page.getByRole('heading', { name: 'Cards' }).waitFor()
  expect(await page.title()).toBe('Cards · Purser')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  await page.getByRole('link', { name: 'Reader' }).click()
  await page.getByRole('heading', { name: 'Reader' }).waitFor()
  const used = page.getByRole('progressbar', { name: 'Spent in all' })
  expect(await used.getAttribute('aria-valuetext')).toBe('1.25 of 9.00')
  // A refused act is announced, beside what was asked.
  await page.getByRole('button', { name: 'Add money' }).click()
  const form = page.getByRole('dialog', { name: /money/i })
  await form.getByLabel('Amount, in USDC').fill('999')
  await form.getByRole('button', { name: 'Add money' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.ariaSnapshot()).toMatch(/- alert:/)
})

/** A page of each kind in a real browser, under its policy: nothing is asked of another host, nothing fails, axe finds nothing. */
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../actors/browser.ts'
import { type World, world } from '../world.ts'

let w: World
let browser: Browser
let base: string
beforeAll(async () => {
  ;[w, browser] = await Promise.all([world(), openBrowser()])
  base = await w.listen()
})
afterAll(async () => {
  await browser?.close()
  await w?.[Symbol.asyncDispose]()
})

const PAGES: [kind: string, path: string, there: string][] = [
  ['home', '/docs', 'Payments for AI agents'],
  ['start', '/docs/start', 'Ten minutes to a paid call'],
  ['concept', '/docs/concepts/mandate', 'signed permission'],
  ['guide', '/docs/billing', 'Make one'],
  ['table', '/docs/conformance', 'Who pays whom'],
  ['reference', '/docs/reference/', 'Each page below'],
  ['operation', '/docs/reference/postPay', 'Recorded from the service'],
  ['errors', '/docs/errors', 'insufficient_balance'],
  ['decisions', '/docs/decisions/', 'What was decided'],
  ['changelog', '/docs/changelog', 'Changelog'],
]
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1_280, 360].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
)

/** A page that remembers what it asked for and what went wrong. */
async function watched(
  context: BrowserContext,
): Promise<{ page: Page; asked: Set<string>; faults: string[] }> {
  const page = await context.newPage()
  const asked = new Set<string>()
  const faults: string[] = []
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, asked, faults }
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  )
  return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html}`)
}

test.each(LOOKS)('$colorScheme, $viewport.width px', async (look) => {
  const context = await browser.newContext(look)
  const { page, asked, faults } = await watched(context)
  for (const [kind, path, there] of PAGES) {
    await page.goto(base + path, { waitUntil: 'networkidle' })
    await page.locator('main').getByText(there).first().waitFor()
    expect(await violationsOf(page), kind).toEqual([])
    const beyond = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(beyond, `${kind} is wider than its page`).toBeLessThanOrEqual(0)
  }
  expect(faults).toEqual([])
  await page.goto(`${base}/docs/no-such-page`, { waitUntil: 'networkidle' })
  await page.getByText('There is no page at this address').waitFor()
  expect(await violationsOf(page), 'a page that is not there').toEqual([])
  expect([...asked]).toEqual([base])
  await context.close()
})

/** The most that a first visit takes on the wire. */
const MOST_BYTES = 200_000
/** The button of the outline grows by its name on a phone. Nothing else moves. */
const MOST_SHIFT = 0.002
/** A busy machine may paint the longest tables before their last rows, which widen a column. */
const MOST_SHIFT_OF: Record<string, number> = { errors: 0.02 }

test.each([1_280, 360])('a first visit is small, and nothing moves, at %d px', async (width) => {
  for (const [kind, path, there] of PAGES) {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.addInitScript(OBSERVE)
    await page.goto(base + path, { waitUntil: 'networkidle' })
    await page.locator('main').getByText(there).first().waitFor()
    expect(bytes, kind).toBeGreaterThan(10_000)
    expect(bytes, kind).toBeLessThan(MOST_BYTES)
    expect(await page.evaluate('globalThis.moved'), kind).toBeLessThan(
      MOST_SHIFT_OF[kind] ?? MOST_SHIFT,
    )
    await context.close()
  }
})
const OBSERVE = `globalThis.moved = 0
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.moved += value
}).observe({ type: 'layout-shift', buffered: true })`

test('the search works by the keyboard, and says when it finds nothing', async () => {
  const context = await browser.newContext()
  const { page, faults } = await watched(context)
  await page.goto(`${base}/docs/start`, { waitUntil: 'networkidle' })
  await page.keyboard.press('/')
  const field = page.locator('input[type=search]')
  await field.fill('zzqqxx')
  await page.getByText('No results for').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await field.fill('deposit')
  await page.locator('.results a').nth(1).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  const chosen = await page.locator('.result.selected').getAttribute('href')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => `${url.pathname}${url.hash}` === chosen)
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await context.close()
})

test('the search finds an error and an operation without asking anybody else', async () => {
  const context = await browser.newContext()
  const { page, asked, faults } = await watched(context)
  await page.goto(`${base}/docs/start`, { waitUntil: 'networkidle' })
  for (const [words, path] of [
    ['insufficient_balance', '/docs/errors'],
    ['rotate secret webhook', '/docs/reference/postWebhooksByIdRotateSecret'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.locator('input[type=search]').fill(words)
    const found = page.locator(`.results a[href^="${path}"]`).first()
    await found.waitFor()
    await found.click()
    await page.waitForURL((url) => url.pathname === path)
  }
  expect(faults).toEqual([])
  expect([...asked]).toEqual([base])
  await context.close()
})

test('the explorer shows the operations of this service, and asks nobody else', async () => {
  const context = await browser.newContext()
  const { page, asked, faults } = await watched(context)
  await page.goto(`${base}/docs/reference/`, { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: 'explorer' }).first().click()
  await page.waitForURL(`${base}/docs/reference/explorer`)
  await page.getByText('Ask for a message to sign in with').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(faults).toEqual([])
  expect([...asked]).toEqual([base])
  await context.close()
})

test('a page is read without script, and the theme that was chosen is kept', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const bare = await plain.newPage()
  await bare.goto(`${base}/docs/reference/postIssue`)
  await bare.getByRole('heading', { name: 'Issue a virtual payment card' }).waitFor()
  await plain.close()

  const context = await browser.newContext({
    colorScheme: 'light',
    viewport: { width: 1_280, height: 800 },
  })
  const page = await context.newPage()
  const groundOf = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.goto(`${base}/docs/start`, { waitUntil: 'networkidle' })
  const light = await groundOf()
  await page.locator('.VPSwitchAppearance').first().click()
  await page.goto(`${base}/docs/errors`, { waitUntil: 'networkidle' })
  expect(await page.locator('html.dark').count()).toBe(1)
  expect(await groundOf()).not.toBe(light)
  await context.close()
})

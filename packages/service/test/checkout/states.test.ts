/** Every state of the checkout, of a seller that shows itself: axe-core finds nothing, and nothing is wider than the page. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../actors/browser.ts'
import { type World, world } from '../world.ts'
import { everyState, type State } from './gallery.ts'
import { axeOn, openPage, picture, tooWide } from './kit.ts'

let w: World
let browser: Browser
let base: string
let states: State[]
beforeAll(async () => {
  ;[w, browser] = await Promise.all([world(), openBrowser()])
  base = await w.listen()
  states = await everyState(w)
})
afterAll(async () => {
  await browser?.close()
  await w?.[Symbol.asyncDispose]()
})

/** Not `isMobile`: such a page grows with what is too wide for it, and nothing is found. */
const PHONE = { hasTouch: true }
const LOOKS = [
  { name: 'desktop', colorScheme: 'light', viewport: { width: 1_280, height: 800 } },
  { name: 'phone', colorScheme: 'dark', viewport: { width: 360, height: 740 }, ...PHONE },
  { name: 'double', colorScheme: 'light', viewport: { width: 360, height: 740 }, ...PHONE },
  { name: 'side', colorScheme: 'dark', viewport: { width: 740, height: 360 }, ...PHONE },
] as const

test.each(LOOKS)('axe finds nothing, and all fits: $name', async ({ name: look, ...options }) => {
  await using opened = await openPage(browser, { origin: base, bypassCSP: true, ...options })
  const { page } = opened
  for (const [name, path, there] of states) {
    await page.goto(base + path)
    await page.getByText(there).first().waitFor()
    if (look === 'double') await page.addStyleTag({ content: 'html{font-size:200%}' })
    await picture(page, `${name}-${look}-${options.colorScheme}`)
    expect(await axeOn(page), `${name} ${look}`).toEqual([])
    expect(await tooWide(page), `${name} ${look} is wider than the page`).toEqual([])
    if (!process.env.SCREENSHOTS) continue
    const other = options.colorScheme === 'light' ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme: other })
    await picture(page, `${name}-${look}-${other}`)
    await page.emulateMedia({ colorScheme: options.colorScheme })
  }
})

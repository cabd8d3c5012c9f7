import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { base64, SVG_LOGO } from '../actors/logos.ts'
import type { Card, User, World } from '../world.ts'

export const PROFILE = {
  name: 'Tea & Co',
  logo: base64(SVG_LOGO),
  support_url: 'https://tea.example/help',
  accent: '#d6336c',
}

export type Shop = { seller: User; till: Card; open(order?: object): Promise<any> }

/** A seller that shows itself, and opens links. */
export async function openShop(w: World, profile: object = PROFILE): Promise<Shop> {
  const seller = await w.user({ treasury: 10 })
  const till = await seller.card({ limit: 1 })
  const set = await seller.send('PATCH', '/api/profile', profile)
  expect(set.status, set.text).toBe(200)
  return {
    ...{ seller, till },
    async open(order = {}) {
      const body = { card_id: till.id, amount: 2.5, memo: 'Two boxes of tea', ...order }
      const made = await seller.post('/api/paylinks', body)
      expect(made.status, made.text).toBe(200)
      return made.body
    },
  }
}

/** A page that fails the test if it asks anybody else, breaks its policy, or throws. */
export async function openPage(
  browser: Browser,
  { origin, ...options }: BrowserContextOptions & { origin: string | string[] },
) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  const origins = [origin].flat()
  page.on('request', (request) => {
    if (
      !/^(data|blob):/.test(request.url()) &&
      !origins.some((one) => request.url().startsWith(one))
    )
      faults.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text())
  })
  return {
    ...{ page, context, faults },
    async [Symbol.asyncDispose]() {
      await context.close()
      expect(faults).toEqual([])
    },
  }
}

/** The violations that axe-core finds. The page's policy must not keep it out: give the context `bypassCSP`. */
export async function axeOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Elements that reach beyond the right edge of the page. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth)
      .map((one) => one.outerHTML.slice(0, 120))
  })()`)

/** Keeps a picture for people, in the folder that SCREENSHOTS names. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
}

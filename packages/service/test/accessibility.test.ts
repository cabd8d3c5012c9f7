/** Every page that a person opens, in each of its states, checked by axe-core in a real browser: light and dark, desktop and phone. */
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './actors/browser.ts'
import { type World, world } from './world.ts'

let w: World
let browser: Browser
let base: string
let pages: [name: string, path: string][]
beforeAll(async () => {
  ;[w, browser] = await Promise.all([world(), openBrowser()])
  base = await w.listen()
  pages = await everyPage()
})
afterAll(async () => {
  await browser?.close()
  await w?.[Symbol.asyncDispose]()
})

async function everyPage(): Promise<[string, string][]> {
  const [seller, payer] = [await w.user({ treasury: 10 }), await w.user({ treasury: 10, usdc: 5 })]
  const [till, purse] = [await seller.card(), await payer.card()]
  const open = async (body: object = {}): Promise<string> => {
    const made = await seller.post('/api/paylinks', { card_id: till.id, amount: 1, ...body })
    expect(made.status, made.text).toBe(200)
    return made.body.code
  }
  const [active, free, cancelled, expired, paid] = [
    await open({ memo: 'Two boxes of tea' }),
    await open({ amount: null, max_uses: 0 }),
    await open(),
    await open({ expires_in: 1 }),
    await open(),
  ]
  await seller.send('DELETE', `/api/paylinks/${cancelled}`)
  const card = { payer_card_id: purse.id, payer_card_token: purse.token }
  expect((await w.call('POST', `/api/pay/${paid}/settle`, card)).status).toBe(200)
  const hash = await w.transfer(payer.account, w.chain.treasury.address, 1_000_000n)
  await w.advance(7_200)
  return [
    ['home', '/'],
    ['unknown path', '/nothing-is-here'],
    ['open link', `/pay/${active}`],
    ['link whose payer chooses', `/pay/${free}`],
    ['cancelled link', `/pay/${cancelled}`],
    ['expired link', `/pay/${expired}`],
    ['paid link', `/pay/${paid}`],
    ['unknown link', '/pay/PL_0000000000'],
    ['transaction', `/explorer/tx/${hash}`],
    ['address', `/explorer/address/${payer.wallet}`],
    ['token', `/explorer/token/${w.chain.asset.contract}`],
    ['unknown transaction', `/explorer/tx/0x${'00'.repeat(32)}`],
  ]
}

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1_280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

test.each(LOOKS)(
  'axe finds nothing on any page: $colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true })
    const page = await context.newPage()
    for (const [name, path] of pages) {
      await page.goto(base + path)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(),
      )
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      expect(found, name).toEqual([])
    }
    await context.close()
  },
)

/** Every state of the checkout, of a seller that shows itself: axe-core finds nothing, and nothing is wider than the page. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { openBrowser } from '../actors/browser.ts'
import { freshAccount } from '../world/chain.ts'
import { type World, world } from '../world.ts'
import { axeOn, openPage, openShop, picture, tooWide } from './kit.ts'

let w: World
let browser: Browser
let base: string
let states: [name: string, path: string, there: string][]
beforeAll(async () => {
  ;[w, browser] = await Promise.all([world(), openBrowser()])
  base = await w.listen()
  await w.withGas()
  states = await everyState()
})
afterAll(async () => {
  await browser?.close()
  await w?.[Symbol.asyncDispose]()
})

async function everyState(): Promise<typeof states> {
  const shop = await openShop(w)
  const long = await openShop(w, { name: 'Ein sehr langer Name '.repeat(4).trim().slice(0, 80) })
  const purse = await (await w.user({ treasury: 50 })).card({ limit: 40 })
  const pay = async (code: string): Promise<any> => {
    const paid = await w.call('POST', `/api/pay/${code}/settle`, {
      payer_card_id: purse.id,
      payer_card_token: purse.token,
    })
    expect(paid.status, paid.text).toBe(200)
    return paid.body
  }
  const free = await shop.open({ amount: null, min_amount: 1, max_uses: 0, type: 'RECURRING' })
  const [active, expired, cancelled, paid, seen, short, signedOnly, wide] = [
    await shop.open({ expires_in: 3 }),
    await shop.open({ expires_in: 1 }),
    await shop.open(),
    await shop.open(),
    await shop.open(),
    await shop.open(),
    await shop.open({ accepted_protocols: ['x402'] }),
    await long.open({ amount: '123456789.123456', memo: 'Wort'.repeat(125) }),
  ]
  await shop.seller.send('DELETE', `/api/paylinks/${cancelled.code}`)
  const receipt = (await pay(paid.code)).settlement_id
  const payer = await freshAccount({ usdc: 20_000_000n })
  const tooLittle = await w.transfer(payer, short.deposit_address, 1_000_000n)
  await w.safe()
  for (let i = 0; i < 3; i++) {
    await w.advance(3)
    await w.runJobs()
  }
  await w.advance(7_200)
  await w.transfer(payer, seen.deposit_address, 2_500_000n)
  await watchOnce(w.services, w.now())
  const of = ({ code }: { code: string }, rest = '') => `/pay/${code}${rest}`
  return [
    ['no-wallet-here', of(signedOnly), 'This browser has no wallet'],
    ['open', of(active), 'Open for payment'],
    ['choice', of(free), 'How much?'],
    ['chosen', of(free, '?amount=7.25'), 'Ways to pay'],
    ['small', of(free, '?amount=0.5'), 'That did not go through'],
    ['seen', of(seen), 'Payment seen, waiting for confirmation'],
    ['expired', of(expired), 'This link has expired'],
    ['cancelled', of(cancelled), 'This link was cancelled'],
    ['paid', of(paid), 'This link was settled'],
    ['receipt', of(paid, `/paid?settlement=${receipt}`), 'Keep the receipt number'],
    ['short', of(short, `/paid?tx_hash=${tooLittle}`), 'does not settle this link'],
    ['pending', of(active, `/paid?tx_hash=0x${'12'.repeat(32)}`), 'Waiting for the network'],
    ['unknown', of(paid, '/paid?settlement=stl_none'), 'No such receipt'],
    ['missing', '/pay/PL_0000000000', 'No such pay link'],
    ['long', of(wide), '123,456,789.123456'],
  ]
}

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1_280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  { name: 'double', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'side', colorScheme: 'dark', viewport: { width: 740, height: 360 } },
] as const

test.each(LOOKS)('axe finds nothing, and all fits: $name', async ({ name: look, ...options }) => {
  await using opened = await openPage(browser, { origin: base, bypassCSP: true, ...options })
  const { page } = opened
  for (const [name, path, there] of states) {
    await page.goto(base + path)
    await page.getByText(there).first().waitFor()
    if (look === 'double') await page.addStyleTag({ content: 'html{font-size:200%}' })
    await picture(page, `${name}-${look}`)
    expect(await axeOn(page), `${name} ${look}`).toEqual([])
    expect(await tooWide(page), `${name} ${look} is wider than the page`).toEqual([])
  }
})

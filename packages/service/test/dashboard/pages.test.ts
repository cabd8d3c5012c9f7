/** Every page of the dashboard, in its states: axe-core finds nothing, and nothing is wider than the page. */
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/base/kernel/assets.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { followPool } from '../../src/business/crt-markets/prices/jobs.ts'
import { upsertAlarms } from '../../src/links/reconcile/store.ts'
import { DEV_SWAP_ROUTER } from '../../src/run/embedded/dev/markets.ts'
import { acknowledgeAlarm } from '../../src/run/operate/commands/alarms.ts'
import { rotate } from '../../src/run/operate/commands/signing-keys.ts'
import { announceMachine } from '../../src/run/oversight/machines.ts'
import { open, payWith } from '../actors/attack-kit.ts'
import { injectWallet, openBrowser } from '../actors/browser.ts'
import { marketKit } from '../actors/markets/market-kit.ts'
import { agree, monthly } from '../billing/kit.ts'
import { picture } from '../checkout/kit.ts'
import { followAll } from '../stats/scan.ts'
import { prove, register } from '../webhooks/kit.ts'
import { receiver } from '../webhooks/receiver.ts'
import { type Card, type User, type World, world } from '../world.ts'

const operators: Address[] = []
let w: World
let browser: Browser
let base: string
let user: User
let card: Card
let nobody: User
let till: Card
let listing: string
let token: string
let payment: string
let code: string
beforeAll(async () => {
  ;[w, browser] = await Promise.all([
    world({ settings: { operators, payouts: PAYOUTS } }),
    openBrowser(),
  ])
  base = await w.listen()
  nobody = await w.user()
  await prove(w)
  await live()
})
afterAll(async () => {
  await browser?.close()
  await w?.[Symbol.asyncDispose]()
})

/** The withdrawal of 7 waits for an operator. */
const PAYOUTS = {
  ...{ walletCap: null, treasuryCap: null, addressDelay: 86_400 },
  approvalAbove: amount(5_000_000n),
}
const LONG = 'Ein sehr langer Zweck, der keinen Platz hat '.repeat(4).trim()

/** A wallet that has a row in every list, some of them long. */
async function live(): Promise<void> {
  user = await w.user({ treasury: 123_456.789 })
  operators.push(user.wallet as Address)
  const shop = await w.user({ treasury: 10 })
  till = await shop.card({ limit: 1 })
  const linkOf = async (amount: number) =>
    (await open(shop, till, { max_uses: 0, amount, memo: LONG })).code
  card = await user.card({ limit: 50, max_transaction: 5, daily_limit: 20, purpose: LONG })
  await payWith(w, await linkOf(1.000001), card)
  await payWith(w, await linkOf(9), card)
  await user.post('/api/issue', { purpose: LONG, limit_amount: 9_999_999 })
  const careful = await user.card({ limit: 50, approval_above: 1, purpose: 'asks' })
  await payWith(w, await linkOf(2), careful)
  code = (await open(user, card, { max_uses: 0, memo: LONG })).code
  await user.post('/api/withdraw', { amount: 7 })
  await user.post('/api/withdraw', { amount: 2 })
  await user.post('/api/withdrawals/addresses', { address: shop.wallet })
  const monthlyCode = (await open(shop, till, { type: 'RECURRING', max_uses: 0, amount: 3 })).code
  await agree(
    user,
    await user.card({ limit: 50 }),
    monthly(monthlyCode, { amount: 3, description: LONG }),
  )
  const sold = await user.post('/api/listings', { card_id: careful.id, price: 1_234_567.890123 })
  listing = sold.body.listing?.id ?? sold.text
  await watchOver()
  await user.post(`/api/cards/${card.id}/children`, {
    purpose: 'Helper of the agent',
    limit_amount: 2,
  })
  const scopes = ['cards:read', 'payments:write']
  await user.post('/api/keys/restricted', { name: 'night agent', scopes, card_ids: [card.id] })
  await user.send('PUT', `/api/cards/${card.id}/controls/draft`, { max_transaction: 10 })
  payment = (await user.get('/api/payments?direction=sent')).body.payments[0].id
  token = await trade()
  await followAll(w)
  await using hook = await receiver()
  const { id } = await register(user, { url: hook.url, description: LONG })
  await user.post(`/api/webhooks/${id}/test`)
  await w.deliver()
}

/** Alarms of each kind of state, a machine of a long name, and keys that sign and have signed. */
async function watchOver(): Promise<void> {
  const alarm = (kind: 'custody' | 'relayer_gas_low', sentence: string) => ({
    ...{ kind, subject: kind, sentence, details: {} },
  })
  const [, known] = await w.write((tx) =>
    upsertAlarms(tx, w.now(), [
      alarm('custody', '0.000007 USDC are missing on the chain.'),
      alarm('relayer_gas_low', LONG),
    ]),
  )
  await acknowledgeAlarm(w, w.now(), { id: known?.id ?? '', note: LONG })
  await w.services.signing.current(w.now())
  await rotate({ db: w.db, secrets: w.secrets }, w.now())
  const of = { pid: 7, version: '0.1.0', roles: ['api', 'worker'], processes: 2 }
  await announceMachine(w.services, { ...of, host: 'a-machine-with-a-long-name.example.internal' })
}

/** A token with a swap. */
async function trade(): Promise<string> {
  const kit = marketKit(w)
  const { token: made, prepared } = await kit.launch(await w.user(), { keep_bps: 0 })
  const data = kit.swapData(kit.keyOf(prepared), { in: w.chain.asset.contract, amount: 2_000_000n })
  await kit.send(await kit.trader(made), { to: DEV_SWAP_ROUTER, data })
  await w.safe()
  await followPool(w.services, w.now(), prepared.pool_id)
  return made
}

/** The pages, each with what is on it once it is loaded. */
const pages = (): [path: string, there: string][] => [
  ['/', 'All events'],
  ['/cards', 'Can still spend'],
  ['/cards/new', 'What it is for'],
  ['/cards/many', 'Get a template'],
  [`/cards/${card.id}`, 'Declined'],
  [`/cards/${card.id}?tab=limits`, 'The draft'],
  [`/cards/${card.id}?tab=children`, 'Helper of the agent'],
  [`/cards/${card.id}?tab=access`, 'night agent'],
  ['/payments', 'PL_'],
  [`/payments/${payment}`, 'How it went'],
  ['/payments/txn_00000000000000000000000000', 'Request'],
  ['/links', 'Ein sehr langer'],
  [`/links/${code}`, 'Its payments'],
  ['/links?status=CANCELLED', 'No pay link is like that'],
  ['/links/new', 'The card that is paid'],
  ['/links/profile', 'Where payers get help'],
  ['/inbox', 'Approve'],
  ['/recurring', 'each month'],
  ['/recurring', 'by the year'],
  ['/market', 'Cards for sale'],
  [`/market/${listing}`, 'What it has earned'],
  [`/credentials/${till.id}`, 'Get the signed proof'],
  ['/tokens', 'Acme Agent'],
  [`/tokens/${token}`, 'As a table'],
  ['/money', 'Which'],
  ['/money', 'waits until the operator has approved it'],
  ['/money', 'waiting'],
  ['/developers', 'Full key'],
  ['/developers/deliveries', 'one attempt'],
  ['/developers/events', 'agreement.created'],
  ['/developers/tokens', 'You take USDC alone'],
  ['/developers/requests', '/api/issue'],
  ['/developers/requests?status=4xx', 'insufficient'],
  ['/operator', 'missing on the chain'],
  ['/operator/audit', 'alarm.acknowledged'],
]
const EMPTY: [path: string, there: string][] = [
  ['/', 'Nothing was paid yet'],
  ['/cards', 'You have no cards yet'],
  ['/payments?status=FAILED', 'No payment is like that'],
  ['/links', 'You have no pay links yet'],
  ['/links/PL_0000000000', 'You have no such pay link'],
  ['/inbox', 'No payment waits'],
  ['/recurring', 'Nobody is charged again and again'],
  ['/market?page=9', 'No card is for sale'],
  ['/cards?search=nothing', 'No card is like that'],
  ['/tokens/0x0000000000000000000000000000000000000001', 'Request'],
  ['/money', 'Nothing has left yet'],
  ['/money', 'You have added no address'],
  ['/developers', 'No webhook is registered'],
  ['/developers/deliveries?status=FAILED', 'No delivery is in this state'],
  ['/developers/events?type=card.frozen', 'Nothing has happened yet'],
  ['/cards/card_00000000000000000000000000', 'Request'],
  ['/developers/requests?id=req_none', 'No request of yours has this id'],
  ['/developers/requests?status=5xx', 'No request was answered like that'],
  ['/operator', 'No such page'],
  ['/operator/audit', 'No such page'],
  ['/cards/of/nobody', 'No such page'],
]

type Over = readonly [path: string, role: 'button' | 'text', name: string, there: string]
/** Dialogs and folds that a button or a line of a page opens, each with words that are there then. */
const over = (): Over[] => [
  ...[
    ['Limits', 'Limits of this card'],
    ['Add money', 'Put money on this card'],
    ['Sell', 'Offer this card for sale'],
    ['Freeze', 'Freeze this card?'],
    ['New token', 'Give this card a new token?'],
    ['Give away', 'Give this card to another wallet'],
    ['Cancel the card', 'Close this card for good?'],
  ].map(([name = '', there = '']) => [`/cards/${card.id}`, 'button', name, there] as const),
  [`/cards/${card.id}`, 'text', 'What it looked at', 'max transaction'],
  [`/cards/${card.id}?tab=children`, 'button', 'Cut off a slice', 'Issue a child card'],
  [`/cards/${card.id}?tab=access`, 'button', 'Hand it to an agent', 'Give this card to an agent'],
  ['/recurring', 'button', 'Make an agreement', 'Let a seller charge a card'],
  ['/recurring', 'button', 'Top up', 'Put money on the fee meter'],
  ['/recurring', 'button', 'Subscribe', 'Pay 19.00 USDC'],
  ['/recurring', 'text', 'Its charges', 'succeeded'],
  ['/inbox', 'button', 'Approve', 'Exactly this payment'],
  ['/developers', 'button', 'Make a key', 'Who uses it'],
  ['/developers', 'button', 'Change', 'Change this webhook'],
  ['/developers', 'button', 'New secret', 'Give this webhook a new secret?'],
  ['/developers', 'button', 'Send what failed', 'Failed since'],
  ['/developers/deliveries', 'text', 'What is sent', 'webhook.test'],
  ['/developers/events', 'text', 'webhook.test', 'webhook_id'],
]

async function signedIn(context: BrowserContext, { account }: User): Promise<Page> {
  const page = await context.newPage()
  await injectWallet(page, { account })
  await page.goto(base)
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor()
  await expectGood(page, 'sign in')
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  return page
}

let pictures = 0
async function expectGood(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  )
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    name,
  ).toEqual([])
  await expectNothingBeyond(page, name)
  await picture(
    page,
    `${String(++pictures).padStart(3, '0')} ${name.replaceAll(/\W+/g, '-').slice(0, 40)}`,
  )
  // Text of twice the size, then a phone that was turned.
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectNothingBeyond(page, `${name} with large text`)
  await page.evaluate(`document.documentElement.style.fontSize = ''`)
  const before = page.viewportSize()
  await page.setViewportSize({ width: 640, height: 360 })
  await expectNothingBeyond(page, `${name} on a phone on its side`)
  if (before) await page.setViewportSize(before)
}

async function expectGoodOver(page: Page): Promise<void> {
  for (const [path, role, name, there] of over()) {
    await page.goto(base + path)
    const opener =
      role === 'text' ? page.getByText(name) : page.getByRole(role, { name, exact: true })
    await opener.first().click()
    await page.getByText(there).filter({ visible: true }).first().waitFor()
    await expectGood(page, `${path} ${name}`)
  }
}

async function expectNothingBeyond(page: Page, name: string): Promise<void> {
  const { beyond, widest } = await page.evaluate<{ beyond: number; widest: string[] }>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
    return { beyond: scrollWidth - clientWidth, widest: wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 200)) }
  })()`)
  expect(beyond, `${name} is wider than its page: ${widest.join(' ')}`).toBeLessThanOrEqual(0)
}

const [DESK, PHONE] = [
  { width: 1_280, height: 800 },
  { width: 360, height: 740 },
]
const LOOKS = [
  { colorScheme: 'light', viewport: DESK },
  { colorScheme: 'dark', viewport: PHONE },
] as const
/** Only people look at these: what axe finds depends on neither pair. */
const SEEN = [
  { colorScheme: 'dark', viewport: DESK },
  { colorScheme: 'light', viewport: PHONE },
] as const

test.each([...LOOKS, ...(process.env.SCREENSHOTS ? SEEN : [])])(
  '$colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true })
    for (const [who, all] of [
      [user, pages()],
      [nobody, EMPTY],
    ] as const) {
      const page = await signedIn(context, who)
      for (const [path, there] of all) {
        await page.goto(base + path)
        await page.getByText(there).filter({ visible: true }).first().waitFor()
        await expectGood(page, path)
      }
      if (who === user) await expectGoodOver(page)
      await page.goto(base)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in to Purser' }).waitFor()
      await page.close()
    }
    await context.close()
  },
)

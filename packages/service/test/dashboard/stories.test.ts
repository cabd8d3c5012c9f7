/** A person's stories on the dashboard, on the real service in a real browser. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/base/kernel/assets.ts'
import { randomHex, Secret } from '../../src/base/kernel/secrets.ts'
import { endAlarms, upsertAlarms } from '../../src/links/reconcile/store.ts'
import { payWith } from '../actors/attack-kit.ts'
import { followAll } from '../stats/scan.ts'
import { prove } from '../webhooks/kit.ts'
import { receiver } from '../webhooks/receiver.ts'
import { type World, world } from '../world.ts'
import { openStage, type Stage } from './stage.ts'

const operators: Address[] = []
let w: World
let base: string
let signIn: Stage['signIn']
let openPage: Stage['openPage']
let linkOf: Stage['linkOf']
let stage: Stage
beforeAll(async () => {
  stage = await openStage({ settings: { operators } })
  ;({ w, base, signIn, openPage, linkOf } = stage)
  await prove(w)
})
afterAll(() => stage[Symbol.asyncDispose]())

test('a person signs in, issues a card, and sees what an agent pays with it without a reload', async () => {
  const user = await w.user({ treasury: 100 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user)
  await page.getByText('100.00 USDC').waitFor()
  await page.getByRole('link', { name: 'Cards', exact: true }).click()
  await page.getByText('You have no cards yet').waitFor()
  await page.getByRole('link', { name: 'Issue a card' }).click()
  await page.getByLabel('What it is for').fill('Research agent')
  await page.getByLabel('Money on it, in USDC').fill('20')
  await page.getByLabel('Most in one payment').fill('5')
  await page.getByRole('button', { name: 'Issue the card' }).click()
  await page.getByText('The token is shown once').waitFor()
  const words = await page.locator('main').innerText()
  const id = /card_\w{26}/.exec(words)?.[0] ?? ''
  const token = /tok_[\w-]+/.exec(words)?.[0] ?? ''
  await page.getByRole('link', { name: /^To the card/ }).click()
  await page.getByText('Nothing was asked of this card yet').waitFor()

  expect((await payWith(w, await linkOf(1.25), { id, token })).status).toBe(200)
  await page.getByText('1.25 of 20.00').waitFor()
  await page.getByText('Allowed 1.25').waitFor()
  // A decline becomes a rule in one click.
  const dear = await linkOf(9)
  expect((await payWith(w, dear, { id, token })).body.code).toBe('max_transaction_exceeded')
  const raise = page.getByRole('button', { name: 'Raise “Most in one payment” to 9.00' })
  await raise.click()
  await page.getByText('the agent’s next try passes').waitFor()
  await page.reload()
  await page.getByText('Declined 9.00').waitFor()
  expect(await raise.count()).toBe(0)
  expect((await payWith(w, dear, { id, token })).status).toBe(200)
  await page.getByText('10.25 of 20.00').waitFor()
  // The days of spending follow the books a moment later, when no event comes any more.
  await page.getByText('in 0 payments').waitFor()
  await followAll(w)
  await page.getByText('in 2 payments').waitFor()

  await page.getByRole('button', { name: 'Freeze' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('From now on it pays nothing').waitFor()
  await asked.getByRole('button', { name: 'Freeze' }).click()
  await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
  expect((await payWith(w, dear, { id, token })).body.code).toBe('card_frozen')

  await page.getByRole('link', { name: 'All payments of this card' }).click()
  await page.getByRole('table').getByText('−9.00').waitFor()
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByText('How it went').waitFor()
})

test('limits are changed, money is added, and a new token ends the old one', async () => {
  const user = await w.user({ treasury: 100 })
  const card = await user.card({ limit: 5, max_transaction: 2, daily_limit: 4 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, `/cards/${card.id}`)
  await page.getByRole('button', { name: 'Limits' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Most in one payment').fill('3.5')
  await form.getByLabel('Most in a day (UTC)').fill('')
  // Changed by somebody else meanwhile: what the form leaves alone stays.
  await user.send('PATCH', `/api/cards/${card.id}/controls`, { weekly_limit: 9 })
  await form.getByRole('button', { name: 'Set the limits' }).click()
  await page.getByText('3.50', { exact: true }).waitFor()
  const { body } = await user.get(`/api/cards/${card.id}`)
  expect(body.card).toMatchObject({ max_transaction: 3.5, daily_limit: null, weekly_limit: 9 })

  await page.getByRole('button', { name: 'Add money' }).click()
  await form.getByLabel('Amount, in USDC').fill('999')
  await form.getByRole('button', { name: 'Add money' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Amount, in USDC').fill('7')
  await form.getByRole('button', { name: 'Add money' }).click()
  await page.getByText('12.00 USDC').waitFor()

  await page.getByRole('button', { name: 'New token' }).click()
  await form.getByRole('button', { name: 'New token' }).click()
  await form.getByText('The token is shown once').waitFor()
  const token = /tok_[\w-]+/.exec(await form.innerText())?.[0] ?? ''
  const code = await linkOf(1)
  expect((await payWith(w, code, card)).body.code).toBe('invalid_card_token')
  expect((await payWith(w, code, { id: card.id, token })).status).toBe(200)
})

test('a link is opened, paid and refunded', async () => {
  const user = await w.user({ treasury: 10 })
  const own = await user.card({ limit: 2 })
  const payer = await (await w.user()).card({ limit: 5 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/links/new')
  const paid = page.getByRole('combobox', { name: 'The card that is paid' })
  expect(await paid.inputValue()).toContain(own.id.slice(-6))
  await page.getByLabel('Amount, in USDC').fill('2.5')
  await page.getByLabel('What it is for').fill('Two boxes of tea')
  await page.getByRole('button', { name: 'Open the link' }).click()
  await page.getByText('The link is open').waitFor()
  const code = /PL_\w{10}/.exec(await page.locator('main').innerText())?.[0] ?? ''
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('Nothing was paid yet').waitFor()
  expect((await payWith(w, code, payer)).status).toBe(200)
  await page.getByRole('table').getByText('+2.').waitFor()
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Refund' }).click()
  const refund = page.getByRole('dialog')
  // The fee took 0.0125 of 2.50.
  expect(await refund.innerText()).toMatch(
    /Paid\s+2\.50 USDC\s+Fee, kept\s+0\.0125 USDC\s+Received\s+2\.4875 USDC/,
  )
  await refund.getByLabel('Amount, in USDC').fill('1')
  await refund.getByText('and you keep 1.4875').waitFor()
  await refund.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Refunded', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Refund' }).click()
  await refund.getByText('Given back before').waitFor()
  await refund.getByText('1.4875 USDC goes back to the card that paid, and you keep 0.00').waitFor()
  await refund.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('refunded', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Payments' }).first().click()
  const rows = page.getByRole('table')
  await rows.getByText('−1.4875').waitFor()
  await rows.getByRole('link', { name: 'Refund to' }).first().click()
  await page.getByRole('heading', { name: 'Gave back 1.4875 USDC' }).waitFor()
  await page.getByText('Fee of the payment, kept').waitFor()
})

test('an approval is asked for, and given', async () => {
  const user = await w.user({ treasury: 10 })
  const card = await user.card({ limit: 5, approval_above: 1 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user)
  const code = await linkOf(2)
  expect((await payWith(w, code, card)).body.code).toBe('approval_required')
  await page.getByRole('link', { name: '1 payment waits for your approval' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('No payment waits').waitFor()
  expect((await payWith(w, code, card)).status).toBe(200)
})

test('sign-ins name their device, and all others end with one click', async () => {
  const user = await w.user()
  await using other = await openPage()
  await using third = await openPage()
  await using opened = await openPage()
  const { page } = opened
  for (const each of [other, third, opened]) await signIn(each.page, user, '/developers')
  const signIns = page.getByRole('region', { name: 'Sign-ins' })
  await signIns.getByText('Chrome on Linux').nth(2).waitFor()
  await signIns.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await signIns.getByText('Chrome on Linux').nth(1).waitFor({ state: 'detached' })
  await signIns.getByText('this one').waitFor()
  await other.page.reload()
  await other.page.getByRole('heading', { name: 'Sign in to Purser' }).waitFor()
})

test('money is taken out, after one question', async () => {
  const user = await w.user({ treasury: 10 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/money')
  await page.getByText('Nothing has left yet').waitFor()
  await page.getByLabel('Amount, in USDC').fill('4')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('It goes to your own wallet').waitFor()
  await asked.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('table').getByText('3.95').waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('6.00 USDC').waitFor()
})

test('a wallet signs a deposit, pays no gas, and sees it arrive', async () => {
  await w.withGas()
  const user = await w.user({ treasury: 10, usdc: 25 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/money')
  await page.getByLabel('Deposit from your wallet, in USDC').fill('12.5')
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click()
  await page.getByText('12.50 USDC is in your treasury').waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('22.50 USDC').waitFor()
})

test('a key is made, used and revoked; a webhook is registered, tested and sent again', async () => {
  await using hook = await receiver()
  const user = await w.user({ treasury: 10 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/developers')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Who uses it').fill('night agent')
  await page.getByLabel('see the balance').check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('The key is shown once').waitFor()
  const key = /purser_test_[\w-]{49}/.exec(await page.locator('main').innerText())?.[0] ?? ''
  expect((await w.call('GET', '/api/balance', undefined, { key })).status).toBe(200)
  await page.getByRole('button', { name: 'I have it' }).click()
  const row = page.getByRole('row', { name: /night agent/ })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('revoked').waitFor()
  expect((await w.call('GET', '/api/balance', undefined, { key })).status).toBe(401)

  await page.getByLabel('Send events to').fill(hook.url)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('The secret is shown once').waitFor()
  await page.getByRole('button', { name: 'I have it' }).click()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Test' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await w.deliver()
  const sent = hook.got.length
  expect(sent).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Deliveries of webhooks' }).click()
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await w.deliver()
  expect(hook.got.length).toBeGreaterThan(sent)
})

test('a card is bought as it was seen, and what was paid is written into a file', async () => {
  const seller = await w.user({ treasury: 10 })
  const card = await seller.card({ limit: 5 })
  const { listing } = (await seller.post('/api/listings', { card_id: card.id, price: 12 })).body
  const user = await w.user({ treasury: 100 })
  const own = await user.card({ limit: 5, purpose: '=1+1' })
  expect((await payWith(w, await linkOf(1.25), own)).status).toBe(200)
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, `/market/${listing.id}`)
  await page.getByText('What it has earned').waitFor()
  // Changed since it was seen: nothing is bought.
  await seller.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 1 })
  await page.getByRole('button', { name: 'Buy' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Buy' }).click()
  await asked.getByRole('alert').waitFor()
  await asked.getByRole('button', { name: 'Leave it' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Buy' }).click()
  await asked.getByRole('button', { name: 'Buy' }).click()
  await page.getByText('The card is yours').waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('88.00 USDC').waitFor()

  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const text = await readFile((await (await waiting).path()) ?? '', 'utf8')
  const [head = '', row = ''] = text.split('\r\n')
  expect(head).toMatch(/^\uFEFF?id,created_at,settled_at,direction,status,amount/)
  expect(row).toMatch(/^txn_\w+,.*,sent,SETTLED,1\.25,/)
  expect(row).toContain(`,'=1+1,`)
})

test('who signs out, or whose session ends, sees nothing more; another wallet sees its own', async () => {
  const [first, second] = [await w.user({ treasury: 31 }), await w.user({ treasury: 47 })]
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, first, '/cards')
  await page.getByText('You have no cards yet').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Purser' }).waitFor()
  expect(await page.locator('body').innerText()).not.toContain(first.wallet.slice(0, 8))
  await using other = await openPage()
  await signIn(other.page, second)
  await other.page.getByText('47.00 USDC').waitFor()
  const { sessions } = (await second.get('/api/sessions')).body
  for (const { id } of sessions) await second.send('DELETE', `/api/sessions/${id}`)
  await other.page.getByRole('link', { name: 'Cards', exact: true }).click()
  await other.page.getByRole('heading', { name: 'Sign in to Purser' }).waitFor()
})

test('an operator sees what is wrong and what to do, and it goes by itself; for another wallet there is no such page', async () => {
  const [operator, other] = [await w.user(), await w.user()]
  operators.push(operator.wallet as Address)
  const sentence = '0.000007 USDC are missing.'
  const alarm = { kind: 'custody', subject: 'a drill', sentence, details: {} } as const
  await w.write((tx) => upsertAlarms(tx, w.now(), [alarm]))
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, operator)
  await page.getByRole('link', { name: 'Operator', exact: true }).click()
  const found = page.getByRole('article')
  await found.getByText(sentence).waitFor()
  await found.getByText('npx purser verify').waitFor()
  const steps = found.getByRole('link', { name: 'docs/operating.md#alarm-custody' })
  expect(await steps.getAttribute('href')).toBe('/docs/operating#alarm-custody')
  await w.write((tx) => endAlarms(tx, w.now(), { kinds: ['custody'], but: [] }))
  await page.getByText('No alarm is open').waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('row').getByText('session.opened').first().waitFor()
  await using stranger = await openPage()
  await signIn(stranger.page, other, '/operator')
  await stranger.page.getByRole('heading', { name: 'No such page' }).waitFor()
  expect(await stranger.page.getByRole('link', { name: 'Operator', exact: true }).count()).toBe(0)
})

test('on a development service one button signs in as the demo wallet', async () => {
  await using local = await world({ demoKey: new Secret(randomHex(32)) })
  const at = await local.listen()
  await using opened = await openPage(at)
  const { page } = opened
  await page.goto(at)
  await page.getByRole('button', { name: 'Continue as the demo wallet' }).click()
  await page.getByText('No money yet').waitFor()
})

test('text of others stays text, and the dashboard leads nowhere else', async () => {
  const user = await w.user({ treasury: 10 })
  const evil = '<img src=x onerror=alert(1)>\u{202E}'
  const card = await user.card({ limit: 5, purpose: '<script>alert(1)</script>' })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, `/sign-in?next=//evil.example/${encodeURIComponent(evil)}`)
  expect(page.url()).toBe(`${base}/`)
  await page.goto(`${base}/cards/${card.id}`)
  await page.getByRole('heading', { name: '<script>alert(1)</script>' }).waitFor()
})

test('a refusal on a page leads to its request, and a key’s request is found by its id', async () => {
  const user = await w.user({ treasury: 10 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/cards/card_00000000000000000000000000')
  await page.getByRole('alert').getByRole('link', { name: 'Look at it' }).click()
  const row = page.getByRole('row', { name: /card_00000000000000000000000000/ })
  await row.getByText('404').waitFor()
  await row.getByText('not_found').waitFor()
  const refused = await user.post('/api/issue', { purpose: 'x', limit_amount: 99 })
  await page.getByLabel('Request id').fill(refused.body.request_id)
  await page.getByRole('button', { name: 'Find' }).click()
  await page
    .getByRole('row', { name: /\/api\/issue/ })
    .getByText(refused.body.code)
    .waitFor()
  await using stranger = await openPage()
  await signIn(stranger.page, await w.user(), `/developers/requests?id=${refused.body.request_id}`)
  await stranger.page.getByText('No request of yours has this id').waitFor()
})

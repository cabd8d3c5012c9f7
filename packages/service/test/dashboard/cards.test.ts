/** A person's stories with many cards, and on the market. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp } from '../../../mcp/test/clients.ts'
import { open, payWith } from '../actors/attack-kit.ts'
import { ROOT } from '../pages/pages.ts'
import { followAll } from '../stats/scan.ts'
import type { World } from '../world.ts'
import { openStage, type Stage } from './stage.ts'

let w: World
let base: string
let signIn: Stage['signIn']
let openPage: Stage['openPage']
let linkOf: Stage['linkOf']
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  ;({ w, base, signIn, openPage, linkOf } = stage)
})
afterAll(() => stage[Symbol.asyncDispose]())

test('many cards are issued from a file, and their tokens are written into another', async () => {
  const user = await w.user({ treasury: 500 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/cards/many')
  const choose = (lines: readonly string[]) =>
    page.getByLabel('A CSV file, a line for each card').setInputFiles({
      name: 'cards.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    })
  await choose(['purpose;limit', 'x;1'])
  await page.getByRole('alert').getByText('no column limit_amount').waitFor()
  // Lines are numbered as in a spreadsheet, whose first has the names and which counts the empty one.
  await choose(['purpose,limit_amount', 'good,1', '', 'bad,1.2345678', ',3'])
  await page.getByText('2 of 3 lines cannot be read').waitFor()
  await page.getByRole('row', { name: /^4 bad 1.2345678 .*at most six decimals/ }).waitFor()
  const mending = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Get the lines to mend' }).click()
  const toMend = await readFile((await (await mending).path()) ?? '', 'utf8')
  expect(toMend.trim().split('\r\n')).toHaveLength(3)
  await page.getByRole('button', { name: 'Issue 1 card' }).click()
  await page.getByText('1 of 1 cards are issued').waitFor()
  await choose([toMend.replace('1.2345678', '1.5').replace('\r\n,3,', '\r\nmended,3,')])
  await page.getByText('2 cards to issue, with 4.50 USDC in all').waitFor()
  // More than are issued at once, with a comma in a name and a payee list.
  const names = Array.from({ length: 130 }, (_, i) => `agent ${i}`)
  await choose([
    'purpose,limit_amount,max_transaction,allowed_merchants',
    ...names.map((name, i) =>
      i === 7 ? `"books, ${name}",2,0.5,a.example;b.example` : `${name},2,,`,
    ),
  ])
  await page.getByText('130 cards to issue, with 260.00 USDC in all').waitFor()
  await page.getByRole('button', { name: 'Issue 130 cards' }).click()
  await page.getByText('130 of 130 cards are issued').waitFor()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Get the tokens' }).click()
  const rows = (await readFile((await (await waiting).path()) ?? '', 'utf8')).trim().split('\r\n')
  expect(rows).toHaveLength(131)
  const [, id = '', token = ''] = /(card_\w{26}),(tok_[\w-]+),2$/.exec(rows[1] ?? '') ?? []
  expect((await payWith(w, await linkOf(1), { id, token })).status).toBe(200)

  await page.getByRole('link', { name: 'To the cards' }).click()
  await page.getByLabel('Search').fill('books')
  await page.getByRole('row', { name: /books, agent 7/ }).waitFor()
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Order').selectOption('spent')
  await page.getByRole('row').nth(1).getByText('agent 0').waitFor()
})

const run = promisify(execFile)
/** Runs the text of each tab as it stands, by the program that it is for. */
const RUN_BY: Readonly<Record<string, (text: string) => Promise<string>>> = {
  curl: async (text) => (await run('sh', ['-c', text])).stdout,
  TypeScript: async (text) => {
    const how = ['--conditions=purser-source', '--input-type=module-typescript', '-e', text]
    return (await run(process.execPath, how, { cwd: ROOT })).stdout
  },
  Python: async (text) => (await run('python3', ['-c', text])).stdout,
  'MCP configuration': async (text) => {
    const { url, headers } = JSON.parse(text).mcpServers.purser
    const key = headers.Authorization.replace('Bearer ', '')
    const cardToken = headers['Purser-Card-Token']
    const client = await overHttp(url, { key, cardToken }, { era: '2025' })
    const { structuredContent } = await client.callTool({ name: 'balance', arguments: {} })
    await client.close()
    return JSON.stringify(structuredContent)
  },
}

test('a card and a key for it alone are handed to an agent, whose programs run as they stand', async () => {
  const user = await w.user({ treasury: 100 })
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, '/cards/new')
  await page.getByLabel('What it is for').fill('Research agent')
  await page.getByLabel('Money on it, in USDC').fill('20')
  await page.getByRole('button', { name: 'Issue the card' }).click()
  await page.getByRole('button', { name: 'Try a payment' }).click()
  await page.getByText('Paid 0.01 USDC. The seller answered 200').waitFor()

  for (const [name, runIt] of Object.entries(RUN_BY)) {
    await page.getByRole('tab', { name }).click()
    const text = await page.getByRole('tabpanel', { name }).locator('pre').innerText()
    expect(await runIt(text), name).toMatch(name === 'MCP configuration' ? /19\.96/ : /paid/)
  }
  await page.getByRole('link', { name: /^To the card/ }).click()
  await page.getByText('0.04 of 20.00').waitFor()
  const { keys } = (await user.get('/api/keys')).body
  const { cards } = (await user.get('/api/cards?search=Research')).body
  const [key] = keys.filter((one: { scopes: unknown }) => one.scopes !== null)
  expect(key).toMatchObject({ name: 'Research agent', card_ids: [cards[0].id] })
  expect(key.scopes).not.toContain('approvals:write')

  // Later, with another token: what was handed over before pays nothing more.
  await page.goto(`${base}/cards/${cards[0].id}?tab=access`)
  await page.getByRole('button', { name: 'Hand it to an agent' }).click()
  await page.getByRole('button', { name: 'Make key and token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Try a payment' }).click()
  await page.getByText('The seller answered 200').waitFor()
  expect((await user.get('/api/cards?search=Demo')).body.cards).toHaveLength(1)
})

test('a card is cut into slices, its mandates and keys are ended, and other limits are tried on its past', async () => {
  const user = await w.user({ treasury: 100 })
  const card = await user.card({ limit: 30, max_transaction: 5, purpose: 'Agent' })
  const scopes = ['cards:read', 'payments:write']
  await user.post('/api/keys/restricted', { name: 'runner', scopes, card_ids: [card.id] })
  for (const amount of [1, 3])
    expect((await payWith(w, await linkOf(amount), card)).status).toBe(200)
  await followAll(w)
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, user, `/cards/${card.id}`)
  await page.getByText('in 2 payments').waitFor()
  await page.getByText('As a table').click()
  await page.getByRole('table').getByText('4.00').waitFor()

  await page.getByRole('link', { name: 'Try other limits' }).click()
  await page.getByLabel('Most in one payment').fill('2')
  await page.getByRole('button', { name: 'Test on the last 30 days' }).click()
  await page.getByText('Would be declined, and passed').waitFor()
  await page.getByText('1 payment, 3.00 USDC').first().waitFor()
  await page.getByRole('button', { name: 'Keep as a draft' }).click()
  await page.getByRole('heading', { name: 'The draft' }).waitFor()
  expect((await payWith(w, await linkOf(4), card)).status).toBe(200)
  await page.getByText('4.00 to PL_').waitFor()
  await page.getByRole('button', { name: 'Apply it' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Apply it' }).click()
  await page.getByRole('heading', { name: 'The draft' }).waitFor({ state: 'hidden' })
  expect((await payWith(w, await linkOf(4), card)).body.code).toBe('max_transaction_exceeded')

  await page.getByRole('link', { name: 'Child cards' }).click()
  await page.getByRole('button', { name: 'Cut off a slice' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('What it is for').fill('Helper')
  await form.getByLabel('Money on it, in USDC').fill('6')
  await form.getByRole('button', { name: 'Issue it' }).click()
  const token = /tok_[\w-]+/.exec(await form.getByText('tok_').innerText())?.[0] ?? ''
  await form.getByRole('button', { name: 'I have it' }).click()
  await page.getByRole('link', { name: 'Helper' }).click()
  await page.getByText('the card above it').waitFor()
  const child = /card_\w{26}/.exec(page.url())?.[0] ?? ''
  expect((await payWith(w, await linkOf(1), { id: child, token })).status).toBe(200)

  await page.goto(`${base}/cards/${card.id}?tab=access`)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No key is for this card alone').waitFor()
})

test('who looks at a card that earns gets its days, its payers, and a signed proof', async () => {
  const seller = await w.user({ treasury: 10 })
  const own = await seller.card({ limit: 1 })
  const { code } = await open(seller, own, { max_uses: 0, amount: 2 })
  for (let i = 0; i < 2; i++)
    expect((await payWith(w, code, await (await w.user()).card({ limit: 5 }))).status).toBe(200)
  const { listing } = (await seller.post('/api/listings', { card_id: own.id, price: 12 })).body
  await followAll(w)
  await using opened = await openPage()
  const { page } = opened
  await signIn(page, await w.user(), `/market/${listing.id}`)
  await page.getByText('As a table').click()
  await page.getByRole('table').getByText('4.00').waitFor()
  await page.getByRole('link', { name: 'Its payers, and the signed proof' }).click()
  await page.getByText('brought 50.0 % of the revenue').waitFor()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Get the signed proof' }).click()
  const { statement } = JSON.parse(await readFile((await (await waiting).path()) ?? '', 'utf8'))
  const [, payload = ''] = statement.split('.')
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    leaf_count: 2,
    figures: { revenue_lifetime: '4000000' },
  })
})

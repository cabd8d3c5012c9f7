/**
 * `npm run bench:pages [-- --cards 10000 --payments 1000000 --runs 3]`: how soon each page of the dashboard, the checkout and the
 * documentation is there, in Chromium, for a wallet with so many cards and payments. Settlements are written as rows for reads alone, and
 * the days of spending as the follower would have left them. Prints a table, and one line of JSON last.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { openBrowser } from '../packages/service/test/actors/browser.ts'
import { until } from '../packages/service/test/until.ts'
import { connect, fillCards, fillPayments } from './stage/fill-cards.ts'
import { type BenchService, startService } from './stage/service.ts'

const { values } = parseArgs({
  options: {
    cards: { type: 'string', default: '10000' },
    payments: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '3' },
  },
})
const [cards, payments, runs] = [values.cards, values.payments, values.runs].map(Number) as [
  number,
  number,
  number,
]
type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>
const print = (line: string) => process.stdout.write(`${line}\n`)
const SELLERS = 500
const idOf = (n: number): string => `card_${String(n).padStart(26, '0')}`

/** Cards of the demo wallet with payments to others, on each of the last ninety days. */
async function fill({ wallet }: BenchService, client: Client): Promise<void> {
  await fillCards(client, cards + SELLERS)
  await client.query('set session_replication_role = replica')
  await client.query('delete from listings where card_id <= $1', [idOf(cards)])
  await client.query('update cards set wallet_address = $1 where id <= $2', [wallet, idOf(cards)])
  await client.query(
    `insert into spending_days (wallet_address, network, asset, day, card_id, payments, spent, returned)
      select c.wallet_address, c.network, c.asset, current_date - d, c.id, 1, 1000 + d, 0
      from cards c, generate_series(0, 89) d where c.id <= $1 order by d desc, c.id`,
    [idOf(cards)],
  )
  await client.query(
    `insert into spending_days (wallet_address, network, asset, day, card_id, payments, spent, returned)
      select wallet_address, network, asset, day, '', sum(payments), sum(spent), sum(returned) from spending_days group by 1, 2, 3, 4`,
  )
  await client.query(
    `insert into spending_weeks (wallet_address, network, asset, week, card_id, payments, spent, returned)
      select wallet_address, network, asset, week_of(day), card_id, sum(payments), sum(spent), sum(returned)
      from spending_days where card_id <> '' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  )
  await client.query('reset session_replication_role')
  await fillPayments(client, {
    payers: { from: 1, count: cards },
    sellers: { from: cards + 1, count: SELLERS },
    count: payments,
    series: 1,
    batch: null,
  })
  await client.query('vacuum analyze')
}

type Look = { ready: number; paint: number; shift: number; bytes: number; busy: number }

const WATCH = fileURLToPath(new URL('stage/watch-page.js', import.meta.url))

async function lookAt(page: Page, url: string): Promise<Look> {
  await page.goto(url)
  await until(() => page.evaluate<boolean>('seen.ready > 0'))
  // A chart, which comes a moment later, may still move the page.
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
  return page.evaluate<Look>('({ ...seen, bytes: bytesTaken() })')
}

/** How much a page moves on a phone while it comes. */
async function moves(browser: Browser, base: string, path: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  await context.request.post(`${base}/api/dev/session`, { headers: { origin: base }, data: {} })
  const page = await context.newPage()
  await page.addInitScript({ path: WATCH })
  const { shift } = await lookAt(page, base + path)
  await context.close()
  return shift
}

const rounded = (shift: number): number => Math.round(1_000 * shift) / 1_000
const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Each page with nothing in the browser's cache but the session, then with all that the first visit left there. */
async function measure(browser: Browser, service: BenchService, path: string) {
  const base = `http://127.0.0.1:${service.port}`
  const looks: { first: Look; again: Look }[] = []
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
    await context.request.post(`${base}/api/dev/session`, { headers: { origin: base }, data: {} })
    const page = await context.newPage()
    await page.addInitScript({ path: WATCH })
    const first = await lookAt(page, base + path)
    looks.push({ first, again: await lookAt(page, base + path) })
    await context.close()
  }
  const phone = await moves(browser, base, path)
  const of = (which: 'first' | 'again', what: keyof Look) =>
    middle(looks.map((look) => look[which][what]))
  return {
    path: path.replace(/card_0+\d+|txn_\w+|PL_\w+/, '…'),
    first_ms: Math.round(of('first', 'ready')),
    paint_ms: Math.round(of('first', 'paint')),
    kb: Math.round(of('first', 'bytes') / 1024),
    again_ms: Math.round(of('again', 'ready')),
    again_paint_ms: Math.round(of('again', 'paint')),
    busy_ms: Math.round(of('again', 'busy')),
    shift: rounded(Math.max(of('first', 'shift'), of('again', 'shift'))),
    phone_shift: rounded(phone),
  }
}

const service = await startService()
const client = await connect(service.databaseUrl)
const startedAt = performance.now()
await fill(service, client)
print(
  `${cards} cards, ${payments} payments, in ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
await client.end()
const { payments: newest } = await service.ask<{ payments: { id: string }[] }>(
  'GET',
  '/api/payments?limit=1',
)
const own = await service.ask<{ card: { id: string } }>('POST', '/api/issue', {
  purpose: 'Shop',
  limit_amount: 1,
})
const link = await service.ask<{ code: string }>('POST', '/api/paylinks', {
  card_id: own.card.id,
  amount: 2,
})
const card = `/cards/${idOf(7)}`
const browser = await openBrowser()
const rows = []
for (const path of [
  ...['/', '/cards', '/cards?sort=spent', '/cards?search=bench', card, `${card}?tab=access`],
  ...['/payments', '/payments?status=FAILED', `/payments/${newest[0]?.id}`],
  ...['/links', '/inbox', '/recurring', '/market', '/tokens', '/money', '/developers'],
  ...['/developers/deliveries', '/developers/requests', '/operator'],
  ...[`/pay/${link.code}`, '/docs/'],
])
  rows.push(await measure(browser, service, path))
await browser.close()
await service.stop()
print(
  'Milliseconds from the start of the navigation until the heading and all data are there, and to the largest paint.',
)
print('page                       first  paint    kB   again  paint   busy  shift  phone')
for (const row of rows)
  print(
    [
      row.path.padEnd(24),
      ...[row.first_ms, row.paint_ms, row.kb, row.again_ms, row.again_paint_ms, row.busy_ms].map(
        (n) => String(n).padStart(6),
      ),
      ...[row.shift, row.phone_shift].map((shift) => String(shift).padStart(6)),
    ].join(' '),
  )
print(JSON.stringify({ cards, payments, runs, rows }))

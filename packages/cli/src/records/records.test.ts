import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { world } from '../../../service/test/world.ts'
import { terminal } from '../../test/terminal.ts'

test('an export has every payment with exact amounts, and a text of a peer is no formula', async () => {
  await using w = await world()
  const [payer, shop] = [await w.user({ treasury: 20 }), await w.user({ treasury: 1 })]
  const baseUrl = await w.listen()
  const card = await payer.card({ limit: 10 })
  const till = await shop.card({ limit: 1 })
  const memos = ['=HYPERLINK("http://evil.example")', 'two, "quoted" of it', 'plain']
  const debited: string[] = []
  for (const [i, memo] of memos.entries()) {
    const link = { card_id: till.id, amount: `0.10000${i + 1}`, memo }
    const { body } = await shop.post('/api/paylinks', link)
    const order = { card_id: card.id, card_token: card.token, url: body.pay_link.url }
    const paid = await payer.post('/api/pay', { ...order, method: 'GET' })
    expect(paid.body).toMatchObject({ outcome: 'paid' })
    debited.unshift(String(paid.body.amount_debited))
  }
  await using here = await terminal({ PURSER_BASE_URL: baseUrl, PURSER_API_KEY: payer.key })
  const file = join(here.folder, 'all.csv')
  expect(await here.run('export', 'payments', '--output', file)).toMatchObject({
    code: 0,
    error: '',
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect(rows).toHaveLength(3)
  expect(rows.map(({ amount }) => amount)).toEqual(debited)
  expect(rows.map(({ asset }) => asset)).toEqual(['USDC', 'USDC', 'USDC'])
  expect(rows.map(({ memo }) => memo)).toContain(`'${memos[0]}`)
  expect(rows.map(({ memo }) => memo)).toContain(memos[1])
  for (const row of rows)
    for (const value of Object.values(row)) expect(value).not.toMatch(/^[=+@\t\r-]/)
  const shown = await here.run('export', 'payments')
  expect(shown.out.replaceAll('\r', '')).toBe(text.replaceAll('\r', '').trimEnd())
  const again = await here.run('export', 'payments', '--output', file)
  expect(again).toMatchObject({ code: 1, error: `${file} exists already; name another file.` })

  const own = await here.run('export', 'transactions', '--card', card.id, '--json')
  const lines = own.out.split('\n').map((line) => JSON.parse(line))
  expect(lines.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const none = await here.run('export', 'transactions', '--since', tomorrow)
  expect(none.out.split('\n')).toHaveLength(1)
  const wrong = await here.run('export', 'payments', '--since', 'yesterday')
  expect(wrong).toMatchObject({ code: 2, out: '' })
})

test('logs show the requests of the last hour, and all that was logged of one', async () => {
  await using here = await terminal({ PURSER_BASE_URL: 'http://127.0.0.1:1' })
  const none = await here.run('logs')
  expect(none.error).toMatch(/^There is no log at .*purser\.log: /)
  const now = Date.now()
  const entry = (ago: number, more: object) =>
    JSON.stringify({ level: 30, time: now - ago, ...more })
  const request = { method: 'GET', path: '/api/cards', ms: 3, msg: 'request' }
  const log = [
    entry(7_200_000, { id: 'req_old', status: 200, ...request }),
    entry(2_000, { id: 'req_one', msg: 'something about it' }),
    entry(1_000, { id: 'req_one', status: 503, ...request }),
    entry(500, { id: 'req_two', status: 200, ...request, path: '/api/pay\u001b[2J' }),
    '{"half',
  ]
  await writeFile(join(here.folder, 'purser.log'), log.join('\n'))
  const all = await here.run('logs')
  expect(all.out.match(/req_\w+/g)).toEqual(['req_two', 'req_one'])
  expect(all.out).not.toContain('\u001b')
  expect((await here.run('logs', '--status', '5xx')).out.match(/req_\w+/g)).toEqual(['req_one'])
  expect((await here.run('logs', '--path', '/api/pay')).out).toContain('req_two')
  expect((await here.run('logs', '--minutes', '600')).out).toContain('req_old')
  const one = await here.run('logs', 'req_one')
  expect(one.out.split('\n')).toHaveLength(2)
  expect((await here.run('logs', 'req_none')).error).toMatch(/^Nothing is logged of req_none /)
  expect((await here.run('logs', '--status', '9')).code).toBe(1)
})

/** The program is killed at each step of putting a month away: nothing is lost, and the next run goes on. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { livedPlace, query, run, start, stopPrograms } from '../../../../test/actors/program.ts'
import { runsNow } from '../../../../test/crash/acts/dates.ts'
import { fencesFor } from '../../../../test/operate/fences.ts'
import { until } from '../../../../test/until.ts'

const STEPS = [
  'retention.before_file',
  'retention.after_file',
  'retention.after_manifest',
  'retention.before_commit',
  'retention.after_commit',
]
const DAY = 86_400

const dirs: string[] = []
afterAll(async () => {
  await stopPrograms()
  for (const dir of dirs) await rm(dir, { recursive: true, force: true })
})

const page = fencesFor('packages/service/src/run/operate/retention/kill.test.ts')
/** The commands of docs/operate/retention.md, for this month, folder and payment. */
const documented = (of: { month: string; dir: string; payment: string }): string[][] =>
  page
    .take('retention.md', 'Put a month away')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) =>
      line
        .replace(/ > .*/, '')
        .replace('2026-01', of.month)
        .replace('/var/lib/purser/archive', of.dir)
        .replace('"$PAYMENT"', of.payment)
        .split(' ')
        .slice(1),
    )

test('a month is put away once, wherever the program is killed', async () => {
  const env = { ...(await livedPlace()), PURSER_EVENT_DAYS: '30' }
  const { dev } = await start(env)
  const call = async (path: string, body: object) => {
    const answer = await fetch(dev.base_url + path, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${dev.demo.api_key}`, 'content-type': 'application/json' },
    })
    const text = await answer.text()
    expect(answer.status, text).toBeLessThan(300)
    return JSON.parse(text) as any
  }
  const issue = async () => (await call('/api/issue', { purpose: 'test', limit_amount: 5 })).card
  const [till, card] = [await issue(), await issue()]
  const link = await call('/api/paylinks', {
    ...{ card_id: till.id, amount: 1, type: 'RECURRING', max_uses: 0 },
  })
  const paid = await call(`/api/pay/${link.code}/settle`, {
    ...{ protocol: 'card', payer_card_id: card.id, payer_card_token: card.token },
  })
  const month = new Date().toISOString().slice(0, 7)
  await call('/api/dev/clock', { advance_seconds: 150 * DAY })
  const ask = async (args: string[], fault?: string) => {
    const asked = run(args, { ...env, ...(fault && { PURSER_FAULT_POINT: fault }) })
    const code = await asked.exited
    return { code: code ?? asked.child.signalCode, out: asked.out + asked.complaint }
  }
  const dir = await mkdtemp(join(tmpdir(), 'purser-archive-'))
  dirs.push(dir)
  const payment = paid.transaction_id as string
  const commands = documented({ month, dir, payment })
  const [look = [], order = [], check = [], csv = [], one = []] = commands
  await query(dev.database_url, `${runsNow('keep_stats_following')}; ${runsNow('seal_books')}`)
  expect((await ask(['retention', 'apply'])).code).toBe(0)
  // The figures are counted and the books sealed by jobs.
  await until(
    () => ask(look),
    ({ code }) => code === 0,
  )
  expect(await readdir(dir)).toEqual([])
  await until(
    () => ask(order, 'retention.before_file'),
    ({ code }) => code === 'SIGKILL',
  )
  // The database takes a moment to see that the program before is gone, and refuses the month until then.
  for (const step of STEPS)
    await until(
      () => ask(order, step),
      ({ code, out }) => expect(code, `${step}: ${out}`).toBe('SIGKILL'),
    )
  const last = await ask(order)
  expect(last.out).toContain('was put away at')
  const names = await readdir(dir)
  expect(names).toEqual(expect.arrayContaining([`settlements-${month}.json`]))
  expect(names.filter((name) => name.endsWith('.unfinished'))).toEqual([])
  const verified = await ask([...check, '--json'])
  expect(verified.code, verified.out).toBe(0)
  expect(await query(dev.database_url, 'select count(*)::int as n from settlements')).toEqual([
    { n: 0 },
  ])
  expect((await ask(['verify', '--archive', tmpdir()])).out).toContain('is missing')
  const [head, row, ...more] = (await ask(csv)).out.trim().split('\n')
  expect(head).toMatch(/^settlement_id,sent_id,received_id,created_at,protocol,amount,/)
  expect([row?.split(',')[1], row?.split(',')[5], more]).toEqual([payment, '1', []])
  expect(JSON.parse((await ask(one)).out)).toMatchObject({ sent_id: payment, amount: '1' })
})

test('no command of the page was left out', () => expect(page.left()).toEqual([]))

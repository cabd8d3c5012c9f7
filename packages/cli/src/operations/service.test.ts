import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { world } from '../../../service/test/world.ts'
import { terminal } from '../../test/terminal.ts'

/** A wallet with 20 USDC, and a terminal that is signed in as it. */
async function stage() {
  const w = await world()
  const user = await w.user({ treasury: 20 })
  const baseUrl = await w.listen()
  const here = await terminal({ PURSER_BASE_URL: baseUrl, PURSER_API_KEY: user.key })
  return {
    baseUrl,
    here,
    /** The answer of a command that succeeds. */
    async answer(...words: string[]) {
      const { code, out, error } = await here.run(...words, '--json')
      expect({ code, error }, words.join(' ')).toEqual({ code: 0, error: '' })
      return JSON.parse(out)
    },
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]()
      await w[Symbol.asyncDispose]()
    },
  }
}

test('commands that are made from the document work on the service, with exact amounts', async () => {
  await using s = await stage()
  const file = join(s.here.folder, 'card.json')
  const issued = ['cards', 'issue', '--purpose', 'Research', '--limit', '1.000001', '--save', file]
  const { card } = await s.answer(...issued)

  const limits = ['cards', 'controls', card.id, '--daily-limit', '0.100001']
  expect((await s.answer(...limits)).card.daily_limit).toBe(0.100001)
  const none = await s.here.run('cards', 'controls', card.id, '--daily-limit', 'none')
  expect(none.out).toMatch(/^daily limit\t-$/m)
  expect(none.out).toMatch(/^limit amount\t1\.000001 USDC$/m)
  expect((await s.here.run('cards', 'list')).out).toContain('1.000001 USDC')
  const empty = await s.here.run('payments', 'list')
  expect(empty).toMatchObject({ code: 0, error: 'There are no payments.' })
  expect(empty.out).toMatch(/^ID\tCREATED AT\tDIRECTION\tAMOUNT\t[^\n]*$/)

  const session = ['streams', 'session', '--merchant', 'Shop', '--card-file', file]
  expect((await s.answer(...session)).session_id).toMatch(/^ses_/)
  const address = `0x${'11'.repeat(20)}`
  const withdraw = ['treasury', 'withdraw', '--amount', '2.5', '--to-address', address]
  const once = await s.answer(...withdraw, '--idempotency-key', 'a-key')
  const again = await s.answer(...withdraw, '--idempotency-key', 'a-key')
  expect(again).toEqual(once)
  expect((await s.answer('treasury', 'withdrawals')).withdrawals).toHaveLength(1)
})

test('a secret of an answer goes to a 0600 file, and a body comes from a file', async () => {
  await using s = await stage()
  const saved = join(s.here.folder, 'key.json')
  const body = join(s.here.folder, 'body.json')
  await writeFile(body, JSON.stringify({ name: 'till', scopes: ['cards:read'] }))
  const restrict = ['keys', 'restrict', '--name', 'till', '--scopes', 'cards:read']
  const made = await s.here.run(...restrict, '--save', saved)
  expect(made).toEqual({ code: 0, out: `The answer is in ${saved}.`, error: '' })
  expect((await stat(saved)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(saved, 'utf8')).api_key).toMatch(/^purser_/)
  const again = await s.here.run(...restrict, '--save', saved)
  expect(again).toMatchObject({ code: 1, error: `${saved} exists already; name another file.` })
  const posted = await s.answer('api', 'POST', '/api/keys/restricted', '--body', `@${body}`)
  expect(posted.api_key).toMatch(/^purser_/)
})

test('a refusal is one sentence and exit code 1, and bad words are refused before anything is sent', async () => {
  await using s = await stage()
  const other = await s.here.run('payments', 'show', 'stl_01jz9q4m7k5cab456c9eb9d4b7')
  expect(other.code).toBe(1)
  expect(other.error).toMatch(/^.+ \(not_found, req_\w+\)$/)
  for (const [words, sentence] of [
    [['payments', 'list', '--status', 'X'], /^--status must be one of PENDING, /],
    [['payments', 'list', '--limit', '1e3'], /^--limit must be a whole number\.$/],
    [['api', 'GET', 'https://elsewhere.example/'], /^The path must begin with one \//],
    [['api', 'GET', '//elsewhere.example/'], /^The path must begin with one \//],
    [['api', 'EAT', '/api/cards'], /^The method must be one of /],
    [['links', 'pay', 'PL_X', '--body', '{"secret'], /^--body must be JSON\.$/],
    [['x402', 'verify', '--body', '[]'], /^--body must be a JSON object\.$/],
  ] as const) {
    const { code, out, error } = await s.here.run(...words)
    expect({ code, out }, words.join(' ')).toEqual({ code: 1, out: '' })
    expect(error, words.join(' ')).toMatch(sentence)
  }
})

test('a list has the columns that are named, says how to go on, and ends where it is asked to', async () => {
  await using s = await stage()
  for (const purpose of ['First', 'Second'])
    await s.answer('cards', 'issue', '--purpose', purpose, '--limit', '1')
  const page = await s.here.run('cards', 'list', '--columns', 'Purpose,limit', '--limit', '1')
  expect(page).toMatchObject({ code: 0, out: 'PURPOSE\tLIMIT\nSecond\t1 USDC' })
  const [, after = ''] = /^There are more: --after (card_\w+)$/.exec(page.error) ?? []
  const rest = await s.here.run('cards', 'list', '--columns', 'purpose', '--after', after)
  expect(rest).toEqual({ code: 0, out: 'PURPOSE\nFirst', error: '' })
  expect((await s.here.run('cards', 'list', '--columns', 'purpos')).code).toBe(2)

  const events = await s.here.run('events', '--type', 'card.issued', '--limit', '1')
  expect(events.out).toMatch(/^\S+\tcard\.issued\tevt_\w+\t.*purpose=First[^\n]*$/)
  expect((await s.here.run('events', '--limit', '3', '--follow')).out.split('\n')).toHaveLength(3)
  for (const until of ['--until', '--before']) {
    const none = ['payments', 'list', until, '2026-01-01', '--columns', 'id']
    expect((await s.here.run(...none)).out, until).toBe('ID')
    expect((await s.here.run('payments', 'list', until, 'yesterday')).code, until).toBe(2)
  }
  const few = await s.here.run('cards', 'issue', '--purpose', 'x', '--limit', '0.0000001')
  expect(few.error).toMatch(/^--limit .*\(\w+, req_\w+\)$/)
})

test('a public operation needs no key, and any path of the service can be asked for', async () => {
  await using s = await stage()
  const { cards } = await s.answer('api', 'GET', '/api/cards?status=ACTIVE&limit=1')
  expect(cards).toEqual([])
  await using stranger = await terminal({ PURSER_BASE_URL: s.baseUrl })
  expect((await stranger.run('status')).code).toBe(0)
  expect((await stranger.run('service', 'llms')).out).toContain('Purser')
  expect((await stranger.run('payments', 'list')).error).toMatch(/^No API key is given: /)
})

test('rules are tried in shadow and on the past, with tables for people', async () => {
  await using s = await stage()
  const file = join(s.here.folder, 'card.json')
  const issue = ['cards', 'issue', '--limit', '9', '--save']
  const { card } = await s.answer(...issue, file, '--purpose', 'Research')
  const shop = await s.answer('cards', 'issue', '--purpose', 'Shop', '--limit', '1')
  const { draft } = await s.answer('cards', 'draft', 'set', card.id, '--daily-limit', '3')
  expect(draft).toMatchObject({ rules: { daily_limit: 3 }, changed: [] })
  const order = { card_id: shop.card.id, amount: 2, type: 'RECURRING', max_uses: 0 }
  const { code } = await s.answer('api', 'POST', '/api/paylinks', '--body', JSON.stringify(order))
  const pay = ['links', 'settle', code, '--protocol', 'card', '--card-file', file]
  await s.answer(...pay)
  await s.answer(...pay)
  const [{ id: paid }] = (await s.answer('payments', 'list', '--direction', 'sent')).payments
  // The transaction_id of an answer looks a payment up, by either name of the command.
  for (const word of ['payment', 'payments'])
    expect((await s.here.run(word, 'show', paid)).out, word).toContain(paid)

  const shown = (await s.here.run('cards', 'draft', 'show', card.id)).out
  expect(shown).toMatch(/^daily limit\t3$/m)
  expect(shown).toMatch(/^Both allow\t1 payment, 2 USDC$/m)
  expect(shown).toMatch(/^Newly declined\t1 payment, 2 USDC$/m)
  expect(shown).toContain('daily_limit_exceeded')
  const words = ['cards', 'backtest', card.id, '--daily-limit', '1', '--merchants', code]
  const tested = (await s.here.run(...words)).out
  expect(tested).toMatch(/^allowed merchants\tPL_\w+$/m)
  expect(tested).toMatch(/^Newly declined\t2 payments, 4 USDC$/m)
  expect(tested).toMatch(/^daily_limit_exceeded\t\d{4}-\d\d-\d\d\t2\t4 USDC$/m)
  expect((await s.answer('cards', 'backtest', card.id, '--draft')).newly_declined).toEqual({
    ...{ payments: 1, amount: 2 },
  })
  const same = (await s.here.run('cards', 'backtest', card.id, '--daily-limit', 'none')).out
  expect(same).toContain('They would have decided every payment as it was decided.')

  const applied = await s.answer('cards', 'draft', 'apply', card.id)
  expect(applied.card.daily_limit).toBe(3)
  expect((await s.here.run('cards', 'draft', 'show', card.id)).out).toMatch(
    /^The card has no draft/,
  )
  await s.answer('cards', 'draft', 'drop', card.id)
})

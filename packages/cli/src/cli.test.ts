import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BIN, standIn } from '../test/stand-in.ts'
import { fromUnits, toUnits } from './demo/units.ts'
import { createProgram } from './main.ts'
import { printable } from './output.ts'
import { table } from './table.ts'

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

test('every command has --json and a help with an example, and none takes a secret as an option', () => {
  const commands = leaves(createProgram())
  expect(commands.length).toBeGreaterThan(20)
  for (const command of commands) {
    let help = ''
    command
      .configureOutput({
        writeOut: (text) => {
          help += text
        },
      })
      .outputHelp()
    expect(help, command.name()).toContain('Example:\n  ')
    const [, example = ''] = /Example:\n.*?purser (.*)/.exec(help) ?? []
    expect(faultsOf(example.split(' ')), example).toEqual([])
    const names = command.options.map((option) => option.long)
    expect(names, command.name()).toContain('--json')
    // A word alone, such as --secret-lost, gives none away.
    for (const { long, flags } of command.options)
      if (/[<[]/.test(flags)) expect(long).not.toMatch(/^--(api-)?key$|token|secret|private/)
  }
})

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PAGES = globSync(['*.md', 'docs/{*,*/*}.md', '{examples,packages/*}/README.md'], {
  cwd: ROOT,
})

/** The faults of a command's words: there is no such command, or it does not take an option. */
function faultsOf(words: readonly string[]): string[] {
  let at: Command = createProgram()
  const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0])
  for (const word of words) {
    const below = at.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (!below) break
    at = below
  }
  if (at.parent === null) return [`there is no command ${words[0]}`]
  const longs = leaves(at).flatMap(({ options }) => options.map(({ flags: all }) => all))
  const known = ['--help', '--version', ...longs.flatMap((all) => all.split(/[ ,]+/))]
  return flags.filter((flag) => !known.includes(flag ?? '')).map((flag) => `it takes no ${flag}`)
}

test('every command in a page or in an example of the help is one, and takes the options that are shown', () => {
  const pages = PAGES.filter((path) => !/node_modules|dist\/|decisions|CHANGELOG/.test(path))
  const shown = pages.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /npx purser ([a-z][^`\n|;)&>]*(?:\\\n[^`\n|;)&>]*)*)/g,
      ),
    ].map(([, line = '']) => [path, line] as const),
  )
  const faults = shown.flatMap(([path, line]) =>
    faultsOf(
      (line.split('$(')[0] ?? '')
        .replaceAll(/"[^"]*"?|'[^']*'?/g, '…')
        .trim()
        .split(/[\s\\]+/),
    ).map((fault) => `${path}: npx purser ${line}: ${fault}`),
  )
  expect(faults).toEqual([])
  expect(shown.length).toBeGreaterThan(60)
})

test('without anything else the local service and its demo wallet are used', async () => {
  await using w = await standIn()
  await w.writeDevFile()
  const { code, stdout, stderr } = await w.purser(['balance'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('12.5')
  expect(w.seen[0]).toMatchObject({ url: '/api/balance' })
  expect(w.seen[0]!.headers.authorization).toBe('Bearer purser_test_demo')
})

test("the demo wallet's key goes to no other service", async () => {
  await using w = await standIn()
  await w.writeDevFile('http://127.0.0.1:1')
  const { code, stderr } = await w.purser(['balance', '--base-url', w.baseUrl])
  expect(code).toBe(1)
  expect(stderr).toBe(
    'No API key is given: sign in with `npx purser login`, set PURSER_API_KEY, or name a file that holds it with --key-file.\n',
  )
  expect(w.seen).toEqual([])
})

test('the key comes from the environment, or from a file that only its owner may read', async () => {
  await using w = await standIn()
  const keyFile = join(w.folder, 'key')
  await writeFile(keyFile, 'purser_test_file\n', { mode: 0o600 })
  const env = { PURSER_BASE_URL: w.baseUrl }

  await w.purser(['balance'], { ...env, PURSER_API_KEY: 'purser_test_env' })
  await w.purser(['balance', '--key-file', keyFile], env)
  await chmod(keyFile, 0o640)
  const open = await w.purser(['balance', '--key-file', keyFile], env)

  expect(w.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer purser_test_env',
    'Bearer purser_test_file',
  ])
  expect(open.code).toBe(1)
  expect(open.stderr).toBe(
    `${keyFile} may be read by others: run \`chmod 600 ${keyFile}\` first.\n`,
  )
})

test('a refusal is one sentence on stderr and exit code 1, and with --json an object on stdout', async () => {
  const body = {
    error: 'Not enough.',
    code: 'insufficient_balance',
    request_id: 'req_1',
    available: 1,
  }
  await using w = await standIn({ status: 403, body })
  await w.writeDevFile()
  const { code, stdout, stderr } = await w.purser(['balance', '--json'])
  expect(code).toBe(1)
  expect(stderr).toBe('Not enough. (insufficient_balance, req_1)\n')
  expect(JSON.parse(stdout)).toEqual(body)
})

test('an answer that nobody foresaw is one sentence, too, and its place for those who ask', async () => {
  await using w = await standIn({ status: 200, body: { cards: [null], has_more: false } })
  await w.writeDevFile()
  const { code, stdout, stderr } = await w.purser(['cards', 'list'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The command failed in a way that it should not: .*\(NODE_DEBUG=.*\)\n$/)
  const asked = await w.purser(['cards', 'list'], { NODE_DEBUG: 'purser' })
  expect(asked.stderr).toContain('cards.ts')
})

test('wrong usage is exit code 2, a service that is not there 1', async () => {
  await using w = await standIn()
  const usage = await w.purser(['cards', 'issue'])
  expect(usage).toMatchObject({ code: 2, stdout: '' })
  expect(usage.stderr).toContain('--purpose')
  const gone = await w.purser(['balance', '--base-url', 'http://127.0.0.1:1'], {
    PURSER_API_KEY: 'k',
  })
  expect(gone).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'http://127.0.0.1:1 could not be reached. Check the base URL, and that the service runs.\n',
  })
})

test('a saved card stays out of the output, in a file of its own, and pays from there', async () => {
  const card = { id: 'card_1', token: 'tok_secret', balance: 5, funding_asset: 'USDC' }
  await using w = await standIn({ status: 200, body: { success: true, card, outcome: 'paid' } })
  await w.writeDevFile()
  const file = join(w.folder, 'card.json')
  const args = ['cards', 'issue', '--purpose', 'x', '--limit', '5', '--save', file]

  const issued = await w.purser([...args, '--json'])
  const again = await w.purser(args)
  const paid = await w.purser(['pay', 'https://x.test/', '--card-file', file])

  expect(issued.code).toBe(0)
  expect(issued.stdout).not.toContain('tok_secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(again).toMatchObject({ code: 1, stderr: `${file} exists already; name another file.\n` })
  expect(paid.code).toBe(0)
  // The second card was never asked for: its token would have had nowhere to go.
  expect(w.seen.map(({ url }) => url)).toEqual(['/api/issue', '/api/pay'])
})

test('a secret file is gone again where nothing came to be kept in it', async () => {
  await using w = await standIn({ status: 403, body: { error: 'No.', code: 'forbidden_scope' } })
  await w.writeDevFile()
  const file = join(w.folder, 'new.key')
  const { code } = await w.purser(['keys', 'generate', '--save', file])
  expect(code).toBe(1)
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

test('a payment whose outcome is not known exits with 3 and says not to pay again', async () => {
  const body = { success: false, code: 'outcome_unknown', transaction_id: 'txn_1', token: 'USDC' }
  await using w = await standIn({ status: 202, body })
  await w.writeDevFile()
  const env = { PURSER_CARD_TOKEN: 'tok_1' }
  const { code, stderr } = await w.purser(['pay', 'https://x.test/', '--card', 'card_1'], env)
  expect(code).toBe(3)
  expect(stderr).toContain('do not pay again')
})

const served = { status: 200, headers: {}, body: 'goods', body_encoding: 'text' }
const failed = { ...served, status: 500, body: 'sorry' }

test.each([
  ['paid', 200, { outcome: 'paid', response: served }, 0, ''],
  ['free', 200, { outcome: 'free', response: served }, 0, 'asked for no payment'],
  ['not charged', 200, { outcome: 'not_charged', response: failed }, 1, 'answered 500'],
  ['given back', 422, { code: 'payment_rejected', error: 'It is back.' }, 1, 'It is back.'],
  [
    'served, and never taken',
    422,
    { code: 'payment_rejected', error: 'It is back.', response: served },
    0,
    'It is back.',
  ],
  ['a seller that failed', 200, { outcome: 'seller_failed', response: failed }, 4, 'txn_1'],
  ['served and pending', 200, { outcome: 'unknown', response: served }, 0, 'do not pay again'],
  ['unknown', 202, { outcome: 'unknown', response: null }, 3, 'do not pay again'],
  ['an answer that does not say', 200, { response: null }, 3, 'do not pay again'],
] as const)('pay says what became of the money: %s', async (_, status, body, ...wanted) => {
  const [exit, note] = wanted
  const base = { success: true, transaction_id: 'txn_1', amount_debited: 1, token: 'USDC' }
  await using w = await standIn({ status, body: { ...base, ...body } })
  await w.writeDevFile()
  const env = { PURSER_CARD_TOKEN: 'tok_1' }
  const { code, stdout, stderr } = await w.purser(['pay', 'https://x.test/', '--card', 'c'], env)
  expect(code).toBe(exit)
  expect(stderr).toContain(note)
  expect(stdout.startsWith('Paid')).toBe('outcome' in body && body.outcome === 'paid')
  if ('response' in body && body.response?.status === 200) expect(stdout).toContain('goods')
})

test('pay asks by GET unless there is a body, names why each offer was refused, and simulates in words', async () => {
  const offers = [{ protocol: 'x402', reason: 'other_asset', detail: 'Ask for USDC.', offer: {} }]
  const refusal = { error: 'None.', code: 'no_payable_option', challenge: { offers } }
  await using w = await standIn(
    { status: 422, body: refusal },
    { status: 200, body: { outcome: 'free', response: served } },
    {
      status: 200,
      body: {
        allowed: false,
        rule: 'card_frozen',
        message: 'The card is frozen.',
        passes_at: null,
        amount: 1.005,
        platform_fee: 0.005,
        protocol: 'x402',
        ...{ merchant_amount: 1, counters: {}, offer: null },
      },
    },
  )
  await w.writeDevFile()
  const env = { PURSER_CARD_TOKEN: 'tok_1' }
  const pay = (...more: string[]) =>
    w.purser(['pay', 'https://x.test/', '--card', 'c', ...more], env)

  const refused = await pay()
  await pay('--data', 'x')
  const simulated = await pay('--simulate')

  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^- x402: Ask for USDC\. \(other_asset\)\nNone\./)
  expect(simulated.code).toBe(1)
  expect(simulated.stdout).toBe(
    'The card would not pay 1.005 USDC by x402, of it 0.005 fee: The card is frozen. (card_frozen)\n',
  )
  const methods = w.seen.map(({ body }) => JSON.parse(body).method)
  expect(methods).toEqual(['GET', 'POST', 'GET'])
})

test("a token is registered on the service's own network, and the findings are printed", async () => {
  const found = { finding: 'yes', found_by: 'It answers paused()' }
  const token = { id: 'tkn_1', symbol: 'X\u001b[2J', decimals: 18, safety: { pausable: found } }
  const protocols = { x402: { networks: ['eip155:84532'] } }
  const words = { platform: 'purser', version: '1', api_version: '1', model: 'x' }
  const parts = { card_controls: {}, health: {}, chain: {}, queues: {} }
  await using w = await standIn({ status: 200, body: { ...words, ...parts, protocols, token } })
  await w.writeDevFile()
  const { code, stdout } = await w.purser(['tokens', 'add', '0x1'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^token\ttkn_1\nsymbol\tX\[2J\n[\s\S]*pausable\tyes: It answers paused\(\)\n$/,
  )
  expect(w.seen.map(({ url }) => url)).toEqual(['/api/status', '/api/tokens'])
})

test('what a peer sends cannot steer the terminal', () => {
  expect(printable('a\u001b[2Jb\u009bc\td')).toBe('a[2Jbc\td')
  const text = table([{ memo: 'x\u001b]0;y\ny' }], [['MEMO', (row) => row.memo]], {
    none: 'none',
  })
  expect(text).toBe('MEMO\nx]0;y y')
  expect(printable('paid \u202e05.21\u202c\u2066\u200f\u200b\ufeff\u{e0041} USDC')).toBe(
    'paid 05.21 USDC',
  )
  // Persian and families of emoji need their joiners.
  for (const kept of ['می\u200cخواهم', '👩\u200d👧', 'שלום', 'مرحبا'])
    expect(printable(kept)).toBe(kept)
})

test('base units and decimals are two spellings of one amount', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (units) => {
      expect(toUnits(fromUnits(units))).toBe(units)
      expect(toUnits(Number(fromUnits(units)))).toBe(units)
    }),
  )
  expect(() => toUnits('0.0000001')).toThrow('not an amount')
  expect(() => toUnits('1e3')).toThrow('not an amount')
})

test('links list --json leaves the QR codes out unless they are asked for', async () => {
  const link = {
    id: 'pl_1',
    code: 'PL_1',
    status: 'ACTIVE',
    uses: 0,
    max_uses: 1,
    qr_svg: '<svg/>',
  }
  await using w = await standIn({ status: 200, body: { links: [link], has_more: false } })
  const env = { PURSER_BASE_URL: w.baseUrl, PURSER_API_KEY: 'purser_test_x' }
  const listed = async (...more: string[]) => {
    const { code, stdout, stderr } = await w.purser(['links', 'list', '--json', ...more], env)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const { qr_svg: _, ...plain } = link
  expect(await listed()).toEqual({ links: [plain], has_more: false })
  expect(await listed('--qr')).toEqual({ links: [link], has_more: false })
})

test('what was compiled is kept in the own folder, and a folder that cannot be is passed over', async () => {
  await using w = await standIn()
  const version = (home: string) =>
    promisify(execFile)(process.execPath, [BIN, '--version'], {
      env: { PATH: process.env.PATH, HOME: home },
      timeout: 600_000,
    })
  const first = await version(w.folder)
  expect(await readdir(join(w.folder, '.cache', 'purser'))).toHaveLength(1)
  // Node looks for ever for a folder below /proc.
  for (const home of [w.folder, '/proc', '/dev/null']) expect(await version(home)).toEqual(first)
})

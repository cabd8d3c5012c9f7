import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { expect, test, vi } from 'vitest'
import openapi from '../../../../openapi.json' with { type: 'json' }
import { recorder } from '../../test/recorder.ts'
import { stubTerminal, terminal } from '../../test/terminal.ts'
import { createProgram } from '../main.ts'
import { OPERATIONS } from './document.ts'
import { LINES } from './lines.ts'

/** Commands that ask no operation, or start programs of their own: their tests stand elsewhere. */
const ELSEWHERE =
  /^(demo|start|migrate|verify|anchor|alarms|payouts|signing-keys|merchants|fees|plans|identities|sales|settings|secret|doctor|trigger|verify-proof|verify-evidence|api|crt send|profiles|completion|open|logs|backup|restore|retention|mcp)\b/
/** Commands that ask for something else with other words. */
const VARIANTS: Record<string, (argv: string[]) => string[]> = {
  pay: (argv) => [...argv, '--simulate'],
  events: (argv) => [...argv, '--follow'],
  'crt show': () => ['crt', 'show', 'card_1'],
  'market prepare': () => ['market', 'prepare', 'card_1', '--price', '1'],
}
/** A line for each event, for people and programs. */
const LINES_OF_EVENTS = /^(events|listen)\b/
const ARGUMENTS: Record<string, string> = {
  what: 'payments',
  amount: '1.5',
  url: 'https://shop.example/a',
  'card-or-listing': 'lst_1',
  file: 'FILE',
}
/** A private key that Ethereum's own tests use. */
const KEY = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'

type Leaf = { words: string; command: Command }
const leavesOf = (command: Command, before: string[] = []): Leaf[] =>
  command.commands.flatMap((child) => {
    const words = [...before, child.name()]
    return child.commands.length > 0
      ? leavesOf(child, words)
      : [{ words: words.join(' '), command: child }]
  })

function sampleFor({ flags, description, long }: Option): string[] {
  const value = /<(.+?)>/.exec(flags)?.[1]
  if (value === undefined) return []
  if (/file/.test(value)) return ['WALLET']
  if (value === 'json') return ['{"a":1}']
  if (value === 'header...') return ['a: b']
  if (/time/.test(value) || /since|until/.test(long ?? '')) return ['2026-11-26T20:00:00Z']
  if (/^(n|hours|amount|usdc)$/.test(value)) return ['1']
  return [/one of (\w+)/.exec(description)?.[1] ?? 'x']
}

/** Names that a command sends by itself, whatever a person types. */
const ITS_OWN: Record<string, string[]> = {
  'cards backtest': ['controls'],
  export: ['limit'],
  'webhooks enable': ['status'],
}

/** Options that say where to ask or what to show, not what to ask for; and a whole body, which has others' names. */
const NOT_SENT =
  /^--(json|columns|base-url|key-file|profile|idempotency-key|save|output|follow|on-chain|signature|keystore|wallet-file|passphrase-file|wait|payment|body|card|card-file|simulate|draft|qr)$/

const isNeeded = ({ mandatory, long }: Option): boolean => mandatory || long === '--wallet-file'
const isSent = (option: Option): boolean => isNeeded(option) || !NOT_SENT.test(option.long ?? '')

/** The words that run a command with the options that `isGiven` picks. */
function argvOf({ words, command }: Leaf, isGiven: (option: Option) => boolean): string[] {
  const args = command.registeredArguments.map((one) => ARGUMENTS[one.name()] ?? 'x_1')
  const options = command.options
    .filter(isGiven)
    .flatMap((option) => [option.long ?? '', ...sampleFor(option)])
  const hasCard = command.options.some(({ long }) => long === '--card-file')
  return [...words.split(' '), ...args, ...options, ...(hasCard ? ['--card', 'card_1'] : [])]
}

async function stage(how: { refuses?: boolean } = {}) {
  const service = await recorder(how)
  const here = await terminal({
    PURSER_BASE_URL: service.baseUrl,
    PURSER_API_KEY: 'purser_test_x',
    PURSER_CARD_TOKEN: 'tok_x',
  })
  const wallet = join(here.folder, 'wallet')
  await writeFile(wallet, KEY, { mode: 0o600 })
  const run = async (argv: string[]) => {
    service.seen.length = 0
    service.faulted.length = 0
    const ran = await here.run(...argv.map((word) => (word === 'WALLET' ? wallet : word)))
    return { ...ran, asked: [...service.seen], faulted: [...service.faulted] }
  }
  return {
    run,
    /** As for a person, in a terminal of 60 columns. */
    async look(argv: string[]) {
      vi.stubEnv('COLUMNS', '60')
      const restore = stubTerminal(true)
      const ran = await run(argv)
      restore()
      vi.stubEnv('COLUMNS', undefined)
      return ran
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await here[Symbol.asyncDispose]()
    },
  }
}

/** A sentence is broken by the terminal, and a value that fits no line is copied whole. */
const isTooWide = (line: string): boolean =>
  line.length > 60 && / {2}\S/.test(line.trim()) && !/\S{59}/.test(line)

const NAMES = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

const LEAVES = leavesOf(createProgram()).filter(({ words }) => !ELSEWHERE.test(words))

test('every operation has a command that asks for it, in 60 columns for people, in tabs for a pipe, in JSON for programs', async () => {
  await using s = await stage()
  const asked = new Set<string>()
  const faults: string[] = []
  for (const leaf of LEAVES) {
    const argv = argvOf(leaf, isNeeded)
    const variant = VARIANTS[leaf.words]?.(argv)
    for (const words of [argv, ...(variant ? [variant] : [])]) {
      const said = words.join(' ')
      const people = await s.look(words)
      for (const one of people.asked) asked.add(one)
      if (people.code !== 0) faults.push(`${said}: ${people.code} ${people.error}`)
      for (const line of people.out.split('\n'))
        if (!LINES_OF_EVENTS.test(said) && isTooWide(line))
          faults.push(`${said}: ${line.length} columns: ${line}`)
      if (leaf.command.options.some(({ long }) => long === '--columns')) {
        const [head = '', ...rows] = (await s.run(words)).out.split('\n')
        const isEven = rows.every((row) => row.split('\t').length === head.split('\t').length)
        if (!isEven || rows.length < 1) faults.push(`${said}: not a line a row: ${rows[0]}`)
      } else if (/^(\S+ +){3}\S+\n.+\n.+$/.test(people.out))
        faults.push(`${said} prints a table, and takes no --columns`)
      const program = await s.run([...words, '--json'])
      const values = program.out === '' ? [] : program.out.split(/\n(?=\{)/)
      try {
        for (const value of values) JSON.parse(value)
      } catch {
        faults.push(`${said} --json: ${program.out.slice(0, 200)}`)
      }
    }
  }
  const missing = NAMES.filter((name) => !asked.has(name)).map(
    (name) => `${name} has no command: add a line to packages/cli/src/operations/lines.ts`,
  )
  expect([...missing, ...faults]).toEqual([])
})

// A person who typed --limit looks in vain for limit_amount.
test('a refusal names what was typed, in every command, and JSON has the words of the service', async () => {
  await using s = await stage({ refuses: true })
  const faults: string[] = []
  let count = 0
  for (const leaf of LEAVES) {
    const argv = argvOf(leaf, isSent)
    const { error, faulted } = await s.run(argv)
    count += faulted.length
    const words = error.replaceAll(/--[\w-]+|<[\w-]+>/g, '')
    const typed = faulted.filter((name) => !ITS_OWN[leaf.words]?.includes(name))
    const left = typed.filter((name) => new RegExp(`\\b${name}\\b`).test(words))
    if (left.length > 0) faults.push(`${argv.join(' ')}: ${left.join(', ')} in "${error}"`)
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(300)
  const order = ['cards', 'issue', '--purpose', 'x', '--limit', '1', '--json']
  expect(JSON.parse((await s.run(order)).out).error).toContain('limit_amount must be another.')
})

test('each line names an operation that there is, and no two lines make one command', () => {
  expect(Object.keys(LINES).filter((name) => !NAMES.includes(name))).toEqual([])
  const words = Object.values(LINES)
  expect(words.filter((one, i) => words.indexOf(one) !== i)).toEqual([])
})

test('the table of operations is that of openapi.json', () => {
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(NAMES.toSorted())
})

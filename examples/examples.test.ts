import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createPurser, type Purser } from '@purser/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  livedPlace,
  PASSED_ON,
  type Program,
  readDev,
  run,
  stopPrograms,
} from '../packages/service/test/actors/program.ts'

/** Far more than a start takes on an idle machine. */
const START_MS = 900_000
const TEST_MS = 900_000
const FOLDER = new URL('.', import.meta.url)

let env: Record<string, string>
let purser: Purser
const sellers: ChildProcess[] = []

beforeAll(async () => {
  env = await livedPlace()
  await isServing(run([], env))
  const dev = await readDev(env)
  purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
}, START_MS)
afterEach(() => {
  for (const seller of sellers.splice(0)) seller.kill()
})
afterAll(stopPrograms, START_MS)

async function isServing(service: Program): Promise<void> {
  while (service.child.exitCode === null)
    try {
      return await service.says('Stop         Ctrl-C')
    } catch (error) {
      if (service.child.exitCode !== null) throw error
    }
}

/** Runs the example as its first lines say, in the environment of the service. */
const start = (file: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL(file, FOLDER)), ...args], {
    env: { ...PASSED_ON, PURSER_DATA_DIR: env.PURSER_DATA_DIR, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Starts a seller on its own port. Returns the URL that it prints. */
async function open(file: string): Promise<string> {
  const seller = start(file)
  sellers.push(seller)
  const complaints = text(seller.stderr!)
  const line = once(createInterface({ input: seller.stdout! }), 'line')
  const failed = once(seller, 'exit').then(async () => {
    throw new Error(`${file} ended:\n${await complaints}`)
  })
  const [url] = await Promise.race([line, failed])
  failed.catch(() => undefined)
  return String(url)
}

/** Runs an agent to its end. Returns its output. */
async function finish(file: string, ...args: string[]): Promise<string> {
  const agent = start(file, ...args)
  const [said, complaints, [code]] = await Promise.all([
    text(agent.stdout!),
    text(agent.stderr!),
    once(agent, 'exit'),
  ])
  expect([code, complaints]).toEqual([0, ''])
  return said
}

async function settledHere(): Promise<number> {
  const { settlements } = await purser.GET('/api/x402/settlements')
  return settlements.filter(({ status }) => status === 'completed').length
}

test('an agent buys from a seller of x402 that our facilitator settles for', {
  timeout: TEST_MS,
}, async () => {
  const before = await settledHere()
  const said = await finish('agent.ts', await open('x402-seller.ts'))
  expect(said).toBe("{ report: 'All is well.' }\npaid by x402: 0.01005 USDC\n")
  expect(await settledHere()).toBe(before + 1)
})

test('the same agent buys from a seller of MPP', { timeout: TEST_MS }, async () => {
  const before = await settledHere()
  const said = await finish('agent.ts', await open('mpp-seller.ts'), 'mpp')
  expect(said).toBe("{ report: 'All is well.' }\npaid by mpp: 0.01005 USDC\n")
  expect(await settledHere()).toBe(before + 1)
})

test('the same agent buys behind our own paywall, by its card and on chain', {
  timeout: TEST_MS,
}, async () => {
  const url = await open('paywall-express.ts')
  const said = await finish('agent.ts', url)
  expect(said).toBe("{ report: 'All is well.' }\npaid by mpp: 0.01 USDC\n")
  const unpaid = await fetch(url)
  const { ways } = (await unpaid.json()) as { ways: { protocol: string }[] }
  expect([unpaid.status, new Set(ways.map(({ protocol }) => protocol))]).toEqual([
    402,
    new Set(['x402', 'mpp', 'card']),
  ])
})

test('an agent calls a paid MCP tool and pays with its card', { timeout: TEST_MS }, async () => {
  const before = await settledHere()
  const said = await finish('mcp-agent.ts', await open('mcp-seller.ts'))
  expect(said).toContain('Tomorrow in Reykjavik: clear, 4 °C')
  expect(said).toContain('success: true')
  expect(said).toContain('SETTLED: 0.01005 USDC')
  expect(await settledHere()).toBe(before + 1)
})

test('an agent asks another over A2A and pays with its card', { timeout: TEST_MS }, async () => {
  const before = await settledHere()
  const said = await finish('a2a-agent.ts', await open('a2a-seller.ts'))
  expect(said).toContain('Tomorrow in Reykjavik: clear, 4 °C')
  expect(said).toContain('payment-completed')
  expect(said).toContain('SETTLED: 0.01005 USDC')
  expect(await settledHere()).toBe(before + 1)
})

test('a business earns by three protocols, is sold, and its new owner launches a token that vests', {
  timeout: TEST_MS,
}, async () => {
  const said = await finish('credential-business.ts')
  for (const line of [
    'Paid by x402: 200 by MPP: 200 by AP2: SETTLED',
    'It earned 1.5 USDC by 3 protocols from 3 payers.',
    'Bought: it is SOLD, and the card holds 6.4925 USDC.',
    "The seller's old token: not_found",
    'WTHR is live, and 20 % of it vest: http://127.0.0.1:',
    'Somebody bought for 100 USDC: the pool holds 98.99',
    '  vesting: 200000 WTHR',
    '"symbol":"WTHR","status":"VESTED"',
  ])
    expect(said).toContain(line)
})

test('every example says how it is run, and stands in the list', () => {
  const list = readFileSync(new URL('README.md', FOLDER), 'utf8')
  const files = readdirSync(FOLDER).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'dev.ts',
  )
  for (const file of files) {
    expect(list).toContain(`](${file})`)
    const [, second] = readFileSync(new URL(file, FOLDER), 'utf8').split('\n')
    expect(second, file).toContain(`npx node examples/${file}`)
  }
})

test('a receiver verifies what it is sent, and takes an event that comes twice once', {
  timeout: TEST_MS,
}, async () => {
  const receiver = start('webhook-receiver.ts')
  sellers.push(receiver)
  const lines = createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value).split(' ')
  const [url = '', id = ''] = await next()
  const test = await purser.POST('/api/webhooks/{id}/test', { params: { path: { id } } })
  expect(test).toMatchObject({ ok: true, status_code: 204 })
  expect(await next()).toEqual(['webhook.test', test.event_id])
  const again = await purser.POST('/api/webhooks/deliveries/{id}/replay', {
    params: { path: { id: `${id}:${test.event_id}` } },
  })
  expect(again).toMatchObject({ ok: true, attempts: 2 })
  const forged = await fetch(url, { method: 'POST', body: '{"type":"payment.settled"}' })
  expect(forged.status).toBe(400)
  await purser.issueCard({ purpose: 'An event', limit_amount: '1' })
  expect((await next())[0]).toBe('card.issued')
})

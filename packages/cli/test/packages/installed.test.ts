import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentOf, ERAS, type Era, overStdio, use } from '../../../mcp/test/clients.ts'
import { payByX402 } from '../../../paywall/test/payers.ts'
import { listen, openStage, type Stage } from '../../../paywall/test/stage.ts'
import { issue } from '../../../service/test/actors/attack-kit.ts'
import { payByCard } from '../../../service/test/actors/mpp-payers.ts'
import { until } from '../../../service/test/until.ts'
import { readGuide } from './guides.ts'
import { type Installed, installPacked, NODES, type Node } from './install.ts'
import { openOn, RUNTIME_PACKAGES, RUNTIMES } from './runtimes.ts'
import { moveIn, type Stranger } from './stranger.ts'

const exec = promisify(execFile)
const TSC = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))

let stage: Stage
let installed: Installed
let stranger: Stranger
const GUIDES = {
  sdk: readGuide('sdk'),
  mcp: readGuide('mcp'),
  paywall: readGuide('paywall'),
  cli: readGuide('cli'),
}
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  stage = stack.use(await openStage())
  const types = ['@types/express@5.0.6', '@types/node@24.19.2']
  const client = '@modelcontextprotocol/client@2.4.0'
  installed = stack.use(
    await installPacked(['express@5.3.0', client, ...types, ...RUNTIME_PACKAGES]),
  )
  const { sdk, mcp, paywall } = GUIDES
  const shown = [...sdk.programs, ...mcp.programs].map((program, i) => [`shown${i}.mts`, program])
  const ours = {
    'client.mts': CLIENT,
    'counter.mts': SHOP,
    'customer.mts': BUY,
    'tools.mts': TOOLS,
  }
  const weather = `${WEATHER}${paywall.calls[0]})`
  const theirs = {
    'weather.mts': weather,
    'buy.mts': sdk.programs[0]!,
    'shop.mts': paywall.programs[0]!,
  }
  await compile('nodenext', { ...ours, ...theirs, ...Object.fromEntries(shown) })
  await compile('node16', { 'common.ts': COMMON })
  await compile('commonjs', { 'common.ts': COMMON })
  stranger = stack.use(await moveIn(installed))
})
afterAll(() => stack.disposeAsync())

/** Lists cards, and asks for one that there is not. */
const CLIENT = `
import { createApiKey, createPurser, PurserError, type Card, type PayOutcome } from '@purser/sdk'
const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const purser = createPurser({ baseUrl, apiKey })
const show = (outcome: PayOutcome): string => outcome.outcome
const cards: Card[] = []
for await (const card of purser.cards.list()) cards.push(card)
const refused: string = await purser.cards.get('card_x').then(
  () => 'found',
  (error: unknown) => (error instanceof PurserError ? error.code : String(error)),
)
console.log(JSON.stringify({ cards: cards.length, refused, kinds: [typeof createApiKey, typeof show] }))
`

/** A priced route of Express; prints its URL. */
const SHOP = `
import type { AddressInfo } from 'node:net'
import { paywall } from '@purser/paywall/express'
import { createPurser } from '@purser/sdk'
import express from 'express'
const [baseUrl = '', apiKey = '', card = ''] = process.argv.slice(2)
const priced = paywall(createPurser({ baseUrl, apiKey }), { price: '0.01', describe: 'A report', card })
const app = express()
app.get('/report', priced, (_request, response) => void response.json({ node: process.version }))
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(\`http://127.0.0.1:\${port}/report\`)
})
`

/** Buys from the shop by \`fetch\`, and once more by \`pay\`. */
const BUY = `
import { createPurser } from '@purser/sdk'
const [baseUrl = '', apiKey = '', id = '', token = '', url = ''] = process.argv.slice(2)
const purser = createPurser({ baseUrl, apiKey })
const answer = await purser.fetch(url, { card: { id, token }, maxAmount: '0.02' })
const { outcome, response } = await purser.pay({ id, token }, { url, method: 'GET', max_amount: '0.02' })
const bodies: unknown[] = [await answer.json(), response?.body]
console.log(JSON.stringify({ outcomes: [answer.headers.get('purser-outcome'), outcome], bodies }))
`

/** The library of the MCP package, and the paywall for web standards, as far as types go. */
const TOOLS = `
import { createWalletHandler, openWallet } from '@purser/mcp'
import { paywall } from '@purser/paywall'
import { createPurser } from '@purser/sdk'
const to = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' }
export const wallet = openWallet(to)
export const make: typeof createWalletHandler = createWalletHandler
const priced = paywall(createPurser(to), { price: '0.01', describe: 'x' })
export const handle: (request: Request) => Promise<Response> | Response = priced(() => new Response('ok'))
`

/** For a project of CommonJS: a shop that buys from itself. */
const COMMON = `
import type { AddressInfo } from 'node:net'
import { openWallet } from '@purser/mcp'
import { paywall as standard } from '@purser/paywall'
import { paywall } from '@purser/paywall/express'
import { createPurser, PurserError, type Card } from '@purser/sdk'
import express = require('express')
const [baseUrl = '', apiKey = '', id = '', token = ''] = process.argv.slice(2)
const purser = createPurser({ baseUrl, apiKey })
const app = express()
app.get('/report', paywall(purser, { price: '0.01' }), (_request, response) => void response.json({ ok: true }))
const server = app.listen(0, '127.0.0.1', async () => {
  const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}/report\`
  const answer = await purser.fetch(url, { card: { id, token }, maxAmount: '0.02' })
  const refused = await purser.cards.get('card_x').catch((error: unknown) => error)
  const card: Card | undefined = undefined
  const kinds = [typeof openWallet, typeof standard, typeof card, refused instanceof PurserError]
  console.log(JSON.stringify({ body: await answer.json(), kinds }))
  server.close()
  server.closeAllConnections()
})
`

/** Serves the call of the guide that stands behind it. */
const WEATHER = `
import type { AddressInfo } from 'node:net'
import { paywall } from '@purser/paywall/express'
import { createPurser } from '@purser/sdk'
import express, { type RequestHandler } from 'express'
const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const purser = createPurser({ baseUrl, apiKey })
function serve(priced: RequestHandler) {
  const app = express()
  app.post('/weather', priced, (_request, response) => void response.json({}))
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(\`http://127.0.0.1:\${(server.address() as AddressInfo).port}/weather\`)
  })
}
serve(`

/** As a strict project of TypeScript that trusts no declaration. */
async function compile(module: string, files: Record<string, string>): Promise<void> {
  for (const [name, source] of Object.entries(files))
    await writeFile(join(installed.folder, name), source)
  const checks = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
  const form = { module, esModuleInterop: true, target: 'es2024', types: ['node'] }
  const config = { compilerOptions: { ...checks, ...form }, files: Object.keys(files) }
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = await exec(process.execPath, [TSC], { cwd: installed.folder }).catch(
    (error) => error,
  )
  if (stdout) throw new Error(stdout)
}

async function run(node: Node, ...args: string[]): Promise<any> {
  const { stdout } = await exec(installed.nodeOf(node), args, { cwd: installed.folder })
  return JSON.parse(stdout)
}

describe.each(NODES)('%s', (node) => {
  test('the SDK lists, and says what was refused', async () => {
    const said = await run(node, 'client.mjs', stage.base, stage.agent.key)
    const kinds = ['function', 'function']
    expect(said).toEqual({ cards: 1, refused: 'not_found', kinds })
  })

  test('the SDK buys from a route of Express behind the paywall', async () => {
    const args = ['counter.mjs', stage.base, stage.seller.key, stage.till.id]
    const shop = spawn(installed.nodeOf(node), args, { cwd: installed.folder })
    try {
      const complaints = text(shop.stderr)
      const ended = once(shop, 'exit').then(async () => [`it ended: ${await complaints}`])
      const [url] = await Promise.race([
        once(createInterface({ input: shop.stdout }), 'line'),
        ended,
      ])
      expect(url).toMatch(/^http/)
      const before = await stage.received()
      const { id, token } = stage.card
      const said = await run(node, 'customer.mjs', stage.base, stage.agent.key, id, token, url)
      const version = said.bodies[0].node
      expect(version.startsWith(`v${node.slice(4)}.`), version).toBe(true)
      const bodies = [{ node: version }, { node: version }]
      expect(said).toEqual({ outcomes: ['paid', 'paid'], bodies })
      expect((await stage.received()) - before).toBeCloseTo(2 * 0.00995, 6)
    } finally {
      shop.kill()
    }
  })

  test('a project of CommonJS sells and buys', async () => {
    const card = await issue(stage.seller, 1)
    const args = ['common.js', stage.base, stage.seller.key, card.id, card.token]
    const kinds = ['function', 'function', 'undefined', true]
    expect(await run(node, ...args)).toEqual({ body: { ok: true }, kinds })
  })

  test('purser-mcp serves its tools to clients of both eras', async () => {
    const { key, card } = await agentOf(stage.w)
    const env = {
      PATH: '/nowhere',
      PURSER_BASE_URL: stage.base,
      PURSER_API_KEY: key,
      PURSER_CARD_TOKEN: card.token,
    }
    const program = join(installed.folder, 'node_modules', '.bin', 'purser-mcp')
    for (const era of Object.keys(ERAS) as Era[]) {
      const command = installed.nodeOf(node)
      const client = await overStdio({ command, args: [program], env }, era)
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('pay')
      expect((await use(client, 'balance')).data).toMatchObject({ card_id: card.id })
      await client.close()
    }
  })
})

describe.each(NODES)('in an empty folder with %s, three commands lead to a paid call', (node) => {
  const last = ({ commands }: { commands: string[] }) => commands.at(-1) ?? ''
  const soldFor = async (till: string) => (await stranger.purser.cards.get(till)).card.received

  test('by the SDK', async () => {
    expect(await stranger.run(node, "npx -c 'node -v'")).toMatch(`v${node.slice(4)}.`)
    expect(await stranger.run(node, last(GUIDES.sdk))).toBe('paid 0.1 200\n')
  })

  test('of a route of Express behind the paywall: by the SDK, the CLI and an MCP client', async () => {
    await using shop = await stranger.open(node, last(GUIDES.paywall))
    const till = (await stranger.purser.cards.list({ limit: 1 }).page()).cards[0]!
    expect(till.purpose).toBe('Sales')
    expect(await stranger.run(node, `${last(GUIDES.sdk)} ${shop.url}`)).toBe('paid 0.01 200\n')

    const [start, issue, pay] = GUIDES.cli.commands
    expect([start, issue]).toEqual(GUIDES.mcp.commands.slice(0, 2))
    await stranger.run(node, issue)
    try {
      const said = await stranger.run(node, pay.replace(/http\S+/, shop.url))
      expect(said).toContain('All is well.')
      expect(await soldFor(till.id)).toBe(0.0199)
      const [, command = '', ...args] = last(GUIDES.mcp)
        .replace(/^.* -- /, '-- ')
        .split(' ')
      for (const era of Object.keys(ERAS) as Era[]) {
        const program = { command, args, cwd: installed.folder, env: stranger.envOf(node) }
        const client = await overStdio(program, era)
        const order = { url: shop.url, max_amount: '0.02', intent_id: `${node}-${era}` }
        const bought = await use(client, 'pay', order)
        expect(bought.data, bought.text).toMatchObject({ outcome: 'paid', duplicate_of: null })
        await client.close()
      }
      expect(await soldFor(till.id)).toBe(0.0398)
    } finally {
      await rm(join(installed.folder, 'card.json'))
    }
  })
})

describe.each(RUNTIMES)('on %s', (runtime) => {
  /** Keeps its first caller waiting, and sends the others elsewhere. */
  let asked: number
  const dark = createServer((_, response) => {
    asked += 1
    if (asked > 1) response.writeHead(307, { location: `${stage.base}/readyz` }).end()
  })
  test('the paywall sells and the SDK buys; one caller who leaves, or a redirect, stops nobody else', async () => {
    asked = 0
    await using other = await listen(dark)
    const of = { base: stage.base, dark: new URL(other.url).origin, key: stage.seller.key }
    await using shop = await openOn(runtime, installed.folder, of)
    const url = `${shop.origin}/report`
    const first = await Promise.all(Array.from({ length: 5 }, () => fetch(url)))
    expect(first.map(({ status }) => status)).toEqual([402, 402, 402, 402, 402])
    const init = { method: 'POST', body: 'a question' }
    const bought = await payByX402(await stage.payer())(url, init)
    expect([bought.status, await bought.json()]).toEqual([200, { said: 'a question' }])
    const byCard = await payByCard(stage.base, stage.card)(url)
    expect([byCard.status, await byCard.json()]).toEqual([200, { said: '' }])
    const { id, token } = stage.card
    const order = JSON.stringify({ key: stage.agent.key, url, card: { id, token } })
    const said = await fetch(`${shop.origin}/buy`, { method: 'POST', body: order })
    expect(await said.json()).toEqual({ outcome: 'paid', body: { said: '' } })

    const stop = new AbortController()
    const left = fetch(`${shop.origin}/dark`, { signal: stop.signal }).catch(() => 'left')
    await until(() => asked === 1)
    stop.abort()
    expect(await left).toBe('left')
    const refused: any = await (await fetch(`${shop.origin}/dark`)).json()
    expect([refused.code, asked]).toEqual(['payment_service_unavailable', 2])
  })
})

test('a check of the guide refuses a body that is no order, and no JSON, with 400', async () => {
  const command = `node weather.mjs ${stage.base} ${stage.seller.key}`
  await using shop = await stranger.open('node24', command)
  const answers = ['{', 'null', '[]', '{"town":"Bonn"}', '{"city":"Bonn"}', ''].map(
    async (body) => (await fetch(shop.url, { method: 'POST', body })).status,
  )
  expect(await Promise.all(answers)).toEqual([400, 400, 400, 400, 402, 402])
})

test('the guides install what is installed here', () => {
  const { dependencies } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8'))
  for (const { commands } of Object.values(GUIDES))
    for (const command of commands.filter((line) => line.startsWith('npm install ')))
      for (const name of command.split(' ').slice(2)) expect(dependencies).toHaveProperty([name])
})

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../service/test/actors/browser.ts'
import { officialSeller } from '../../service/test/sellers/x402-sellers.ts'
import { world } from '../../service/test/world.ts'
import { isSignedBy } from '../src/ap2/key.ts'

const exec = promisify(execFile)
const SDK = fileURLToPath(new URL('../', import.meta.url))
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let browser: Browser
let bundle: string
beforeAll(async () => {
  await exec(process.execPath, [at('../../../scripts/sdk/bundle.ts')])
  bundle = await readFile(at('dist/whole.js'), 'utf8')
  browser = await openBrowser()
})
afterAll(() => browser?.close())

test('the bundle for browsers is within its limits', async () => {
  const program = at('../../../node_modules/size-limit/bin.js')
  const { stdout } = await exec(process.execPath, [program, '--json'], { cwd: SDK })
  const sizes = JSON.parse(stdout) as { passed: boolean; size: number }[]
  expect(sizes.map(({ passed }) => passed)).toEqual([true, true, true])
  expect(bundle).not.toMatch(/\bnode:|\bBuffer\b|\brequire\(/)
})

/** A site whose page has the bundle, and which passes all below /api on to the service: its keys are not for other sites. */
async function openSite(service: string, host = '127.0.0.1') {
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', service)
    if (pathname.startsWith('/api/')) {
      const { method = 'GET', headers } = request
      const on = ask(new URL(request.url ?? '/', service), { method, headers }, (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      })
      on.on('error', () => answer.destroy())
      answer.on('close', () => on.destroy())
      request.pipe(on)
      return
    }
    const isScript = pathname.endsWith('.js')
    answer.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    answer.end(isScript ? readFileSync(at(`dist${pathname}`)) : '<title>An application</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await page.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs in the page: `source` is the body of an async function of the SDK, the page's origin, and `given`. */
const inPage = (page: Page, source: string, given: object): Promise<any> =>
  page.evaluate(
    `import('/whole.js').then((sdk) => (async (sdk, origin, given) => {${source}})(sdk, location.origin, ${JSON.stringify(given)}))`,
  )

test('a page issues a card, pays with it, follows events, and reads a refusal by its class', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 5 })
  await using site = await openSite(await w.listen())
  const said = await inPage(
    site.page,
    `const purser = sdk.createPurser({ baseUrl: origin, apiKey: given.key })
    const card = await purser.issueCard({ purpose: 'page', limit_amount: '1.5' })
    const { outcome, response } = await purser.pay(card, { url: given.url, method: 'GET' })
    const error = await purser.cards.get('card_x').catch((error) => error)
    const cards = []
    for await (const { id } of purser.cards.list()) cards.push(id)
    let first // An event is shown once all transactions before it have ended, on the whole server.
    while (!first) [first] = (await purser.events.list({ limit: 1 }).page()).events
    const types = [first.type]
    for await (const { type } of purser.followEvents({ after: first.id })) {
      types.push(type)
      if (type === 'payment.sent') break
    }
    return { id: card.id, cards, outcome, body: response.body, types,
      refused: [error instanceof sdk.NotFoundError, error.code] }`,
    { key: user.key, url: seller.url },
  )
  expect(said).toMatchObject({
    ...{ cards: [said.id], outcome: 'paid', body: { report: 42 } },
    refused: [true, 'not_found'],
  })
  expect(said.types).toContain('card.issued')
  expect(seller.paid).toHaveLength(1)
  expect(site.faults).toEqual([])
})

test('a page of another site asks the service itself for a link, and signs a mandate with a key of the browser', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const user = await w.user({ treasury: 5 })
  const card = await user.card()
  const link = (await user.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  await using site = await openSite(baseUrl)
  const said = await inPage(
    site.page,
    `const purser = sdk.createPurser({ baseUrl: given.baseUrl })
    const { ap2, accepted_protocols } = await purser.payLinks.prepare(given.code)
    const key = await sdk.createAgentKey()
    const { closedMandate } = await sdk.closeMandate({ link: ap2, cardId: given.card, key })
    const event = JSON.stringify({ id: 'evt_1', type: 'card.issued', created_at: '', data: {} })
    const headers = await sdk.signWebhook(event, given.secret, { id: 'evt_1' })
    const { type } = await sdk.verifyWebhook(event, headers, given.secret)
    const forged = await sdk.verifyWebhook(event + ' ', headers, given.secret).catch((error) => error)
    return { accepted_protocols, closedMandate, type, forged: forged instanceof sdk.WebhookError }`,
    { baseUrl, code: link.code, card: card.id, secret: `whsec_${btoa('x'.repeat(32))}` },
  )
  expect(said).toMatchObject({ type: 'card.issued', forged: true })
  expect(said.accepted_protocols).toContain('ap2')
  expect(said.closedMandate).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+~/)
  expect(site.faults).toEqual([])
})

// Browsers leave crypto.subtle and crypto.randomUUID out of it.
test('a page over plain HTTP from another host asks the service too, and signs and checks by the library', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 5 })
  const base = await w.listen()
  const card = await user.card()
  const { code } = (await user.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  await using site = await openSite(base, 'shop.test')
  const said = await inPage(
    site.page,
    `const purser = sdk.createPurser({ baseUrl: origin, apiKey: given.key })
    const { id } = await purser.issueCard({ purpose: 'page', limit_amount: '1.5' })
    const { ap2 } = await purser.payLinks.prepare(given.code)
    const [key, agent] = [await sdk.createAgentKey(), await sdk.createAgentKey()]
    const order = { key, cardId: id, agentKey: agent.publicJwk, currency: 'USDC', maxAmount: 1000000, payees: [ap2.payee] }
    const { mandate } = await sdk.openMandate(order)
    const closed = await sdk.closeMandate({ link: ap2, cardId: id, key: agent, openMandate: mandate })
    return { isSecureContext, id, jwk: key.publicJwk, mandate, closed,
      again: (await sdk.loadAgentKey(key.privateJwk)).kid === key.kid,
      other: await sdk.loadAgentKey({ ...key.privateJwk, d: agent.privateJwk.d }).catch(({ code }) => code) }`,
    { key: user.key, code },
  )
  expect(said).toMatchObject({ isSecureContext: false, again: true, other: 'key_invalid' })
  const jwt = said.mandate.slice(0, said.mandate.indexOf('~'))
  const [head, payload, signature] = jwt.split('.')
  const signed = await isSignedBy(
    said.jwk,
    `${head}.${payload}`,
    new Uint8Array(Buffer.from(signature, 'base64url')),
  )
  expect(signed).toBe(true)
  expect(site.faults).toEqual([])
})

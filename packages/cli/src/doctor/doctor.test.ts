import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { terminal } from '../../test/terminal.ts'
import type { Examination } from './examine.ts'
import type { FaultId } from './faults.ts'

const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const OFFER = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: TOKEN,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const INPUT = { type: 'http', method: 'GET' }
type Any = Record<string, unknown>

/** A demand in order, for the resource at `url`. */
const demandOf = (url: string, offer: Any = OFFER): Any => ({
  x402Version: 2,
  resource: { url, description: 'A report', mimeType: 'application/json' },
  accepts: [offer],
  extensions: { bazaar: { info: { input: INPUT }, schema: { type: 'object' } } },
})
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown }
const asHeader = (demand: unknown): Reply => ({
  headers: { 'payment-required': Buffer.from(JSON.stringify(demand)).toString('base64') },
  body: demand,
})
const bazaar = (more: Any) => (url: string) =>
  asHeader({ ...demandOf(url), extensions: { bazaar: more } })
const offer = (more: Any) => (url: string) => asHeader(demandOf(url, { ...OFFER, ...more }))
const status =
  (code: number, headers = {}) =>
  () => ({ status: code, headers })
type Seller = (url: string, request: IncomingMessage) => Reply

/** A seller for each fault: its answer to an unpaid request. */
const SELLERS: Partial<Record<FaultId, Seller>> = {
  redirects: status(308, { location: 'https://shop.example/new' }),
  answers_unpaid: status(200),
  wants_sign_in: status(401),
  checks_input_first: status(422),
  not_found: status(404),
  other_method: status(405),
  limits_requests: status(429),
  fails: status(500),
  other_status: status(418),
  answer_too_long: () => ({ body: 'x'.repeat(300_000) }),
  no_demand: () => ({ body: { error: 'pay first' } }),
  only_mpp: () => ({ headers: { 'www-authenticate': 'Payment id="a", method="evm"' } }),
  header_not_base64: (url) => ({ headers: { 'payment-required': JSON.stringify(demandOf(url)) } }),
  unknown_version: (url) => asHeader({ ...demandOf(url), x402Version: 3 }),
  header_and_body_differ: (url) => ({
    ...asHeader(demandOf(url)),
    body: demandOf(url, { ...OFFER, amount: '1' }),
  }),
  demand_only_in_header: (url) => ({ ...asHeader(demandOf(url)), body: {} }),
  only_version_1: (url) => {
    const { amount, ...rest } = OFFER
    const accepts = [{ ...rest, network: 'base', maxAmountRequired: amount, resource: url }]
    return { body: { x402Version: 1, accepts } }
  },
  may_be_cached: (url) => {
    const { headers, body } = asHeader(demandOf(url))
    return { headers: { ...headers, 'cache-control': 'public, max-age=600' }, body }
  },
  no_offers: (url) => asHeader({ ...demandOf(url), accepts: [] }),
  offer_not_an_object: (url) => asHeader({ ...demandOf(url), accepts: ['exact'] }),
  offer_lacks: offer({ payTo: undefined }),
  unknown_scheme: offer({ scheme: 'barter' }),
  network_not_caip2: offer({ network: 'base' }),
  amount_not_text: offer({ amount: 10_000 }),
  amount_not_units: offer({ amount: '0.01' }),
  amount_zero: offer({ amount: '0' }),
  asset_not_address: offer({ asset: 'USDC' }),
  payee_not_address: offer({ payTo: 'shop.eth' }),
  payee_checksum: offer({ payTo: PAYEE.replace('Bc', 'bC') }),
  payee_nobody: offer({ payTo: `0x${'0'.repeat(40)}` }),
  payee_is_token: offer({ payTo: TOKEN }),
  timeout_not_seconds: offer({ maxTimeoutSeconds: 1.5 }),
  timeout_too_short: offer({ maxTimeoutSeconds: 2 }),
  no_token_domain: offer({ extra: { name: 'USD Coin' } }),
  no_upto_facilitator: offer({ scheme: 'upto' }),
  offer_twice: (url) => asHeader({ ...demandOf(url), accepts: [OFFER, OFFER] }),
  no_resource: (url) => asHeader({ ...demandOf(url), resource: undefined }),
  resource_not_absolute: (url) => asHeader({ ...demandOf(url), resource: { url: '/report' } }),
  resource_elsewhere: (url) =>
    asHeader({ ...demandOf(url), resource: { url: 'http://10.0.0.7:8080/report' } }),
  description_too_long: (url) =>
    asHeader({ ...demandOf(url), resource: { url, description: 'a'.repeat(501) } }),
  not_described: (url) => asHeader({ ...demandOf(url), extensions: {} }),
  no_input: bazaar({ info: { title: 'Report' } }),
  unknown_input_type: bazaar({ info: { input: { type: 'json', method: 'GET' } } }),
  no_input_method: bazaar({ info: { input: { type: 'http' } } }),
  wrong_input_method: bazaar({ info: { input: { ...INPUT, method: 'PUT' } } }),
  no_body_type: (url, { method }) =>
    method === 'GET'
      ? { status: 405 }
      : bazaar({ info: { input: { type: 'http', method: 'POST' } } })(url),
  no_output_type: bazaar({ info: { input: INPUT, output: { example: {} } } }),
  foreign_reference: bazaar({
    info: { input: INPUT },
    schema: { properties: { input: { $ref: 'https://schemas.example/input.json' } } },
  }),
  bare_wildcard: bazaar({ info: { input: INPUT }, routeTemplate: '/*' }),
  template_elsewhere: bazaar({ info: { input: INPUT }, routeTemplate: '/prices/:symbol' }),
}

/** One server for all: the first part of its path names the seller. */
async function serve(sellers: Record<string, Seller>) {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`
    const name = new URL(url).pathname.slice(1)
    const reply = sellers[name]?.(url, request) ?? { status: 404 }
    const { status: code = 402, headers = {}, body = {} } = reply
    response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const NOT_PUBLIC = 'not_public'
const idsOf = ({ findings }: Examination) =>
  findings.map(({ id }) => id).filter((id) => id !== NOT_PUBLIC)

test('each fault of a seller has one reason, and nothing that follows from it has another', async () => {
  await using seller = await serve(SELLERS as Record<string, Seller>)
  await using here = await terminal()
  for (const id of Object.keys(SELLERS)) {
    const { code, out } = await here.run('doctor', `${seller.url}/${id}`, '--json')
    const examined = JSON.parse(out) as Examination
    expect([id, idsOf(examined)]).toEqual([id, [id]])
    const found = examined.findings.find((one) => one.id === id)
    expect(found?.reason).toMatch(/\.$/)
    expect(found?.reason).not.toContain('{}')
    expect([id, code]).toEqual([id, found?.is_advice ? 0 : 1])
    if (found && !found.is_advice) expect(examined[found.area]).toBe(false)
  }
})

test('a resource in order has no reason, and one that is not there has its own', async () => {
  await using seller = await serve({ report: (url) => asHeader(demandOf(url)) })
  await using here = await terminal()
  const good = await here.run('doctor', `${seller.url}/report`, '--json')
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({ discovered: true, payable: true, listed: true })
  expect(idsOf(JSON.parse(good.out))).toEqual([])
  const shown = await here.run('doctor', `${seller.url}/report`)
  expect(shown.out).toMatch(/can be found\tyes\ncan be paid\tyes\ncan be listed\tyes/)
  const gone = await serve({})
  await gone[Symbol.asyncDispose]()
  const none = await here.run('doctor', `${gone.url}/report`, '--json')
  expect(JSON.parse(none.out)).toMatchObject({
    discovered: false,
    payable: false,
    listed: false,
    findings: [{ id: 'unreachable', reason: expect.stringContaining('ECONNREFUSED') }],
  })
})

test('a facilitator says what it does not settle and does not list', async () => {
  const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
  const listed: Seller = (url) => ({
    status: 200,
    body: { items: [{ resource: `${new URL(url).origin}/report` }] },
  })
  await using here = await terminal()
  const ask = async (sellers: Record<string, Seller>) => {
    await using seller = await serve({ report: (url) => asHeader(demandOf(url)), ...sellers })
    const { out } = await here.run(
      ...['doctor', `${seller.url}/report`, '--facilitator', seller.url, '--json'],
    )
    return idsOf(JSON.parse(out))
  }
  const supported: Seller = () => ({ status: 200, body: { kinds } })
  const none: Seller = () => ({ status: 200, body: { items: [] } })
  const other: Seller = () => ({ status: 200, body: { kinds: [] } })
  const catalogue = 'discovery/resources'
  expect(await ask({ supported, [catalogue]: listed })).toEqual([])
  expect(await ask({ supported, [catalogue]: none })).toEqual(['not_in_catalogue'])
  expect(await ask({ supported: other, [catalogue]: listed })).toEqual(['pair_not_supported'])
  expect(await ask({})).toEqual(['facilitator_silent'])
})

test('options that belong to a URL, and what is no URL, are refused', async () => {
  await using here = await terminal()
  expect(await here.run('doctor', '--method', 'GET')).toMatchObject({ code: 1, out: '' })
  expect((await here.run('doctor', 'shop')).error).toContain('must be a URL')
  const method = await here.run('doctor', 'http://127.0.0.1:1/', '--method', 'BREW')
  expect(method.error).toContain('--method must be one of GET')
})

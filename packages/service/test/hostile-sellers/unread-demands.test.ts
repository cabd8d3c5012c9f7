import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, issue } from '../actors/attack-kit.ts'
import { bareServer, market, PRICE } from './sellers-kit.ts'

let m: Awaited<ReturnType<typeof market>>
beforeAll(async () => {
  m = await market()
})
afterAll(() => m[Symbol.asyncDispose]())

const SHOP = '0x52908400098527886E0F7030069857D2E4169EE7'
const demand = (change: object = {}, more: object = {}): Buffer => {
  const offer = {
    scheme: 'exact',
    network: m.w.chain.network,
    asset: m.w.chain.asset.contract,
    payTo: SHOP,
    amount: String(PRICE),
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
    ...change,
  }
  const resource = { url: 'http://x/', description: '>>>???~~~' }
  return Buffer.from(JSON.stringify({ x402Version: 2, resource, accepts: [offer], ...more }))
}

/** A purchase from a seller that demands by this header and serves whoever sends a payment. */
async function buy(header: string) {
  await using server = await bareServer((request, response) => {
    if (request.headers['payment-signature']) response.end('served')
    else response.writeHead(402, { 'payment-required': header }).end('{}')
  })
  const card = await issue(m.user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: server.url }
  const reply = await m.user.post('/api/pay', ask)
  return { reply, card: await cardOf(m.user, card.id) }
}

test.concurrent.each<[string, (bytes: Buffer) => string]>([
  ['without padding', (bytes) => bytes.toString('base64').replace(/=+$/, '')],
  ['in the alphabet of URLs', (bytes) => bytes.toString('base64url')],
  [
    'in the alphabet of URLs, padded',
    (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  ],
])('a demand in base64 %s is paid', async (_, write) => {
  const { reply, card } = await buy(write(demand()))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.response).toMatchObject({ status: 200, body: 'served' })
  expect(card.held).toBe(0.0201)
})

test.concurrent.each<[header: () => string, message: RegExp]>([
  [() => '%%%', /PAYMENT-REQUIRED is not base64/],
  [() => Buffer.from('{"x402Version":2,').toString('base64'), /not of a JSON object/],
  [() => demand({}, { x402Version: 3 }).toString('base64'), /x402Version 3/],
  [() => demand({}, { accepts: 1 }).toString('base64'), /no list accepts/],
  [() => demand({ network: 'eip155:1' }).toString('base64'), /another network/],
  [() => demand({ asset: SHOP }).toString('base64'), /another token/],
])(
  'a demand that cannot be paid is refused by what is wrong with it: %#',
  async (header, message) => {
    const { reply, card } = await buy(header())
    expect([reply.status, reply.body.code], reply.text).toEqual([422, 'no_payable_option'])
    expect(reply.body.error).toMatch(message)
    expect(card).toMatchObject({ held: 0, spent: 0 })
  },
)

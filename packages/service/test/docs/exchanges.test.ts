/** Exchanges that the reference shows and no other test records: payments at a link's URL, the stream, and texts. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordExchange } from '../world/record-exchange.ts'
import { type User, type World, world } from '../world.ts'

let w: World
let seller: User
let agent: User
beforeAll(async () => {
  w = await world()
  seller = await w.user({ treasury: 10 })
  agent = await w.user({ treasury: 10 })
})
afterAll(() => w?.[Symbol.asyncDispose]())

test.each([
  ['GET', undefined],
  ['POST', { topic: 'rain' }],
] as const)(
  'a card pays a link by %s, with a credential that it asked for',
  async (method, body) => {
    const till = await seller.card({ limit: 1 })
    const card = await agent.card({ limit: 5 })
    const link = { card_id: till.id, amount: 0.5, memo: 'Report on rain' }
    const { code } = (await seller.post('/api/paylinks', link)).body
    const demand = await w.call(method, `/pay/${code}`, body)
    expect(demand.status, demand.text).toBe(402)
    const challenge = String(demand.headers['www-authenticate'])
    const asked = await w.call('POST', '/api/mpp/agentcard', {
      ...{ card_id: card.id, card_token: card.token, challenge },
    })
    expect(asked.status, asked.text).toBe(200)
    const headers = { authorization: asked.body.credential }
    const paid = await w.call(method, `/pay/${code}`, body, { headers })
    expect(paid.body, paid.text).toMatchObject({ success: true, protocol: 'mpp', amount: 0.5 })
    expect(paid.headers['payment-receipt']).toBeDefined()
  },
)

test.each([
  ['/', 'application/json', /"documentation"|"docs"/],
  ['/docs', 'text/html', /^<!doctype html>/i],
  ['/llms.txt', 'text/plain', /^# /],
  ['/llms-full.txt', 'text/plain', /^Base URL: .+\n\n# /],
  ['/metrics', 'text/plain', /^# HELP /m],
])('%s is %s', async (path, type, like) => {
  const accept = type === 'text/html' ? { headers: { accept: type } } : {}
  const { status, headers, text } = await w.call('GET', path, undefined, accept)
  expect([status, String(headers['content-type']).split(';')[0]]).toEqual([200, type])
  expect(text).toMatch(like)
})

test('the stream shows an event as it happens', async () => {
  const base = await w.listen()
  const path = '/api/events/stream?type=card.issued'
  const headers = { authorization: `Bearer ${agent.key}` }
  const asked = get(base + path, { headers, agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const issued = await agent.card({ limit: 1 })
  let text = ''
  for await (const part of answer.setEncoding('utf8')) {
    text += part
    if (/^data: .*\n\n/m.test(text)) break
  }
  expect(text).toMatch(/^id: evt_\w+\nevent: card\.issued\ndata: \{.*\}\n\n/m)
  expect(text).toContain(issued.id)
  expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
  recordExchange(
    { method: 'GET', path },
    { status: answer.statusCode!, headers: answer.headers, body: undefined, text },
  )
})

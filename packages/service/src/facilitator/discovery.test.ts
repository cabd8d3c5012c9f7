import { expect, test } from 'vitest'
import { freshAccount } from '../../test/chain.ts'
import { ask, NETWORK, settle, shop } from '../../test/facilitator-kit.ts'
import { type User, type World, world } from '../../test/world.ts'

type Sold = { resource: Record<string, unknown>; input?: object }

/** Sells each of these once, so that all are listed; answers who was paid. */
async function list(w: World, seller: User, sold: Sold[]) {
  const { payTo } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  for (const { resource, input = { type: 'http', method: 'GET' } } of sold) {
    const body = await ask(payer, payTo, {
      extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
    })
    const settled = await settle(seller, {
      ...body,
      paymentPayload: { ...body.paymentPayload, resource },
    })
    expect(settled.body.success, settled.text).toBe(true)
  }
  return payTo
}

test('listings are found by each of what x402 filters by, and by no more than is asked', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user()
  const first = await list(w, seller, [{ resource: { url: 'https://one.example/a' } }])
  const second = await list(w, seller, [
    { resource: { url: 'https://two.example/b' } },
    {
      resource: { url: 'https://two.example/mcp' },
      input: { type: 'mcp', toolName: 'sum', inputSchema: {} },
    },
  ])
  const found = async (query: string) => {
    const { status, body, text } = await w.call('GET', `/api/x402/discovery/resources?${query}`)
    expect(status, text).toBe(200)
    expect(body.pagination.total).toBeGreaterThanOrEqual(body.items.length)
    return body.items.map((item: { resource: string }) => new URL(item.resource).pathname)
  }
  expect(await found('')).toEqual(['/mcp', '/b', '/a'])
  expect(await found('limit=1&offset=1')).toEqual(['/b'])
  expect(await found('type=mcp')).toEqual(['/mcp'])
  expect(await found(`payTo=${first}`)).toEqual(['/a'])
  expect(await found(`payTo=${second.toLowerCase()}&type=http`)).toEqual(['/b'])
  expect(await found('scheme=exact')).toHaveLength(3)
  expect(await found('scheme=upto')).toEqual([])
  expect(await found(`network=${encodeURIComponent(NETWORK)}`)).toHaveLength(3)
  // What v1 calls the same network.
  expect(await found('network=base-sepolia')).toHaveLength(3)
  expect(await found('network=base')).toEqual([])
  expect(await found('extensions=bazaar')).toHaveLength(3)
  expect(await found('extensions=payment-identifier')).toEqual([])
  expect((await w.call('GET', '/api/x402/discovery/resources?sort=price')).status).toBe(400)
})

test('a text finds what says most of it first; nothing in it is syntax', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user()
  await list(w, seller, [
    {
      resource: {
        url: 'https://one.example/forecast',
        description: 'Weather for a day',
        serviceName: 'Skies',
        iconUrl: 'https://one.example/icon.png',
      },
    },
    {
      resource: {
        url: 'https://two.example/prices',
        description: 'Prices of weather stations',
        tags: ['market'],
        iconUrl: 'javascript:alert(1)',
      },
    },
    {
      resource: { url: 'https://three.example/mcp' },
      input: { type: 'mcp', toolName: 'translate', description: 'Turns text', inputSchema: {} },
    },
  ])
  const search = (query: string, more = '') =>
    w.call('GET', `/api/x402/discovery/search?query=${encodeURIComponent(query)}${more}`)
  const hosts = async (query: string, more?: string) =>
    (await search(query, more)).body.resources.map(
      (item: { resource: string }) => new URL(item.resource).host.split('.')[0],
    )
  expect(await hosts('market price of the weather')).toEqual(['two', 'one'])
  expect(await hosts('forecasts')).toEqual(['one'])
  expect(await hosts('Translating')).toEqual(['three'])
  expect(await hosts('weather', '&type=mcp')).toEqual([])
  expect(await hosts('nothing like it')).toEqual([])
  for (const text of ["' | weather:* & !", '%', '\\', '((', '的', 'the'])
    expect((await search(text)).status, text).toBe(200)
  const one = await search('weather', '&limit=1&cursor=abc')
  expect(one.body).toMatchObject({
    x402Version: 2,
    partialResults: true,
    pagination: { limit: 1, cursor: null },
  })
  expect((await search('weather')).body.partialResults).toBe(false)
  const icons = (await search('weather forecast')).body.resources.map(
    (item: { iconUrl?: string }) => item.iconUrl,
  )
  expect(icons).toEqual(['https://one.example/icon.png', undefined])
  expect((await search('')).status).toBe(400)
})

import { expect, test } from 'vitest'
import { NETWORK } from '../../../test/actors/facilitator-kit.ts'
import { buy, type Description, describedSeller, look } from '../../../test/sellers/bazaar-kit.ts'
import { world } from '../../../test/world.ts'

const MCP = { input: { type: 'mcp', toolName: 'sum', inputSchema: {} } }

/** Sells each of these once, and has them listed, in their order. */
async function list(resources: Record<string, Description>[]) {
  const w = await world()
  await w.withGas()
  const key = await w.user()
  const sellers = await Promise.all(resources.map(describedSeller))
  for (const seller of sellers)
    for (const path of Object.keys(seller.resources)) {
      await buy(key, seller.payTo, { url: `${seller.url}${path}` })
      await look(w)
    }
  return {
    w,
    sellers,
    async [Symbol.asyncDispose]() {
      await Promise.all(sellers.map(({ close }) => close()))
      await w[Symbol.asyncDispose]()
    },
  }
}

test('listings are found by each of what x402 filters by, and by no more than is asked', async () => {
  await using scene = await list([{ '/a': {} }, { '/b': {}, '/mcp': { info: MCP } }])
  const { w } = scene
  const [first, second] = scene.sellers.map(({ payTo }) => payTo) as [string, string]
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
  // The name of the same network in v1.
  expect(await found('network=base-sepolia')).toHaveLength(3)
  expect(await found('network=base')).toEqual([])
  expect(await found('extensions=bazaar')).toHaveLength(3)
  expect(await found('extensions=payment-identifier')).toEqual([])
  expect((await w.call('GET', '/api/x402/discovery/resources?sort=price')).status).toBe(400)
})

test('a text finds what says most of it first; nothing in it is syntax', async () => {
  await using scene = await list([
    {
      '/one': {
        resource: {
          description: 'Weather for a day and its forecast',
          serviceName: 'Skies',
          iconUrl: 'https://one.example/icon.png',
        },
      },
      '/two': {
        resource: {
          description: 'Prices of weather stations',
          tags: ['market'],
          iconUrl: 'javascript:alert(1)',
        },
      },
      '/three': {
        info: { input: { ...MCP.input, toolName: 'translate', description: 'Turns text' } },
      },
    },
  ])
  const { w } = scene
  const search = (query: string, more = '') =>
    w.call('GET', `/api/x402/discovery/search?query=${encodeURIComponent(query)}${more}`)
  const hosts = async (query: string, more?: string) =>
    (await search(query, more)).body.resources.map((item: { resource: string }) =>
      new URL(item.resource).pathname.slice(1),
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

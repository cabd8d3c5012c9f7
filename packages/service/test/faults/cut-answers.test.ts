import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createPurser, type Purser } from '../../../sdk/src/purser.ts'
import { world } from '../world.ts'

/** A proxy that passes so many bytes of the first answer on, and then cuts the connection. Later ones pass whole. */
async function cuttingProxy(target: string) {
  const { hostname, port } = new URL(target)
  let left = Number.POSITIVE_INFINITY
  let cuts = 0
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    for (const socket of [client, service]) socket.on('error', () => undefined)
    client.pipe(service)
    service.on('end', () => client.end())
    client.on('close', () => service.destroy())
    service.on('data', (bytes) => {
      const passed = bytes.subarray(0, left)
      client.write(passed)
      left -= passed.length
      if (left > 0) return
      left = Number.POSITIVE_INFINITY
      cuts++
      client.destroySoon()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes: number) {
      left = bytes
    },
    cuts: () => cuts,
    [Symbol.dispose]: () => void server.close(),
  }
}

async function idsOf(purser: Purser): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of purser.listCards()) ids.push(id)
  return ids
}

test('a card whose answer is cut anywhere is made once, and its maker reads it', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 100 })
  using proxy = await cuttingProxy(await w.listen())
  const purser = createPurser({ baseUrl: proxy.url, apiKey: user.key })
  const places = [1, 12, 200, 700, 1_200]
  const made: string[] = []
  for (const bytes of places) {
    proxy.cutAfter(bytes)
    const card = await purser.issueCard({ purpose: `cut after ${bytes}`, limit_amount: '1' })
    made.push(card.id)
  }
  expect(proxy.cuts()).toBe(places.length)
  expect((await idsOf(purser)).sort()).toEqual(made.toSorted())
})

test('a lost answer tells the key under which the same call finds its card', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 100 })
  using proxy = await cuttingProxy(await w.listen())
  const order = { purpose: 'once', limit_amount: '1' }
  const hasty = createPurser({ baseUrl: proxy.url, apiKey: user.key, retries: 0 })
  proxy.cutAfter(700)
  const error = await hasty.issueCard(order).catch((fault) => fault)
  expect(error).toMatchObject({ code: 'connection_failed', mayHaveHappened: true })
  const card = await hasty.issueCard(order, { idempotencyKey: error.idempotencyKey })
  expect(await idsOf(hasty)).toEqual([card.id])
})

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { createEgress } from '../../src/base/egress/egress.ts'
import { createResolver } from '../../src/base/egress/guard/resolve.ts'
import { nameServer, silent } from '../faults/name-server.ts'
import { until } from '../until.ts'
import { type World, world } from '../world.ts'
import { patch, recordEvents, register } from './kit.ts'
import { receiver } from './receiver.ts'

const PUBLIC = '93.184.216.34'
const GOOD = 'https://good.example/hook'
/** The addresses of the names; a test changes one. */
const places: Record<string, readonly string[] | typeof silent> = {
  'good.example': [PUBLIC],
  'pay.example': ['198.51.101.7'],
  'alias.example': ['198.51.101.7'],
  'loopback.example': ['127.0.0.1'],
  'inner.example': ['10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mixed.example': [PUBLIC, '127.0.0.1'],
  'silent.example': silent,
}

/** URLs that lead to no address of the public internet, in every form of writing one. */
const REFUSED = [
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0x7f000001/',
  'https://127.1/',
  'https://0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://postgres/',
  'https://user:password@good.example/',
  'https://good.example:6379/',
  'http://good.example/',
  'ftp://good.example/',
  'file:///etc/passwd',
  'https://loopback.example/',
  'https://inner.example/',
  'https://metadata.example/',
  'https://mapped.example/',
  'https://mixed.example/',
  'https://none.example/',
  'https://silent.example/',
  // This service itself, by its name and by its address.
  'https://pay.example/api/dev/faucet',
  'https://PAY.example./',
  'https://alias.example/',
  'https://198.51.101.7/',
]

let names: Awaited<ReturnType<typeof nameServer>>
let w: World
beforeAll(async () => {
  names = await nameServer((name) => places[name])
  w = await world({ settings: { publicUrl: 'https://pay.example' } })
  forget()
})
afterAll(async () => {
  await w[Symbol.asyncDispose]()
  await names[Symbol.asyncDispose]()
})

/** A way out that knows no name yet. */
const forget = (allow: string[] = []) =>
  Object.assign(w.services, {
    egress: createEgress({ allow, resolver: createResolver({ servers: names.servers }) }),
  })

/** As a webhook was saved before its host led elsewhere. */
const point = (id: string, url: string) =>
  w.write((tx) => sql`update webhooks set url = ${url} where id = ${id}`.execute(tx))

describe('the guard of save, change, test and replay is one', () => {
  test.each(REFUSED)('%s is refused', async (url) => {
    const user = await w.user()
    const refused = { status: 400, body: { code: 'url_not_allowed', param: 'url' } }
    expect(await user.post('/api/webhooks', { url })).toMatchObject(refused)
    const { id } = await register(user, { url: GOOD })
    expect(await patch(user, id, { url })).toMatchObject(refused)
    await point(id, url)
    const tested = await user.post(`/api/webhooks/${id}/test`)
    expect(tested).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
    expect(tested.body.error).toContain('Nothing was sent')
    const log = await user.get(`/api/webhooks/deliveries?webhook_id=${id}`)
    expect(log.body.deliveries).toEqual([])
  })

  test.each(['', 'good.example/hook', '//good.example', 'https://', 'no url'])(
    '%j is no URL',
    async (url) => {
      const user = await w.user()
      const made = await user.post('/api/webhooks', { url })
      expect(made.status).toBe(400)
      expect(['invalid_url', 'invalid_field']).toContain(made.body.code)
    },
  )
})

test('the worker sends nothing to them, and says why in the log', async () => {
  const user = await w.user()
  await using trap = await openTrap()
  const { id } = await register(user, { url: GOOD })
  const urls = [
    `http://127.0.0.1:${trap.port}/`,
    `https://2130706433:${trap.port}/`,
    `https://[::ffff:127.0.0.1]:${trap.port}/`,
    'https://loopback.example/',
    'https://metadata.example/',
    'https://pay.example/',
  ]
  for (const url of urls) {
    await point(id, url)
    await recordEvents(w, user, 1)
    await w.deliver()
    const { deliveries } = (await user.get(`/api/webhooks/deliveries?webhook_id=${id}`)).body
    expect(deliveries[0], url).toMatchObject({
      ...{ status: 'FAILED', status_code: null, response_head: null },
      error: expect.stringMatching(/\w/),
    })
    // Its endpoint is well again, so that the next one is tried at once.
    await w.write((tx) =>
      sql`update webhooks set failures = 0, failing_since = null, breaker_step = 0, breaker_until = null
        where id = ${id}`.execute(tx),
    )
  }
  expect(trap.connections()).toBe(0)
})

test('a name that leads elsewhere after it was saved is refused at test, replay and send', async () => {
  const user = await w.user()
  await using trap = await openTrap()
  places['rebind.example'] = [PUBLIC]
  const url = 'https://rebind.example:8443/hook'
  const { id } = await register(user, { url })
  places['rebind.example'] = ['127.0.0.1']
  forget()
  expect((await user.post(`/api/webhooks/${id}/test`)).status).toBe(502)
  await recordEvents(w, user, 1)
  await w.deliver()
  const { deliveries } = (await user.get(`/api/webhooks/deliveries?webhook_id=${id}`)).body
  expect(deliveries).toMatchObject([{ status: 'FAILED', status_code: null }])
  expect((await user.post(`/api/webhooks/deliveries/${deliveries[0].id}/replay`)).status).toBe(502)
  expect(trap.connections()).toBe(0)
})

test('name servers that never answer end a registration within four seconds', async () => {
  const user = await w.user()
  forget()
  const tookMs = async () => {
    const start = performance.now()
    const made = await user.post('/api/webhooks', { url: 'https://silent.example/' })
    expect(made).toMatchObject({ status: 400, body: { code: 'url_not_allowed' } })
    return performance.now() - start
  }
  // A busy machine may be late once.
  await until(tookMs, (seen) => expect(seen).toBeLessThan(4_000))
})

test('a redirect is a failure, and nobody goes where it leads', async () => {
  const user = await w.user()
  await using inner = await receiver()
  await using outer = await receiver((_, response) => {
    response.writeHead(307, { location: inner.url }).end()
    return 'self'
  })
  forget(['127.0.0.1'])
  const { id } = await register(user, { url: outer.url })
  expect((await user.post(`/api/webhooks/${id}/test`)).body).toMatchObject({
    ...{ ok: false, status_code: 307 },
  })
  expect(outer.got).toHaveLength(1)
  expect(inner.got).toHaveLength(0)
})

/** A server on loopback that counts who comes. */
async function openTrap() {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

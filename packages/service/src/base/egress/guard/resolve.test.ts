import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { nameServer, silent } from '../../../../test/faults/name-server.ts'
import { until } from '../../../../test/until.ts'
import { createEgress } from '../egress.ts'
import { createPlaces } from './places.ts'
import { createResolver, parseHosts } from './resolve.ts'

const time = async (work: Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work.catch(() => undefined)
  return performance.now() - start
}

// With `dns.lookup`, each such name would hold one of libuv's threads for 10 s, and a few would stop every other
// lookup.
test('names that never resolve end after 2 s and hold up neither other names nor the thread pool', async () => {
  await using names = await nameServer((name) =>
    name.endsWith('.hang.test') ? silent : ['127.0.0.1'],
  )
  const resolve = createResolver({ servers: names.servers })
  const hanging = Array.from({ length: 50 }, (_, i) => resolve(`n${i}.hang.test`))
  const ends = Promise.all(
    hanging.map(async (one) => {
      await expect(one).rejects.toMatchObject({ name: 'EgressError', kind: 'connect', sent: false })
    }),
  )
  const took = await Promise.all([
    time(resolve('good.test')),
    time(readFile(import.meta.filename)),
    time(promisify(pbkdf2)('a', 'b', 1, 32, 'sha256')),
  ])

  expect(Math.max(...took)).toBeLessThan(8_000)
  expect(await time(ends)).toBeLessThan(8_000)
  expect(await resolve('good.test')).toEqual([{ address: '127.0.0.1', family: 4 }])
})

test('one family that never answers does not hold up the other', async () => {
  await using names = await nameServer((name, type) =>
    type === (name.startsWith('v4') ? 'AAAA' : 'A') ? silent : ['192.0.2.1', '2001:db8::1'],
  )
  const resolve = createResolver({ servers: names.servers })

  // A busy machine may be late once; one that waits for the other family always takes two seconds.
  await until(
    () => time(resolve('v4.test')),
    (seen) => expect(seen).toBeLessThan(1_500),
  )
  expect(await resolve('v4.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
  expect(await resolve('v6.test')).toEqual([{ address: '2001:db8::1', family: 6 }])
})

test('a name without addresses is distinguished from name servers that do not answer', async () => {
  await using names = await nameServer((name) => (name === 'hang.test' ? silent : undefined))
  const resolve = createResolver({ servers: names.servers })

  await expect(resolve('none.test')).rejects.toThrow('The host name has no address.')
  await expect(resolve('hang.test')).rejects.toThrow('did not answer within 2 seconds')
})

test('localhost and the hosts file are answered without asking anybody', async () => {
  await using names = await nameServer(() => undefined)
  const resolve = createResolver({ servers: names.servers })

  expect(await resolve('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
  expect(names.asked).toEqual([])
  const hosts = parseHosts(
    '# local\n10.0.0.5\tDB.corp db # the database\n::2 db.corp\nnot an entry',
  )
  expect(hosts.get('db.corp')).toEqual([
    { address: '10.0.0.5', family: 4 },
    { address: '::2', family: 6 },
  ])
  expect(hosts.get('db')).toEqual([{ address: '10.0.0.5', family: 4 }])
  expect(hosts.size).toBe(2)
})

test.each([
  ['IPv4-mapped', ['::ffff:10.0.0.1']],
  ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
  ['NAT64', ['64:ff9b::a00:1']],
  ['local NAT64', ['64:ff9b:1::a00:1']],
  ['6to4', ['2002:a00:1::1']],
  ['unique local', ['fd00::1']],
  ['link local', ['169.254.169.254']],
  ['one private among public ones', ['93.184.216.34', '10.0.0.1']],
] as const)('a name whose address is %s is blocked, also behind a CNAME', async (_, addresses) => {
  await using names = await nameServer((name) =>
    name === 'alias.test' ? { cname: 'inner.test' } : addresses,
  )
  const egress = createEgress({ allow: [], resolver: createResolver({ servers: names.servers }) })

  for (const host of ['inner.test', 'alias.test'])
    await expect(
      egress.fetch({ url: `https://${host}/`, method: 'GET' }),
      host,
    ).rejects.toMatchObject({ kind: 'blocked', sent: false })
})

test('one exchange asks for a name once, whatever redirects follow', async () => {
  const server = createServer((request, response) => {
    const isLast = request.url === '/aaa'
    response.writeHead(isLast ? 200 : 302, isLast ? {} : { location: `${request.url}a` }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A second question gets another answer: code that resolves twice would connect to an unchecked address.
  await using names = await nameServer(() => [
    names.asked.length <= 2 ? '127.0.0.1' : '169.254.169.254',
  ])
  const egress = createEgress({
    allow: ['seller.test'],
    resolver: createResolver({ servers: names.servers }),
  })

  const { port } = server.address() as AddressInfo
  const url = `http://seller.test:${port}/`
  const answer = await egress.fetch({ url, method: 'GET', maxRedirects: 3 })

  expect(answer.status).toBe(200)
  expect(names.asked.toSorted()).toEqual(['seller.test A', 'seller.test AAAA'])
  server.close()
})

test('a wallet may have a part of what is free, a newcomer always some, and each purpose its own', () => {
  const places = createPlaces({ pay: 32, discover: 8 })
  const take = (owner: string, purpose: 'pay' | 'discover', most: number) => {
    const taken = []
    try {
      for (let i = 0; i < most; i++) taken.push(places.take(owner, purpose))
    } catch (error) {
      return { taken, error }
    }
    return { taken, error: undefined }
  }
  const greedy = take('0xgreedy', 'discover', 99)
  expect(greedy.taken).toHaveLength(4)
  expect(greedy.error).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } })
  expect(take('0xsecond', 'discover', 99).taken).toHaveLength(4)
  expect(take('0xthird', 'discover', 1).error).toMatchObject({ code: 'overloaded' })

  expect(take('0xgreedy', 'pay', 99).taken).toHaveLength(6)
  expect(take('0xsecond', 'pay', 99).taken).toHaveLength(5)
  expect(take('0xthird', 'pay', 99).taken).toHaveLength(4)

  const [first] = greedy.taken
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()
  expect(take('0xthird', 'discover', 99).taken).toHaveLength(1)
})

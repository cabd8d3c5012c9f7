import { expect, test } from 'vitest'
import { ask, newAddress, settle } from '../../../../test/actors/facilitator-kit.ts'
import { buy, describedSeller, listed, look } from '../../../../test/sellers/bazaar-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'

test('a resource is listed as its own 402 shows it, and not as its payer described it', async () => {
  await using w = await world()
  await w.withGas()
  const key = await w.user()
  await using seller = await describedSeller({
    '/report': { resource: { description: 'A report', serviceName: 'Reports' } },
  })
  const input = { type: 'http', method: 'GET', queryParams: { secret: '1' } }
  const lie = { description: 'Free gold', serviceName: 'Gold', url: `${seller.url}/report?day=1` }
  const answer = await buy(key, seller.payTo, { url: lie.url, input, resource: lie })
  expect(answer).toEqual({ status: 'processing' })
  expect(await listed(w)).toEqual([])
  await look(w)
  const [item, ...more] = await listed(w)
  expect(more).toEqual([])
  expect(item).toMatchObject({
    resource: `${seller.url}/report`,
    type: 'http',
    x402Version: 2,
    description: 'A report',
    serviceName: 'Reports',
    accepts: [{ payTo: seller.payTo }],
    extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } },
  })
  expect(JSON.stringify(item)).not.toMatch(/secret|gold/i)
  // Asked without what the payer asked for; and not again for its next payment.
  expect(seller.asked).toEqual([{ method: 'GET', path: '/report', body: '' }])
  await buy(key, seller.payTo, { url: lie.url })
  await look(w)
  expect(seller.asked).toHaveLength(1)
})

test('what asks for no payment to whom was paid, or describes nothing, is not listed', async () => {
  await using w = await world()
  await w.withGas()
  const key = await w.user()
  const { payTo } = await describedSeller({})
  await using seller = await describedSeller({
    '/theirs': { payTo: newAddress() },
    '/free': { status: 200 },
    '/heavy': { info: { input: { type: 'http', example: 'x'.repeat(20_000) } } },
    '/untyped': { info: { input: { type: 'gift' } } },
    '/private': { payTo },
  })
  for (const path of ['/theirs', '/free', '/heavy', '/untyped', '/gone'])
    await buy(key, seller.payTo, { url: `${seller.url}${path}` })
  // Hosts that may not be asked, and what is no address at all.
  for (const url of ['http://10.0.0.1/', 'https://localhost:22/', 'ftp://x.example/', 'nothing'])
    expect((await buy(key, seller.payTo, { url })).status).toBe('rejected')
  await look(w, 8)
  expect(await listed(w)).toEqual([])
  const paths = seller.asked.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  const silent = await settle(key, await ask(await freshAccount({ usdc: 20_000n }), seller.payTo))
  expect(silent.headers['extension-responses']).toBeUndefined()
})

test('a listing is looked at daily: it changes with its 402, and goes when that is gone or nobody answers', async () => {
  await using w = await world()
  await w.withGas()
  const key = await w.user()
  await using seller = await describedSeller({ '/a': {}, '/b': {} })
  for (const path of ['/a', '/b']) await buy(key, seller.payTo, { url: `${seller.url}${path}` })
  await look(w, 2)
  expect(await listed(w)).toHaveLength(2)
  seller.resources['/a'] = { resource: { description: 'Changed' } }
  seller.resources['/b'] = { payTo: newAddress() }
  await w.advance(86_400)
  await look(w, 3)
  expect(await listed(w)).toMatchObject([{ description: 'Changed' }])
  await seller.close()
  for (let day = 1; day <= 3; day++) {
    expect(await listed(w)).toHaveLength(1)
    await w.advance(86_400)
    await look(w, 2)
  }
  expect(await listed(w)).toEqual([])
})

test('one host is asked once a minute, and a wallet wishes for sixty looks an hour, whatever is paid', async () => {
  await using w = await world()
  await w.withGas()
  const key = await w.user()
  await using victim = await describedSeller({})
  const payer = await freshAccount({ usdc: 2_000_000n })
  for (let i = 0; i < 70; i += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, j) =>
        buy(key, victim.payTo, { url: `${victim.url}/${i + j}` }, payer),
      ),
    )
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from x402_looks`.execute(
    w.db.reader,
  )
  // Those who come at once are counted together.
  expect(Number(rows[0]?.n)).toBeLessThan(70)
  for (let i = 0; i < 3; i++) await w.runJobs()
  expect(victim.asked.length).toBeLessThanOrEqual(1)
  await look(w, 3)
  expect(victim.asked.length).toBeLessThanOrEqual(4)
})

test('a resource that is bought by POST is asked by POST, with nothing in it; a template stands for its URLs', async () => {
  await using w = await world()
  await w.withGas()
  const key = await w.user()
  await using seller = await describedSeller({
    '/run/1': {
      info: { input: { type: 'mcp', toolName: 'run' } },
      more: { routeTemplate: '/run/:id' },
    },
    '/run/2': {
      info: { input: { type: 'mcp', toolName: 'run' } },
      more: { routeTemplate: '/run/:id' },
    },
  })
  for (const [path, method] of [
    ['/run/1', 'POST'],
    ['/run/2', 'DELETE'],
  ] as const)
    await buy(key, seller.payTo, {
      url: `${seller.url}${path}`,
      input: { type: 'http', method, body: { drop: 'all' } },
    })
  await look(w, 2)
  expect(await listed(w, 'type=mcp')).toMatchObject([{ resource: `${seller.url}/run/:id` }])
  expect(seller.asked).toEqual([
    { method: 'POST', path: '/run/1', body: '{}' },
    { method: 'GET', path: '/run/2', body: '' },
  ])
})

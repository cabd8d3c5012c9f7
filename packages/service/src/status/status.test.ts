import { expect, test } from 'vitest'
import { testChain } from '../../test/chain.ts'
import { world } from '../../test/world.ts'
import { openChain } from '../chain/chain.ts'
import { localSigner } from '../chain/signers/local.ts'
import { sql } from '../db/sql.ts'
import { randomHex, Secret } from '../kernel/secrets.ts'
import { readReadiness } from './checks.ts'

test('status tells what this release can do, the head of the chain, and the queue', async () => {
  await using w = await world()
  const { status, body } = await w.call('GET', '/api/status')
  expect(status).toBe(200)
  expect(body.protocols.x402).toMatchObject({
    ...{ status: 'available', schemes: ['exact'], facilitator: '/api/x402' },
  })
  expect(body.protocols.ap2).toMatchObject({ status: 'available', settle: '/api/ap2/settle' })
  expect(body.protocols.mpp).toMatchObject({
    status: 'available',
    methods: ['evm', 'agentcard'],
    receive: '/pay/{code}',
  })
  expect(body.chain.network).toBe('eip155:84532')
  expect(body.chain.head).toBeGreaterThan(0)
  expect(body.chain.lag_seconds).toBeGreaterThanOrEqual(0)
  expect(body.queues).toEqual({ ready: 0, waiting: 0, running: 0, failed: 0 })
})

test('status goes on without the chain, and readiness does not', async () => {
  await using w = await world()
  const chain = openChain({
    asset: w.chain.asset,
    rpcUrls: ['http://127.0.0.1:1'],
    treasury: localSigner(new Secret(randomHex(32))),
    relayers: [],
    secret: new Secret(randomHex(32).slice(2)),
  })
  Object.assign(w.services, { chain })

  const status = await w.call('GET', '/api/status')
  const ready = await w.call('GET', '/readyz')

  expect(status.status).toBe(200)
  expect(status.body.chain).toMatchObject({ head: null, lag_seconds: null })
  expect(ready.status).toBe(503)
  expect(ready.body.status).toBe('not_ready')
  expect(ready.body.checks.chain).toEqual({ ok: false, detail: 'the chain did not answer' })
  expect(ready.body.checks.database.ok).toBe(true)
  expect((await w.call('GET', '/healthz')).status).toBe(200)
})

test('readiness names a migration that was not applied, and a chain that is another', async () => {
  await using w = await world()
  expect((await readReadiness(w.services)).ready).toBe(true)
  await w.write((tx) => sql`delete from schema_migrations where name like '001%'`.execute(tx))
  const other = { ...w.chain, chainId: 8453, network: 'eip155:8453' as const }

  const { ready, checks } = await readReadiness({ ...w.services, chain: other })

  expect(ready).toBe(false)
  expect(checks.migrations.detail).toContain('001-ledger.sql')
  expect(checks.chain.detail).toContain(`eip155:${testChain().chainId}`)
})

test('metrics count requests by the pattern of their route, never by what was asked', async () => {
  await using w = await world()
  await w.call('GET', '/api/cards/card_1')
  await w.call('GET', '/api/cards/card_2')
  await w.call('GET', '/no/such/path')
  const { text, headers } = await w.call('GET', '/metrics')
  expect(headers['content-type']).toContain('text/plain')
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/cards/:id",status="401"} 2',
  )
  expect(text).toContain('route="unmatched",status="404"')
  expect(text).not.toContain('card_1')
  expect(text).toContain('purser_jobs{state="ready"} 0')
  expect(text).toContain('process_resident_memory_bytes')
})

test('the document, the reference and llms.txt are public for five minutes and name every operation', async () => {
  await using w = await world()
  const json = await w.call('GET', '/openapi.json')
  expect(json.body.openapi).toBe('3.1.0')
  expect(json.body.info.version).toBe('2026-07-16')
  const html = await w.call('GET', '/docs')
  const text = await w.call('GET', '/llms.txt')
  for (const reply of [json, html, text]) {
    expect(reply.status).toBe(200)
    expect(reply.headers['cache-control']).toBe('public, max-age=300')
  }
  for (const [path, methods] of Object.entries(json.body.paths))
    for (const [method, operation] of Object.entries(methods as Record<string, any>)) {
      expect(html.text).toContain(`<article id="${operation.operationId}">`)
      expect(text.text).toContain(`[${method.toUpperCase()} ${path}]`)
    }
})

test('the reference runs nothing and loads nothing', async () => {
  await using w = await world()
  const { text, headers } = await w.call('GET', '/docs')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
  )
  expect(text).not.toMatch(/<script|<link|<img|style="|\bon\w+=/)
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test('the development operations are described beside the embedded chain only', async () => {
  await using dev = await world()
  await using other = await world({ settings: { embeddedRpcUrl: null } })
  expect((await dev.call('GET', '/openapi.json')).text).toContain('/api/dev/faucet')
  expect((await other.call('GET', '/openapi.json')).text).not.toContain('/api/dev/')
  expect((await other.call('GET', '/docs')).text).not.toContain('/api/dev/')
})

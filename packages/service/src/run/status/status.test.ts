import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { testChain } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { openChain } from '../../chain/client/chain.ts'
import { localSigner } from '../../chain/client/signers/local.ts'
import { readReadiness } from './checks.ts'
import { homePage } from './pages/home-page.ts'

test('status tells what this release can do, the head of the chain, and the queue', async () => {
  await using w = await world()
  const { status, body } = await w.call('GET', '/api/status')
  expect(status).toBe(200)
  expect(body.protocols.x402).toMatchObject({
    status: 'available',
    schemes: ['exact'],
    facilitator: '/api/x402',
  })
  expect(body.protocols.ap2).toMatchObject({ status: 'available', settle: '/api/ap2/settle' })
  expect(body.protocols.settlement).toMatchObject({
    engine: expect.any(String),
    fee_model: '0.5% of each payment',
    fee: { bps: 50, flat: 0 },
  })
  for (const name of ['x402', 'ap2', 'mpp'])
    for (const member of ['direction', 'spend', 'receive'])
      expect(body.protocols[name][member], `${name}.${member}`).toEqual(expect.any(String))
  expect(body.protocols.mpp).toMatchObject({
    status: 'available',
    capabilities: ['charge', 'stream'],
    methods: ['evm', 'agentcard'],
    receive: '/pay/{code}',
  })
  expect(body.chain.network).toBe('eip155:84532')
  expect(body.chain.head).toBeGreaterThan(0)
  expect(body.chain.lag_seconds).toBeGreaterThanOrEqual(0)
  expect(body.queues).toEqual({ ready: 0, waiting: 0, running: 0, failed: 0 })
})

// Cards pay without the chain: a load balancer must not remove every machine because an RPC fails.
test('status and readiness go on without the chain, and say so', async () => {
  await using w = await world()
  const chain = openChain({
    asset: w.chain.asset,
    rpcUrls: ['http://127.0.0.1:1'],
    treasury: localSigner(new Secret(randomHex(32))),
    relayers: [],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
  Object.assign(w.services, { chain })

  const status = await w.call('GET', '/api/status')
  const ready = await w.call('GET', '/readyz')

  expect(status.status).toBe(200)
  expect(status.body.chain).toMatchObject({ head: null, lag_seconds: null })
  expect(ready.status).toBe(200)
  expect(ready.body).toMatchObject({ status: 'ready', cards: 'available', chain: 'unavailable' })
  expect(ready.body.checks.chain).toEqual({
    ok: false,
    detail: 'the chain did not answer',
    since: expect.stringMatching(/Z$/),
  })
  const again = await w.call('GET', '/readyz')
  expect(again.body.checks.chain.since).toBe(ready.body.checks.chain.since)
  expect(again.body.checks.database.since).toBeNull()
  expect(ready.body.checks.database.ok).toBe(true)
  expect((await w.call('GET', '/healthz')).status).toBe(200)
})

test('readiness names a migration that was not applied, and a chain that is another', async () => {
  await using w = await world()
  expect((await readReadiness(w.services)).status).toBe('ready')
  await w.write((tx) => sql`delete from schema_migrations where name like '007%'`.execute(tx))
  const other = { ...w.chain, chainId: 8453, network: 'eip155:8453' as const }

  const { status, checks } = await readReadiness({ ...w.services, chain: other })

  expect(status).toBe('not_ready')
  expect(checks.migrations.detail).toContain('007-ledger.sql')
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
    'http_request_duration_seconds_count{method="GET",route="/api/cards/:id",status="4xx"} 2',
  )
  expect(text).toContain('route="unmatched",status="4xx"')
  expect(text).not.toContain('card_1')
  expect(text).toContain('purser_jobs{state="ready"} 0')
  expect(text).toContain('process_resident_memory_bytes')
})

test('the document, the documentation and llms.txt are public for five minutes and name every operation', async () => {
  await using w = await world()
  const json = await w.call('GET', '/openapi.json')
  expect(json.body.openapi).toBe('3.1.0')
  expect(json.body.info.version).toBe('2026-07-16')
  const html = await w.call('GET', '/docs/reference/')
  const text = await w.call('GET', '/llms.txt')
  const whole = await w.call('GET', '/llms-full.txt')
  for (const reply of [json, html, text, whole, await w.call('GET', '/docs')]) {
    expect(reply.status).toBe(200)
    expect(reply.headers['cache-control']).toBe('public, max-age=300')
  }
  for (const [path, methods] of Object.entries(json.body.paths))
    for (const [method, operation] of Object.entries(methods as Record<string, any>)) {
      const name = `${method.toUpperCase()} ${path}`
      const page = `/docs/reference/${operation.operationId}`
      expect(html.text).toContain(`href="${page}"`)
      expect(text.text).toContain(`[${name}](${w.services.settings.publicUrl}${page}.md)`)
      expect(whole.text).toContain(`\n\`${name}\`\n`)
      const [asPage, asText] = [await w.call('GET', page), await w.call('GET', `${page}.md`)]
      expect([asPage.status, asText.status], page).toEqual([200, 200])
      expect(asPage.text, page).toContain(`<code>${name}</code>`)
      expect(asText.headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(asText.text, page).toContain(`\`${name}\``)
    }
})

test('the documentation runs and loads what is its own, and styles nothing in place', async () => {
  await using w = await world()
  for (const path of ['/docs', '/docs/start', '/docs/reference/postPay', '/docs/errors']) {
    const { text, headers } = await w.call('GET', path)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /,
    )
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/assets\/)|<style| style="|\bon\w+="/)
    const loaded = [...text.matchAll(/<(?:script|link|img)\b[^>]* (?:src|href)="([^"]+)"/g)]
    expect(loaded.length).toBeGreaterThan(3)
    for (const [, url = ''] of loaded) {
      const file = await w.call('GET', new URL(url, 'http://x').pathname)
      expect([url.startsWith('/docs/'), file.status], url).toEqual([true, 200])
    }
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g))
      expect(ids, path).toContain(decodeURIComponent(target))
  }
})

test('files of the documentation are kept for ever, pages are revalidated, and both come packed', async () => {
  await using w = await world()
  const { text } = await w.call('GET', '/docs/start')
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(text) ?? []
  for (const [path, caching] of [
    [script, 'public, max-age=31536000, immutable'],
    ['/docs/start', 'public, max-age=300'],
  ] as const) {
    const packed = await w.call('GET', path, undefined, { headers: { 'accept-encoding': 'br' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': caching })
    const etag = String((await w.call('GET', path)).headers.etag)
    const again = await w.call('GET', path, undefined, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  }
  for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/start.html.br'])
    expect((await w.call('GET', path)).status, path).toBe(404)
  const missing = await w.call('GET', '/docs/nothing', undefined, {
    headers: { accept: 'text/html' },
  })
  expect([missing.status, missing.text.includes('404')]).toEqual([404, true])
  const forPrograms = await w.call('GET', '/docs/nothing')
  expect([forPrograms.status, forPrograms.body.code]).toEqual([404, 'not_found'])
})

test('below a path every address of the documentation begins there', async () => {
  await using w = await world({ settings: { publicUrl: 'https://pay.example/purser' } })
  const { text } = await w.call('GET', '/docs/start')
  expect(text).toContain('href="/purser/docs/walk"')
  const named = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, url = '']) => url)
  expect(named.filter((url) => !url.startsWith('/purser/'))).toEqual([])
  const [, script = ''] = /<script type="module" src="\/purser([^"]+)"/.exec(text) ?? []
  expect((await w.call('GET', script)).text).not.toMatch(/["'`]\/docs\//)
  expect((await w.call('GET', '/llms-full.txt')).text).toContain('](/purser/docs/limits.md)')
})

test('the development operations are described beside the embedded chain only', async () => {
  await using dev = await world()
  await using other = await world({ settings: { embeddedRpcUrl: null } })
  expect((await dev.call('GET', '/openapi.json')).text).toContain('/api/dev/faucet')
  expect((await other.call('GET', '/openapi.json')).text).not.toContain('/api/dev/')
  expect((await other.call('GET', '/llms.txt')).text).not.toContain('/api/dev/')
  // The pages are those of the software, so they say where it offers these.
  for (const id of ['postDevFaucet', 'postDevSession', 'postDevMine', 'postDevClock'])
    expect((await other.call('GET', `/docs/reference/${id}`)).text).toContain('embedded chain')
})

test('a silent RPC does not hold readiness up, and is asked once for many callers', async () => {
  await using w = await world()
  let calls = 0
  const silent = createServer(() => {
    calls++
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const chain = openChain({
    asset: w.chain.asset,
    rpcUrls: [`http://127.0.0.1:${port}`],
    treasury: localSigner(new Secret(randomHex(32))),
    relayers: [],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
  Object.assign(w.services, { chain })
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 100 }, () => w.call('GET', '/readyz')))
  expect(performance.now() - begun).toBeLessThan(8_000)
  for (const { status, body } of answers) expect([status, body.chain]).toEqual([200, 'unavailable'])
  expect(calls).toBeLessThanOrEqual(2)
  silent.closeAllConnections()
  silent.close()
})

test('a process that was asked to stop says so, still serves, and closes connections', async () => {
  await using w = await world()
  w.services.leaving.isLeaving = true
  const ready = await w.call('GET', '/readyz')
  expect([ready.status, ready.body.status]).toEqual([503, 'leaving'])
  const answer = await w.call('GET', '/api/status')
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close'])
})

test('metrics are shown to whoever has the token, and to nobody where none is set', async () => {
  const token = randomHex(16)
  await using guarded = await world({ settings: { metrics: new Secret(token) } })
  const read = (w: typeof guarded, authorization?: string) =>
    w.call('GET', '/metrics', undefined, { headers: authorization ? { authorization } : {} })
  expect((await read(guarded, `Bearer ${token}`)).status).toBe(200)
  for (const wrong of [undefined, 'Bearer x', `Bearer ${token}x`, token, 'Bearer '])
    expect((await read(guarded, wrong)).status).toBe(401)
  await using closed = await world({ settings: { metrics: 'closed' } })
  const refused = await read(closed, `Bearer ${token}`)
  expect([refused.status, refused.body.error]).toEqual([
    401,
    expect.stringContaining('PURSER_METRICS_TOKEN'),
  ])
})

// The role may open one connection, as when other clients use up the server's connections.
test('used up connections are a 503 with Retry-After, never a 500', async () => {
  await using w = await world()
  const role = `limited_${randomHex(6).slice(2)}`
  await w.write(async (tx) => {
    await sql.raw(`create role ${role} login password 'x' connection limit 1`).execute(tx)
    await sql.raw(`grant pg_read_all_data, pg_write_all_data to ${role}`).execute(tx)
  })
  const url = new URL(w.databaseUrl)
  Object.assign(url, { username: role, password: 'x' })
  try {
    await using limited = await w.machine({ databaseUrl: url.href })
    const u = await w.user({ treasury: 5 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        limited.call('GET', '/api/balance', undefined, { key: u.key }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers, text } of refused)
      expect([status, headers['retry-after'], text.includes('too many connections')]).toEqual([
        503,
        '1',
        false,
      ])
  } finally {
    await w.write((tx) => sql.raw(`drop owned by ${role}; drop role ${role}`).execute(tx))
  }
})

test('the root is a page for a person, and a few links for a program', async () => {
  await using w = await world()
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  for (const accept of [browser, 'application/json;q=0.5, text/html', 'TEXT/HTML']) {
    const page = await w.call('GET', '/', undefined, { headers: { accept } })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.vary).toContain('Accept')
    expect(page.text).not.toMatch(/<script(?![^>]* src=")|<style/)
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
  }
  for (const accept of ['*/*', 'application/json', '', 'text/html;q=0', 'text/plain']) {
    const answer = await w.call('GET', '/', undefined, { headers: { accept } })
    expect(answer.headers['content-type'], accept).toContain('application/json')
    expect(answer.body).toMatchObject({ name: 'purser', version: expect.any(String) })
    for (const url of Object.values<string>(answer.body.links)) {
      const { pathname } = new URL(url)
      expect((await w.call('GET', pathname)).status, pathname).toBe(200)
    }
  }
})

test('every link and operation that the page at the root names is there', async () => {
  await using w = await world()
  const { text } = await w.call('GET', '/', undefined, { headers: { accept: 'text/html' } })
  const { publicUrl: baseUrl, version, network } = w.services.settings
  const asset = 'USDC'
  const home = {
    version,
    baseUrl,
    network,
    asset,
    isLocal: true,
    hasDemoWallet: false,
    explorer: '',
  }
  // The second stands where the dashboard is not built.
  for (const [, href = ''] of (text + homePage(home)).matchAll(
    /(?:href|src)="(?!data:)([^"]+)"/g,
  )) {
    const { pathname, hash } = new URL(href, `${baseUrl}/`)
    expect([(await w.call('GET', pathname)).status, hash], href).toEqual([200, ''])
  }
})

test('a person who opens an unknown address sees a page, a program the same refusal, and an icon exists', async () => {
  await using w = await world()
  const open = (accept: string) => w.call('GET', '/no/<b>such', undefined, { headers: { accept } })
  const page = await open('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('No such page')
  expect(page.text).not.toContain('<b>such')
  const refused = await open('application/json')
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const icon = await w.call('GET', path)
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  }
})

test('a machine whose clock is more than half a minute from the database’s is not ready', async () => {
  await using w = await world()
  for (const [seconds, status, detail] of [
    [29, 'ready', 'agrees with the database’s'],
    [3_600, 'not_ready', "This machine's clock is 3600 s ahead of the database's"],
    [-3_600, 'not_ready', "This machine's clock is 3600 s behind the database's"],
  ] as const) {
    const clock = { ...w.clock, aheadMs: () => seconds * 1000 }
    const readiness = await readReadiness({ ...w.services, clock })
    expect(readiness).toMatchObject({ status, cards: 'available', checks: { clock: { detail } } })
  }
})

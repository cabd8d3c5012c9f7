import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ask as demandAndPayment, newAddress } from '../actors/facilitator-kit.ts'
import { livedPlace, start, stopPrograms } from '../actors/program.ts'
import { openWallet as openChainWallet } from '../crash/chain-wallet.ts'
import { until } from '../until.ts'
import { openWallet } from '../webhooks/http-wallet.ts'
import { receiver } from '../webhooks/receiver.ts'
import { openCollector, type Span } from './collector.ts'

afterEach(stopPrograms)

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const FLAGS = '01'

/** A server that keeps the headers that it gets, and wants no money. */
async function openSeller() {
  const got: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    got.push(request.headers)
    response.end('free')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/goods`,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  }
}

test('one payment is one trace: request, lane, database and chain, and the trace goes on with those who are called', {
  timeout: 600_000,
}, async () => {
  await using collector = await openCollector()
  await using seller = await openSeller()
  await using hook = await receiver()
  const { dev } = await start({
    ...(await livedPlace()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'purser-test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })
  const wallet = await openChainWallet(dev.rpc_url, 1_000_000n)
  const { apiKey, ask } = await openWallet(dev.base_url, wallet.account)
  const { id, secret } = await ask('POST', '/api/webhooks', { url: hook.url })
  const payTo = newAddress()
  const traced = (path: string, init: RequestInit = {}) =>
    fetch(`${dev.base_url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        traceparent: `00-${TRACE}-${CALLER}-${FLAGS}`,
      },
    })
  const body = await demandAndPayment(wallet.account, payTo)
  const paid = await traced('/api/x402/settle', { method: 'POST', body: JSON.stringify(body) })
  expect(await paid.json()).toMatchObject({ success: true })

  const server = await until(() =>
    collector.of(TRACE).find(({ name }) => name === 'POST /api/x402/settle'),
  )
  expect(server).toMatchObject({ parentSpanId: CALLER, service: 'purser-test' })
  const spans = collector.of(TRACE)
  const parentOf = (span: Span) => spans.find(({ spanId }) => spanId === span.parentSpanId)
  const lane = spans.find(({ name }) => name.startsWith('lane '))
  expect(lane && parentOf(lane)).toBe(server)
  expect(spans.filter(({ name }) => name === 'postgresql transaction').map(parentOf)).toContain(
    lane,
  )
  const sent = spans.find(({ name }) => name === 'rpc eth_sendRawTransaction')
  expect(sent && parentOf(sent)).toBe(server)

  // Sellers and webhooks that are called continue the trace of the request or job that calls them.
  const found = await traced(
    `/api/x402/discover?url=${encodeURIComponent(`${seller.url}?q=hidden`)}`,
  )
  expect(found.status).toBeLessThan(500)
  expect(seller.got[0]?.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  await ask('POST', `/api/webhooks/${id}/test`)
  const delivered = await until(() => hook.got[0])
  expect(delivered?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)

  const [url] = await until(
    () => collector.of(TRACE).filter(({ name }) => name === 'GET /api/x402/discover'),
    (some) => some.length > 0,
  )
  expect(url?.attributes.map(({ key }) => key).sort()).toEqual([
    ...['http.request.method', 'http.response.status_code', 'http.route'],
  ])
  const secrets = [apiKey, secret, wallet.address, payTo, body.paymentPayload.payload.signature]
  for (const hidden of [...secrets, 'hidden', '/goods'])
    expect(collector.state.raw.toLowerCase()).not.toContain(String(hidden).toLowerCase())
})

test('without an endpoint the library is not loaded', {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-traces-'))
  const [hook, log] = [join(folder, 'hook.mjs'), join(folder, 'loaded')]
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     registerHooks({ resolve(name, context, next) {
       const found = next(name, context)
       if (/@opentelemetry.(sdk|exporter)|tracing.tracer|.tracer[.]js$/.test(found.url)) appendFileSync(${JSON.stringify(log)}, found.url + '\\n')
       return found
     } })`,
  )
  const loaded = () => readFile(log, 'utf8').catch(() => '')
  try {
    await using collector = await openCollector()
    const env = { ...(await livedPlace()), NODE_OPTIONS: `--import ${hook}` }
    const off = await start({ ...env, OTEL_SERVICE_NAME: 'purser-test' })
    expect((await fetch(`${off.dev.base_url}/api/status`)).status).toBe(200)
    await off.program.stop()
    expect(await loaded()).toBe('')
    const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const none = await start({ ...traced, OTEL_TRACES_SAMPLER: 'always_off' })
    expect((await fetch(`${none.dev.base_url}/api/status`)).status).toBe(200)
    await none.program.stop()
    expect(await loaded()).toContain('tracer')
    expect(collector.spans).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

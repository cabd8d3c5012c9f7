import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import { type World, world } from '../../../../test/world.ts'
import { scanJson } from '../../../base/kernel/json-text.ts'
import { answerUnread } from './below.ts'
import { createServer as createOurs } from './server.ts'

let w: World
let port: number
let key: string
beforeAll(async () => {
  w = await world()
  key = (await w.user({ treasury: 100 })).key
  await w.app.listen({ port: 0, host: '127.0.0.1' })
  port = (w.app.server.address() as AddressInfo).port
})
afterAll(() => w?.[Symbol.asyncDispose]())

/** The answer of the service to these bytes. */
async function send(...parts: (string | Buffer)[]) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  const headers = new Map(
    head.split('\r\n').map((line) => line.toLowerCase().split(': ', 2) as [string, string]),
  )
  return { status: Number(head.split(' ')[1]), headers, body: body ? JSON.parse(body) : undefined }
}
const head = (...lines: string[]) =>
  `${['Host: x', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`
const post = (body: string | Buffer, ...lines: string[]) =>
  send(
    `POST /api/issue HTTP/1.1\r\n`,
    head(`Authorization: Bearer ${key}`, `Content-Length: ${Buffer.byteLength(body)}`, ...lines),
    body,
  )
const JSON_TYPE = 'Content-Type: application/json'

test.each([
  [
    'a head beyond the limit',
    `GET /healthz HTTP/1.1\r\n${head(`a: ${'x'.repeat(70_000)}`)}`,
    431,
    'headers_too_large',
  ],
  [
    'a foreign Expect',
    `GET /healthz HTTP/1.1\r\n${head('Expect: something')}`,
    417,
    'expectation_failed',
  ],
  ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
  ['a method of nobody', `FOO / HTTP/1.1\r\n${head()}`, 400, 'invalid_request'],
  ['a method that has no operation', `PROPFIND /healthz HTTP/1.1\r\n${head()}`, 404, 'not_found'],
  ['another method', `PROPFIND /api/issue HTTP/1.1\r\n${head()}`, 405, 'method_not_allowed'],
  ['QUERY', `QUERY /api/issue HTTP/1.1\r\n${head()}`, 405, 'method_not_allowed'],
  ['QUERY of nothing', `QUERY /x HTTP/1.1\r\n${head('Content-Type: foo')}`, 404, 'not_found'],
  ['CONNECT', `CONNECT x:1 HTTP/1.1\r\n${head()}`, 405, 'method_not_allowed'],
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['two Hosts', `GET /healthz HTTP/1.1\r\n${head('host: y')}`, 400, 'invalid_request'],
  [
    'two Authorizations',
    `GET /api/cards HTTP/1.1\r\n${head('Authorization: Bearer a', 'authorization: Bearer b')}`,
    400,
    'invalid_request',
  ],
  [
    'two keys',
    `POST /api/issue HTTP/1.1\r\n${head('Idempotency-Key: a', 'Idempotency-Key: b', 'Content-Length: 0')}`,
    400,
    'invalid_request',
  ],
  [
    'a length that is no number',
    `POST /api/issue HTTP/1.1\r\n${head('Content-Length: 1x')}`,
    400,
    'invalid_request',
  ],
  [
    'two lengths',
    `POST /api/issue HTTP/1.1\r\n${head('Content-Length: 1', 'Content-Length: 2')}`,
    400,
    'invalid_request',
  ],
  [
    'a length and chunks',
    `POST /api/issue HTTP/1.1\r\n${head('Content-Length: 1', 'Transfer-Encoding: chunked')}`,
    400,
    'invalid_request',
  ],
  [
    'a body of a read, though it is compressed',
    `GET /api/config HTTP/1.1\r\n${head('Content-Length: 1', 'Content-Encoding: gzip')}x`,
    400,
    'invalid_request',
  ],
  ['a path with a bad escape', `GET /api/cards/%zz HTTP/1.1\r\n${head()}`, 400, 'invalid_request'],
])('%s is refused in the form of every refusal', async (_, bytes, status, code) => {
  const answer = await send(bytes)
  expect([answer.status, answer.body]).toEqual([
    status,
    { error: expect.any(String), code, request_id: answer.headers.get('x-request-id') },
  ])
  expect(answer.body.request_id).toMatch(/^req_/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('a request that does not arrive in time is refused in that form too', async () => {
  const quick = { headersTimeout: 40, requestTimeout: 40, connectionsCheckingInterval: 20 }
  const server = createServer(quick).on('clientError', (error, socket) =>
    answerUnread(error, socket, 'req_late'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  let text = ''
  for await (const bytes of socket) text += bytes
  server.close()
  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: expect.any(String),
    code: 'request_timeout',
    request_id: 'req_late',
  })
})

// A connection that is in use when the server closes may bring more requests.
test('a request that comes while the server closes is refused in that form too', async () => {
  const app = await createOurs({
    ...{ log: pino({ level: 'silent' }), rateLimitPerMinute: 100, now: () => new Date() },
  })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<string>()
  app.get('/held', () => {
    begun.resolve()
    return held.promise
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const request = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'
  socket.write(request)
  await begun.promise
  const closed = app.close()
  await until(() => !app.server.listening)
  app.server.once('request', () => held.resolve('served'))
  socket.write(request)
  let text = ''
  for await (const bytes of socket) text += bytes
  await closed
  const [, , last = ''] = text.split('HTTP/1.1 ')
  expect(last).toMatch(/^503 /)
  expect(last.toLowerCase()).toMatch(/retry-after: 1\r\n/)
  expect(JSON.parse(last.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: expect.stringContaining('stops'),
    code: 'overloaded',
    request_id: expect.stringMatching(/^req_/),
  })
})

test('a head of 32 KiB and an upgrade that nobody takes reach the operation', async () => {
  for (const line of [`PAYMENT-SIGNATURE: ${'x'.repeat(32 * 1024)}`, 'Upgrade: h2c'])
    expect((await send(`GET /healthz HTTP/1.1\r\n${head(line)}`)).status).toBe(200)
})

test('an empty body has no media type, and a compressed one is refused by name', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    ...['foo', '', ';;;', '/', 'a/', 'text/plain x'],
  ]) {
    expect((await post('', `Content-Type: ${type}`)).status, type).not.toBe(415)
    expect((await post('x', `Content-Type: ${type}`)).body.code, type).toBe(
      'unsupported_media_type',
    )
  }
  expect((await post('x', 'Content-Type: text/plain')).body.code).toBe('unsupported_media_type')
  const body = gzipSync('{"purpose":"x"}')
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip'])
    expect(await post(body, JSON_TYPE, `Content-Encoding: ${encoding}`), encoding).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', error: expect.stringContaining('Content-Encoding') },
    })
  expect(
    (await post('{"purpose":"x","limit_amount":1}', JSON_TYPE, 'Content-Encoding: identity'))
      .status,
  ).toBe(200)
})

test.each([
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('{"purpose":"'), Buffer.of(0xff, 0xc0), Buffer.from('"}')]),
    'invalid_json',
  ],
  [
    'an amount that is one but for its twentieth digit',
    '{"purpose":"x","limit_amount":0.99999999999999999999}',
    'invalid_amount',
  ],
  [
    'a member twice',
    '{"purpose":"x","limit_amount":1,"limit_amount":2}',
    'invalid_field',
    'limit_amount',
  ],
  [
    'a member twice, once escaped, further down',
    '{"purpose":"x","metadata":{"a":"1","\\u0061":"2"}}',
    'invalid_field',
    'metadata.a',
  ],
  [
    '__proto__',
    '{"purpose":"x","metadata":{"__proto__":"1"}}',
    'invalid_field',
    'metadata.__proto__',
  ],
  [
    'a prototype of a constructor',
    '{"purpose":"x","metadata":{"constructor":{"prototype":"1"}}}',
    'invalid_field',
    'metadata.constructor.prototype',
  ],
])('%s is refused', async (_, body, code, param?: string) => {
  const answer = await post(body, JSON_TYPE)
  expect([answer.status, answer.body.code, answer.body.param]).toEqual([
    400,
    code,
    param ?? answer.body.param,
  ])
})

test('what only looks like a fault is none, and each number is judged by its digits', () => {
  for (const text of [
    '{"a":{"b":1},"b":{"b":2},"c":[{"b":3},{"b":4}]}',
    '["a","a"]',
    '{"a":"\\"a\\":1, {[","b":"\\\\"}',
    '{"a":"__proto__","prototype":1,"constructor":"x"}',
    '[1.00000000000000000000,-0.30000000000000004,100000000000000000000,1e21,0.000000000000000000001,0e5]',
  ])
    expect(scanJson(text), text).toEqual({ isExact: true })
  for (const text of [
    '[0.99999999999999999999]',
    '[9007199254740993]',
    '[1e400]',
    '[1e-400]',
    '[12345678901234567.5]',
  ])
    expect(scanJson(text).isExact, text).toBe(false)
})

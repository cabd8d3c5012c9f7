import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { routes } from '../../../run/app.ts'

const SECURITY = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

test('every JSON answer forbids what a browser could do with it, and is not kept', async () => {
  await using w = await world()
  const { key } = await w.user()
  const answers = [
    await w.call('GET', '/api/status'),
    await w.call('GET', '/api/keys', undefined, { key }),
    await w.call('GET', '/api/keys'),
    await w.call('GET', '/nowhere'),
    await w.call('DELETE', '/api/status'),
    await w.call('GET', '/api/pay/%00/resolve'),
    await w.call('GET', '/api/listings/%ff'),
    await w.call('GET', `/api/listings/${'a'.repeat(300)}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405, 400, 400, 400])
  // The framework itself refuses the last two.
  for (const { body, headers } of answers.slice(-2))
    expect(body).toEqual({
      error: expect.any(String),
      code: 'invalid_request',
      request_id: headers['x-request-id'],
    })
  for (const { headers } of answers)
    expect(headers).toMatchObject({
      ...SECURITY,
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/),
    })
  expect(answers[0]?.headers).toMatchObject({
    'ratelimit-limit': expect.any(String),
    'ratelimit-remaining': expect.any(String),
    'ratelimit-reset': expect.any(String),
  })
})

test('a page has its own policy, and the other headers all the same', async () => {
  await using w = await world()
  const { headers } = await w.call('GET', '/docs')
  expect(headers).toMatchObject({
    ...SECURITY,
    'content-security-policy': expect.stringContaining('style-src'),
    'cache-control': expect.stringContaining('max-age'),
  })
})

test('text that cannot be written again, and bodies that nest too deep, are refused by name', async () => {
  await using w = await world()
  const { key } = await w.user()
  const post = (body: unknown) => w.call('POST', '/api/issue', body, { key })
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) })
  for (const body of [
    { purpose: '\ud800' },
    { purpose: 'x', '\udfff': 1 },
    { a: [{ b: '\uDBFF' }] },
    nested(65),
    Array.from({ length: 3 }, () => nested(70)),
  ])
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'invalid_field' } })
  // A valid, flat body that only resembles a fault reaches the schema.
  for (const body of [{ purpose: '\u{1F600} \\ud800' }, { purpose: '{'.repeat(100) }, nested(64)])
    expect((await post(body)).body.error).not.toMatch(/surrogate|nests/)
})

test('a read over 1 KiB is compressed where the caller asks; an answer that may hold a secret never is', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 100 })
  const ask = (encoding: string, path: string) =>
    w.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
  const plain = (await ask('identity', '/openapi.json')).rawPayload
  const zipped = await ask('gzip', '/openapi.json')
  const brotli = await ask('gzip, deflate, br', '/openapi.json')
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip' })
  expect(zipped.headers.vary).toMatch(/accept-encoding/i)
  expect(gunzipSync(zipped.rawPayload).equals(plain)).toBe(true)
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.rawPayload).equals(plain)).toBe(true)
  expect(brotli.rawPayload.length).toBeLessThan(plain.length / 5)
  for (const [encoding, path] of [
    ['identity', '/openapi.json'],
    ['zstd', '/openapi.json'],
    ['gzip', '/healthz'],
  ])
    expect((await ask(encoding!, path!)).headers['content-encoding'], path).toBeUndefined()

  const cards = Array.from({ length: 10 }, () => ({ purpose: 'x', limit_amount: 1 }))
  const headers = { 'accept-encoding': 'gzip, br', 'idempotency-key': 'many' }
  for (const _ of ['first', 'again']) {
    const made = await u.post('/api/issue/bulk', { cards }, { headers })
    expect(made.text.length).toBeGreaterThan(4096)
    expect(made.headers['content-encoding']).toBeUndefined()
  }
  const packed = await u.post('/api/issue', 'x', { headers: { 'content-encoding': 'gzip' } })
  expect(packed).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('no answer to a read has a field that is a secret', () => {
  const SECRET = /^(api_key|card_token|secret|private_key|signature|credential)$/
  // There a credential is a card seen as a business.
  const isOfCredentials = ({ path }: { path: string }) => path.startsWith('/api/v1')
  const names = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : Object.entries(schema).flatMap(([name, inner]) => [
          ...(name === 'properties' ? Object.keys(inner) : []),
          ...names(inner),
        ])
  for (const route of routes.filter(({ method }) => method === 'GET'))
    expect(
      names(route.response).filter(
        (name) => SECRET.test(name) && !(name === 'credential' && isOfCredentials(route)),
      ),
      route.path,
    ).toEqual([])
})

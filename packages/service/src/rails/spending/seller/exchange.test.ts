import { expect, test } from 'vitest'
import { createEgress, type EgressResponse } from '../../../base/egress/egress.ts'
import { readOutgoing, showResponse } from './exchange.ts'

const egress = createEgress({ allow: [] })
const url = 'https://seller.example/report'

const answered = (
  body: string | Buffer,
  type = 'application/json',
  more: Partial<EgressResponse> = {},
): EgressResponse => ({
  status: 200,
  headers: { 'content-type': type },
  authenticate: [],
  body: Buffer.from(body as string),
  truncated: false,
  url,
  ...more,
})
const shownBody = (response: EgressResponse) => {
  const { body, body_encoding: encoding } = showResponse(response)
  return [encoding, body]
}

test('a JSON answer is given as JSON only if writing it again would not change it', () => {
  expect(shownBody(answered('{"a":[1,2.5,"x",null]}'))).toEqual([
    'json',
    { a: [1, 2.5, 'x', null] },
  ])
  expect(shownBody(answered('[1]', 'application/problem+json; charset=utf-8'))).toEqual([
    'json',
    [1],
  ])
  for (const text of [
    ...['{"id":9007199254740993}', '[0.1234567890123456789]', '1e999'],
    ...['{"broken"', '', `${'['.repeat(5000)}`],
    ...['{"a":1,"a":2}', '{"a":"\\ud800"}', '{"__proto__":1}'],
  ])
    expect(shownBody(answered(text))).toEqual(['text', text])
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(shownBody(answered(deep))).toEqual(['text', deep])
})

test('text stays text, anything else is base64, and a cut body is never parsed', () => {
  expect(shownBody(answered('<p>é</p>', 'text/html'))).toEqual(['text', '<p>é</p>'])
  const image = Buffer.from([0x89, 0x50, 0xff, 0x00])
  expect(shownBody(answered(image, 'image/png'))).toEqual(['base64', image.toString('base64')])
  const cut = Buffer.from('"é').subarray(0, 2)
  expect(shownBody(answered(cut, 'application/json', { truncated: true }))).toEqual(['text', '"'])
})

test('only headers that an agent needs are shown, never a cookie', () => {
  const { headers } = showResponse(
    answered('', 'text/plain', {
      headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b', etag: '"1"', server: 'x' },
    }),
  )
  expect(headers).toEqual({ 'content-type': 'text/plain', etag: '"1"' })
})

test('a body goes out as JSON, a string as it is, and a GET takes none', () => {
  const sent = (asked: Record<string, unknown>) => readOutgoing(egress, { url, ...asked })
  expect(sent({ body: { a: 1 } })).toMatchObject({
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  })
  expect(sent({ body: false })).toMatchObject({ body: 'false' })
  expect(sent({ body: 'a=1', headers: { 'Content-Type': 'text/csv' } })).toMatchObject({
    body: 'a=1',
    headers: { 'content-type': 'text/csv' },
  })
  for (const body of ['{"a":1}', ' [1]\n', '"a"', '7'])
    expect(sent({ body })).toMatchObject({ body, headers: { 'content-type': 'application/json' } })
  for (const body of ['', 'a=1', '{"a":1'])
    expect(sent({ body }).headers).toEqual({ 'content-type': 'text/plain; charset=utf-8' })
  const named = { body: '{"a":1}', headers: { 'CONTENT-TYPE': 'text/plain' } }
  expect(sent(named).headers).toEqual({ 'content-type': 'text/plain' })
  expect(() => sent({ method: 'GET', body: 'x' })).toThrow('carries no body')
  expect(
    sent({ headers: { 'X-Payment': 'forged', 'Payment-Signature': 'forged' } }).headers,
  ).toEqual({})
})

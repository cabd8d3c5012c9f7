import { expect, test } from 'vitest'
import { sanitizeHeaders } from './headers.ts'

test('a caller keeps its own headers and loses those of the connection and of payments', () => {
  expect(
    sanitizeHeaders({
      Authorization: 'Bearer abc',
      Cookie: 'a=b',
      'Content-Type': ' application/json ',
      'X-Api-Key': 'ké',
      Host: 'internal',
      'Content-Length': '5',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
      Upgrade: 'websocket',
      TE: 'trailers',
      Expect: '100-continue',
      'Accept-Encoding': 'zstd',
      'PAYMENT-SIGNATURE': 'x',
      'Payment-Required': 'x',
      'payment-authorization': 'x',
      'X-PAYMENT': 'x',
      'X-Payment-Response': 'x',
    }),
  ).toEqual({
    authorization: 'Bearer abc',
    cookie: 'a=b',
    'content-type': 'application/json',
    'x-api-key': 'ké',
  })
})

test.each(['Payment eyJ9', 'payment eyJ9', 'Basic eA==, Payment eyJ9'])(
  'a proof of payment is ours to send: Authorization: %s',
  (authorization) => {
    expect(sanitizeHeaders({ authorization })).toEqual({})
    const other = `Bearer ${authorization.split(' ').at(-1)}`
    expect(sanitizeHeaders({ authorization: other })).toEqual({ authorization: other })
  },
)

test.each([
  [{ a: 'b\r\nHost: c' }],
  [{ a: 'b\nc' }],
  [{ a: '\u0000' }],
  [{ a: '\u007f' }],
  [{ a: '€' }],
  [{ 'a b': 'c' }],
  [{ '': 'c' }],
  [{ 'a:': 'c' }],
  [{ 'a\r\nb': 'c' }],
  [{ a: 'x'.repeat(70_000) }],
  [Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`h${i}`, '']))],
])('refuses %j', (headers) => {
  expect(() => sanitizeHeaders(headers as Record<string, string>)).toThrow(
    expect.objectContaining({ code: 'invalid_field', param: 'headers' }),
  )
})

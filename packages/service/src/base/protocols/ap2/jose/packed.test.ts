import { expect, test } from 'vitest'
import { packToken, unpackToken } from './packed.ts'

const text = (bytes: string) => Buffer.from(bytes).toString('base64url')
const signature = Buffer.alloc(64, 0xfe).toString('base64url')

test.each([
  [`${text('{"alg":"ES256"}')}.${text('{"sub":"é"}')}.${signature}`],
  [`${text('{}')}.${text('{}')}.${signature}~${text('["salt","name",1]')}~`],
  [`${text('{}')}.${text('{}')}.${signature}~a~~${text('{}')}.${text('{}')}.${signature}`],
  ['', '.', '~', 'a.', '..~'].map(String),
  ['YR', 'YQ==', 'a+b/', 'not base64url', 'ü.~', '\n'],
  [`${text('x'.repeat(40_000))}.${text('{}')}.${signature}`, text('x'.repeat(0x8000))],
])('a token of any form comes back as it was: %#', (...tokens) => {
  for (const token of tokens) expect(unpackToken(packToken(token))).toBe(token)
})

test('a token takes a quarter less than its text', () => {
  const token = `${text('{"alg":"ES256"}')}.${text('x'.repeat(600))}.${signature}`
  expect(packToken(token).length).toBeLessThan(token.length * 0.77)
})

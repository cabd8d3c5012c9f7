import { hash } from 'node:crypto'
import fc from 'fast-check'
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

const card = 'card_01m8caq3g79ns6wzbr8fq9dc5t'
const wallet = '0xC672413Ec7ab4147873dC211d93643c338313043'
const jti = '9af2aa91-053b-43c8-b971-8891801964e2'
const hashOf = (of: string) => hash('sha256', of, 'base64url')
/** A mandate as the SDK makes it. `edit` changes its disclosure. */
function mandate(edit = (disclosure: string) => disclosure): string {
  const salt = Buffer.alloc(16, 7).toString('base64url')
  const content = {
    vct: 'mandate.payment.1',
    jti,
    transaction_id: hashOf('checkout'),
    payee: { id: 'PL_6EKTJBS3JZ', name: wallet, website: 'https://pay.example/pay/PL_6EKTJBS3JZ' },
    payment_amount: { amount: 2500, currency: 'USD' },
    payment_instrument: { id: card, type: 'card' },
    iat: 1_795_710_370,
    exp: 1_795_796_770,
  }
  const disclosure = text(edit(JSON.stringify([salt, content])))
  const header = text(`{"alg":"ES256","typ":"dc+sd-jwt","kid":"${hashOf('key')}"}`)
  const payload = text(`{"delegate_payload":[{"...":"${hashOf(disclosure)}"}],"_sd_alg":"sha-256"}`)
  return `${header}.${payload}.${signature}~${disclosure}~`
}
const known = [card, wallet, jti]

test('a mandate takes a third of its text, and comes back from what its row says', () => {
  const token = mandate()
  const packed = packToken(token, known)
  expect(packed.length).toBeLessThan(token.length / 3)
  expect(unpackToken(packed, known)).toBe(token)
})

test.each([
  ['a space', (d: string) => d.replace(',', ', ')],
  ['another order', (d: string) => `["a",${d.slice(27).replace('"iat":', '"exp":1,"iat":')}`],
  ['text that is not ASCII', (d: string) => d.replace('2500', '"é\u{1f600}"')],
  ['bytes that are codes', (d: string) => d.replace('2500', '"\u0080\u00f0\u00ff"')],
  [
    'base64url that no encoder writes',
    (d: string) => d.replace(hashOf('checkout'), 'B'.repeat(43)),
  ],
  ['no iat', (d: string) => d.replace(/,"iat":\d+/, '')],
  ['the phrases again', (d: string) => d.replace('2500', '"[\\"",\\"name\\":\\"}]"')],
])('a mandate with %s comes back as it was', (_, edit) => {
  const token = mandate(edit)
  expect(token).not.toBe(mandate())
  for (const row of [known, [null, card, wallet], []])
    expect(unpackToken(packToken(token, row), row)).toBe(token)
})

test('any text between the phrases comes back', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(...JSON.stringify(mandate()).split(/(?<=[",])/), ...known, '["', '}]'),
      ),
      fc.string(),
      (pieces, more) => {
        const disclosure = text(pieces.join('') + more)
        const token = `${mandate()}${disclosure}~${text(`["${hashOf(disclosure)}"]`)}~${disclosure}`
        expect(unpackToken(packToken(token, known), known)).toBe(token)
      },
    ),
  )
})

test('the time that a token takes grows with its length alone', () => {
  const token = `${mandate()}${'~'.repeat(200_000)}`
  expect(unpackToken(packToken(token, known), known)).toBe(token)
})

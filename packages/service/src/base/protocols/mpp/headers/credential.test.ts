import { expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { makeChallenge } from '../binding.ts'
import { checkBody, isDigestOf } from '../digest.ts'
import { PROBLEM_BASE, PROBLEMS, problemDocument, readProblem } from '../problem.ts'
import { MppRefusal } from '../refusal.ts'
import { echoOf } from './challenge.ts'
import { readCredential, writeCredential } from './credential.ts'
import { readReceipt, writeReceipt } from './receipt.ts'
import { canonicalJson, decodeJson, encodeJson } from './wire.ts'

const key = Buffer.alloc(32, 7)
const at = new Date('2026-11-21T12:00:00Z')
const expires = new Date('2026-11-21T12:05:00Z')
const terms = { amount: '10000', currency: 'usdc' }
const demand = {
  realm: 'purser.example',
  method: 'agentcard',
  intent: 'charge',
  terms,
  scope: 'PL_A',
  salt: 'c2FsdA',
  expires,
}
const ours = makeChallenge(key, demand)

const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof MppRefusal) return error.code
    throw error
  }
}
const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const payload = { type: 'cardToken', token: 'x' }
const authorization = writeCredential({ challenge: ours, source: 'me', payload }).headerValue

test('a credential is written and read unchanged', () => {
  const credential = { challenge: ours, source: 'me', payload }
  expect(readCredential({ authorization })).toEqual(credential)
  expect(readCredential({ authorization: authorization.replace('Payment', 'payment') })).toEqual(
    credential,
  )
})

test('a credential goes where its challenge wants it, and counts nowhere else', () => {
  const challenge = makeChallenge(key, { ...demand, header: 'Payment-Authorization' })
  const { headerName, headerValue } = writeCredential({ challenge, payload })
  expect(headerName).toBe('Payment-Authorization')
  const key_ = 'Bearer key_of_the_api'
  expect(
    readCredential({ authorization: key_, 'payment-authorization': headerValue })?.challenge,
  ).toEqual(challenge)
  expect(codeOf(() => readCredential({ authorization: headerValue }))).toBe('credential_misplaced')
  expect(codeOf(() => readCredential({ 'payment-authorization': authorization }))).toBe(
    'credential_misplaced',
  )
})

test.each([
  undefined,
  '',
  'Bearer abc',
  'Basic x=',
  'Digest username="a, Payment b"',
  'Payments x',
])('a request with %j has no Payment credential', (value) => {
  expect(readCredential({ authorization: value })).toBeUndefined()
})

const wire = (value: unknown): string => `Payment ${b64(value)}`
const echo = echoOf(ours)
test.each<[string, string, string]>([
  ['two of them', `${authorization}, ${authorization}`, 'credential_ambiguous'],
  ['no token', 'Payment', 'credential_malformed'],
  ['parameters for a token', 'Payment a="b"', 'credential_malformed'],
  ['no base64url', 'Payment !!!', 'credential_malformed'],
  ['padded base64', `Payment ${Buffer.from('{"a":1}').toString('base64')}`, 'credential_malformed'],
  ['no JSON', `Payment ${Buffer.from('{').toString('base64url')}`, 'credential_malformed'],
  ['no object', wire([]), 'credential_malformed'],
  ['nothing in it', wire({}), 'credential_malformed'],
  ['no payload', wire({ challenge: echo }), 'credential_malformed'],
  ['no challenge', wire({ payload }), 'credential_malformed'],
  [
    'a source that is no text',
    wire({ challenge: echo, payload, source: 1 }),
    'credential_malformed',
  ],
  [
    'a request as an object',
    wire({ challenge: { ...echo, request: {} }, payload }),
    'credential_malformed',
  ],
  [
    'an end as a number',
    wire({ challenge: { ...echo, expires: 1 }, payload }),
    'credential_malformed',
  ],
  [
    'an opaque map',
    wire({ challenge: { ...echo, opaque: { a: 'b' } }, payload }),
    'credential_malformed',
  ],
  [
    'a pipe in a field',
    wire({ challenge: { ...echo, method: 'a|b' }, payload }),
    'credential_malformed',
  ],
  ['20 KB', `Payment ${'a'.repeat(20_000)}`, 'credential_too_large'],
])('a credential with %s is refused', (_what, value, code) => {
  expect(codeOf(() => readCredential({ authorization: value }))).toBe(code)
})

test('a credential of 4 KB and more is read, and what it says beyond the draft is passed over', () => {
  const large = { ...payload, proof: 'x'.repeat(8000), more: [1, 2.5, null] }
  const value = wire({ challenge: { ...echo, note: 1 }, payload: large, extra: true })
  expect(readCredential({ authorization: value })?.challenge).toEqual(ours)
})

test('a body is bound to the challenge of its request', () => {
  const body = Buffer.from('{"hello": "world"}')
  const bound = makeChallenge(key, { ...demand, body })
  // The example of RFC 9530, appendix B.
  expect(bound.digest).toBe('sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:')
  checkBody(bound, body)
  checkBody(ours, new Uint8Array())
  expect(makeChallenge(key, { ...demand, body: new Uint8Array() })).toEqual(ours)
  expect(codeOf(() => checkBody(bound, Buffer.from('{}')))).toBe('body_digest_mismatch')
  expect(codeOf(() => checkBody(bound, new Uint8Array()))).toBe('body_digest_mismatch')
  // A challenge made for a request without a body does not pay for one with a body.
  expect(codeOf(() => checkBody(ours, body))).toBe('body_digest_mismatch')
})

test.each<[string, boolean]>([
  ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:', true],
  ['sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE', true],
  ['md5=:Sd/dVLAcvNLSq16eXua5uQ==:, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:', true],
  ['sha-512=:AAAA:, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:', false],
  ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=', false],
  ['md5=:Sd/dVLAcvNLSq16eXua5uQ==:', false],
  ['sha-256=', false],
  ['', false],
])('the digest %s fits: %s', (digest, fits) => {
  expect(isDigestOf(digest, Buffer.from('{"hello": "world"}'))).toBe(fits)
})

test('a receipt is written and read unchanged', () => {
  const receipt = {
    method: 'evm',
    reference: `0x${'ab'.repeat(32)}`,
    settledAt: at,
    challengeId: ours.id,
    chainId: 8453,
    externalId: 'PL_A',
  }
  expect(readReceipt(writeReceipt(receipt))).toEqual(receipt)
  const { chainId: _chainId, externalId: _externalId, ...less } = receipt
  expect(decodeJson(writeReceipt(less))).toEqual({
    status: 'success',
    method: 'evm',
    reference: receipt.reference,
    timestamp: '2026-11-21T12:00:00.000Z',
    challengeId: ours.id,
  })
})

test.each<[string, JsonObject]>([
  ['a failure', { status: 'failed' }],
  ['no method', { method: '' }],
  ['no reference', { reference: 5 }],
  ['no time', { timestamp: '2026' }],
])('a receipt with %s is none', (_what, change) => {
  const sound = {
    status: 'success',
    method: 'evm',
    reference: 'r',
    timestamp: '2026-01-01T00:00:00Z',
  }
  expect(readReceipt(encodeJson(sound))).toBeDefined()
  expect(readReceipt(encodeJson({ ...sound, ...change }))).toBeUndefined()
})

test('every problem is written with its status and read with its type', () => {
  for (const type of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    const document = problemDocument(type, 'What is wrong.', 'abc')
    expect(document).toMatchObject({ type: PROBLEM_BASE + type, ...PROBLEMS[type] })
    expect(readProblem(Buffer.from(JSON.stringify(document)))).toEqual({
      type,
      uri: PROBLEM_BASE + type,
      title: PROBLEMS[type].title,
      status: PROBLEMS[type].status,
      detail: 'What is wrong.',
      challengeId: 'abc',
    })
  }
})

test.each<[string, string, object | undefined]>([
  [
    'another type',
    '{"type":"https://a.example/b","status":402}',
    { type: undefined, uri: 'https://a.example/b', status: 402 },
  ],
  ['a name of the language', `{"type":"${PROBLEM_BASE}constructor"}`, { type: undefined }],
  ['no type', '{"title":"T"}', { uri: 'about:blank', title: 'T' }],
  [
    'members of a wrong type',
    `{"type":"${PROBLEM_BASE}bad-request","status":"402","title":1}`,
    { type: 'bad-request', status: undefined, title: undefined },
  ],
  ['a status that is none', '{"title":"T","status":4.5}', { status: undefined }],
  ['any other JSON', '{"error":"x"}', undefined],
  ['a list', '[]', undefined],
  ['no JSON', '<html>', undefined],
])('a body with %s is read so', (_what, body, claim) => {
  const read = readProblem(Buffer.from(body))
  if (claim) expect(read).toMatchObject(claim)
  else expect(read).toBeUndefined()
})

test('JSON is canonical as RFC 8785 has it', () => {
  expect(canonicalJson({ b: [true, null, -5], a: { é: '\u0001\n"\\/☕\u2028', Z: '<&>' } })).toBe(
    '{"a":{"Z":"<&>","é":"\\u0001\\n\\"\\\\/☕\u2028"},"b":[true,null,-5]}',
  )
  // By UTF-16 code units (3.2.3): the emoji's first unit is below U+FB33.
  expect(canonicalJson({ '\ufb33': 1, '😀': 2, '\u20ac': 3, '\r': 4, '1': 5 })).toBe(
    '{"\\r":4,"1":5,"€":3,"😀":2,"\ufb33":1}',
  )
  expect(codeOf(() => canonicalJson({ a: 1.5 }))).toBe('challenge_malformed')
  expect(codeOf(() => canonicalJson({ a: '\ud800' }))).toBe('challenge_malformed')
})

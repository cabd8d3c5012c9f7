import { expect, test } from 'vitest'
import { checkBinding, checkTerms, makeChallenge } from '../binding.ts'
import { contentDigest } from '../digest.ts'
import { MppRefusal } from '../refusal.ts'
import { preferred } from './accept.ts'
import { type Challenge, echoOf, readChallenges, writeChallenge } from './challenge.ts'
import { encodeJson } from './wire.ts'

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
const expected = { keys: [key] as const, realm: 'purser.example', scope: 'PL_A', at }
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
const minimal = 'id="abc", realm="api", method="tempo", intent="charge", request="e30"'

test('a challenge is written and read unchanged', () => {
  const full: Challenge = makeChallenge(key, {
    ...demand,
    body: Buffer.from('{}'),
    description: 'Pay "premium" C:\\api — ☕',
    header: 'Payment-Authorization',
  })
  expect(readChallenges(writeChallenge(full))).toEqual({ challenges: [full], skipped: [] })
  expect(writeChallenge(full)).toMatch(/^[\x20-\x7e]+$/)
})

test.each([
  [
    'white space around separators',
    'Payment  id="abc" ,  realm = "api" ,method="tempo",\tintent="charge" , request="e30"',
  ],
  ['any order', 'Payment request="e30", intent="charge", id="abc", method="tempo", realm="api"'],
  [
    'any case of scheme and names',
    'pAYMENT ID="abc", Realm="api", METHOD="tempo", intent="charge", request="e30"',
  ],
  ['unknown parameters', `Payment ${minimal}, foo="bar", baz=qux`],
  ['tokens for strings', 'Payment id=abc, realm=api, method=tempo, intent=charge, request=e30'],
  ['an older scheme before it', `Basic realm="a, Payment b", charset="UTF-8", Payment ${minimal}`],
  ['a token68 before it', `Negotiate YWJj==, Payment ${minimal}`],
  ['a scheme alone before it', `Negotiate, Payment ${minimal}`],
  ['schemes after it', `Payment ${minimal}, Bearer realm="x", DPoP`],
  ['empty elements', `, ,Payment ${minimal},,`],
])('%s: read', (_what, field) => {
  const { challenges, skipped } = readChallenges(field)
  expect(skipped).toEqual([])
  expect(challenges).toEqual([
    { id: 'abc', realm: 'api', method: 'tempo', intent: 'charge', request: 'e30', terms: {} },
  ])
})

test.each(['e30=', 'eyJhIjoiPj4+Pz8/In0=', 'eyJhIjoiPj4-Pz8_In0'])(
  'a request in another form of base64 is read, and returned as it came: %s',
  (request) => {
    const opaque = 'c2FsdDE='
    const { challenges } = readChallenges(
      `Payment ${minimal.replace('e30', request)}, opaque="${opaque}"`,
    )
    expect(challenges).toMatchObject([{ id: 'abc', request, opaque }])
    const [read] = challenges
    expect(read && echoOf(read)).toMatchObject({ request, opaque })
  },
)

test('a field that cannot be read hides none beside it, and of many fields a bounded number is read', () => {
  const good = `Payment ${minimal}`
  const junk = ['Negotiate/x', '"', '=', 'Payment id="x', 'Basic realm=@x', '\\', 'a b c']
  for (const broken of junk)
    for (const fields of [
      [broken, good],
      [good, broken],
      [broken, good, broken],
    ])
      expect(readChallenges(fields).challenges, broken).toHaveLength(1)
  const many = readChallenges(
    Array.from({ length: 500 }, (_, i) => (i % 2 ? good : 'Payment id="x')),
  )
  expect([many.challenges.length, many.skipped.length]).toEqual([32, 32])
})

test('several challenges are read, from one field or from many, and other schemes passed over', () => {
  const second = minimal.replace('abc', 'def')
  const ids = (fields: string | string[]) => readChallenges(fields).challenges.map(({ id }) => id)
  expect(ids(`Payment ${minimal}, Payment ${second}`)).toEqual(['abc', 'def'])
  expect(ids([`Payment ${minimal}`, 'Bearer', `Payment ${second}`])).toEqual(['abc', 'def'])
  expect(readChallenges(undefined)).toEqual({ challenges: [], skipped: [] })
})

test('the word Payment within a string is no challenge', () => {
  const { challenges, skipped } = readChallenges(
    `Payment ${minimal}, description="or, Payment id=\\"evil\\", realm=\\"x\\""`,
  )
  expect(skipped).toEqual([])
  expect(challenges).toHaveLength(1)
  expect(challenges[0]?.description).toBe('or, Payment id="evil", realm="x"')
})

test.each([
  ['no parameter', 'Payment'],
  ['an empty id', `Payment ${minimal.replace('abc', '')}`],
  ['a parameter twice', `Payment ${minimal}, id="b"`],
  ['a parameter twice in another case', `Payment ${minimal}, ID="b"`],
  ...['id', 'realm', 'method', 'intent', 'request'].map((name) => [
    `no ${name}`,
    `Payment ${minimal.replace(new RegExp(`(, )?${name}="[^"]*"(, )?`), (_all, a, b) => (a && b ? ', ' : ''))}`,
  ]),
  ['a method in upper case', `Payment ${minimal.replace('tempo', 'Tempo')}`],
  ['a request that is no base64url', `Payment ${minimal.replace('e30', 'not-valid!!!')}`],
  ['a request that is padded too much', `Payment ${minimal.replace('e30', 'e30==')}`],
  ['a request in two spellings', `Payment ${minimal.replace('e30', 'e31')}`],
  ['a request that is no JSON', `Payment ${minimal.replace('e30', 'bm90IGpzb24')}`],
  ['a request that is a list', `Payment ${minimal.replace('e30', 'W10')}`],
  [
    'a request with a member twice',
    `Payment ${minimal.replace('e30', Buffer.from('{"a":1,"a":2}').toString('base64url'))}`,
  ],
  [
    'a request that is too large',
    `Payment ${minimal.replace('e30', b64({ a: 'x'.repeat(12_000) }))}`,
  ],
  ['a field that is too large', `Payment ${minimal}, foo="${'x'.repeat(16_384)}"`],
  ['a string without an end', `Payment ${minimal}, description="no end`],
  ['a string of backslashes', `Payment ${minimal}, fuzz="${'\\'.repeat(12_000)}`],
  ['quotes within a string', `Payment ${minimal}, description="for "Premium" users"`],
  ['a line break in a string', `Payment ${minimal}, description="a\r\nSet-Cookie: b"`],
  ['no comma', `Payment ${minimal} description="x"`],
  ['an end that is no time', `Payment ${minimal}, expires="tomorrow"`],
  ['a digest that runs into the next slot of the id', `Payment ${minimal}, digest="sha-256=|x"`],
  ['parameters after a token', 'Payment e30, id="abc", realm="api"'],
  ['a date without a time', `Payment ${minimal}, expires="2026-01-01"`],
])('%s: skipped as malformed', (_what, field) => {
  const { challenges, skipped } = readChallenges(String(field))
  expect(challenges).toEqual([])
  expect(skipped.map(({ reason }) => reason)).toEqual(['malformed'])
})

// A seller must not be able to have a credential sent as a cookie or as a proxy's header.
test.each(['Cookie', 'X-Pay', 'payment-authorization', 'Authorization'])(
  'a challenge that wants its credential in %s is skipped',
  (header) => {
    const { challenges, skipped } = readChallenges(`Payment ${minimal}, header="${header}"`)
    expect(challenges).toEqual([])
    expect(skipped).toEqual([{ reason: 'unsupported_header', id: 'abc' }])
  },
)

test('what cannot be read hides nothing that stood before it', () => {
  const { challenges, skipped } = readChallenges([
    `Payment ${minimal}, Payment id="broken`,
    `Payment ${minimal.replace('abc', 'def')}`,
  ])
  expect(challenges.map(({ id }) => id)).toEqual(['abc', 'def'])
  expect(skipped).toHaveLength(1)
})

test('nothing is guessed at after a break in the syntax, whatever the scheme', () => {
  for (const broken of [
    'Negotiate/x',
    'Negotiate "x"',
    'Negotiate YWJj==, id="x"',
    'Basic realm=@x',
    '"',
    '=',
  ])
    expect(readChallenges(`${broken}, Payment ${minimal}`).challenges).toEqual([])
})

test('of a flood of challenges a bounded number is read', () => {
  const field = `${'Payment id=a,realm=b,method=c,intent=d,request=e30,'.repeat(200)}X`
  expect(readChallenges(field).challenges).toHaveLength(32)
})

test('a description cannot break the header it stands in', () => {
  const written = writeChallenge({ ...ours, description: 'a\r\nSet-Cookie: b\0"\\' })
  expect(written).toContain('description="a  Set-Cookie: b \\"\\\\"')
})

test.each<[string, Partial<Challenge>]>([
  ['id', { id: 'a b' }],
  ['realm', { realm: 'a\r\nb' }],
  ['method', { method: 'Evm' }],
  ['expires', { expires: 'soon' }],
  ['opaque', { opaque: '"' }],
  ['request', { request: encodeJson({ a: 'x'.repeat(8192) }) }],
])('a challenge whose %s has no form on the wire is not written', (_name, change) => {
  expect(codeOf(() => writeChallenge({ ...ours, ...change }))).toBe('challenge_malformed')
})

test('a challenge of ours is known again, under the key of now and under the one before', () => {
  checkBinding(ours, expected)
  checkBinding(ours, { ...expected, keys: [Buffer.alloc(32, 8), key] })
  checkTerms(ours, { currency: 'usdc', amount: '10000' })
  expect(codeOf(() => checkBinding(ours, { ...expected, keys: [Buffer.alloc(32, 8)] }))).toBe(
    'challenge_unknown',
  )
})

// Each slot of the id: a challenge with any echoed field changed is no longer ours.
test.each<[string, Partial<Challenge>]>([
  ['id', { id: `${ours.id.slice(0, -1)}_` }],
  ['realm', { realm: 'other.example' }],
  ['method', { method: 'evm' }],
  ['intent', { intent: 'session' }],
  ['request', { request: encodeJson({ ...terms, amount: '1' }) }],
  ['expires', { expires: '2099-01-01T00:00:00.000Z' }],
  ['digest', { digest: contentDigest(Buffer.from('x')) }],
  ['header', { header: 'Payment-Authorization' }],
  ['opaque', { opaque: encodeJson({ salt: 'c2FsdA', scope: 'PL_B' }) }],
])('a challenge with another %s is unknown', (_name, change) => {
  expect(codeOf(() => checkBinding({ ...ours, ...change }, expected))).toBe('challenge_unknown')
})

test('an end left out, moved to another slot, or written otherwise is unknown', () => {
  const { expires: _expires, ...endless } = ours
  expect(codeOf(() => checkBinding(endless, expected))).toBe('challenge_unknown')
  expect(codeOf(() => checkBinding({ ...endless, digest: ours.expires ?? '' }, expected))).toBe(
    'challenge_unknown',
  )
})

test('a challenge of one link pays no other, of another realm none, and none after its end', () => {
  expect(codeOf(() => checkBinding(ours, { ...expected, scope: 'PL_B' }))).toBe(
    'challenge_scope_mismatch',
  )
  expect(codeOf(() => checkBinding(ours, { ...expected, realm: 'b.example' }))).toBe(
    'challenge_unknown',
  )
  expect(codeOf(() => checkBinding(ours, { ...expected, at: expires }))).toBe('challenge_expired')
  expect(codeOf(() => checkTerms(ours, { ...terms, amount: '9999' }))).toBe(
    'challenge_terms_mismatch',
  )
})

test('two challenges of one moment differ', () => {
  expect(makeChallenge(key, { ...demand, salt: 'b3RoZXI' }).id).not.toBe(ours.id)
})

const evm = { method: 'evm', intent: 'charge' }
const card = { method: 'agentcard', intent: 'charge' }
const session = { method: 'agentcard', intent: 'session' }
test.each<[string | undefined, object[]]>([
  [undefined, [evm, card, session]],
  ['agentcard/charge, evm/charge;q=0.5', [card, evm]],
  ['agentcard/*, evm/*;q=0.999', [card, session, evm]],
  ['*/charge;q=0.3, */session', [session, evm, card]],
  ['*/*, evm/charge;q=0', [card, session]],
  ['agentcard/* ; q=0, agentcard/session;q=0.1', [session]],
  // A header that leaves nothing, or that cannot be read, is ignored.
  ['tempo/charge', [evm, card, session]],
  ['evm/charge;q=0', [evm, card, session]],
  ['evm/charge;q=2', [evm, card, session]],
  ['evm', [evm, card, session]],
  [',', [evm, card, session]],
])('Accept-Payment %s', (header, order) => {
  expect(preferred([evm, card, session], header)).toEqual(order)
})

import { expect, test } from 'vitest'
import {
  agent,
  at,
  chainOf,
  closedContent,
  closing,
  direct,
  directOf,
  disclosureOf,
  forge,
  openContent,
  openOf,
  ROOT,
  ref,
  referTo,
  service,
  stranger,
  user,
  verdict,
} from '../../../../test/actors/ap2/mandates.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { joinChain, makeOpenMandate, makeTerminalMandate } from './issue/issue.ts'
import { digestOf, toBase64url } from './jose/digest.ts'
import { publicJwkOf, signerOf } from './jose/keys.ts'
import { readChain } from './read/chain.ts'
import { readPresentation } from './read/presentation.ts'

test('what this codec makes, it accepts: direct, two hops apart and joined', async () => {
  const open = await openOf()
  const closed = await makeTerminalMandate(closedContent, closing(open))
  expect(verdict(await directOf())).toBe('ok')
  expect(verdict(closed, open)).toBe('ok')
  expect(verdict(joinChain(open, closed))).toBe('ok')
  expect(verdict(joinChain(open, closed), open)).toBe('ok')
  expect(verdict(joinChain(open, closed), open.slice(0, -1))).toBe('ok')
})

// In ECDSA, (r, n - s) is as valid as (r, s), and anybody can compute it.
test('a malleable signature changes no id: neither the jti, nor the fallback, nor the open id', async () => {
  const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const flip = (token: string): string => {
    const [jwt = '', ...rest] = token.split('~')
    const [header = '', payload = '', signature = ''] = jwt.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const flipped = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
    ])
    return [[header, payload, flipped.toString('base64url')].join('.'), ...rest].join('~')
  }
  const { jti: _, ...withoutJti } = closedContent
  const token = await directOf(withoutJti)
  const [before, after] = [token, flip(token)].map((closedMandate) =>
    readPresentation({ closedMandate }),
  )
  expect(verdict(flip(token))).toBe('ok')
  expect(after?.reference).not.toBe(before?.reference)
  expect(after?.mandateId).toBe(before?.mandateId)

  const open = await openOf()
  const presentations = await Promise.all(
    [open, flip(open)].map(async (openMandate) => {
      const closed = await makeTerminalMandate(closedContent, closing(openMandate))
      expect(verdict(closed, openMandate)).toBe('ok')
      return readPresentation({ closedMandate: closed, openMandate })
    }),
  )
  expect(presentations[0]?.openId).toBe(presentations[1]?.openId)
})

test('fewer disclosures do not make another open mandate', async () => {
  const open = await openOf()
  const [jwt, first, , third, content] = open.split('~')
  const fewer = [jwt, first, third, content, ''].join('~')
  const [all, some] = await Promise.all(
    [open, fewer].map(async (openMandate) =>
      readPresentation({
        closedMandate: await makeTerminalMandate(closedContent, closing(openMandate)),
        openMandate,
      }),
    ),
  )
  expect(some?.openId).toBe(all?.openId)
})

// An attacker makes an open mandate that names the attacker's own key, and closes it.
test('a chain whose root nobody vouches for is refused, however well it closes', async () => {
  const open = await makeOpenMandate(
    { ...openContent, cnf: { jwk: publicJwkOf(stranger) } },
    { kid: 'svc', sign: signerOf(stranger) },
  )
  const closed = await makeTerminalMandate(closedContent, closing(open, signerOf(stranger)))
  expect(verdict(closed, open)).toBe('mandate_invalid_signature')
})

test('a closed mandate by another key than cnf names is refused', async () => {
  const open = await openOf()
  const closed = await makeTerminalMandate(closedContent, closing(open, signerOf(user)))
  expect(verdict(closed, open)).toBe('mandate_invalid_signature')
})

test('leaving the open mandate out does not drop its limits', async () => {
  const open = await openOf()
  const closed = await makeTerminalMandate(closedContent, closing(open))
  expect(verdict(closed)).toBe('mandate_open_missing')
  expect(verdict(await directOf(), open)).toBe('mandate_not_bound')
})

test('a closed mandate counts under its own open mandate only', async () => {
  const [mine, other] = [await openOf(), await openOf()]
  const closed = await makeTerminalMandate(closedContent, closing(mine))
  expect(verdict(closed, other)).toBe('mandate_not_bound')
  expect(verdict(joinChain(mine, closed), other)).toBe('mandate_not_bound')
})

test('binding by issuer_jwt_hash is accepted, by both or neither is not', async () => {
  const open = await openOf()
  const { root } = readChain({ closedMandate: open })
  const disclosure = disclosureOf(closedContent)
  const close = (binding: JsonObject): Promise<string> =>
    forge(
      { alg: 'ES256', typ: 'kb-sd-jwt' },
      {
        ...referTo(disclosure),
        iat: Math.floor(at.getTime() / 1000),
        aud: 'https://pay.example',
        nonce: 'n',
        ...binding,
      },
      [disclosure],
      signerOf(agent),
    )
  const [sd_hash, issuer_jwt_hash] = [digestOf(root.serialized), digestOf(root.jwt)]
  expect(verdict(await close({ issuer_jwt_hash }), open)).toBe('ok')
  expect(verdict(await close({ sd_hash, issuer_jwt_hash }), open)).toBe('mandate_not_bound')
  expect(verdict(await close({}), open)).toBe('mandate_not_bound')
})

test('three hops, and the typ of an intermediate one, are refused', async () => {
  const chain = await chainOf()
  expect(verdict(`${chain.slice(0, -1)}~~${await directOf()}`)).toBe(
    'mandate_delegation_unsupported',
  )
  expect(verdict(await direct(closedContent, { ...ROOT, typ: 'kb+sd-jwt+kb' }))).toBe(
    'mandate_delegation_unsupported',
  )
  expect(verdict(await direct(closedContent, { ...ROOT, typ: 'JWT' }))).toBe(
    'mandate_type_unsupported',
  )
})

test.each([
  ['none', { ...ROOT, alg: 'none' }],
  ['HS256', { ...ROOT, alg: 'HS256' }],
  ['ES384', { ...ROOT, alg: 'ES384' }],
  ['crit', { ...ROOT, crit: ['exp'] }],
  ['b64', { ...ROOT, b64: false }],
])('header %s is refused', async (_, header) => {
  expect(verdict(await direct(closedContent, header))).toBe('mandate_algorithm_unsupported')
})

test('a key that the token brings along is never used', async () => {
  const header = { ...ROOT, jwk: publicJwkOf(stranger), jku: 'https://evil.example' }
  const disclosure = disclosureOf(closedContent)
  const token = await forge(header, referTo(disclosure), [disclosure], signerOf(stranger))
  expect(verdict(token)).toBe('mandate_invalid_signature')
})

const { x, y } = publicJwkOf(agent)
test.each([
  ['none', undefined, 'agent_missing_key'],
  ['with a private part', { kty: 'EC', crv: 'P-256', x, y, d: x }, 'mandate_key_invalid'],
  ['on another curve', { kty: 'EC', crv: 'P-384', x, y }, 'mandate_key_invalid'],
  ['of another kind', { kty: 'OKP', crv: 'Ed25519', x }, 'mandate_key_invalid'],
  ['short', { kty: 'EC', crv: 'P-256', x: 'AA', y }, 'mandate_key_invalid'],
  ['off the curve', { kty: 'EC', crv: 'P-256', x, y: x }, 'mandate_key_invalid'],
])('an agent key that is %s', async (_, jwk, code) => {
  const disclosure = disclosureOf({ ...openContent, cnf: jwk ? { jwk } : {} })
  const open = await forge(
    { ...ROOT, kid: 'svc' },
    referTo(disclosure),
    [disclosure],
    signerOf(service),
  )
  const closed = await makeTerminalMandate(closedContent, closing(open))
  expect(verdict(closed, open)).toBe(code)
})

test('a disclosure that no digest refers to is refused, as is one given twice', async () => {
  const token = await directOf()
  expect(verdict(`${token}${disclosureOf({ a: 1 })}~`)).toBe('mandate_disclosure_invalid')
  expect(verdict(`${token}${token.split('~')[1]}~`)).toBe('mandate_disclosure_invalid')
})

test('a digest twice is refused', async () => {
  const hidden = disclosureOf({ id: 'pl_7f3k', name: 'Shop' })
  const twice = { ...closedContent, risk_data: { a: [ref(hidden), ref(hidden)] } }
  const outer = disclosureOf(twice)
  expect(verdict(await forge(ROOT, referTo(outer), [outer, hidden]))).toBe(
    'mandate_disclosure_invalid',
  )
})

test('nothing may be withheld outside allowed lists: no exp, no constraint, no decoy', async () => {
  const { exp, ...rest } = closedContent
  const hiddenExp = toBase64url(JSON.stringify(['salt', 'exp', exp ?? null]))
  const outer = disclosureOf({ ...rest, _sd: [digestOf(hiddenExp)] })
  expect(verdict(await forge(ROOT, referTo(outer), [outer, hiddenExp]))).toBe('ok')
  expect(verdict(await forge(ROOT, referTo(outer), [outer]))).toBe('mandate_disclosure_withheld')

  const cap = disclosureOf({ type: 'payment.budget', max: 1, currency: 'USD' })
  const constraints = [...(openContent.constraints as JsonValue[]), ref(cap)]
  const disclosure = disclosureOf({ ...openContent, constraints })
  const open = await forge(
    { ...ROOT, kid: 'svc' },
    referTo(disclosure),
    [disclosure],
    signerOf(service),
  )
  expect(() => readChain({ closedMandate: open })).toThrow(
    expect.objectContaining({ code: 'mandate_disclosure_withheld' }),
  )
})

test('an element withheld from an allowed list is not allowed, and hides no limit', async () => {
  const open = await openOf()
  const [jwt, , second, third, content] = open.split('~')
  const without = [jwt, second, third, content, ''].join('~')
  const closed = await makeTerminalMandate(closedContent, closing(without))
  expect(verdict(closed, without)).toBe('mandate_constraint_violated')
})

test('a claim cannot be overwritten by a disclosure, nor a hash algorithm be smuggled in', async () => {
  const more = toBase64url(JSON.stringify(['salt', 'vct', 'mandate.payment.1']))
  const outer = disclosureOf({ ...closedContent, _sd: [digestOf(more)] })
  expect(verdict(await forge(ROOT, referTo(outer), [outer, more]))).toBe(
    'mandate_disclosure_invalid',
  )
  for (const reserved of ['_sd', '...', '_sd_alg', '__proto__']) {
    const disclosure = toBase64url(JSON.stringify(['salt', reserved, {}]))
    const content = disclosureOf({ ...closedContent, _sd: [digestOf(disclosure)] })
    expect(verdict(await forge(ROOT, referTo(content), [content, disclosure]))).toBe(
      'mandate_disclosure_invalid',
    )
  }
  expect(verdict(await direct({ ...closedContent, _sd_alg: 'sha-256' }))).toBe(
    'mandate_disclosure_invalid',
  )
  expect(verdict(await direct(closedContent, ROOT, { _sd_alg: 'md5' }))).toBe(
    'mandate_algorithm_unsupported',
  )
})

test('exactly one content, disclosed: none, two, or one in plain sight are refused', async () => {
  const [one, two] = [disclosureOf(closedContent), disclosureOf({ ...closedContent, a: 1 })]
  expect(verdict(await forge(ROOT, referTo(one, two), [one, two]))).toBe(
    'mandate_disclosure_invalid',
  )
  expect(verdict(await forge(ROOT, closedContent, []))).toBe('mandate_disclosure_invalid')
  expect(verdict(await forge(ROOT, { delegate_payload: [closedContent] }, []))).toBe(
    'mandate_disclosure_invalid',
  )
})

test.each([
  ['a member twice', (json: string) => json.replace('{', '{"vct":"mandate.payment.open.1",')],
  ['an amount twice', (json: string) => json.replace('"amount":2500', '"amount":1,"amount":2500')],
  ['an escaped name twice', (json: string) => json.replace('{"vct"', '{"v\\u0063t":"x","vct"')],
  ['__proto__', (json: string) => json.replace('{', '{"__proto__":{},')],
  ['half a surrogate pair', (json: string) => json.replace('"tx"', '"\\ud800"')],
  ['NUL', (json: string) => json.replace('"tx"', '"\\u0000"')],
  ['a trailing comma', (json: string) => json.replace(/\}$/, ',}')],
  ['65 levels', (json: string) => json.replace('"tx"', `${'['.repeat(70)}${']'.repeat(70)}`)],
  ['a byte order mark', (json: string) => `\ufeff${json}`],
])('content with %s is not JSON to us', async (_, change) => {
  const json = change(JSON.stringify(closedContent))
  const text = json.startsWith('\ufeff') ? `\ufeff["s",${json.slice(1)}]` : `["s",${json}]`
  expect(verdict(await direct(text))).toBe('mandate_malformed')
})

test('a jti in content or envelope is the id; two that differ, or the form of a fallback, are refused', async () => {
  const { jti: _, ...content } = closedContent
  const idOf = async (token: Promise<string>): Promise<string> =>
    readPresentation({ closedMandate: await token }).mandateId
  expect(await idOf(direct(closedContent))).toBe('jti-1')
  expect(await idOf(direct(content, ROOT, { jti: 'outer' }))).toBe('outer')
  expect(await idOf(direct(content))).toMatch(/^sha256:[\w-]{43}$/)
  expect(verdict(await direct({ ...content, jti: '' }))).toBe('mandate_field_invalid')
  expect(verdict(await direct(closedContent, ROOT, { jti: 'outer' }))).toBe('mandate_id_conflict')
  expect(verdict(await direct({ ...content, jti: 'sha256:x' }))).toBe('mandate_id_conflict')
})

test('the old protocol, an open mandate in place of a closed one, and a closed one with cnf are refused', async () => {
  for (const content of [
    { ...closedContent, vct: 'mandate.payment' },
    { ...closedContent, vct: 'PaymentMandate' },
    openContent,
    { ...closedContent, cnf: { jwk: publicJwkOf(agent) } },
  ])
    expect(verdict(await direct(content))).toBe('mandate_type_unsupported')
})

test('size: more than 64 KiB, or more than 64 disclosures in a hop', async () => {
  expect(verdict('a'.repeat(65_537))).toBe('mandate_too_large')
  const hidden = Array.from({ length: 64 }, (_, index) => disclosureOf(index))
  const outer = disclosureOf({ ...closedContent, risk_data: { list: hidden.map(ref) } })
  expect(verdict(await forge(ROOT, referTo(outer), [outer, ...hidden]))).toBe('mandate_too_large')
})

// Each disclosure alone is shallow; nested, they would exhaust the stack.
test('disclosures within disclosures nest no deeper than 64 levels', async () => {
  const wrap = (value: JsonValue, levels: number): JsonValue =>
    levels === 0 ? value : wrap([value], levels - 1)
  const chain: string[] = [disclosureOf(0)]
  for (let index = 0; index < 62; index += 1)
    chain.push(disclosureOf(wrap(ref(chain.at(-1) ?? ''), 50)))
  const outer = disclosureOf({ ...closedContent, risk_data: { a: [ref(chain.at(-1) ?? '')] } })
  expect(verdict(await forge(ROOT, referTo(outer), [outer, ...chain]))).toBe(
    'mandate_disclosure_invalid',
  )
})

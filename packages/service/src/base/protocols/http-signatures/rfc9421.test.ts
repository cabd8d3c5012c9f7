import { expect, test } from 'vitest'
import { isSignedBy, readKeys } from './keys.ts'
import { readSignatures, type SignedRequest, signatureBase } from './message.ts'
import vectors from './vectors.json' with { type: 'json' }

const [pss, ed25519] = readKeys({ keys: [vectors.keys.rsa_pss, vectors.keys.ed25519] }) ?? []

const body = Buffer.from('{"hello": "world"}')
const rfcRequest = (headers: Record<string, string>): SignedRequest => ({
  method: 'POST',
  url: new URL('https://example.com/foo?param=Value&Pet=dog'),
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
    ...headers,
  },
  body,
})

test.each(vectors.rfc9421)(
  'the signature of RFC 9421, $name, verifies, and no other base does',
  (one) => {
    const request = rfcRequest({ 'signature-input': one.signature_input, signature: one.signature })
    const [signed] = readSignatures(request.headers) ?? []
    if (!signed || !pss || !ed25519) throw new Error('not read')
    const key = one.key === 'rsa_pss' ? pss : ed25519
    const base = signatureBase(signed, request)
    if (base === undefined) throw new Error('no base')
    if ('base' in one) expect(base.split('\n')).toEqual(one.base)
    expect(isSignedBy(key, base, signed.signature)).toBe(true)
    expect(isSignedBy(key, `${base} `, signed.signature)).toBe(false)
    expect(isSignedBy(key === pss ? ed25519 : pss, base, signed.signature)).toBe(false)
  },
)

// RFC 9421, 2.2: the examples of its derived components.
test('derived components are those of the RFC', () => {
  const request: SignedRequest = {
    method: 'POST',
    url: new URL('https://www.example.com/path?param=value&foo=bar&baz=batman&qux='),
    headers: {},
    body: Buffer.alloc(0),
  }
  const componentOf = (name: string, parameters = '') => {
    const input = `sig=("${name}"${parameters});created=1`
    const [signed] = readSignatures({ 'signature-input': input, signature: 'sig=:AA==:' }) ?? []
    return signed && signatureBase(signed, request)?.split('\n')[0]?.split(': ')[1]
  }
  expect(componentOf('@method')).toBe('POST')
  expect(componentOf('@authority')).toBe('www.example.com')
  expect(componentOf('@scheme')).toBe('https')
  expect(componentOf('@path')).toBe('/path')
  expect(componentOf('@query')).toBe('?param=value&foo=bar&baz=batman&qux=')
  expect(componentOf('@target-uri')).toBe(request.url.href)
  expect(componentOf('@request-target')).toBe('/path?param=value&foo=bar&baz=batman&qux=')
  expect(componentOf('@query-param', ';name="baz"')).toBe('batman')
  expect(componentOf('@query-param', ';name="none"')).toBeUndefined()
  // A part of a response, a field that is absent, and what nobody defined cover nothing that we could check.
  for (const [name, parameters] of [
    ['@status'],
    ['@authority', ';req'],
    ['x-absent'],
    ['@invented'],
    ['content-type', ';bs'],
  ])
    expect(componentOf(name ?? '', parameters)).toBeUndefined()
})

test('two labels that differ, a component twice, or a text that is no dictionary are not read', () => {
  const read = (input: string, signature: string) =>
    readSignatures({ 'signature-input': input, signature })
  expect(read('a=("@path");created=1', 'a=:AA==:')).toHaveLength(1)
  for (const [input, signature] of [
    ['a=("@path")', 'b=:AA==:'],
    ['a=("@path")', 'a=:AA==:, b=:AA==:'],
    ['a=("@path" "@path")', 'a=:AA==:'],
    ['a="@path"', 'a=:AA==:'],
    ['a=("@path")', 'a="AA=="'],
    ['a=(', 'a=:AA==:'],
    ['a=(1)', 'a=:AA==:'],
  ])
    expect(read(input ?? '', signature ?? '')).toBeUndefined()
  expect(readSignatures({ signature: 'a=:AA==:' })).toBeUndefined()
  expect(readSignatures({})).toEqual([])
})

import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { Store } from 'mppx'
import * as Tap from 'mppx/attestation/tap'
import * as WebBotAuth from 'mppx/attestation/web-bot-auth'
import { expect, test } from 'vitest'
import { isDigestOf } from '../mpp/digest.ts'
import { AgentRefusal, isClaimOf, readClaim } from './agent.ts'
import { type AgentKey, readKeys } from './keys.ts'
import type { SignedRequest } from './message.ts'
import { ACCEPT_SIGNATURE, readAccepted, signDirectory, signRequest } from './sign.ts'
import vectors from './vectors.json' with { type: 'json' }

const AGENT = 'https://agent.example'
const at = new Date()
const made = generateKeyPairSync('ed25519')
const [key] = readKeys({ keys: [made.publicKey.export({ format: 'jwk' })] }) as [AgentKey]
const signer = {
  kid: key.thumbprint,
  sign: (base: string) => sign(null, Buffer.from(base, 'latin1'), made.privateKey),
}
const asked = readAccepted(ACCEPT_SIGNATURE)
if (!asked) throw new Error('our own demand can be met')

const plain: SignedRequest = {
  method: 'POST',
  url: new URL('https://purser.example/pay/PL_A?amount=1'),
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":1}'),
}
const signedBy = (by = signer, request = plain): SignedRequest => ({
  ...request,
  headers: {
    ...request.headers,
    ...signRequest(request, { signer: by, origin: AGENT, asked, nonce: 'n'.repeat(20), at }),
  },
})
const isGood = (request: SignedRequest, now = at, keys: readonly AgentKey[] = [key]): boolean => {
  try {
    return isClaimOf(readClaim(request, now), keys)
  } catch (error) {
    if (error instanceof AgentRefusal) return false
    throw error
  }
}
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)

test('what we sign is verified, and says who, and what it covers', () => {
  const request = signedBy()
  expect(isGood(request)).toBe(true)
  expect(readClaim(request, at)).toMatchObject({
    tag: 'web-bot-auth',
    agent: AGENT,
    keyId: key.thumbprint,
    covers: ['@authority', '@path', '@method', 'content-digest', 'signature-agent'],
  })
})

// A signature that proves another thing than it says.
test.each<[string, Partial<SignedRequest>]>([
  ['authority', { url: new URL('https://other.example/pay/PL_A?amount=1') }],
  ['path', { url: new URL('https://purser.example/pay/PL_B?amount=1') }],
  ['method', { method: 'GET' }],
  ['body', { body: Buffer.from('{"a":2}') }],
])('a signature for another %s is none', (_, change) => {
  expect(isGood({ ...signedBy(), ...change })).toBe(false)
})

test('a signature is good from its creation to its end', () => {
  const request = signedBy()
  expect(isGood(request, later(59))).toBe(true)
  expect(isGood(request, later(61))).toBe(false)
  expect(isGood(request, later(-20))).toBe(true)
  expect(isGood(request, later(-120))).toBe(false)
})

test('a changed parameter, header or agent is noticed', () => {
  const request = signedBy()
  const changed = (name: string, from: string | RegExp, to: string): SignedRequest => {
    const before = request.headers[name] ?? ''
    const value = before.replace(from, to)
    expect(value).not.toBe(before)
    return { ...request, headers: { ...request.headers, [name]: value } }
  }
  for (const forged of [
    changed('signature-input', /nonce="n/, 'nonce="m'),
    changed('signature-input', /expires=\d+/, `expires=${Math.floor(at.getTime() / 1000) + 600}`),
    changed('signature-input', ' "content-digest"', ''),
    changed('signature-input', /;tag="web-bot-auth"/, ';tag="agent-payer-auth"'),
    changed('signature-input', /keyid="[^"]+"/, `keyid="${'A'.repeat(43)}"`),
    changed('signature-input', 'alg="ed25519"', 'alg="rsa-pss-sha512"'),
    changed('signature-agent', AGENT, 'https://evil.example'),
    changed('signature', /=:../, '=:AA'),
  ])
    expect(isGood(forged)).toBe(false)
  const { 'signature-agent': _, ...without } = request.headers
  expect(isGood({ ...request, headers: without })).toBe(false)
})

test('a key that the message brings, a stranger’s key, and a key out of its time prove nothing', () => {
  const other = generateKeyPairSync('ed25519')
  const [stranger] = readKeys({ keys: [other.publicKey.export({ format: 'jwk' })] }) as [AgentKey]
  expect(isGood(signedBy(), at, [stranger])).toBe(false)
  // The stranger claims our id.
  expect(isGood(signedBy(), at, [{ ...stranger, thumbprint: key.thumbprint }])).toBe(false)
  expect(isGood(signedBy(), at, [])).toBe(false)
  const seconds = at.getTime() / 1000
  expect(isGood(signedBy(), at, [{ ...key, notAfter: seconds - 60 }])).toBe(false)
  expect(isGood(signedBy(), at, [{ ...key, notBefore: seconds + 60 }])).toBe(false)
  for (const agent of [
    'data:application/json;base64,e30=',
    'https://a.example/keys',
    'ftp://a.example',
    'agent',
  ]) {
    const request = signedBy()
    const headers = { ...request.headers, 'signature-agent': `sig1="${agent}"` }
    expect(() => readClaim({ ...request, headers }, at)).toThrow(/https origin/)
  }
})

test('a JWKS with private, weak or malformed keys gives only the keys that can verify', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const keys = readKeys({
    keys: [
      made.privateKey.export({ format: 'jwk' }),
      small.publicKey.export({ format: 'jwk' }),
      { kty: 'OKP', crv: 'Ed25519', x: 'short' },
      { kty: 'oct', k: 'AAAA' },
      null,
      { ...made.publicKey.export({ format: 'jwk' }), use: 'enc' },
      made.publicKey.export({ format: 'jwk' }),
    ],
  })
  expect(keys?.map(({ thumbprint }) => thumbprint)).toEqual([key.thumbprint])
  expect(readKeys({ keys: Array.from({ length: 65 }, () => ({})) })).toBeUndefined()
  expect(readKeys([])).toBeUndefined()
})

// Their signatures live for a century; ours are checked one minute after their creation, so the lifetime is what is refused.
test.each(vectors.web_bot_auth)('the vector of Web Bot Auth, $name', (one) => {
  const request: SignedRequest = {
    method: 'GET',
    url: new URL('https://example.com/path/to/resource'),
    headers: {
      'signature-agent': one.signature_agent,
      'signature-input': one.signature_input,
      signature: one.signature,
    },
    body: Buffer.alloc(0),
  }
  const when = new Date(1735689660_000)
  expect(() => readClaim(request, when)).toThrow(/may live 86400 seconds/)
  const keys = readKeys({ keys: [vectors.keys.rsa_pss, vectors.keys.ed25519] }) ?? []
  const claim = readClaim(request, when, { lifetimeSeconds: 4_000_000_000 })
  expect(claim.agent).toBe('https://signature-agent.test')
  expect(isClaimOf(claim, keys)).toBe(true)
  const elsewhere = { ...request, url: new URL('https://example.org/path/to/resource') }
  expect(isClaimOf(readClaim(elsewhere, when, { lifetimeSeconds: 4_000_000_000 }), keys)).toBe(
    false,
  )
})

const webRequest = ({ method, url, headers, body }: SignedRequest) =>
  new Request(url, {
    method,
    headers: headers as Record<string, string>,
    ...(method === 'GET' ? {} : { body: Buffer.from(body) }),
  })
const get: SignedRequest = { ...plain, method: 'GET', body: Buffer.alloc(0), headers: {} }
const theirs = async () => {
  const pair = (await webcrypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair
  const jwk = await webcrypto.subtle.exportKey('jwk', pair.publicKey)
  return { pair, jwk, keys: readKeys({ keys: [{ ...jwk, kid: 'agent-key-1' }] }) as [AgentKey] }
}
const ownForm = (request: Request): SignedRequest => ({
  ...get,
  headers: Object.fromEntries(request.headers),
})

test('mppx verifies what we sign by Web Bot Auth', async () => {
  const verifier = WebBotAuth.Server.verifier({
    keyResolver: async () =>
      webcrypto.subtle.importKey('jwk', made.publicKey.export({ format: 'jwk' }), 'Ed25519', true, [
        'verify',
      ]),
    nonceStore: Store.memory(),
  })
  // It reads no `@method`; we cover that for those who ask for it.
  const usual = readAccepted('sig=("@authority" "signature-agent";key="sig");tag="web-bot-auth"')
  if (!usual) throw new Error('not read')
  const headers = signRequest(get, {
    ...{ signer, origin: AGENT, asked: usual, nonce: 'n'.repeat(20), at: new Date() },
  })
  expect(readClaim({ ...get, headers }, new Date()).covers).not.toContain('@method')
  const answer = await verifier.verify(webRequest({ ...get, headers }))
  expect(answer).toMatchObject({ status: 'verified', value: { signatureAgent: AGENT } })
})

test('we verify what mppx signs, by Web Bot Auth and by TAP', async () => {
  const { pair, keys } = await theirs()
  const [{ thumbprint }] = keys
  const bot = WebBotAuth.Client.signer({
    key: pair.privateKey,
    keyId: thumbprint,
    signatureAgent: AGENT,
  })
  const botSigned = ownForm(await bot.sign(webRequest(get)))
  expect(isGood(botSigned, new Date(), keys)).toBe(true)
  for (const [intent, tag] of [
    ['browse', 'agent-browser-auth'],
    ['payment', 'agent-payer-auth'],
  ] as const) {
    const tap = Tap.Client.signer({ key: pair.privateKey, keyId: 'agent-key-1', intent })
    const request = ownForm(await tap.sign(webRequest(get)))
    expect(readClaim(request, new Date())).toMatchObject({ tag, agent: null, keyId: 'agent-key-1' })
    expect(isGood(request, new Date(), keys)).toBe(true)
    expect(
      isGood({ ...request, url: new URL('https://purser.example/pay/PL_B') }, new Date(), keys),
    ).toBe(false)
  }
})

test('a directory is signed as the draft’s vector is, over the authority that was asked and the bytes of the answer', () => {
  const { body, content_digest: digest, authority } = vectors.directory
  expect(isDigestOf(digest, Buffer.from(body))).toBe(true)
  const bases: string[] = []
  const headers = signDirectory(body, {
    signers: [
      {
        kid: 'k',
        sign: (base) => {
          bases.push(base)
          return signer.sign(base)
        },
      },
    ],
    authority,
    at,
  })
  expect(headers['content-digest']).toBe(digest)
  expect(bases[0]?.split('\n').slice(0, 2)).toEqual([
    `"@authority";req: ${authority}`,
    `"content-digest": ${digest}`,
  ])
  expect(headers['signature-input']).toMatch(
    /^binding0=\("@authority";req "content-digest"\);created=\d+;keyid="k";alg="ed25519";expires=\d+;tag="http-message-signatures-directory"$/,
  )
})

test('a demand for a signature that we cannot make is not met', () => {
  expect(readAccepted('a=("@authority");tag="web-bot-auth"')).toMatchObject({ label: 'a' })
  for (const text of [
    undefined,
    'junk(',
    'a=("@authority");tag="other"',
    'a=("@authority");tag="web-bot-auth";alg="hmac-sha256"',
    'a=("cookie");tag="web-bot-auth"',
    'a="@authority";tag="web-bot-auth"',
  ])
    expect(readAccepted(text)).toBeUndefined()
})

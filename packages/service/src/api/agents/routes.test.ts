import { createPublicKey, verify as verifyBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { mppShop } from '../../../test/actors/mpp-payers.ts'
import { openAgent } from '../../../test/sellers/agent-kit.ts'
import { world } from '../../../test/world.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { rotateRequestKey } from '../../base/signing-keys/request-keys.ts'
import { markRequestKeyRevoked } from '../../base/signing-keys/store-requests.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from './directory.ts'

const URL_OF_SELLER = 'https://shop.example/report?day=1'

test('a seller learns which of its agents signed a request, and each request is verified once', async () => {
  await using w = await world()
  await using agent = await openAgent()
  const seller = await w.user()
  const ask = async (headers: Record<string, string>, more: object = {}) =>
    (
      await seller.post('/api/agents/verify', {
        ...{ method: 'GET', url: URL_OF_SELLER, headers, agents: [agent.origin] },
        ...more,
      })
    ).body
  const headers = agent.signed(URL_OF_SELLER, { at: w.now() })
  expect(await ask(headers, { method: 'POST' })).toMatchObject({
    reason: 'agent_signature_invalid',
  })
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(headers)))
  expect(answers.filter(({ verified }) => verified)).toMatchObject([
    {
      agent: agent.origin,
      tag: 'web-bot-auth',
      covers: ['@authority', '@path', '@method', 'signature-agent'],
    },
  ])
  expect(new Set(answers.map(({ reason }) => reason))).toEqual(
    new Set([undefined, 'agent_nonce_used']),
  )
  expect(await ask({})).toMatchObject({ verified: false, reason: 'agent_signature_required' })
  // Another seller has nonces of its own.
  const other = await w.user()
  const body = { method: 'GET', url: URL_OF_SELLER, headers, agents: [agent.origin] }
  expect((await other.post('/api/agents/verify', body)).body.verified).toBe(true)
  const stranger = { agents: ['https://other.example'] }
  expect(await ask(headers, stranger)).toMatchObject({ reason: 'agent_not_allowed' })
})

test('the directory of the service lists its keys, signed by each; an old key stays for a day', async () => {
  await using w = await world()
  const base = await w.listen()
  const read = async () => {
    const answer = await fetch(base + DIRECTORY_PATH)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, DIRECTORY_TYPE])
    return { text: await answer.text(), headers: answer.headers }
  }
  const { text, headers } = await read()
  const digest = `sha-256=:${sha256(text).toString('base64')}:`
  expect(headers.get('content-digest')).toBe(digest)
  const [jwk] = JSON.parse(text).keys
  expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' })
  expect(text).not.toContain('"d"')
  const input = headers.get('signature-input')?.slice('binding0='.length) ?? ''
  const signature = /binding0=:(.+):/.exec(headers.get('signature') ?? '')?.[1] ?? ''
  const signed = `"@authority";req: ${new URL(base).host}\n"content-digest": ${digest}\n"@signature-params": ${input}`
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  expect(verifyBytes(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true)

  const kid = await w.write((tx) => rotateRequestKey(tx, w.now(), w.services.sealKey))
  const kids = async () => JSON.parse((await read()).text).keys.map((one: any) => one.kid)
  expect(await kids()).toEqual([kid, jwk.kid])
  await w.advance(86_401)
  expect(await kids()).toEqual([kid])
  // A leaked key leaves at once, and another signs.
  const revoked = await w.write((tx) => markRequestKeyRevoked(tx, w.now(), kid))
  const [next, ...more] = await kids()
  expect([revoked, more, next === kid]).toEqual([true, [], false])
})

test('where a seller asks for it, a card’s payment is signed in the name of the service: it pays a link that names it', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const made = await s.seller.post('/api/paylinks', {
    ...{ card_id: s.till.id, amount: 0.5, type: 'RECURRING', max_uses: 0 },
    allowed_agents: [s.base],
  })
  const pay = (more: object = {}) =>
    s.agent.post('/api/pay', {
      ...{ card_id: s.card.id, card_token: s.card.token, url: made.body.url, method: 'GET' },
      ...more,
    })
  const paid = await pay()
  expect(paid.body).toMatchObject({ response: { status: 200 } })
  const onChain = await pay({ protocol: 'x402' })
  expect(onChain.body).toMatchObject({ response: { status: 200 } })
  await w.advance(61)
  await w.write((tx) => rotateRequestKey(tx, w.now(), w.services.sealKey))
  await w.advance(61)
  expect((await pay()).body).toMatchObject({ response: { status: 200 } })
  expect(await s.received()).toBeCloseTo(3 * 0.4975, 6)
  expect(await w.faults()).toEqual([])
})

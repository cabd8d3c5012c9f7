import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { issue } from '../../../../../test/actors/attack-kit.ts'
import {
  altered,
  bodyOf,
  cardCredential,
  challengeIn,
  credentialOf,
  mppShop,
  withCredential,
} from '../../../../../test/actors/mpp-payers.ts'
import { world } from '../../../../../test/world.ts'
import { decodeJson, encodeJson } from '../../../../base/protocols/mpp/headers/wire.ts'

const withTerms = (json: any, terms: object): void => {
  json.challenge.request = encodeJson({ ...decodeJson(json.challenge.request), ...terms })
}

test('what was signed or sealed for something else is refused by what differs, with a fresh challenge', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const twin = (await s.seller.post('/api/paylinks', { card_id: s.till.id, amount: 0.5 })).body
  const twinUrl = `${s.base}/pay/${twin.code}`
  const [payer, stranger] = [await s.payer(), await s.payer()]
  const evm = await credentialOf(s.url, payer)
  const card = await cardCredential(s)
  const second = await cardCredential(s, await issue(s.agent, 2))
  const foreign = decodeJson(second.slice('Payment '.length)) as any
  const send = async (credential: string, url = s.url) => {
    const answer = await withCredential(url, credential)
    const body = await bodyOf(answer)
    expect(answer.status, JSON.stringify(body)).toBe(402)
    expect(answer.headers.get('payment-receipt')).toBeNull()
    const fresh = challengeIn(answer, 'evm')
    expect(credential).not.toContain(fresh.id)
    return [body.error, body.type.split('/problems/')[1]]
  }
  const scope = ['challenge_scope_mismatch', 'invalid-challenge']
  expect(await send(evm, twinUrl)).toEqual(scope)
  expect(await send(card, twinUrl)).toEqual(scope)
  const changed = ['challenge_unknown', 'invalid-challenge']
  const cheap = altered(evm, (json) => withTerms(json, { amount: '1' }))
  const longer = altered(evm, ({ challenge }) => {
    challenge.expires = '2099-01-01T00:00:00Z'
  })
  const elsewhere = altered(evm, (json) => {
    json.challenge.opaque = encodeJson({ salt: 'x', scope: twin.code })
  })
  for (const one of [cheap, longer]) expect(await send(one)).toEqual(changed)
  expect(await send(elsewhere, twinUrl)).toEqual(changed)
  const failed = 'verification-failed'
  const alter = (change: (payload: any) => void) => altered(evm, ({ payload }) => change(payload))
  expect(await send(alter((p) => Object.assign(p, { value: '499999' })))).toEqual([
    'authorization_amount_mismatch',
    failed,
  ])
  expect(await send(alter((p) => Object.assign(p, { from: stranger.address })))).toEqual([
    'authorization_signature_invalid',
    failed,
  ])
  expect(await send(alter((p) => Object.assign(p, { validBefore: '1000' })))).toEqual([
    'authorization_expired',
    'payment-expired',
  ])
  expect(await send(alter((p) => Object.assign(p, { type: 'hash' })))).toEqual([
    'payload_invalid',
    'invalid-payload',
  ])
  const borrowed = altered(card, (json) => {
    json.payload = foreign.payload
  })
  expect(await send(borrowed)).toEqual(['card_token_mismatch', failed])
  const invented = altered(card, ({ payload }) => Object.assign(payload, { token: 'a.b' }))
  expect(await send(invented)).toEqual(['card_token_invalid', failed])
  await w.advance(301)
  expect(await send(evm)).toEqual(['challenge_expired', 'payment-expired'])
  expect(await send(card)).toEqual(['challenge_expired', 'payment-expired'])
  expect(await s.received()).toBe(0)
  expect(await w.faults()).toEqual([])
})

test('a payer without the money is refused, and pays once it has it', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const poor = privateKeyToAccount(generatePrivateKey())
  const refused = await withCredential(s.url, await credentialOf(s.url, poor))
  expect([refused.status, (await bodyOf(refused)).type]).toEqual([
    402,
    'https://paymentauth.org/problems/payment-insufficient',
  ])
  expect(refused.headers.get('www-authenticate')).toBeTruthy()
})

test('a request with two payments is 400, and one with nonsense for a credential is 402, never 500', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const credential = await credentialOf(s.url, await s.payer())
  const x402 = new x402Client().register('eip155:84532', new ExactEvmScheme(await s.payer()))
  const signature = await x402Header(s.url, x402)
  const both = await withCredential(s.url, credential, {
    headers: { 'payment-signature': signature },
  })
  expect([both.status, (await bodyOf(both)).code]).toEqual([400, 'invalid_payment'])
  const twice = await withCredential(s.url, `${credential}, ${credential}`)
  expect([twice.status, (await bodyOf(twice)).reason]).toEqual([400, 'credential_ambiguous'])
  for (const junk of [
    'Payment',
    'Payment e30',
    'Payment ???',
    `Payment ${'A'.repeat(9_000)}`,
    'Payment id="x"',
    altered(credential, (json) => Object.assign(json, { payload: [] })),
    altered(credential, ({ challenge }) => Object.assign(challenge, { realm: 'b.example' })),
    altered(credential, ({ challenge }) => Object.assign(challenge, { method: 'tempo' })),
    altered(credential, ({ challenge }) => Object.assign(challenge, { opaque: 'e30' })),
    altered(credential, ({ challenge }) => Object.assign(challenge, { request: 'e30' })),
  ]) {
    const answer = await withCredential(s.url, junk)
    expect([junk.slice(0, 40), answer.status]).toEqual([junk.slice(0, 40), 402])
    expect(challengeIn(answer, 'evm').id).toBeTruthy()
  }
  expect(await s.received()).toBe(0)
})

async function x402Header(url: string, client: x402Client): Promise<string> {
  const demand = JSON.parse(
    Buffer.from((await fetch(url)).headers.get('payment-required') ?? '', 'base64').toString(),
  )
  return Buffer.from(JSON.stringify(await client.createPaymentPayload(demand))).toString('base64')
}

/** Every way to the leaves of a JSON value, and to the objects and lists on the way. */
const pathsIn = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, item]) => [
        [name],
        ...pathsIn(item).map((path) => [name, ...path]),
      ])
    : []

test('whatever one thing of a credential is replaced by, the answer is a refusal and no money moves', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const credentials = [await credentialOf(s.url, await s.payer()), await cardCredential(s)]
  const junk = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', '0', '-1', '1e9', `0x${'0'.repeat(64)}`, 'e30', [], {}, 2 ** 53),
    fc.string({ maxLength: 300 }),
  )
  const change = fc.record({ which: fc.nat(1), place: fc.nat(), value: junk })
  await fc.assert(
    fc.asyncProperty(change, async ({ which, place, value }) => {
      const credential = credentials[which] ?? ''
      const json = structuredClone(decodeJson(credential.slice('Payment '.length))) as any
      const paths = pathsIn(json)
      const path = paths[place % paths.length] ?? []
      const leaf = path.at(-1) ?? ''
      const parent = path.slice(0, -1).reduce((at, name) => at[name], json)
      // A description is for display and bound to nothing; a payer may leave its source out.
      fc.pre(leaf !== 'description' && leaf !== 'source')
      fc.pre(JSON.stringify(parent[leaf]) !== JSON.stringify(value))
      parent[leaf] = value
      const authorization = `Payment ${Buffer.from(JSON.stringify(json)).toString('base64url')}`
      const answer = await w.call('GET', `/pay/${s.link.code}`, undefined, {
        headers: { authorization },
      })
      expect(answer.status, `${path.join('.')} = ${JSON.stringify(value)}: ${answer.text}`).toBe(
        402,
      )
      expect(answer.headers['www-authenticate']).toBeTruthy()
    }),
    { numRuns: 300 },
  )
  expect(await s.received()).toBe(0)
  expect(await w.faults()).toEqual([])
})

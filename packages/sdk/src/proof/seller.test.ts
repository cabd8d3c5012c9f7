import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkSeller } from './seller.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The parts of a payment with an offer that its seller signed, as an honest service writes them. */
function partsOf(change: object = {}, said: object = {}) {
  const terms = { scheme: 'exact', network: 'eip155:84532', asset: '0xAb', payTo: '0xCd' }
  const url = 'https://seller.example/report'
  const payload = { version: 1, resourceUrl: url, ...terms, amount: '10000', validUntil: 0 }
  const input = `${base64url({ alg: 'ES256', kid: 'did:web:seller.example#1' })}.${base64url({ ...payload, ...change })}`
  const how = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const proof = sign('sha256', Buffer.from(input), how).toString('base64url')
  return {
    payment: { network: terms.network, created_at: '2026-01-01T00:00:00.000Z' },
    offer: {
      url,
      offer: terms,
      signed: {
        sent: { format: 'jws', acceptIndex: 0, signature: `${input}.${proof}` },
        ...{ signature: 'valid', signed_by: 'did:web:seller.example#1', vouched_by: 'host' },
        ...{ key: publicKey.export({ format: 'jwk' }), faults: [] as string[], ...said },
      },
    },
    settlement: {
      tx_hash: null,
      authorization: { pay_to: '0xcd', max_amount_atomic: '10000', payer: '0xEf' },
    },
    receipt: null,
  }
}

test('what an honest service says of the signature of a seller is found again', async () => {
  const { seller, faults } = await checkSeller(partsOf())
  expect(faults).toEqual([])
  expect(seller).toEqual({
    offer: {
      ...{ signature: 'valid', is_checked_here: true, faults: [] },
      ...{ signed_by: 'did:web:seller.example#1', vouched_by: 'host' },
    },
    receipt: null,
  })
})

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
test.each([
  ['keeps a difference back', partsOf({ amount: '9000' }), 'other_amount'],
  ['invents one', partsOf({}, { faults: ['expired'] }), 'its signature is valid'],
  ['calls a good signature bad', partsOf({}, { signature: 'invalid' }), 'signature is valid'],
  ['calls a bad one good', partsOf({}, { key: other }), 'signature is invalid'],
])('a service that %s is named', async (_, parts, words) => {
  const { faults } = await checkSeller(parts)
  expect(faults).toEqual([expect.stringContaining(words)])
})

test('the parts of a pack come from anybody, and junk in them is no error', async () => {
  for (const junk of [null, 1, 'x', [], { signed: {} }, { signed: { sent: 1 } }]) {
    const parts = { payment: junk, offer: junk, settlement: junk, receipt: junk }
    await expect(checkSeller(parts)).resolves.toMatchObject({ seller: {} })
  }
})

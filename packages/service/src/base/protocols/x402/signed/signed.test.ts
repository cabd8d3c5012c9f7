import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  createJWS,
  createOfferEIP712,
  createOfferJWS,
  createReceiptEIP712,
  createReceiptJWS,
  type JWSSigner,
  verifyOfferSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { unixSeconds } from '../../../kernel/clock.ts'
import { readChallenge } from '../challenge.ts'
import type { JsonObject } from '../wire.ts'
import { judgeOffer, judgeReceipt, type PaidFacts } from './judge.ts'
import { findSignedOffer } from './read.ts'
import { toSign } from './write.ts'

const account = privateKeyToAccount(generatePrivateKey())
const payee = account.address
const PAID: PaidFacts = {
  url: 'https://seller.example/report',
  network: 'eip155:84532',
  scheme: 'exact',
  asset: `0x${'aB'.repeat(20)}`,
  payTo: payee,
  amount: '10000',
  payer: `0x${'1'.repeat(40)}`,
  txHash: `0x${'2'.repeat(64)}`,
  at: unixSeconds(new Date()),
}
const { url, network, scheme, asset, amount, payer, at } = PAID
const INPUT = { acceptIndex: 0, scheme, network, asset, payTo: payee, amount }
const RECEIPT = { resourceUrl: url, payer, network, transaction: PAID.txHash ?? '' }

const KID = 'did:web:seller.example#key-1'
const jwkOf = (key: KeyObject): JsonObject => key.export({ format: 'jwk' })

/** The official package's signer of each algorithm, and its public key. */
function signerOf(algorithm: 'ES256' | 'ES256K' | 'EdDSA', kid = KID) {
  const { privateKey, publicKey } =
    algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'secp256k1' })
  const digest = algorithm === 'EdDSA' ? null : 'sha256'
  const how = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const signer: JWSSigner = {
    ...{ kid, algorithm, format: 'jws' },
    sign: async (bytes) => sign(digest, bytes, how).toString('base64url'),
  }
  return { signer, keys: { [KID]: jwkOf(publicKey) }, publicKey }
}
const typed = (data: Parameters<typeof account.signTypedData>[0]) => account.signTypedData(data)

describe.each(['ES256', 'ES256K', 'EdDSA'] as const)(
  'a JWS by %s of the official package',
  (algorithm) => {
    const { signer, keys } = signerOf(algorithm)

    test('holds as offer and as receipt, and no flip of a byte does', async () => {
      const offer = await createOfferJWS(url, INPUT, signer)
      const receipt = await createReceiptJWS(RECEIPT, signer)
      for (const [judge, sent] of [
        [judgeOffer, offer],
        [judgeReceipt, receipt],
      ] as const) {
        const good = { signature: 'valid', signedBy: KID, vouchedBy: 'host', faults: [] }
        expect(judge({ ...sent }, PAID, keys)).toMatchObject(good)
        const { signature } = sent
        for (let i = 0; i < signature.length; i++) {
          const flipped = Buffer.from(signature)
          flipped[i]! ^= 1
          const said = judge({ ...sent, signature: flipped.toString() }, PAID, keys)
          expect([i, said.signature]).not.toEqual([i, 'valid'])
        }
      }
    })

    test('is not judged without its key, or by a key of another curve or another pair', async () => {
      const offer = { ...(await createOfferJWS(url, INPUT, signer)) }
      expect(judgeOffer(offer, PAID, {})).toMatchObject({ signature: 'no_key', signedBy: KID })
      for (const other of ['ES256', 'ES256K', 'EdDSA'] as const)
        expect(judgeOffer(offer, PAID, signerOf(other).keys).signature).toBe('invalid')
    })
  },
)

test('by EIP-712 the address that is paid vouches for itself, and a changed byte makes another signer', async () => {
  const offer = await createOfferEIP712(url, INPUT, typed)
  expect((await verifyOfferSignatureEIP712(offer)).signer).toBe(payee)
  const good = { signature: 'valid', signedBy: payee, vouchedBy: 'payee', faults: [] }
  expect(judgeOffer({ ...offer }, PAID, {})).toMatchObject(good)
  expect(judgeReceipt({ ...(await createReceiptEIP712(RECEIPT, typed)) }, PAID, {})).toMatchObject(
    good,
  )
  for (let i = 2; i < offer.signature.length; i++) {
    const digit = (Number.parseInt(offer.signature.charAt(i), 16) ^ 1).toString(16)
    const signature = offer.signature.slice(0, i) + digit + offer.signature.slice(i + 1)
    expect([i, judgeOffer({ ...offer, signature }, PAID, {}).vouchedBy]).toEqual([i, null])
  }
  const dearer = { ...offer, payload: { ...offer.payload, amount: '9999' } }
  expect(judgeOffer(dearer, PAID, {})).toMatchObject({
    vouchedBy: null,
    faults: ['other_amount'],
  })
})

test('a key that the name itself holds makes a signature valid, and nobody vouches for it', async () => {
  const { publicKey } = signerOf('ES256')
  const written = Buffer.from(JSON.stringify(jwkOf(publicKey))).toString('base64url')
  const { signer } = signerOf('ES256', `did:jwk:${written}#0`)
  const stranger = { ...(await createOfferJWS(url, INPUT, signer)) }
  expect(judgeOffer(stranger, PAID, {})).toMatchObject({ signature: 'invalid' })

  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = `did:jwk:${Buffer.from(JSON.stringify(jwkOf(own.publicKey))).toString('base64url')}#0`
  const how = { key: own.privateKey, dsaEncoding: 'ieee-p1363' } as const
  const offer = await createOfferJWS(url, INPUT, {
    ...{ kid, algorithm: 'ES256', format: 'jws' },
    sign: async (bytes) => sign('sha256', bytes, how).toString('base64url'),
  })
  expect(judgeOffer({ ...offer }, PAID, {})).toMatchObject({
    ...{ signature: 'valid', signedBy: kid, vouchedBy: null, faults: [] },
  })
})

describe('each difference has its name', () => {
  const { signer, keys } = signerOf('ES256')
  const offer = toSign({ ...INPUT, resourceUrl: url, validUntil: at + 60 } as never)
  const receipt = toSign({ ...RECEIPT, issuedAt: at })
  const signed = async (payload: object): Promise<JsonObject> => ({
    ...{ format: 'jws', signature: await createJWS(payload, signer) },
  })

  test.each([
    ['other_resource', { resourceUrl: `${url}/` }],
    ['other_scheme', { scheme: 'upto' }],
    ['other_network', { network: 'eip155:8453' }],
    ['other_asset', { asset: payee }],
    ['other_payee', { payTo: asset }],
    ['other_amount', { amount: '010000' }],
    ['expired', { validUntil: at - 1 }],
    ['unreadable', { validUntil: '0' }],
    ['unreadable', { amount: 10_000 }],
    ['unreadable', { version: 2 }],
  ])('in an offer: %s', async (name, other) => {
    expect(judgeOffer(await signed(offer), PAID, keys).faults).toEqual([])
    expect(judgeOffer(await signed({ ...offer, ...other }), PAID, keys).faults).toEqual([name])
  })

  test.each([
    ['other_resource', { resourceUrl: 'seller.example' }],
    ['other_network', { network: 'base-sepolia' }],
    ['other_payer', { payer: payee }],
    ['other_transaction', { transaction: `0x${'3'.repeat(64)}` }],
    ['older_than_payment', { issuedAt: at - 301 }],
    ['unreadable', { issuedAt: -1 }],
  ])('in a receipt: %s', async (name, other) => {
    expect(judgeReceipt(await signed(receipt), PAID, keys).faults).toEqual([])
    expect(judgeReceipt(await signed({ ...receipt, ...other }), PAID, keys).faults).toEqual([name])
  })

  test('an offer without an end, and addresses in other letter case, are no difference', async () => {
    const { validUntil: _end, ...endless } = offer
    const lower = { ...endless, asset: asset.toLowerCase(), payTo: payee.toLowerCase() }
    expect(judgeOffer(await signed(lower), PAID, keys)).toMatchObject({
      ...{ signature: 'valid', faults: [] },
    })
  })

  test('a header that changes how the text is signed is not read past', async () => {
    const { signature } = await signed(offer)
    const [, body, proof] = String(signature).split('.')
    for (const more of [{ crit: ['exp'] }, { b64: false }]) {
      const text = JSON.stringify({ alg: 'ES256', kid: KID, ...more })
      const head = Buffer.from(text).toString('base64url')
      const sent = { format: 'jws', signature: [head, body, proof].join('.') }
      expect(judgeOffer(sent, PAID, keys).faults).toEqual(['unreadable'])
    }
  })
})

describe('the signed offer of an entry', () => {
  const { signer } = signerOf('ES256')
  const entry = { scheme, network, asset, payTo: payee, maxTimeoutSeconds: 60 }
  const accepts = [
    { ...entry, amount: '20000' },
    { ...entry, amount },
  ]
  const demandOf = (offers: unknown) =>
    readChallenge({
      status: 402,
      headers: {},
      body: Buffer.from(
        JSON.stringify({
          ...{ x402Version: 2, accepts, resource: { url } },
          extensions: { 'offer-receipt': { info: { offers } } },
        }),
      ),
    })
  const found = (offers: unknown, index: number) => {
    const challenge = demandOf(offers)
    if (!challenge) throw new Error('no demand')
    return findSignedOffer(challenge, challenge.offers[index]!)
  }

  test('is that of its index, and is another one if its terms differ', async () => {
    const second = await createOfferJWS(url, { ...INPUT, acceptIndex: 1 }, signer)
    expect(found([second], 1)).toEqual({ sent: second, isOther: false })
    expect(found([second], 0)).toBeUndefined()
    const swapped = { ...second, acceptIndex: 0 }
    expect(found([swapped], 0)).toEqual({ sent: swapped, isOther: true })
  })

  test('is found by its terms where it names no index', async () => {
    const { acceptIndex: _index, ...offer } = await createOfferJWS(url, INPUT, signer)
    expect(found([offer], 1)).toEqual({ sent: offer, isOther: false })
    expect(found([offer], 0)).toBeUndefined()
  })

  test.each([
    ['no list', {}],
    ['no objects', [null, 1, 'jws']],
    ['too long', [{ format: 'jws', acceptIndex: 0, signature: 'x'.repeat(9_000) }]],
  ])('is none: %s', (_, offers) => expect(found(offers, 0)).toBeUndefined())
})

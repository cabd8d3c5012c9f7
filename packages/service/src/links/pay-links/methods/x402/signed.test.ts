import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  decodeSignedOffers,
  extractJWSHeader,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  isJWSSignedOffer,
  isJWSSignedReceipt,
  type SignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { expect, test } from 'vitest'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { world } from '../../../../../test/world.ts'
import { revokeSigningKey, rotateSigningKey } from '../../../../base/signing-keys/signing-keys.ts'

/** A seller's link on a service that listens, and what its 402 asks for. */
async function shop(link: object = {}) {
  const w = await world()
  await w.withGas()
  const base = await w.listen()
  const seller = await w.user({ treasury: 10 })
  const card = await seller.card({ limit: 1 })
  const made = await seller.post('/api/paylinks', { card_id: card.id, amount: 0.5, ...link })
  const url = `${base}/pay/${made.body.code}`
  const ask = async (of = url) => {
    const header = (await fetch(of)).headers.get('payment-required')
    const demand = decodePaymentRequiredHeader(header ?? '')
    return { demand, offers: extractOffersFromPaymentRequired(demand) }
  }
  return { w, base, url, ask, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() }
}

/** The terms, checked by the official package: it asks the host of the key's DID for the key. */
const verified = (offer: SignedOffer | undefined) => {
  if (!offer || !isJWSSignedOffer(offer)) throw new Error('no offer signed as a JWS')
  return verifyOfferSignatureJWS(offer)
}

test.concurrent('the official client finds an offer and a receipt, signed by a key that our host publishes', async () => {
  await using s = await shop()
  const { demand, offers } = await s.ask()
  const [offer] = offers
  const [accepted] = demand.accepts
  const terms = await verified(offer)
  const { scheme, network, asset, payTo, amount } = accepted!
  expect(terms).toMatchObject({
    ...{ version: 1, resourceUrl: s.url, scheme, network, asset, payTo, amount },
  })
  expect(terms.validUntil - s.w.now().getTime() / 1000).toBeGreaterThanOrEqual(299)
  expect(offers).toHaveLength(demand.accepts.length)
  expect(findAcceptsObjectFromSignedOffer(offer!, demand.accepts)).toEqual(accepted)
  const { host } = new URL(s.base)
  expect(extractJWSHeader((offer as { signature: string }).signature)).toEqual({
    alg: 'ES256',
    kid: expect.stringContaining(`did:web:${encodeURIComponent(host)}#`),
  })

  const account = await freshAccount({ usdc: 1_000_000n })
  const payer = new x402Client().register(network, new ExactEvmScheme(account))
  const answer = await wrapFetchWithPayment(fetch, payer)(s.url)
  const { tx_hash } = (await answer.json()) as { tx_hash: string }
  const receipt = extractReceiptFromResponse(answer)!
  if (!isJWSSignedReceipt(receipt)) throw new Error('no receipt signed as a JWS')
  expect(await verifyReceiptSignatureJWS(receipt)).toEqual({
    ...{ version: 1, network, resourceUrl: s.url, payer: account.address, transaction: tx_hash },
    issuedAt: expect.any(Number),
  })
  const [decoded] = decodeSignedOffers(offers)
  expect(verifyReceiptMatchesOffer(receipt, decoded!, [account.address])).toBe(true)
})

test.concurrent('the same payment again gets a receipt of the same words', async () => {
  await using s = await shop()
  const account = await freshAccount({ usdc: 1_000_000n })
  const { demand } = await s.ask()
  const payer = new x402Client().register(demand.accepts[0]!.network, new ExactEvmScheme(account))
  const payload = await payer.createPaymentPayload(demand)
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  const pay = async () => {
    const answer = await fetch(s.url, { headers: { 'payment-signature': header } })
    return extractReceiptPayload(extractReceiptFromResponse(answer)!)
  }
  const first = await pay()
  await s.w.advance(90)
  expect(await pay()).toEqual(first)
})

test.concurrent('an offer is signed once in its period, and again for another amount or after it', async () => {
  await using s = await shop({ amount: null })
  // From the beginning of a period, so that none ends meanwhile.
  await s.w.advance(300 - (Math.floor(s.w.now().getTime() / 1000) % 300))
  const at = async (amount: string) => (await s.ask(`${s.url}?amount=${amount}`)).offers
  const first = await at('0.5')
  expect(await at('0.5')).toEqual(first)
  const other = await verified((await at('0.75'))[0])
  expect(other).toMatchObject({ amount: '750000', resourceUrl: `${s.url}?amount=0.75` })
  const { validUntil } = await verified(first[0])
  await s.w.advance(301)
  const later = await verified((await at('0.5'))[0])
  expect(later.validUntil).toBeGreaterThan(validUntil)
})

test.concurrent('an offer does not outlive its link, and a changed byte is refused', async () => {
  await using s = await shop({ expires_in: 1 })
  const end = s.w.now().getTime() / 1000 + 3_600
  await s.w.advance(3_500)
  const [offer] = (await s.ask()).offers
  const terms = await verified(offer)
  expect(terms.validUntil).toBeLessThanOrEqual(end)
  const { signature } = offer as { signature: string }
  const [head = '', body = '', proof = ''] = signature.split('.')
  const dearer = Buffer.from(
    Buffer.from(body, 'base64url').toString().replace('"500000"', '"400000"'),
  ).toString('base64url')
  const forged = { format: 'jws', signature: [head, dearer, proof].join('.') } as const
  await expect(verifyOfferSignatureJWS(forged)).rejects.toThrow()
})

test.concurrent('what a rotated key signed stays good, and what a revoked one signed does not', async () => {
  await using s = await shop()
  const { sealKey } = s.w.services
  const [old] = (await s.ask()).offers
  const kidOf = (offer: SignedOffer | undefined) =>
    extractJWSHeader((offer as { signature: string }).signature).kid ?? ''
  await s.w.write((tx) => rotateSigningKey(tx, s.w.now(), sealKey))
  await s.w.advance(61)
  const [next] = (await s.ask()).offers
  expect(kidOf(next)).not.toBe(kidOf(old))
  await expect(verified(old)).resolves.toBeDefined()
  await expect(verified(next)).resolves.toBeDefined()
  const [, kid = ''] = kidOf(old).split('#')
  await s.w.write((tx) => revokeSigningKey(tx, s.w.now(), { kid, sealKey }))
  await expect(verified(old)).rejects.toThrow('No verification method found')
})

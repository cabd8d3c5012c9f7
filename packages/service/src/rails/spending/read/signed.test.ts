import type { OfferReceiptIssuer } from '@x402/extensions/offer-receipt'
import { createJWS } from '@x402/extensions/offer-receipt'
import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '../../../../../sdk/src/proof/evidence.ts'
import { p256Signer, signingSeller } from '../../../../test/sellers/signing-sellers.ts'
import { type World, world } from '../../../../test/world.ts'

/** Buys of the seller, and reads the evidence as anybody with the keys of the service does. */
async function bought(w: World, url: string) {
  const user = await w.user({ treasury: 10 })
  const card = await user.card({ limit: 5 })
  for (const _ of [1, 2, 3]) await w.block()
  const order = { card_id: card.id, card_token: card.token, url, method: 'GET' }
  const answer = await user.post('/api/pay', order)
  if (answer.status !== 200) return { answer, text: '', keys: [] }
  const { text } = await user.get(`/api/payments/${answer.body.transaction_id}/evidence`)
  const { keys } = (await user.get('/.well-known/jwks.json')).body
  return { answer, text, keys }
}

const verdictOf = async (w: World, url: string) => {
  const { answer, text, keys } = await bought(w, url)
  expect(answer.body, answer.text).toMatchObject({ outcome: 'paid' })
  return { text, ...(await verifyEvidence(text, { keys })) }
}

const holds = { signature: 'valid', faults: [] }

test.concurrent('an official seller signs by a key of its host: offer and receipt are kept as they came, and hold', async () => {
  await using w = await world()
  await using seller = await signingSeller('host')
  const { ok, faults, seller: signed, parts } = await verdictOf(w, seller.url)
  expect({ ok, faults }).toEqual({ ok: true, faults: [] })
  const kid = `did:web:${encodeURIComponent(new URL(seller.url).host)}#key-1`
  const known = { ...holds, is_checked_here: true, signed_by: kid, vouched_by: 'host' }
  expect(signed).toEqual({ offer: known, receipt: known })
  expect(parts).toMatchObject({
    offer: { signed: { sent: { format: 'jws', acceptIndex: 0 }, key: { crv: 'P-256' } } },
    receipt: { signed: { sent: { format: 'jws' } } },
  })
})

test.concurrent('one that signs as the account that is paid is known by it, on the word of the service', async () => {
  await using w = await world()
  await using seller = await signingSeller('payee')
  const { ok, seller: signed } = await verdictOf(w, seller.url)
  const known = {
    ...{ ...holds, is_checked_here: false },
    ...{ signed_by: seller.payTo, vouched_by: 'payee' },
  }
  expect({ ok, signed }).toEqual({ ok: true, signed: { offer: known, receipt: known } })
})

test.concurrent('without a published key nothing is known of the signature, and the evidence says so', async () => {
  await using w = await world()
  await using seller = await signingSeller('nowhere')
  const { ok, seller: signed } = await verdictOf(w, seller.url)
  expect(ok).toBe(true)
  expect(signed.offer).toMatchObject({ signature: 'no_key', vouched_by: null, faults: [] })
})

test.concurrent('a place of a host cannot sign in the name of the host', async () => {
  await using w = await world()
  await using seller = await signingSeller('place')
  const { ok, seller: signed } = await verdictOf(w, seller.url)
  expect(ok).toBe(true)
  expect(signed).toMatchObject({
    offer: { ...holds, vouched_by: 'host', signed_by: expect.stringContaining(':paid#key-1') },
    receipt: { signature: 'no_key', vouched_by: null },
  })
})

test.concurrent('a pay link of our own, paid on chain by our own payer, holds like any other', async () => {
  await using w = await world()
  await w.withGas()
  const base = await w.listen()
  const seller = await w.user({ treasury: 5 })
  const shop = await seller.card({ limit: 1 })
  const link = await seller.post('/api/paylinks', {
    ...{ card_id: shop.id, amount: 0.5, accepted_protocols: ['x402'] },
  })
  const { ok, faults, seller: signed } = await verdictOf(w, `${base}/pay/${link.body.code}`)
  expect({ ok, faults }).toEqual({ ok: true, faults: [] })
  const known = { ...holds, is_checked_here: true, vouched_by: 'host' }
  expect(signed).toMatchObject({ offer: known, receipt: known })
})

type Change = (issuer: OfferReceiptIssuer) => Partial<OfferReceiptIssuer>
const stranger = p256Signer('did:web:elsewhere.example#key-1').signer
const resigned = async (issuer: OfferReceiptIssuer, ...asked: Parameters<Issue>) => {
  const { signature } = await issuer.issueOffer(...asked)
  const payload = Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString()
  return { payload: JSON.parse(payload) as object, signature }
}
type Issue = OfferReceiptIssuer['issueOffer']

/** The seller's spoiled signatures, and the words of each for the offer. */
const SPOILED: Record<string, { change: Change; offer: object }> = {
  'for another resource': {
    change: (issuer) => ({
      issueOffer: (url, input) => issuer.issueOffer(`${url}/other`, input),
    }),
    offer: { signature: 'valid', faults: ['other_resource'] },
  },
  'that has expired': {
    change: (issuer) => ({
      issueOffer: (url, input) => issuer.issueOffer(url, { ...input, offerValiditySeconds: -60 }),
    }),
    offer: { signature: 'valid', faults: ['expired'] },
  },
  'with another signature': {
    change: (issuer) => ({
      async issueOffer(...asked) {
        const { signature } = await resigned(issuer, ...asked)
        const flipped = signature.replace(/.{8}$/, 'AAAAAAAA')
        return { format: 'jws', acceptIndex: 0, signature: flipped }
      },
    }),
    offer: { signature: 'invalid', vouched_by: null, faults: [] },
  },
  'by the key of another host': {
    change: (issuer) => ({
      async issueOffer(...asked) {
        const { payload } = await resigned(issuer, ...asked)
        return { format: 'jws', acceptIndex: 0, signature: await createJWS(payload, stranger) }
      },
    }),
    offer: { signature: 'no_key', signed_by: stranger.kid, vouched_by: null },
  },
  'that is no signature': {
    change: () => ({
      issueOffer: async () => ({ format: 'jws', acceptIndex: 0, signature: 'none' }),
    }),
    offer: { signature: 'invalid', signed_by: null, faults: ['unreadable'] },
  },
}

describe('the price is paid, and the evidence names an offer', () => {
  test.concurrent.each(Object.entries(SPOILED))('%s', async (_, { change, offer }) => {
    await using w = await world()
    await using seller = await signingSeller('host', change)
    const { ok, seller: signed } = await verdictOf(w, seller.url)
    expect(ok).toBe(true)
    expect(signed).toMatchObject({ offer, receipt: holds })
  })
})

test.concurrent.each([
  ['amount', { amount: '9000' }],
  ['payee', { payTo: `0x${'1'.repeat(40)}` }],
])('an offer that was signed with another %s than the demand has is not paid', async (_, other) => {
  await using w = await world()
  await using seller = await signingSeller('host', (issuer) => ({
    issueOffer: (url, input) => issuer.issueOffer(url, { ...input, ...other }),
  }))
  const { answer } = await bought(w, seller.url)
  expect(answer.body).toMatchObject({
    code: 'no_payable_option',
    challenge: { offers: [{ reason: 'signed_otherwise' }] },
  })
  expect(seller.paid).toEqual([])
})

test.concurrent('a receipt for another payer, resource and transaction is named, and its offer holds', async () => {
  await using w = await world()
  const other = `0x${'2'.repeat(64)}`
  await using seller = await signingSeller('host', (issuer) => ({
    issueReceipt: (url, _payer, network) =>
      issuer.issueReceipt(`${url}?other`, `0x${'2'.repeat(40)}`, network, other),
  }))
  const { ok, seller: signed } = await verdictOf(w, seller.url)
  expect(ok).toBe(true)
  expect(signed).toMatchObject({
    offer: holds,
    receipt: {
      signature: 'valid',
      faults: ['other_resource', 'other_payer', 'other_transaction'],
    },
  })
})

test.concurrent('a flip of any byte of what the seller signed is named', async () => {
  await using w = await world()
  await using seller = await signingSeller('host')
  const { answer, text, keys } = await bought(w, seller.url)
  expect(answer.status).toBe(200)
  const { parts } = JSON.parse(text) as { parts: Record<'offer' | 'receipt', string> }
  for (const name of ['offer', 'receipt'] as const) {
    const { sent } = JSON.parse(parts[name]).signed as { sent: { signature: string } }
    const start = text.indexOf(sent.signature)
    for (let i = start; i < start + sent.signature.length; i++) {
      const flipped = Buffer.from(text)
      flipped[i]! ^= 1
      const { ok, faults } = await verifyEvidence(flipped.toString(), { keys })
      expect([i, ok, faults]).toEqual([i, false, [`The part ${name} is not what was signed.`]])
    }
  }
})

import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import * as signed from '@x402/extensions/offer-receipt'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyEvidence } from '../packages/sdk/src/proof/evidence.ts'
import { issue } from '../packages/service/test/actors/attack-kit.ts'
import { signingSeller } from '../packages/service/test/sellers/signing-sellers.ts'
import { SIGNATURES, type SignatureName } from './extensions.ts'
import { openWallet } from './parties/payers.ts'
import { NETWORK } from './parties/servers.ts'
import { expectBooksToMatch, openLink, openStage, type Stage } from './stage.ts'

const TEST_MS = 900_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, TEST_MS)
afterAll(() => stage[Symbol.asyncDispose]())

/** Buys a pay link by the official client: its signed offers, the offer accepted, and the signed receipt. */
async function buyLink() {
  const link = await openLink(stage, '0.01')
  const { account } = await openWallet(stage.w)
  const first = await fetch(link.url)
  const demand = decodePaymentRequiredHeader(first.headers.get('payment-required') ?? '')
  const offers = signed.extractOffersFromPaymentRequired(demand)
  const payer = new x402Client().register(NETWORK, new ExactEvmScheme(account))
  const answer = await wrapFetchWithPayment(fetch, payer)(link.url)
  expect(answer.status).toBe(200)
  const receipt = signed.extractReceiptFromResponse(answer)
  const [offer] = offers
  if (offer?.format !== 'jws' || receipt?.format !== 'jws') throw new Error('not signed as a JWS')
  return { link, account, demand, offer, receipt }
}

const CASES: Record<SignatureName, () => Promise<void>> = {
  async 'a pay link, to @x402/fetch'() {
    const { link, account, demand, offer, receipt } = await buyLink()
    const [accepted] = demand.accepts
    expect(await signed.verifyOfferSignatureJWS(offer)).toMatchObject({
      ...{ resourceUrl: link.url, payTo: link.payTo, amount: accepted?.amount },
    })
    expect(signed.findAcceptsObjectFromSignedOffer(offer, demand.accepts)).toEqual(accepted)
    expect(await signed.verifyReceiptSignatureJWS(receipt)).toMatchObject({
      ...{ resourceUrl: link.url, payer: account.address, network: NETWORK },
    })
    const [decoded] = signed.decodeSignedOffers([offer])
    if (!decoded) throw new Error('no offer was decoded')
    expect(signed.verifyReceiptMatchesOffer(receipt, decoded, [account.address])).toBe(true)
  },

  async 'a pay link, changed'() {
    const { offer, receipt } = await buyLink()
    // The key is given here: a changed name of it would be looked up elsewhere.
    const { kid = '' } = signed.extractJWSHeader(offer.signature)
    const key = await signed.extractPublicKeyFromKid(kid)
    const flip = (text: string, at: number) => {
      const bytes = Buffer.from(text)
      bytes[at]! ^= 1
      return bytes.toString()
    }
    const { length } = receipt.signature
    for (let at = 0; at < offer.signature.length; at++) {
      const forged = { ...offer, signature: flip(offer.signature, at) }
      await expect(signed.verifyOfferSignatureJWS(forged, key), String(at)).rejects.toThrow()
    }
    for (let at = 0; at < length; at++) {
      const forged = { ...receipt, signature: flip(receipt.signature, at) }
      await expect(signed.verifyReceiptSignatureJWS(forged, key), String(at)).rejects.toThrow()
    }
  },

  'a seller signing by JWS, to our payer': () => payAndCheck('host', true),
  'a seller signing by EIP-712, to our payer': () => payAndCheck('payee', false),
}

async function payAndCheck(by: 'host' | 'payee', isCheckedHere: boolean): Promise<void> {
  await using shop = await signingSeller(by)
  const agent = await stage.w.user({ treasury: 5 })
  const card = await issue(agent, 1)
  const ask = { card_id: card.id, card_token: card.token, url: shop.url, method: 'GET' }
  const paid = await agent.post('/api/pay', ask)
  expect(paid.body, paid.text).toMatchObject({ outcome: 'paid' })
  const { text } = await agent.get(`/api/payments/${paid.body.transaction_id}/evidence`)
  const { keys } = (await agent.get('/.well-known/jwks.json')).body
  const { ok, faults, seller } = await verifyEvidence(text, { keys })
  expect({ ok, faults }).toEqual({ ok: true, faults: [] })
  const word = { signature: 'valid', vouched_by: by, is_checked_here: isCheckedHere, faults: [] }
  expect(seller).toMatchObject({ offer: word, receipt: word })
}

const names = Object.keys(SIGNATURES) as SignatureName[]
test.each(names)('%s', { timeout: TEST_MS }, async (name) => {
  await CASES[name]()
  expect(await stage.w.faults()).toEqual([])
})

test(
  'when all is final, the treasury holds on chain what the books say, to the unit',
  { timeout: TEST_MS },
  () => expectBooksToMatch(stage),
)

import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Receipt } from 'mppx'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { cardOf, issue } from '../../../../../test/actors/attack-kit.ts'
import {
  askForToken,
  bodyOf,
  cardCredential,
  challengeIn,
  credentialOf,
  mppShop,
  payByCard,
  payByWallet,
  withCredential,
} from '../../../../../test/actors/mpp-payers.ts'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { type World, world } from '../../../../../test/world.ts'
import type { JsonObject } from '../../../../base/protocols/json.ts'
import { writeChallenge } from '../../../../base/protocols/mpp/headers/challenge.ts'
import { decodeJson } from '../../../../base/protocols/mpp/headers/wire.ts'

const NETWORK = 'eip155:84532'

test('one 402 speaks x402 v2, x402 v1 and MPP at once, in less than 8 KB of headers', async () => {
  await using w = await world()
  // The longest memo there is, of the characters that need the most room.
  const s = await mppShop(w, { memo: '\u{1f9fe}'.repeat(250) })
  const answer = await fetch(s.url)
  expect(answer.status).toBe(402)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  for (const name of ['WWW-Authenticate', 'Payment-Receipt', 'PAYMENT-REQUIRED'])
    expect(answer.headers.get('access-control-expose-headers')).toContain(name)
  const size = [...answer.headers].reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  )
  expect(size).toBeLessThan(8 * 1024)
  expect(answer.headers.get('payment-required')).toBeTruthy()
  const [evm, card] = [challengeIn(answer, 'evm'), challengeIn(answer, 'agentcard')]
  expect(evm).toMatchObject({ realm: '127.0.0.1', intent: 'charge' })
  expect(evm.terms).toMatchObject({
    amount: '500000',
    recipient: s.link.deposit_address,
    externalId: s.link.code,
    methodDetails: { chainId: 84532, credentialTypes: ['authorization'], decimals: 6 },
  })
  expect(card.terms).toMatchObject({
    amount: '500000',
    currency: 'usdc',
    recipient: s.link.code,
    methodDetails: { issuer: s.base },
  })
  expect(await bodyOf(answer)).toMatchObject({
    type: 'https://paymentauth.org/problems/payment-required',
    title: 'Payment Required',
    status: 402,
    code: 'payment_required',
    x402Version: 1,
    accepts: [{ scheme: 'exact', network: 'base-sepolia', maxAmountRequired: '500000' }],
    mpp: [{ method: 'evm' }, { method: 'agentcard' }],
    accepted_protocols: ['x402', 'ap2', 'mpp', 'card', 'onchain'],
    pay_link: { code: s.link.code },
  })
  // A signature for one payer's challenge must not pay for another payer.
  const other = challengeIn(await fetch(s.url), 'evm')
  expect(other.id).not.toBe(evm.id)
  const prepared = (await w.call('GET', `/api/pay/${s.link.code}/prepare`)).body
  expect(prepared.mpp).toMatchObject({ url: s.url, realm: '127.0.0.1' })
  expect(prepared.mpp.charges.map(({ request }: any) => request)).toEqual([evm.terms, card.terms])
})

test('Accept-Payment orders the challenges and leaves out what the client cannot pay', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const methods = async (accept: string) =>
    (await bodyOf(await fetch(s.url, { headers: { 'accept-payment': accept } }))).mpp.map(
      ({ method }: any) => method,
    )
  expect(await methods('agentcard/charge')).toEqual(['agentcard'])
  expect(await methods('evm/charge;q=0.5, agentcard/charge')).toEqual(['agentcard', 'evm'])
  expect(await methods('tempo/*, evm/charge')).toEqual(['evm'])
  // A header that rules out everything is ignored.
  expect(await methods('tempo/charge')).toEqual(['evm', 'agentcard'])
})

test('a link that takes no MPP offers none, and refuses its credentials', async () => {
  await using w = await world()
  const s = await mppShop(w, { accepted_protocols: ['x402'] })
  const answer = await fetch(s.url)
  expect(answer.headers.get('www-authenticate')).toBeNull()
  expect(answer.headers.get('content-type')).toContain('application/json')
  const refused = await withCredential(s.url, 'Payment e30')
  expect([refused.status, (await bodyOf(refused)).code]).toEqual([400, 'protocol_not_accepted'])
  expect((await w.call('GET', `/api/pay/${s.link.code}/prepare`)).body.mpp).toBeNull()
})

test('the official mppx client pays by evm; link, card, house and chain agree to the unit', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const payer = await s.payer()
  const before = await w.treasuryOnChain()
  const answer = await payByWallet(payer)(s.url)
  const body = await bodyOf(answer)
  expect(answer.status, JSON.stringify(body)).toBe(200)
  expect(answer.headers.get('cache-control')).toContain('private')
  const receipt = decodeJson(answer.headers.get('payment-receipt') ?? '')
  expect(receipt).toMatchObject({
    status: 'success',
    method: 'evm',
    reference: body.tx_hash,
    chainId: 84532,
    externalId: s.link.code,
  })
  expect(Receipt.fromResponse(answer)).toMatchObject({ method: 'evm', reference: body.tx_hash })
  expect(body).toMatchObject({ protocol: 'mpp', amount: 0.5, fee: 0.0025, net_amount: 0.4975 })
  expect((await w.treasuryOnChain()) - before).toBe(500_000n)
  expect(await s.received()).toBe(0.4975)
  const [sale] = (await s.seller.get('/api/payments')).body.payments
  expect(sale).toMatchObject({ protocol: 'mpp', direction: 'received', merchant: payer.address })
  const shown = (await s.seller.get(`/api/payments/${sale.id}`)).body.payment
  expect(shown.timeline).toContainEqual(
    expect.objectContaining({
      type: 'payment.settled',
      data: expect.objectContaining({ protocol: 'mpp', tx_hash: body.tx_hash }),
    }),
  )
  expect((await w.call('GET', `/api/paylinks/${s.link.code}`)).body).toMatchObject({
    status: 'COMPLETED',
    uses: 1,
  })
  expect(await w.faults()).toEqual([])
})

test('the official mppx client pays by a card: at once, off the chain, to the unit', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const answer = await payByCard(s.base, s.card)(s.url)
  const body = await bodyOf(answer)
  expect(answer.status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ protocol: 'mpp', amount: 0.5, fee: 0.0025, tx_hash: null })
  const receipt = decodeJson(answer.headers.get('payment-receipt') ?? '') as JsonObject
  expect(receipt).toMatchObject({ method: 'agentcard', reference: body.settlement_id })
  expect(receipt).not.toHaveProperty('chainId')
  expect(await s.received()).toBe(0.4975)
  expect(await s.cardNow()).toMatchObject({ spent: 0.5, held: 0, balance: 19.5 })
  const [sent] = (await s.agent.get('/api/payments')).body.payments
  expect(sent).toMatchObject({
    id: body.transaction_id,
    direction: 'sent',
    protocol: 'mpp',
    status: 'SETTLED',
    amount: 0.5,
    merchant: s.link.code,
    settlement_id: body.settlement_id,
  })
  const [decision] = (await s.agent.get(`/api/cards/${s.card.id}/decisions`)).body.decisions
  expect(decision).toMatchObject({ allowed: true, protocol: 'mpp', merchant: s.link.code })
  // Both sides know each other, so that the seller can give it back.
  const [sale] = (await s.seller.get('/api/payments')).body.payments
  const refund = await s.seller.post(`/api/payments/${sale.id}/refund`, {})
  expect(refund.status, refund.text).toBe(200)
  expect(await s.cardNow()).toMatchObject({ balance: 19.9975 })
  expect(await w.faults()).toEqual([])
})

test('the official clients of x402 and MPP pay the same URL one after the other', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const payer = await s.payer()
  const x402 = new x402Client().register(NETWORK, new ExactEvmScheme(payer))
  for (const pay of [
    wrapFetchWithPayment(fetch, x402),
    payByWallet(payer),
    payByCard(s.base, s.card),
  ])
    expect((await pay(s.url)).status).toBe(200)
  expect(await s.received()).toBe(1.4925)
  expect((await w.call('GET', `/api/paylinks/${s.link.code}`)).body.uses).toBe(3)
  expect(await w.faults()).toEqual([])
})

test('a body is part of what is paid for', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{ "order": 7 }',
  }
  const payer = await s.payer()
  const credential = await credentialOf(s.url, payer, init)
  for (const other of [{ ...init, body: '{ "order": 8 }' }, { method: 'POST' }, {}]) {
    const refused = await withCredential(s.url, credential, other)
    expect(refused.status).toBe(402)
    expect(await bodyOf(refused)).toMatchObject({ error: 'body_digest_mismatch' })
  }
  const bare = await credentialOf(s.url, payer)
  expect((await bodyOf(await withCredential(s.url, bare, init))).error).toBe('body_digest_mismatch')
  expect((await withCredential(s.url, credential, init)).status).toBe(200)
  expect(await s.received()).toBe(0.4975)
})

test('ten presentations of one credential settle once and all get its receipt, by wallet and by card', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const payer = await s.payer()
  const makers = [() => credentialOf(s.url, payer), () => cardCredential(s)]
  for (const make of makers) {
    const credential = await make()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withCredential(s.url, credential)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const receipts = new Set(answers.map(({ headers }) => headers.get('payment-receipt')))
    expect(receipts.size).toBe(1)
    // A caller that lost the answer may ask as late as it likes.
    await w.advance(3_600)
    const late = await withCredential(s.url, credential)
    expect(late.status).toBe(200)
    expect(receipts).toContain(late.headers.get('payment-receipt'))
  }
  expect(await s.received()).toBe(0.995)
  expect(await w.faults()).toEqual([])
})

test('N payers by every method at once on a one-use link: one credit, clear refusals, no money lost', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const wallets = await Promise.all([s.payer(), s.payer(), s.payer()])
  const cards = await Promise.all([issue(s.agent, 2), issue(s.agent, 2), issue(s.agent, 2)])
  const credentials = await Promise.all([
    ...wallets.map((account) => credentialOf(s.url, account)),
    ...cards.map((card) => cardCredential(s, card)),
  ])
  const before = await w.treasuryOnChain()
  const answers = await Promise.all(credentials.map((one) => withCredential(s.url, one)))
  const bodies = await Promise.all(answers.map(bodyOf))
  expect(bodies.filter(({ success }) => success)).toHaveLength(1)
  for (const body of bodies.filter(({ success }) => !success))
    expect(['pay_link_busy', 'pay_link_completed']).toContain(body.code)
  expect(await s.received()).toBe(0.4975)
  const byCard = bodies.find(({ success }) => success).tx_hash === null
  expect((await w.treasuryOnChain()) - before).toBe(byCard ? 0n : 500_000n)
  await w.advance(600)
  await w.runJobs()
  const held = await Promise.all(cards.map(async (card) => (await cardOf(s.agent, card.id)).held))
  expect(held).toEqual([0, 0, 0])
  expect(await w.faults()).toEqual([])
})

test('whose Authorization holds an API key is asked for Payment-Authorization', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const headers = { authorization: `Bearer ${s.agent.key}` }
  const challenge = challengeIn(await fetch(s.url, { headers }), 'agentcard')
  expect(challenge.header).toBe('Payment-Authorization')
  const { body } = await askForToken(s.base, s.card, writeChallenge(challenge))
  expect(body.header).toBe('Payment-Authorization')
  const misplaced = await withCredential(s.url, body.credential)
  expect((await bodyOf(misplaced)).error).toBe('credential_misplaced')
  const paid = await fetch(s.url, {
    headers: { ...headers, 'payment-authorization': body.credential },
  })
  expect(paid.status).toBe(200)
  expect(await s.received()).toBe(0.4975)
})

test('the payer of a link without an amount pays what its challenge was made for, by wallet and by card', async () => {
  await using w = await world()
  const s = await mppShop(w, { amount: null, type: 'RECURRING' })
  const bare = await fetch(s.url)
  expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([402, null])
  expect((await bodyOf(bare)).error).toContain('?amount=')
  const payer = await s.payer()
  expect(await bodyOf(await payByWallet(payer)(`${s.url}?amount=0.75`))).toMatchObject({
    success: true,
    amount: 0.75,
  })
  const card = payByCard(s.base, s.card)
  expect(await bodyOf(await card(`${s.url}?amount=1.25`))).toMatchObject({ amount: 1.25 })
  // The challenge fixes the amount, whatever the URL of the paid request says.
  const credential = await credentialOf(`${s.url}?amount=0.10`, payer)
  expect(await bodyOf(await withCredential(`${s.url}?amount=0.99`, credential))).toMatchObject({
    amount: 0.1,
  })
  expect(await w.faults()).toEqual([])
})

test('a link that was cancelled, or whose time is over, answers 410 to every credential', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const later = (
    await s.seller.post('/api/paylinks', { card_id: s.till.id, amount: 0.5, expires_in: 0.01 })
  ).body
  const laterUrl = `${s.base}/pay/${later.code}`
  const payer = await s.payer()
  const mine = [await credentialOf(s.url, payer), await cardCredential(s), 'Payment e30']
  const theirs = [await credentialOf(laterUrl, payer), await cardCredential(s, s.card, laterUrl)]
  expect((await s.cardNow()).held).toBe(1)
  await s.seller.send('DELETE', `/api/paylinks/${s.link.code}`)
  for (const credential of mine) {
    const answer = await withCredential(s.url, credential)
    expect([answer.status, (await bodyOf(answer)).code]).toEqual([410, 'pay_link_cancelled'])
    expect(answer.headers.get('www-authenticate')).toBeNull()
  }
  // The money for it went back as soon as it was sure that nobody can take it.
  expect((await s.cardNow()).held).toBe(0.5)
  await w.advance(60)
  for (const credential of theirs) {
    const answer = await withCredential(laterUrl, credential)
    expect([answer.status, (await bodyOf(answer)).code]).toEqual([410, 'pay_link_expired'])
  }
  expect((await s.cardNow()).held).toBe(0)
  expect(await w.faults()).toEqual([])
})

test('a transfer that somebody else carried to the chain first pays, and asks for no second signature', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const payer = await s.payer()
  const credential = await credentialOf(s.url, payer)
  await carryFirst(w, credential, await freshAccount())
  const answer = await withCredential(s.url, credential)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('payment-receipt')).toBeTruthy()
  expect(await s.received()).toBe(0.4975)
  expect(await w.faults()).toEqual([])
})

/** Carries the authorization of a credential to the chain, as anybody could who saw it. */
async function carryFirst(w: World, credential: string, runner: PrivateKeyAccount): Promise<void> {
  const { payload } = decodeJson(credential.slice('Payment '.length)) as any
  const { signature, type: _type, ...authorization } = payload
  const header = {
    x402Version: 2,
    accepted: { scheme: 'exact', network: NETWORK },
    payload: { signature, authorization },
  }
  await w.frontRun(Buffer.from(JSON.stringify(header)).toString('base64'), runner)
}
